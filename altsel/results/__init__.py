"""What searches and analyses return: frozen, plain, without solvers or statistics."""

from altsel.results.comparison import Comparison, Definition, Discarded
from altsel.results.discoveries import Discoveries, TestedFeature
from altsel.results.effort import Effort
from altsel.results.equivalence import Equivalence, Pair
from altsel.results.estimate import Estimate
from altsel.results.explanation import Explanation, Repair
from altsel.results.family_claim import FamilyClaim
from altsel.results.feature_report import FeatureClass, FeatureReport, Relevance
from altsel.results.feature_set import ErrorBounds, FeatureSet, Proof, Role, Step, Verdict
from altsel.results.front import Front, Point
from altsel.results.importance_distribution import (
    FeatureDistribution,
    ImportanceDistribution,
    WorthInGoodSets,
)
from altsel.results.importance_range import (
    ExchangedPair,
    FeatureRange,
    ImportanceRanges,
    RangeClass,
)
from altsel.results.least_loss import Known, LeastLoss
from altsel.results.orientation import Edge, Orientation, OrientedMember, Side
from altsel.results.performance import Performance, SetPerformance
from altsel.results.removal_stability import RemovalStability
from altsel.results.sample import Sample
from altsel.results.score_card import CardItem, ScoreCard, TotalRisk
from altsel.results.shadow import Shadow, ShadowedFeature
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.results.stable_selection import StableFeature, StableSelection
from altsel.results.stop import Stop
from altsel.results.study import Study, Tried, TriedTau
from altsel.results.taxonomy import Taxonomy

__all__ = [
    "CardItem",
    "Comparison",
    "Definition",
    "Discarded",
    "Discoveries",
    "Edge",
    "Effort",
    "Equivalence",
    "ErrorBounds",
    "Estimate",
    "ExchangedPair",
    "Explanation",
    "FamilyClaim",
    "FeatureClass",
    "FeatureDistribution",
    "FeatureRange",
    "FeatureReport",
    "FeatureSet",
    "Front",
    "ImportanceDistribution",
    "ImportanceRanges",
    "Known",
    "LeastLoss",
    "Orientation",
    "OrientedMember",
    "Pair",
    "Performance",
    "Point",
    "Proof",
    "RangeClass",
    "Relevance",
    "RemovalStability",
    "Repair",
    "Role",
    "Sample",
    "ScoreCard",
    "SetPerformance",
    "Shadow",
    "ShadowedFeature",
    "Side",
    "Solutions",
    "Stability",
    "StableFeature",
    "StableSelection",
    "Step",
    "Stop",
    "Study",
    "Taxonomy",
    "TestedFeature",
    "TotalRisk",
    "Tried",
    "TriedTau",
    "Verdict",
    "WorthInGoodSets",
]
