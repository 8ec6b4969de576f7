"""The named filters of the unified view, each a criterion of the greedy search."""

from __future__ import annotations

from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan
from altsel.errors import flags, no_negative
from altsel.results.solutions import Solutions
from altsel.search.ranking.conditional_minimum import ConditionalMinimum
from altsel.search.ranking.fcbf import fcbf
from altsel.search.ranking.greedy import Linear, greedy
from altsel.search.ranking.joint import (
    JointMinimum,
    capped_interaction,
    relevance_by_redundancy,
    symmetrical_relevance,
)
from altsel.search.ranking.matching_pursuit import gomp
from altsel.search.ranking.measured import PairMeasure, chosen_measure
from altsel.search.ranking.relax_mrmr import relax_mrmr

__all__ = [
    "cife",
    "cmim",
    "disr",
    "fcbf",
    "gomp",
    "greedy",
    "icap",
    "jmi",
    "jmim",
    "mifs",
    "mim",
    "miq",
    "mrmr",
    "relax_mrmr",
]


def mim(
    data: Dataset | Scan,
    k: int,
    *,
    bins: int | None = None,
    debiased: bool = True,
    measure: PairMeasure | None = None,
) -> Solutions:
    """Select the k features of largest relevance: ``I(X; C)`` (UV eq. 29), with a measure in place of I.

    Parameters
    ----------
    data
        The table.
    k
        Number of features.
    bins
        If given, dependence is information, in nats, of columns whose numbers are cut into so many bins of
        equal frequency (of a scan, its own), as in the literature.
    debiased
        Whether informations are less what chance gives, as in `greedy`; if not, plug-in estimates.
    measure
        Measure of dependence, of features on the target and each other. Default: association, as in
        `altsel.Univariate` and `altsel.MRMR`, if no bins are given.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Yu, Liu and Li (2021), section 5.2.1; Lewis, 1992.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 1])
    >>> [round(mim(data, 1, bins=5, debiased=debiased)[0].score, 3) for debiased in (False, True)]
    [0.693, 0.462]
    """
    by = chosen_measure(measure, bins, debiased)
    return greedy(data, Linear(0.0, 0.0), k, name="MIM", bins=bins, debiased=debiased, measure=by)


def mifs(
    data: Dataset | Scan,
    k: int,
    *,
    beta: float = 1.0,
    bins: int | None = None,
    debiased: bool = True,
    measure: PairMeasure | None = None,
) -> Solutions:
    """Penalise the sum of redundancies: ``I(X; C) - beta sum_i I(X; F_i)`` (UV eq. 32).

    With beta = 0 this is `mim`. Battiti recommends 0.5 to 1.

    Parameters
    ----------
    data, k, bins, debiased, measure
        As for `mim`.
    beta
        Weight of the redundancies, at least 0.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Battiti, IEEE Transactions on Neural Networks 5 (1994).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 1])
    >>> mifs(data, 2)[0].features
    ('a', 'b')
    """
    no_negative("beta", beta)
    by = chosen_measure(measure, bins, debiased)
    return greedy(data, Linear(beta, 0.0), k, name="MIFS", bins=bins, debiased=debiased, measure=by)


def mrmr(
    data: Dataset | Scan,
    k: int,
    *,
    bins: int | None = None,
    debiased: bool = True,
    measure: PairMeasure | None = None,
) -> Solutions:
    """Penalise the mean redundancy: ``I(X; C) - 1/j sum_i I(X; F_i)`` (UV eq. 33).

    This is the difference form (MID); the quotient form, `miq`, divides instead. The exact criterion of a
    whole set is `altsel.MRMR`, which leaves out the redundancy of a feature with itself too, unless it is
    ``MRMR(data, "k^2")``.

    Parameters
    ----------
    data, k, bins, debiased, measure
        As for `mim`.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Peng, Long and Ding, IEEE Transactions on Pattern Analysis and Machine Intelligence 27 (2005).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 1])
    >>> mrmr(data, 2)[0].features
    ('a', 'b')
    """
    by = chosen_measure(measure, bins, debiased)
    return greedy(data, Linear(None, 0.0), k, name="mRMR", bins=bins, debiased=debiased, measure=by)


def miq(
    data: Dataset | Scan,
    k: int,
    *,
    bins: int | None = None,
    debiased: bool = True,
    measure: PairMeasure | None = None,
) -> Solutions:
    """Divide by the mean redundancy: ``I(X; C) / (1/j sum_i I(X; F_i))``, mRMR's quotient form.

    A mean redundancy below .001 counts as .001: among features that share nothing with those selected the
    most relevant is next.

    Parameters
    ----------
    data, k, bins, debiased, measure
        As for `mim`.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Ding and Peng, Journal of Bioinformatics and Computational Biology 3 (2005).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 0, 1, 0]}, [0, 0, 1, 1])
    >>> [step.feature for step in miq(data, 2)[0].path]
    ['a', 'c']
    """
    by = chosen_measure(measure, bins, debiased)
    return greedy(data, relevance_by_redundancy, k, name="MIQ", bins=bins, debiased=debiased, measure=by)


def jmi(data: Dataset | Scan, k: int, *, bins: int | None = None, debiased: bool = True) -> Solutions:
    """Add up joint information: ``I(X; C) - 1/j sum_i (I(X; F_i) - I(X; F_i | C))`` (UV eq. 38).

    Its authors write ``sum_i I(X, F_i; C)``, which ranks candidates alike and has another scale. mIMR of
    Bontempi and Meyer (2010) with equal weights is half of it, but begins with a pair.

    Parameters
    ----------
    data, k, debiased
        As for `mim`.
    bins
        Numbers are cut into so many bins of equal frequency; default: 5, or those of a scan.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Yang and Moody, Advances in Neural Information Processing Systems 12 (2000).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 99, "b": [0, 1, 0, 1] * 99}, [0, 1, 1, 0] * 99)
    >>> [round(step.score, 2) for step in jmi(data, 2)[0].path]  # exclusive or
    [-0.0, 0.69]
    """
    return greedy(data, Linear(None, None), k, name="JMI", bins=bins, debiased=debiased)


def cife(data: Dataset | Scan, k: int, *, bins: int | None = None, debiased: bool = True) -> Solutions:
    """Sum without a mean: ``I(X; C) - sum_i (I(X; F_i) - I(X; F_i | C))`` (UV eq. 36).

    Parameters
    ----------
    data, k, bins, debiased
        As for `jmi`.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Lin and Tang, European Conference on Computer Vision 2006.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 1])
    >>> cife(data, 2)[0].features
    ('a', 'b')
    """
    return greedy(data, Linear(1.0, 1.0), k, name="CIFE", bins=bins, debiased=debiased)


def cmim(
    data: Dataset | Scan, k: int, *, capped: bool = False, bins: int | None = None, debiased: bool = True
) -> Solutions:
    """Judge by the worst selected feature: ``I(X; C) - max_i (I(X; F_i) - I(X; F_i | C))`` (UV eq. 39).

    Equal to ``min_i I(X; C | F_i)``, which may exceed ``I(X; C)``. Its author takes ``I(X; C)`` itself
    into the minimum, as do FEAST (with which UV's experiments were made) and praznik: `capped`. Synergy
    with all selected features counts for nothing there.

    Parameters
    ----------
    data, k, bins, debiased
        As for `jmi`.
    capped
        Whether a score is ``min(I(X; C), min_i I(X; C | F_i))``.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Fleuret, Journal of Machine Learning Research 5 (2004), eq. 12; Brown, Pocock, Zhao and Lujan,
    Journal of Machine Learning Research 13 (2012).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 99, "b": [0, 1, 0, 1] * 99}, [0, 1, 1, 0] * 99)
    >>> [[round(step.score, 2) for step in cmim(data, 2, capped=cap)[0].path] for cap in (False, True)]
    [[-0.0, 0.69], [-0.0, -0.0]]
    """
    flags(capped=capped)
    name = "CMIM, capped" if capped else "CMIM"
    return greedy(data, ConditionalMinimum(capped), k, name=name, bins=bins, debiased=debiased)


def disr(data: Dataset | Scan, k: int, *, bins: int | None = None, debiased: bool = True) -> Solutions:
    """Normalise joint information: ``sum_i I(X, F_i; C) / H(X, F_i, C)``; the first feature by ``I(X; C)``.

    Parameters
    ----------
    data, k, bins, debiased
        As for `jmi`.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Meyer and Bontempi, EvoWorkshops 2006.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 99, "b": [0, 1, 0, 1] * 99}, [0, 1, 1, 0] * 99)
    >>> [round(step.score, 2) for step in disr(data, 2)[0].path]
    [-0.0, 0.5]
    """
    return greedy(data, symmetrical_relevance, k, name="DISR", bins=bins, debiased=debiased)


def jmim(
    data: Dataset | Scan, k: int, *, normalised: bool = False, bins: int | None = None, debiased: bool = True
) -> Solutions:
    """Judge by the least joint information: ``min_i I(X, F_i; C)``; the first feature by ``I(X; C)``.

    Parameters
    ----------
    data, k, debiased, bins
        As for `jmi`.
    normalised
        Whether it is a share of the joint entropy, ``min_i I(X, F_i; C) / H(X, F_i, C)`` (NJMIM).

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Bennasar, Hicks and Setchi, Expert Systems with Applications 42 (2015).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 99, "b": [0, 1, 0, 1] * 99}, [0, 1, 1, 0] * 99)
    >>> [[round(step.score, 2) for step in jmim(data, 2, normalised=n)[0].path] for n in (False, True)]
    [[-0.0, 0.69], [-0.0, 0.5]]
    """
    flags(normalised=normalised)
    name = "NJMIM" if normalised else "JMIM"
    return greedy(data, JointMinimum(normalised), k, name=name, bins=bins, debiased=debiased)


def icap(data: Dataset | Scan, k: int, *, bins: int | None = None, debiased: bool = True) -> Solutions:
    """Count redundancy, not synergy: ``I(X; C) - sum_i max(0, I(X; F_i) - I(X; F_i | C))``.

    Parameters
    ----------
    data, k, bins, debiased
        As for `jmi`.

    Returns
    -------
    Solutions
        As `greedy`.

    References
    ----------
    Jakulin, Machine Learning Based on Attribute Interactions, PhD thesis, University of Ljubljana (2005);
    Brown, Pocock, Zhao and Lujan, Journal of Machine Learning Research 13 (2012).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 99, "b": [0, 1, 0, 1] * 99}, [0, 1, 1, 0] * 99)
    >>> [round(step.score, 2) for step in icap(data, 2)[0].path]
    [-0.0, -0.0]
    """
    return greedy(data, capped_interaction, k, name="ICAP", bins=bins, debiased=debiased)
