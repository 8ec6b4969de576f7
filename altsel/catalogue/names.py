"""Names for what altsel can do."""

from __future__ import annotations

from enum import StrEnum


class MeasureName(StrEnum):
    """Measures of dependence; those that end in "plain" keep what chance gives a feature of many levels."""

    ASSOCIATION = "association"
    MI = "mutual-information"
    SU = "symmetric-uncertainty"
    PEARSON = "absolute-pearson"
    SPEARMAN = "absolute-spearman"
    RATIO = "correlation-ratio"
    COPULA = "gaussian-copula-information"
    IMPORTANCES = "importances"
    PERMUTATION = "permutation-importance"
    RELIEF = "relief"
    MI_PLAIN = "mutual-information-plain"
    SU_PLAIN = "symmetric-uncertainty-plain"
    RATIO_PLAIN = "correlation-ratio-plain"
    IMPORTANCES_PLAIN = "importances-plain"
    PERMUTATION_PLAIN = "permutation-importance-plain"
    RELIEF_PLAIN = "relief-plain"


class IndependenceName(StrEnum):
    """Tests of independence."""

    AUTO = "auto"
    G2 = "g2"
    CHI2 = "chi2"
    TREND = "trend"
    CORRELATION = "partial-correlation"
    SPEARMAN = "spearman"
    RATIO = "likelihood-ratio"
    POISSON = "poisson"
    NEGATIVE_BINOMIAL = "negative-binomial"
    KERNEL = "kernel"
    PREDICTIVE = "predictive"


class EstimatorName(StrEnum):
    """Models of the predictive permutation test and of performance."""

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
    MRMR_SQUARE = "mrmr-k2"
    CFS = "cfs"
    CFS_LINEARISED = "cfs-linearised"
    LINEAR_FIT = "linear-fit"
    LINEAR_FIT_ADJUSTED = "linear-fit-adjusted"
    LINEAR_FIT_AIC = "linear-fit-aic"
    LINEAR_FIT_BIC = "linear-fit-bic"
    LINEAR_FIT_CP = "linear-fit-cp"


class DissimilarityName(StrEnum):
    """Dissimilarities."""

    DICE = "dice"
    JACCARD = "jaccard"
    OVERLAP = "overlap"
    HAMMING = "hamming"
    WEIGHTED_DICE = "weighted-dice"
    WEIGHTED_JACCARD = "weighted-jaccard"
    GROUP_DICE = "group-dice"


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
    """Searches for a Markov blanket, or for parents and children (mmpc, hiton-pc, pc-simple)."""

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
    PCMB = "pcmb"
    IPC_MB = "ipc-mb"
    PC_SIMPLE = "pc-simple"
    STMB = "stmb"
    PPFS = "ppfs"


BY_SUBSETS = (
    BlanketMethod.MMPC,
    BlanketMethod.MMMB,
    BlanketMethod.HITON_PC,
    BlanketMethod.HITON_MB,
    BlanketMethod.PCMB,
    BlanketMethod.IPC_MB,
    BlanketMethod.PC_SIMPLE,
    BlanketMethod.STMB,
)
"""Searches that condition on subsets of the members; the others condition on all of them."""


class AllBlanketsMethod(StrEnum):
    """Searches for all Markov blankets."""

    TMFBS = "tmfbs"
    TIE_STAR = "tie-star"


class TemplateName(StrEnum):
    """What TMFBS repeats: forward-backward selection, MMPC, HITON-PC or an order by information."""

    FBS = "fbs"
    MMPC = "mmpc"
    HITON_PC = "hiton-pc"
    MRMR = "mrmr"
    JMI = "jmi"
    CIFE = "cife"
    CMIM = "cmim"


class LearnerName(StrEnum):
    """Searches for one blanket that TIE* repeats."""

    FBS = "fbs"
    FBED = "fbed"
    IAMB = "iamb"
    INTER_IAMB = "inter-iamb"
    GROW_SHRINK = "grow-shrink"
    STMB = "stmb"
    MMMB = "mmmb"
    HITON_MB = "hiton-mb"
    PCMB = "pcmb"
    PPFS = "ppfs"


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


BY_PAIRS = (FilterName.MIM, FilterName.MIFS, FilterName.MRMR)
"""Criteria of pairs of columns, for which any measure does; the others are of information."""
