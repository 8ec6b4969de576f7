"""What each feature of a family of blankets is, and what stands for what, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from altsel.exact.transversals.exchange import exchanges
from altsel.exact.transversals.transversals import Transversals
from altsel.results.dual import Dual
from altsel.results.feature_report import FeatureClass


def classes(sets: Transversals, dual: Dual, universe: Sequence[str]) -> pd.DataFrame:
    """Tabulate what each feature is; see `Blankets.classes`."""
    told = dict.fromkeys(universe, FeatureClass.OUTSIDE.value)
    told |= dict.fromkeys(sets.replaceable, FeatureClass.REPLACEABLE.value)
    told |= dict.fromkeys(sets.indispensable, FeatureClass.INDISPENSABLE.value)
    told |= dict.fromkeys(dual.forced, FeatureClass.REQUIRED.value)
    told |= dict.fromkeys(dual.left_out, FeatureClass.FORBIDDEN.value)
    shares = sets.share_bounds() if sets.fits else {}
    columns = {
        "feature": list(universe),
        "class": [told[name] for name in universe],
        "share": [shares[name][0] if shares else float("nan") for name in universe],
        "removals": [sum(name in one.removed for one in dual.failed) for name in universe],
    }
    return pd.DataFrame(columns)


def share_bounds(sets: Transversals, width: int, universe: Sequence[str]) -> pd.DataFrame:
    """Tabulate bounds on shares; see `Blankets.share_bounds`."""
    bounds = sets.share_bounds(width)
    low, high = zip(*(bounds[name] for name in universe), strict=True) if universe else ((), ())
    return pd.DataFrame({"feature": list(universe), "low": low, "high": high})


def substitutions(sets: Transversals, universe: Sequence[str]) -> pd.DataFrame:
    """Tabulate which features stand for which; see `Blankets.substitutions`."""
    diagram, counts = sets.diagram, sets.counts_by_feature()
    place = {name: j for j, name in enumerate(universe)}
    pairs = {pair for one in sets.removals for pair in combinations(one, 2)}
    rows = []
    for first, second in pairs:
        alone = exchanges(diagram, first, second)
        rows += [
            (first, second, alone, alone / counts[first]),
            (second, first, alone, alone / counts[second]),
        ]
    rows.sort(key=lambda row: (place[row[0]], -row[2], place[row[1]]))
    return pd.DataFrame(rows, columns=["feature", "replaced by", "blankets", "share"])
