"""Which functions show a result, found by its class: a result imports none of them, and they may import it.

They stand in layers above, beside what they show; here they are named, and imported when first used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from altsel.runtime.on_demand import load


@dataclass(frozen=True)
class Renderers:
    """The functions that show results of one class, as ``"module:function"``.

    Attributes
    ----------
    html
        A table for notebooks.
    text
        A table for terminals; empty where the class writes its own.
    page
        A page of its own.
    plot
        A picture on axes: of the result, and the axes or None.
    size
        Inches of that picture in a file.
    """

    html: str
    text: str = ""
    page: str = ""
    plot: str = ""
    size: str = ""


RENDERERS = {
    "altsel.data.dataset.Dataset": Renderers(html="altsel.data.html:of_dataset"),
    "altsel.results.solutions.Solutions": Renderers(
        html="altsel.results.html:of_solutions",
        text="altsel.results.solutions_text:text",
        plot="altsel.results.plots.membership:draw",
        size="altsel.results.plots.membership:size",
    ),
    "altsel.results.feature_set.FeatureSet": Renderers(html="altsel.results.html:of_feature_set"),
    "altsel.results.front.Front": Renderers(
        html="altsel.results.html:of_front",
        plot="altsel.results.plots.front:draw",
        size="altsel.results.plots.front:size",
    ),
    "altsel.results.performance.Performance": Renderers(
        html="altsel.results.html:of_performance",
        text="altsel.results.performance_text:text",
        plot="altsel.results.plots.performance:draw",
        size="altsel.results.plots.performance:size",
    ),
    "altsel.results.stability.Stability": Renderers(
        html="altsel.results.html:of_stability",
        plot="altsel.results.plots.stability:draw",
        size="altsel.results.plots.stability:size",
    ),
    "altsel.results.importance_range.ImportanceRanges": Renderers(
        html="altsel.results.importance_range_text:html",
        text="altsel.results.importance_range_text:text",
        plot="altsel.results.plots.importance_range:draw",
        size="altsel.results.plots.importance_range:size",
    ),
    "altsel.results.importance_distribution.ImportanceDistribution": Renderers(
        html="altsel.results.importance_distribution_text:html",
        text="altsel.results.importance_distribution_text:text",
        plot="altsel.results.plots.importance_distribution:draw",
        size="altsel.results.plots.importance_distribution:size",
    ),
    "altsel.results.discoveries.Discoveries": Renderers(
        html="altsel.results.discoveries_text:html", text="altsel.results.discoveries_text:text"
    ),
    "altsel.results.family_claim.FamilyClaim": Renderers(html="altsel.results.discoveries_text:claim_html"),
    "altsel.results.study.Study": Renderers(
        html="altsel.results.study_text:html", text="altsel.results.study_text:text"
    ),
    "altsel.results.stable_selection.StableSelection": Renderers(
        html="altsel.results.stable_selection_text:html", text="altsel.results.stable_selection_text:text"
    ),
    "altsel.results.removal_stability.RemovalStability": Renderers(
        html="altsel.results.html:of_removal_stability"
    ),
    "altsel.results.dual.Dual": Renderers(
        html="altsel.results.dual_text:html", text="altsel.results.dual_text:text"
    ),
    "altsel.results.equivalence.Equivalence": Renderers(html="altsel.results.html:of_equivalence"),
    "altsel.results.taxonomy.Taxonomy": Renderers(html="altsel.results.html:of_taxonomy"),
    "altsel.results.score_card.ScoreCard": Renderers(
        html="altsel.results.score_card_text:html", text="altsel.results.score_card_text:text"
    ),
    "altsel.results.orientation.Orientation": Renderers(
        html="altsel.results.orientation_text:html", text="altsel.results.orientation_text:text"
    ),
    "altsel.results.shadow.Shadow": Renderers(html="altsel.results.html:of_shadow"),
    "altsel.analysis.msg.graph.MSG": Renderers(
        html="altsel.analysis.msg.html:of_graph", plot="altsel.analysis.msg.plot:plot"
    ),
    "altsel.looking.result.Look": Renderers(
        html="altsel.looking.notebook:shown", text="altsel.looking.text:text", page="altsel.looking.page:page"
    ),
}
"""The functions of each class, by its full name."""


def renderer(way: Literal["html", "text", "page", "plot", "size"], shown: object) -> Callable[..., Any]:
    """Return the function that shows an object in some way: that of its class, or of a base of it.

    Raises
    ------
    TypeError
        If there is none, which is a fault of the table.

    Examples
    --------
    >>> from altsel.results import FeatureSet, Proof
    >>> renderer("html", FeatureSet(("a",), 1.0, Proof.OPTIMAL)).__name__
    'of_feature_set'
    """
    for one in type(shown).__mro__:
        known = RENDERERS.get(f"{one.__module__}.{one.__qualname__}")
        if known is not None and (named := getattr(known, way)):
            module, _, function = named.partition(":")
            found: Callable[..., Any] = getattr(load(module), function)
            return found
    raise TypeError(f"nothing shows {type(shown).__name__} as {way}")
