"""How well models predict by feature sets, beside all features and beside chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import floor, log10
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from altsel.display.picture import written
from altsel.errors import DataError, printable
from altsel.results import html
from altsel.results.equivalence import Equivalence
from altsel.results.estimate import Estimate
from altsel.results.reading import read_json
from altsel.results.text import json_text, least_p, number_of, number_text, text_table

SHORT = {"corrected resampled t test": "scores", "permutation mean test": "losses"}
"""What tests compare, for the heads of a table."""


@dataclass(frozen=True)
class SetPerformance:
    """How well models predict by one set.

    Attributes
    ----------
    features
        The set.
    score
        Mean score over the folds, of this set in each.
    difference
        What it scores more than set 0 on the same folds; None for set 0.
    nested
        Mean score over the folds of the set with the same number that the search finds in the rows to learn
        from; None if the search was not repeated, or found no such set in any fold.
    p_null
        Share of the searches of permuted targets, this one counted in, whose best set scores at least as
        well; None without permutations.
    nested_folds
        Numbers of the folds in which the search finds such a set.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, performance
    >>> a, b, c = np.random.default_rng(0).normal(size=(3, 60))
    >>> result = performance([["a", "b"], ["a", "c"]], Dataset({"a": a, "b": b, "c": c}, a + b))
    >>> result.sets[1].features, result.sets[1].difference.value < 0
    (('a', 'c'), True)
    """

    features: tuple[str, ...]
    score: Estimate
    difference: Estimate | None = None
    nested: Estimate | None = None
    p_null: float | None = None
    nested_folds: tuple[int, ...] = ()

    @property
    def bias(self) -> float | None:
        """What the score gains by the search having seen the rows that are judged: score less nested.

        Both are those of the folds in which the search finds a set of this number.
        """
        if self.nested is None:
            return None
        same = [self.score.parts[fold] for fold in self.nested_folds] or [self.score.value]
        return sum(same) / len(same) - self.nested.value

    @property
    def searched_again(self) -> str:
        """In how many folds the search finds such a set, in words; nothing if in all."""
        found, folds = len(self.nested_folds), len(self.score.parts)
        return "" if self.nested is None or found in {0, folds} else f" ({found} of {folds} folds)"


@dataclass(frozen=True)
class Performance:
    """How well models predict by the sets of a search.

    Attributes
    ----------
    sets
        One entry a set, in the order of the search.
    all_features, no_features
        The score of all features, and of none: the mean, or the classes' shares.
    comparisons
        Tests of the sets against set 0, p corrected by Holm's method; None for a single set.
    null
        The best score that the search reaches with each permuted target.
    models, scoring
        The models and the score, in words.
    confidence
        Of the intervals.
    data
        Fingerprint of the data: `Dataset.fingerprint`; None if it is not known.
    versions
        What produced it.
    loss
        The loss of a row that sets are compared by, in words; None if it is not known.
    request
        What was requested of the search that was repeated, as `Solutions.request` says it; nothing if it is
        not known.
    forest
        The ten features that a random forest of the rows learned from finds most important; None without
        rows held out, or of fewer features.
    holdout
        How many rows held out the scores are of; 0: those of folds.
    intervals
        How the intervals were found, in words.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, performance
    >>> a, b, c = np.random.default_rng(0).normal(size=(3, 60))
    >>> result = performance([["a", "b"], ["a", "c"]], Dataset({"a": a, "b": b, "c": c}, a + b))
    >>> result.sets[0].score.value > result.sets[1].score.value
    True
    """

    sets: tuple[SetPerformance, ...]
    all_features: Estimate
    no_features: Estimate
    comparisons: Equivalence | None
    null: tuple[float, ...]
    models: str
    scoring: str
    confidence: float = 0.95
    data: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    loss: str | None = None
    request: Mapping[str, Any] = field(default_factory=dict)
    forest: SetPerformance | None = None
    holdout: int = 0
    intervals: str = "by the corrected resampled t"

    def __len__(self) -> int:
        return len(self.sets)

    def __getitem__(self, index: int) -> SetPerformance:
        return self.sets[index]

    @property
    def repeated(self) -> bool:
        """Whether the search was repeated, in folds or with permuted targets."""
        return bool(self.null) or any(one.nested is not None for one in self.sets)

    @property
    def p_null(self) -> float | None:
        """Whether the search finds anything: ``(1 + hits) / (1 + m)`` of the best of all sets."""
        known = [one.p_null for one in self.sets if one.p_null is not None]
        return min(known, default=None)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the sets, then all features and none; p by one column a test."""
        rows = [
            {
                "set": str(number),
                "features": json_text(one.features),
                **_columns("score", one.score),
                **_columns("difference", one.difference),
                **{f"p, {test}": p for test, p in self.p_of(number).items()},
                **_columns("nested", one.nested),
                "bias": one.bias,
                "p, null": one.p_null,
            }
            for number, one in enumerate(self.sets)
        ]
        if self.forest is not None:
            row = {"set": "forest", "features": json_text(self.forest.features)}
            rows.append(
                {
                    **row,
                    **_columns("score", self.forest.score),
                    **_columns("difference", self.forest.difference),
                }
            )
        rows.append({"set": "all", **_columns("score", self.all_features)})
        rows.append({"set": "none", **_columns("score", self.no_features)})
        return pd.DataFrame(rows).dropna(axis="columns", how="all")

    def to_json(self, indent: int | None = 2) -> str:
        """Write everything as JSON; `from_json` reads it back."""
        return json_text(asdict(self), indent)

    @classmethod
    def from_json(cls, text: str) -> Performance:
        """Read what `to_json` wrote.

        Raises
        ------
        DataError
            If the text is not JSON, or a key is missing or of the wrong kind; it names the key.
        """
        found = read_json(cls, text, "a performance")
        pairs = () if found.comparisons is None else found.comparisons.pairs
        if found.comparisons is not None and len(pairs) != len(found) - 1:
            message = f"comparisons.pairs has {len(pairs)} entries; {len(found)} sets have {len(found) - 1}"
            raise DataError(f"not the JSON of a performance: {message}")
        if found.comparisons is not None and any(
            len(one.adjusted) != len(found.comparisons.tests) for one in pairs
        ):
            raise DataError("not the JSON of a performance: a pair has no p for each test")
        for number, one in enumerate(found.sets):
            if not set(one.nested_folds) <= set(range(len(one.score.parts))):
                message = f"sets[{number}].nested_folds: there are {len(one.score.parts)} folds, from 0 on"
                raise DataError(f"not the JSON of a performance: {message}")
        return found

    def plot(self, ax: Any = None) -> Any:
        """Draw the scores with their intervals, beside all features and chance.

        Parameters
        ----------
        ax
            Axes of matplotlib to draw on; new ones if there are none.

        Returns
        -------
        matplotlib.axes.Axes
            One row a set.

        Raises
        ------
        ConfigurationError
            If matplotlib is not installed.
        ArgumentError
            If `ax` is no axes.

        Examples
        --------
        >>> half, one = Estimate(0.5), Estimate(1.0)
        >>> scored = Performance((SetPerformance(("a",), half),), one, half, None, (), "trees", "accuracy")
        >>> scored.plot().get_xlabel()
        'accuracy, trees'
        """
        from altsel.results.plots.performance import draw  # noqa: PLC0415  (with matplotlib)

        return draw(self, ax)

    def draw(self, path: str | Path) -> Path:
        """Draw the same in a file whose ending tells the format: png, svg or pdf.

        Raises
        ------
        ArgumentError
            If the ending is none of a picture, or the file cannot be written.
        ConfigurationError
            If matplotlib is not installed.
        """
        return written(self.plot, path, (6.4, min(1.8 + 0.35 * len(self.sets), 9)))

    def __repr__(self) -> str:
        best = max(range(len(self)), key=lambda number: self[number].score.value, default=None)
        shown = "" if best is None else f"; best: set {best}, {self[best].score}"
        return f"<Performance: {number_of(len(self), 'set')}, {printable(self.scoring)}{shown}>"

    def _repr_html_(self) -> str:
        return html.of_performance(self)

    def p_of(self, number: int) -> dict[str, float]:
        """Return the corrected p of a set against set 0, by the names of the tests; none of set 0 itself."""
        if self.comparisons is None or number == 0:
            return {}
        pair = self.comparisons.pairs[number - 1]
        return dict(zip(self.comparisons.tests, pair.adjusted, strict=True))

    def shown(self) -> tuple[list[str], list[list[Any]]]:
        """Return heads and rows of the table that text and notebooks show; sets are tuples of names."""
        tests = self.comparisons.tests if self.comparisons else ()
        nested, null = any(one.nested for one in self.sets), bool(self.null)
        digits, ends = _digits([one.score.value for one in self.sets]), bool(self.holdout)
        head, compared = ["set", "features", "score"], bool(tests) or self.forest is not None
        head += ["against set 0"] if compared else []
        head += [f"p, {self._compared(test)}" for test in tests]
        head += [*(["searched again", "bias"] if nested else []), *(["p, null"] if null else [])]
        rows: list[list[Any]] = []
        for number, one in enumerate(self.sets):
            row = [str(number), one.features, _shown(one.score, digits, ends)]
            row += [_shown(one.difference, digits, ends)] if compared else []
            row += [number_text(self.p_of(number).get(test)) for test in tests]
            bias = "" if one.bias is None else _fixed(one.bias, digits)
            row += [_shown(one.nested, digits) + one.searched_again, bias] if nested else []
            rows.append([*row, *([number_text(one.p_null)] if null else [])])
        if self.forest is not None:
            row = ["forest", self.forest.features, _shown(self.forest.score, digits, ends)]
            row += [_shown(self.forest.difference, digits, ends)]
            rows.append([*row, *[""] * (len(head) - len(row))])
        for name, score in (("all", self.all_features), ("none", self.no_features)):
            rows.append([name, None, _shown(score, digits, ends), *[""] * (len(head) - 3)])
        return head, rows

    def __str__(self) -> str:
        head, rows = self.shown()
        for row in rows:
            row[1] = "" if row[1] is None else ", ".join(map(printable, row[1])) or "nothing"
        title = f"{self.scoring}, {self.models}"
        return "\n".join([title, *text_table(head, rows, right=set(range(2, len(head)))), *self.notes()])

    def _compared(self, test: str) -> str:
        """Name what a test compares: the loss, where it is known."""
        what = SHORT.get(test, test)
        return self.loss if self.loss is not None and what == "losses" else what

    def notes(self) -> list[str]:
        """Return what the columns mean, a line each."""
        mark = "[ ]" if self.holdout else "±"
        lines = [f"{mark}: {100 * self.confidence:g} %, {self.intervals}"]
        if self.forest is not None:
            lines.append(
                "forest: the ten features most important to a random forest of the rows learned from"
            )
        if self.comparisons is not None:
            what = " and of ".join(f"{self._compared(test)} by the {test}" for test in self.comparisons.tests)
            lines.append(f"p against set 0, of {what}; Holm's correction")
        if any(one.nested for one in self.sets):
            lines.append("searched again: by the search of the rows learned from; bias: score less it")
            if any(one.searched_again for one in self.sets):
                lines.append("where the search finds fewer sets in a fold, bias is that of the others")
        if self.null:
            middle, most = number_text(float(np.median(self.null))), number_text(max(self.null))
            what = f"the best of {len(self.null)} searches with permuted targets"
            lines.append(f"null: {what} scores {middle} in the median, {most} at most")
            lines.append(f"p, null{least_p(len(self.null))}")
        return lines


def _columns(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    if estimate is None:
        return {name: None, f"{name} low": None, f"{name} high": None}
    return {name: estimate.value, f"{name} low": estimate.low, f"{name} high": estimate.high}


def _shown(estimate: Estimate | None, digits: int, ends: bool = False) -> str:
    """Show an estimate with so many decimals, its interval by the ends or half of it; nothing for None."""
    if estimate is None:
        return ""
    text, low, high = _fixed(estimate.value, digits), estimate.low, estimate.high
    if low is None or high is None:
        return text
    if ends:
        return f"{text} [{_fixed(low, digits)}, {_fixed(high, digits)}]"
    return f"{text} ± {high - estimate.value:.{digits}f}"


def _fixed(value: float, digits: int) -> str:
    """Show so many decimals, and no minus before zeros."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _digits(scores: list[float]) -> int:
    """Decimals that show three digits of the largest score."""
    largest = max(map(abs, scores))
    return min(max(2 - floor(log10(largest)), 0), 12) if largest else 3
