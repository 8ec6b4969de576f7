from . import (
    auditing,
    blankets,
    comparison,
    data,
    domain,
    errors,
    greedy,
    imputation,
    independence,
    interchange,
    knockoffs,
    measures,
    models,
    ranking,
    results,
    sklearn,
    solvers,
)
from ._version import __version__
from .analysis.discoveries import discoveries
from .analysis.equivalence import equivalence
from .analysis.importance_distribution import importance_distribution
from .analysis.importance_range import importance_range
from .analysis.msg.graph import MSG, msg
from .analysis.performance import performance
from .analysis.shadow import shadow
from .analysis.stability import stability
from .analysis.stable_selection import stable_selection
from .analysis.substitutions import substitutions
from .analysis.taxonomy import taxonomy
from .auditing.audit import audit
from .data.dataset import Dataset
from .data.example import example
from .data.networks.bif import read_network
from .errors import (
    AltselError,
    ArgumentError,
    ConfigurationError,
    DataError,
    DataWarning,
    FalseDiscoveryWarning,
    RuleWarning,
    SolverError,
)
from .exact.auto_solver import solver
from .exploring.explore import explore
from .looking.look import look
from .models.black_box import BlackBox
from .models.cfs import CFS
from .models.correlation_aware import CorrelationAware
from .models.count_dissimilarities import Hamming, Overlap
from .models.dissimilarity import Dice, Jaccard
from .models.fcbf import FCBF
from .models.formulation import formulate
from .models.group_dice import GroupDice
from .models.linear_fit import LinearFit
from .models.model_fit import ModelFit
from .models.mrmr import MRMR
from .models.problem import Problem
from .models.soft_diversity import Average, Penalised
from .models.univariate import Univariate
from .models.weighted_dissimilarities import WeightedDice, WeightedJaccard
from .results.feature_set import FeatureSet, Proof
from .results.front import Front
from .results.solutions import Solutions
from .results.stop import Stop
from .search.alternatives.alternative_tree import AlternativeTreeClassifier, AlternativeTreeRegressor
from .search.alternatives.explain.explain import explain
from .search.alternatives.export import export
from .search.alternatives.hill_climbing import HillClimbing
from .search.alternatives.most_different import most_different
from .search.alternatives.near_optimal import near_optimal
from .search.alternatives.noise import noise_level
from .search.alternatives.ordered_flips import OrderedFlips
from .search.alternatives.pareto_front import pareto_front
from .search.alternatives.quality_loss import AbsoluteLoss, RelativeLoss
from .search.alternatives.satisfying import satisfying
from .search.alternatives.sequential import sequential
from .search.alternatives.simultaneous import simultaneous
from .search.alternatives.sizes import choose_size
from .search.alternatives.sweep import sweep
from .search.alternatives.thresholds import choose_tau
from .search.alternatives.valid_sets import enumerate_valid, sample_valid
from .search.alternatives.wrapper import wrapper
from .search.score_cards.score_card import score_card
from .solvers.named import profiles
from .stats.cross_validation import CrossValidated
from .stats.dependence.measure import Dependence, dependence
from .studying.study import study

__all__ = [
    "CFS",
    "FCBF",
    "MRMR",
    "MSG",
    "AbsoluteLoss",
    "AlternativeTreeClassifier",
    "AlternativeTreeRegressor",
    "AltselError",
    "ArgumentError",
    "Average",
    "BlackBox",
    "ConfigurationError",
    "CorrelationAware",
    "CrossValidated",
    "DataError",
    "DataWarning",
    "Dataset",
    "Dependence",
    "Dice",
    "FalseDiscoveryWarning",
    "FeatureSet",
    "Front",
    "GroupDice",
    "Hamming",
    "HillClimbing",
    "Jaccard",
    "LinearFit",
    "ModelFit",
    "OrderedFlips",
    "Overlap",
    "Penalised",
    "Problem",
    "Proof",
    "RelativeLoss",
    "RuleWarning",
    "Solutions",
    "SolverError",
    "Stop",
    "Univariate",
    "WeightedDice",
    "WeightedJaccard",
    "__version__",
    "audit",
    "auditing",
    "blankets",
    "choose_size",
    "choose_tau",
    "comparison",
    "data",
    "dependence",
    "discoveries",
    "domain",
    "enumerate_valid",
    "equivalence",
    "errors",
    "example",
    "explain",
    "explore",
    "export",
    "formulate",
    "greedy",
    "importance_distribution",
    "importance_range",
    "imputation",
    "independence",
    "interchange",
    "knockoffs",
    "look",
    "measures",
    "models",
    "most_different",
    "msg",
    "near_optimal",
    "noise_level",
    "pareto_front",
    "performance",
    "profiles",
    "ranking",
    "read_network",
    "results",
    "sample_valid",
    "satisfying",
    "score_card",
    "sequential",
    "shadow",
    "simultaneous",
    "sklearn",
    "solver",
    "solvers",
    "stability",
    "stable_selection",
    "study",
    "substitutions",
    "sweep",
    "taxonomy",
    "wrapper",
]
