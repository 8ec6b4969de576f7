"""One Markov blanket: searches driven by tests of conditional independence."""

from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.search.blankets.forward_backward import (
    EarlyDropping,
    dependent_by_association,
    dependent_by_p,
    forward_backward,
    forward_backward_early_dropping,
    remove_least_dependent,
)
from altsel.search.blankets.grow_shrink import grow_shrink
from altsel.search.blankets.hiton import hiton_mb, hiton_pc
from altsel.search.blankets.iamb import fast_iamb, iamb, inter_iamb
from altsel.search.blankets.ipcmb import ipcmb
from altsel.search.blankets.limits import Scope
from altsel.search.blankets.mmpc import mmmb, mmpc
from altsel.search.blankets.stmb import stmb

__all__ = [
    "BlanketSearch",
    "EarlyDropping",
    "Scope",
    "dependent_by_association",
    "dependent_by_p",
    "fast_iamb",
    "forward_backward",
    "forward_backward_early_dropping",
    "grow_shrink",
    "hiton_mb",
    "hiton_pc",
    "iamb",
    "inter_iamb",
    "ipcmb",
    "mmmb",
    "mmpc",
    "remove_least_dependent",
    "stmb",
]
