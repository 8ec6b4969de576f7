"""Words for options with a fixed list; what contributors and other packages add to is a table."""

from __future__ import annotations

from enum import StrEnum


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


class RemovalName(StrEnum):
    """How TIE* chooses what to hide."""

    IGS = "igs"
    HITTING_SET = "hitting-set"
