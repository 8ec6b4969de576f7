"""Which searches for one blanket find one although features stand for each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from altsel.search.blankets.forward_backward import forward_backward, forward_backward_early_dropping
from altsel.search.blankets.grow_shrink import grow_shrink
from altsel.search.blankets.iamb import fast_iamb, iamb, inter_iamb, kiamb

SOUND = (
    forward_backward,
    forward_backward_early_dropping,
    grow_shrink,
    iamb,
    inter_iamb,
    fast_iamb,
    kiamb,
)
"""Searches that add whatever depends on the target given all members, until nothing does.

The others (MMMB, HITON-MB, IPC-MB, PCMB, neighbours alone) remove a feature as soon as a subset of others
separates it, which needs a faithful distribution: of two features that stand for each other both can leave.
STMB, BAMB and EEMB look for spouses next to neighbours only, so that they need a graph without hidden
common causes.
PPFS asks for less than a blanket.
"""


def sound_with_equivalences(learner: Callable[..., Any]) -> bool:
    """Return whether a search finds a blanket under composition alone, with a perfect test.

    A function of one's own says so by an attribute ``sound_with_equivalences = True``.

    Examples
    --------
    >>> from altsel.blankets import iamb, mmmb
    >>> sound_with_equivalences(iamb), sound_with_equivalences(mmmb)
    (True, False)
    """
    options: dict[str, Any] = {}
    while isinstance(learner, partial):
        options = {**learner.keywords, **options}
        learner = learner.func
    if learner is forward_backward_early_dropping:  # each run reaches one spouse further along a path
        return options.get("extra_runs", 0) is None
    return learner in SOUND or bool(getattr(learner, "sound_with_equivalences", False))
