"""One Markov blanket: searches driven by tests of conditional independence."""

from altsel.search.blanket.forward_backward import (
    EarlyDropping,
    dependent_by_association,
    dependent_by_p,
    forward_backward,
    forward_backward_early_dropping,
    remove_least_dependent,
)
from altsel.search.blanket.grow_shrink import grow_shrink
from altsel.search.blanket.hiton import hiton_mb, hiton_pc
from altsel.search.blanket.iamb import fast_iamb, iamb, inter_iamb
from altsel.search.blanket.inquiry import Inquiry
from altsel.search.blanket.ipcmb import ipcmb
from altsel.search.blanket.mmpc import mmmb, mmpc
from altsel.search.blanket.scope import Scope
from altsel.search.blanket.stmb import stmb

__all__ = [
    "EarlyDropping",
    "Inquiry",
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
