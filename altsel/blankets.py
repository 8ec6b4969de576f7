"""Searches for Markov blankets, driven by tests of conditional independence.

One blanket: ``forward_backward``, ``forward_backward_early_dropping``, ``grow_shrink``, ``iamb``,
``inter_iamb``, ``fast_iamb``, ``kiamb`` condition on all members; ``mmpc``, ``mmmb``, ``hiton_pc``,
``hiton_mb``, ``pcmb``, ``ipcmb``, ``pc_simple``, ``stmb``, ``bamb``, ``eemb`` on subsets of them; ``ppfs``
takes what is dependent by itself and then removes what the rest makes superfluous; ``ses`` exchanges members
of ``mmpc``'s set for equivalents. ``aggregated`` learns on several parts of the rows, by any of them.
All blankets: ``tmfbs`` and ``tie_star`` list them; ``best`` finds the best, and ``dual`` the failed removals,
without listing the others; ``orientation`` finds which members are parents, which children; `Blankets`
answers what is asked of all, ``explain`` why rules leave none, and ``removal_stability`` whether failed
removals fail on other rows, too. Searches take a test, a level and limits, and return `Solutions`.
"""

from typing import TYPE_CHECKING

from altsel.analysis.family.blankets import Blankets
from altsel.runtime.on_demand import load
from altsel.search.blankets.aggregated import aggregated, frequencies
from altsel.search.blankets.all.best import best
from altsel.search.blankets.all.by_information import Stopping, information_template
from altsel.search.blankets.all.by_subsets import hiton_pc_template, mmpc_template
from altsel.search.blankets.all.confirmation import confirmed
from altsel.search.blankets.all.dual import dual
from altsel.search.blankets.all.order_variables import dependent_in_pairs, dependent_in_turn
from altsel.search.blankets.all.template import Pruning, Template
from altsel.search.blankets.all.tie_star import Removal, Reuse, tie_star
from altsel.search.blankets.all.tmfbs import tmfbs
from altsel.search.blankets.bamb import bamb, eemb
from altsel.search.blankets.folds import Folds
from altsel.search.blankets.forward_backward import (
    EarlyDropping,
    dependent_by_association,
    dependent_by_information,
    dependent_by_p,
    forward_backward,
    forward_backward_early_dropping,
    remove_least_dependent,
)
from altsel.search.blankets.grow_shrink import grow_shrink, shrink
from altsel.search.blankets.hiton import hiton_mb, hiton_pc
from altsel.search.blankets.iamb import fast_iamb, iamb, inter_iamb, kiamb
from altsel.search.blankets.ipcmb import ipcmb
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.mmpc import mmmb, mmpc
from altsel.search.blankets.orientation.background import Background
from altsel.search.blankets.orientation.family import with_orientation
from altsel.search.blankets.orientation.orientation import Around, orientation
from altsel.search.blankets.pc_simple import pc_simple
from altsel.search.blankets.pcmb import pcmb
from altsel.search.blankets.ppfs import ppfs
from altsel.search.blankets.ses import ses
from altsel.search.blankets.stmb import stmb
from altsel.stats.error_bounds import (
    error_bounds,
    with_error_bounds,
)

if TYPE_CHECKING:
    from altsel.auditing.blankets.removal_stability import removal_stability
    from altsel.search.blankets.all.explain import explain

ON_DEMAND = {
    "explain": "altsel.search.blankets.all.explain",
    "removal_stability": "altsel.auditing.blankets.removal_stability",
}
"""What takes longer to import than a search takes: audits, and searches by optimisation."""


def __getattr__(name: str) -> object:
    if name not in ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(load(ON_DEMAND[name]), name)
    return globals()[name]


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "Around",
    "Background",
    "Blankets",
    "EarlyDropping",
    "Folds",
    "Limits",
    "Pruning",
    "Removal",
    "Reuse",
    "Stopping",
    "Template",
    "aggregated",
    "bamb",
    "best",
    "confirmed",
    "dependent_by_association",
    "dependent_by_information",
    "dependent_by_p",
    "dependent_in_pairs",
    "dependent_in_turn",
    "dual",
    "eemb",
    "error_bounds",
    "explain",
    "fast_iamb",
    "forward_backward",
    "forward_backward_early_dropping",
    "frequencies",
    "grow_shrink",
    "hiton_mb",
    "hiton_pc",
    "hiton_pc_template",
    "iamb",
    "information_template",
    "inter_iamb",
    "ipcmb",
    "kiamb",
    "mmmb",
    "mmpc",
    "mmpc_template",
    "orientation",
    "pc_simple",
    "pcmb",
    "ppfs",
    "removal_stability",
    "remove_least_dependent",
    "ses",
    "shrink",
    "stmb",
    "tie_star",
    "tmfbs",
    "with_error_bounds",
    "with_orientation",
]
