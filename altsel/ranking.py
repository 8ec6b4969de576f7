"""Greedy filters: features ranked by relevance less redundancy, in milliseconds, without proof.

``mim``, ``mifs``, ``mrmr``, ``jmi``, ``cife``, ``cmim``, ``disr`` and ``relax_mrmr`` of the unified
view (Yu, Liu and Li 2021), ``miq``, ``jmim`` and ``icap``, and ``fcbf``, which finds its own number of
features. ``mim``, ``mifs``, ``mrmr`` and ``miq`` measure by association, or by information if ``bins=`` are
given; the others by information, less what chance gives. ``gomp`` follows the residuals of a regression.
"""

from altsel.search.ranking.criteria import (
    cife,
    cmim,
    disr,
    fcbf,
    gomp,
    greedy,
    icap,
    jmi,
    jmim,
    mifs,
    mim,
    miq,
    mrmr,
    relax_mrmr,
)

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
