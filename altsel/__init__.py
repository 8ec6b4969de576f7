"""Find which other feature sets explain the target as well, with proofs."""

from altsel._version import __version__
from altsel.columns import Kind, Task
from altsel.dataset import Dataset
from altsel.effort import Effort
from altsel.errors import (
    AltselError,
    ArgumentError,
    ConfigurationError,
    DataError,
    DataWarning,
    SolverError,
)
from altsel.export import export
from altsel.models import (
    CFS,
    FCBF,
    MRMR,
    Average,
    Dice,
    Jaccard,
    Objective,
    Penalised,
    Problem,
    Univariate,
    domain,
    formulate,
)
from altsel.result import FeatureSet, Proof, Solutions, Stop
from altsel.search import greedy_balancing, greedy_replacement, sequential, simultaneous
from altsel.solvers import Outcome, Solver, profiles, solver
from altsel.stats.dependence import (
    Dependence,
    Measure,
    Relief,
    absolute_pearson,
    absolute_spearman,
    dependence,
    importances,
    mutual_information,
    permutation_importance,
    relief,
    relieff,
    symmetric_uncertainty,
)

__all__ = [
    "CFS",
    "FCBF",
    "MRMR",
    "AltselError",
    "ArgumentError",
    "Average",
    "ConfigurationError",
    "DataError",
    "DataWarning",
    "Dataset",
    "Dependence",
    "Dice",
    "Effort",
    "FeatureSet",
    "Jaccard",
    "Kind",
    "Measure",
    "Objective",
    "Outcome",
    "Penalised",
    "Problem",
    "Proof",
    "Relief",
    "Solutions",
    "Solver",
    "SolverError",
    "Stop",
    "Task",
    "Univariate",
    "__version__",
    "absolute_pearson",
    "absolute_spearman",
    "dependence",
    "domain",
    "export",
    "formulate",
    "greedy_balancing",
    "greedy_replacement",
    "importances",
    "mutual_information",
    "permutation_importance",
    "profiles",
    "relief",
    "relieff",
    "sequential",
    "simultaneous",
    "solver",
    "symmetric_uncertainty",
]
