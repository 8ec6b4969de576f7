"""Names for what altsel can do, and what they stand for; the command line and benchmarks speak by them.

A new measure, objective, test, learner or search gets its name here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import altsel
from altsel.errors import ArgumentError

if TYPE_CHECKING:
    from altsel.models import Dissimilarity, Objective
    from altsel.results import Solutions

    ObjectiveFactory = Callable[[altsel.Dataset], Objective]


class MeasureName(StrEnum):
    """Measures of dependence."""

    MI = "mutual-information"
    SU = "symmetric-uncertainty"
    PEARSON = "absolute-pearson"
    SPEARMAN = "absolute-spearman"
    IMPORTANCES = "importances"
    PERMUTATION = "permutation-importance"
    RELIEF = "relief"


class IndependenceName(StrEnum):
    """Tests of independence."""

    AUTO = "auto"
    G2 = "g2"
    CHI2 = "chi2"
    CORRELATION = "partial-correlation"
    SPEARMAN = "spearman"
    RATIO = "likelihood-ratio"
    POISSON = "poisson"
    KERNEL = "kernel"
    PREDICTIVE = "predictive"


class EstimatorName(StrEnum):
    """Models of the predictive permutation test."""

    TREE = "tree"
    LINEAR = "linear"
    FOREST = "forest"
    BOOSTING = "boosting"


class KnockoffName(StrEnum):
    """How the predictive permutation test replaces a feature."""

    CONDITIONAL = "conditional"
    SHUFFLE = "shuffle"


class ObjectiveName(StrEnum):
    """Objectives, and their variants."""

    UNIVARIATE = "univariate"
    FCBF = "fcbf"
    MRMR = "mrmr"
    MRMR_PAIRS = "mrmr-pairs"
    CFS = "cfs"
    CFS_LINEARISED = "cfs-linearised"


class DissimilarityName(StrEnum):
    """Dissimilarities."""

    DICE = "dice"
    JACCARD = "jaccard"


class Total(StrEnum):
    """Totals of a simultaneous search."""

    SUM = "sum"
    MIN = "min"


class SearchName(StrEnum):
    """Searches for alternatives."""

    SEQUENTIAL = "sequential"
    SIMULTANEOUS = "simultaneous"
    REPLACEMENT = "greedy-replacement"
    BALANCING = "greedy-balancing"
    MOST_DIFFERENT = "most-different"


class BlanketMethod(StrEnum):
    """Searches for a Markov blanket, or for parents and children (mmpc, hiton-pc)."""

    FBS = "fbs"
    FBED = "fbed"
    GROW_SHRINK = "grow-shrink"
    IAMB = "iamb"
    INTER_IAMB = "inter-iamb"
    FAST_IAMB = "fast-iamb"
    MMPC = "mmpc"
    MMMB = "mmmb"
    HITON_PC = "hiton-pc"
    HITON_MB = "hiton-mb"
    IPC_MB = "ipc-mb"
    STMB = "stmb"
    PPFS = "ppfs"


BY_SUBSETS = (
    BlanketMethod.MMPC,
    BlanketMethod.MMMB,
    BlanketMethod.HITON_PC,
    BlanketMethod.HITON_MB,
    BlanketMethod.IPC_MB,
    BlanketMethod.STMB,
)
"""Searches that condition on subsets of the members; the others condition on all of them."""


class AllBlanketsMethod(StrEnum):
    """Searches for all Markov blankets."""

    TMFBS = "tmfbs"
    TIE_STAR = "tie-star"


class LearnerName(StrEnum):
    """Searches for one blanket that TIE* repeats."""

    FBS = "fbs"
    IAMB = "iamb"
    GROW_SHRINK = "grow-shrink"
    MMMB = "mmmb"
    HITON_MB = "hiton-mb"


class RemovalName(StrEnum):
    """How TIE* chooses what to hide."""

    IGS = "igs"
    HITTING_SET = "hitting-set"


class FilterName(StrEnum):
    """Greedy criteria."""

    MIM = "mim"
    MIFS = "mifs"
    MRMR = "mrmr"
    JMI = "jmi"
    CIFE = "cife"
    CMIM = "cmim"
    DISR = "disr"
    RELAX_MRMR = "relax-mrmr"
    FCBF = "fcbf"


def measure(name: MeasureName, seed: int) -> altsel.measures.Measure:
    """Return the measure of a name."""
    if seed < 0:
        raise ArgumentError(f"--seed {seed}; use a number of at least 0")
    known = altsel.measures
    measures: dict[MeasureName, Callable[[], altsel.measures.Measure]] = {
        MeasureName.MI: lambda: known.MutualInformation(random_state=seed),
        MeasureName.SU: lambda: known.symmetric_uncertainty,
        MeasureName.PEARSON: lambda: known.absolute_pearson,
        MeasureName.SPEARMAN: lambda: known.absolute_spearman,
        MeasureName.IMPORTANCES: lambda: known.importances(random_state=seed),
        MeasureName.PERMUTATION: lambda: known.permutation_importance(random_state=seed),
        MeasureName.RELIEF: lambda: known.Relief(random_state=seed),
    }
    return measures[name]()


def objective(name: ObjectiveName, dependence: altsel.Dependence) -> Objective:
    """Return the objective of a name, of given dependences."""
    objectives: dict[ObjectiveName, Callable[[altsel.Dependence], Objective]] = {
        ObjectiveName.UNIVARIATE: altsel.Univariate,
        ObjectiveName.FCBF: altsel.FCBF,
        ObjectiveName.MRMR: altsel.MRMR,
        ObjectiveName.MRMR_PAIRS: lambda given: altsel.MRMR(given, "k(k-1)"),
        ObjectiveName.CFS: altsel.CFS,
        ObjectiveName.CFS_LINEARISED: lambda given: altsel.CFS(given, "linearised"),
    }
    return objectives[name](dependence)


def objective_factory(
    name: ObjectiveName, measure: altsel.measures.Measure, normalize: bool = False
) -> ObjectiveFactory:
    """Return what turns a table into the objective of a name."""

    def make(rows: altsel.Dataset) -> Objective:
        dependence = altsel.dependence(rows, measure)
        return objective(name, dependence.normalized() if normalize else dependence)

    return make


def sizes(text: str) -> int | tuple[int, int]:
    """Read sizes of sets: ``5`` or ``3:5``.

    Examples
    --------
    >>> sizes("5"), sizes("3:5")
    (5, (3, 5))
    """
    parts = text.split(":")
    try:
        numbers = [int(part) for part in parts]
    except ValueError as fault:
        raise ArgumentError(f"-k {text!r}; use an integer, or two as in 3:5") from fault
    if len(numbers) > 2:
        raise ArgumentError(f"-k {text!r}; use an integer, or two as in 3:5")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def dissimilarity(name: DissimilarityName, tau: float) -> Dissimilarity:
    """Return the dissimilarity of a name."""
    return altsel.Dice(tau) if name is DissimilarityName.DICE else altsel.Jaccard(tau)


def diversity(measured: Dissimilarity, average: bool, penalty: float | None) -> Any:
    """Return the diversity that wants a dissimilarity of each pair, on average, or at a penalty."""
    if average and penalty is not None:
        raise ArgumentError("--average and --penalty exclude each other")
    if penalty is not None:
        return altsel.Penalised(measured, penalty)
    return altsel.Average(measured) if average else measured


def search(
    name: SearchName, total: Total, solver: Any, within: float
) -> Callable[[altsel.Problem, Any, int], Solutions]:
    """Return the search of a name: a function of problem, diversity and number of alternatives."""
    if name is SearchName.REPLACEMENT:
        return altsel.greedy.replacement
    if name is SearchName.BALANCING:
        return altsel.greedy.balancing
    if name is SearchName.MOST_DIFFERENT:
        return partial(altsel.most_different, within=altsel.RelativeLoss(within), solver=solver)
    if name is SearchName.SEQUENTIAL:
        return partial(altsel.sequential, solver=solver)
    return partial(altsel.simultaneous, total=total.value, solver=solver)


def independence_test(
    name: IndependenceName,
    table: altsel.Dataset,
    seed: int,
    predictive: Mapping[str, Any] | None = None,
    **cells: Any,
) -> altsel.independence.Independence:
    """Return the test of a name; options are for predictive tests, or (cells) for contingency tables."""
    known = altsel.independence
    if name is IndependenceName.AUTO:
        usual = known.auto(table)
        return known.GSquare(table, **cells) if isinstance(usual, known.GSquare) else usual
    tests: dict[IndependenceName, Callable[[], altsel.independence.Independence]] = {
        IndependenceName.G2: lambda: known.GSquare(table, **cells),
        IndependenceName.CHI2: lambda: known.ChiSquare(table, **cells),
        IndependenceName.CORRELATION: lambda: known.PartialCorrelation(table),
        IndependenceName.SPEARMAN: lambda: known.PartialCorrelation(table, ranks=True),
        IndependenceName.RATIO: lambda: known.LikelihoodRatio(table),
        IndependenceName.POISSON: lambda: known.LikelihoodRatio(table, family=known.Poisson()),
        IndependenceName.KERNEL: lambda: known.kernel(table, random_state=seed),
        IndependenceName.PREDICTIVE: lambda: known.PredictivePermutation(
            table, random_state=seed, **(predictive or {})
        ),
    }
    return tests[name]()


def estimator(name: EstimatorName, seed: int) -> Any:
    """Return the estimator of a name: a word, or a classifier and a regressor."""
    if name in {EstimatorName.TREE, EstimatorName.LINEAR}:
        return name.value
    from sklearn import ensemble  # noqa: PLC0415  (heavy)

    if name is EstimatorName.FOREST:
        kinds = (ensemble.RandomForestClassifier, ensemble.RandomForestRegressor)
    else:
        kinds = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)
    return tuple(kind(random_state=seed) for kind in kinds)


def learner(name: BlanketMethod | LearnerName) -> Callable[..., Solutions]:
    """Return the search for one blanket of a name."""
    known = altsel.blankets
    learners: dict[str, Callable[..., Solutions]] = {
        "fbs": known.forward_backward,
        "fbed": partial(known.forward_backward_early_dropping, extra_runs=1),
        "grow-shrink": known.grow_shrink,
        "iamb": known.iamb,
        "inter-iamb": known.inter_iamb,
        "fast-iamb": known.fast_iamb,
        "mmpc": known.mmpc,
        "mmmb": known.mmmb,
        "hiton-pc": known.hiton_pc,
        "hiton-mb": known.hiton_mb,
        "ipc-mb": known.ipcmb,
        "stmb": known.stmb,
        "ppfs": known.ppfs,
    }
    return learners[name.value]


def ranking(name: FilterName) -> Callable[..., Solutions]:
    """Return the filter of a name."""
    found: Callable[..., Solutions] = getattr(altsel.ranking, name.value.replace("-", "_"))
    return found
