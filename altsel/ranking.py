"""Greedy filters: features ranked by criteria of information theory, in milliseconds, without proof.

``mim``, ``mifs``, ``mrmr``, ``jmi``, ``cife``, ``cmim``, ``disr`` and ``relax_mrmr`` of the unified
view (Yu, Liu and Li 2021), and ``fcbf``, which finds its own number of features.
"""

from altsel.search.ranking.criteria import (
    cife,
    cmim,
    disr,
    fcbf,
    greedy,
    jmi,
    mifs,
    mim,
    mrmr,
    relax_mrmr,
)

__all__ = ["cife", "cmim", "disr", "fcbf", "greedy", "jmi", "mifs", "mim", "mrmr", "relax_mrmr"]
