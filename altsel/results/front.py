"""A front: what dissimilarity costs of quality, point by point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import pandas as pd

from altsel.errors import printable
from altsel.results.base import Drawn, Readable
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.members import Members, with_others
from altsel.results.reading import read_json
from altsel.results.request import PlainFront, PlainPoint
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import meanings, number_of, percent, text_table
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    from altsel.results.performance import Performance
    from altsel.results.stability import Stability

_pages: Any = OnDemand("altsel.report.page")  # layers above: named, not imported
_certificates: Any = OnDemand("altsel.auditing.certificates.certificate")


@dataclass(frozen=True)
class Point:
    """One answer on a front.

    Attributes
    ----------
    dissimilarity
        How different the sets are.
    quality
        Largest quality of sets at least as different, if `found` is proved.
    found
        The sets, and what was proved of them.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, pareto_front
    >>> last = pareto_front(Problem(Univariate([5, 4, 2, 1]), k=2), Dice(0))[-1]
    >>> last.dissimilarity, last.quality, last.found[0].features
    (1.0, 3.0, ('x2', 'x3'))
    """

    dissimilarity: float
    quality: float
    found: Solutions


@dataclass(frozen=True)
class Front(Readable, Drawn, Sequence[Point]):
    """The answers that no other one beats in both quality and dissimilarity, by rising dissimilarity.

    A proved point says that no set at least as different is better. That none *more* different is as
    good is known once the next point is proved as well: so not of the last one of a search that ended
    early.

    One read back from JSON has as its universe all features that occur; sets found together, several a point,
    have its quality as their score.

    Attributes
    ----------
    points
        The answers.
    stop
        ``EXHAUSTED`` if it is proved that these are all; ``INFEASIBLE`` if there is none;
        otherwise why the search ended early.
    measure
        How dissimilarity was measured, in words.
    quality
        What quality is, in words.
    reference
        The sets that dissimilarity is measured from: the known ones, or the best one found; none for
        sets that differ from each other.
    target, data
        Name of the target and fingerprint of the data, as far as they are known; default: those of the
        first point's sets.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, pareto_front
    >>> front = pareto_front(Problem(Univariate([5, 4, 2, 1]), k=2), Dice(0))
    >>> [(point.dissimilarity, point.quality) for point in front], front.stop.value
    ([(0.0, 9.0), (0.5, 7.0), (1.0, 3.0)], 'exhausted')
    """

    points: tuple[Point, ...]
    stop: Stop
    measure: str
    quality: str
    reference: tuple[tuple[str, ...], ...] = ()
    target: str | None = None
    data: str | None = None
    _called = "a front"

    def __post_init__(self) -> None:
        if self.points:
            first = self.points[0].found
            object.__setattr__(self, "target", first.target if self.target is None else self.target)
            object.__setattr__(self, "data", first.request.get("data") if self.data is None else self.data)

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Point]: ...
    def __getitem__(self, index: int | slice) -> Point | Sequence[Point]:
        return self.points[index]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    @property
    def proved(self) -> bool:
        """Whether every point is proved and none is missing."""
        return self.stop in {Stop.EXHAUSTED, Stop.INFEASIBLE} and all(point.found.proved for point in self)

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the points: dissimilarity, quality, the sets (tuples of names), proved."""
        rows = [
            (one.dissimilarity, one.quality, tuple(part.features for part in one.found), one.found.proved)
            for one in self
        ]
        return pd.DataFrame(rows, columns=["dissimilarity", "quality", "sets", "proved"])

    def lost(self, point: Point) -> float | None:
        """Return the share of the best quality that a point loses; None if the best is 0.

        Examples
        --------
        >>> from altsel import Dice, Problem, Univariate, pareto_front
        >>> front = pareto_front(Problem(Univariate([3, 2, 1]), k=2), Dice(0))
        >>> [round(front.lost(point), 3) for point in front]
        [0.0, 0.2]
        """
        best = max((one.quality for one in self), default=0.0)
        return (best - point.quality) / abs(best) if best else None

    def __repr__(self) -> str:
        if not self.points:
            return f"<Front: no points, stop: {self.stop.value}>"
        ends = f"{self.points[0].dissimilarity:.3g} to {self.points[-1].dissimilarity:.3g}"
        return f"<Front: {number_of(len(self), 'point')}, dissimilarity {ends}, stop: {self.stop.value}>"

    def _plain(self) -> dict[str, Any]:
        first = self.points[0].found if self.points else None
        return {
            "measure": self.measure,
            "quality": self.quality,
            "reference": self.reference,
            "stop": self.stop,
            "points": [
                {
                    "dissimilarity": one.dissimilarity,
                    "quality": one.quality,
                    "sets": [part.features for part in one.found],
                    "proved": one.found.proved,
                }
                for one in self
            ],
            "members": dict(self.members),
            "request": {} if first is None else dict(first.request),
            "target": self.target,
            "data": self.data,
            "versions": {} if first is None else dict(first.versions),
        }

    @classmethod
    def _read(cls, text: str) -> Self:
        plain = read_json(PlainFront, text, cls._called)
        points = tuple(_point(plain, point) for point in plain["points"])
        known = plain.get("target"), plain.get("data")
        return cls(points, plain["stop"], plain["measure"], plain["quality"], plain["reference"], *known)

    def report(
        self,
        path: str | Path,
        data: Any = None,
        performance: Performance | None = None,
        stability: Stability | None = None,
        *,
        title: str | None = None,
        other_data: bool = False,
        holdout: Any = None,
    ) -> Path:
        """Write a page that shows the front and its sets; arguments as of `Solutions.report`.

        Examples
        --------
        >>> import tempfile
        >>> from altsel import Dice, Problem, Univariate, pareto_front
        >>> front = pareto_front(Problem(Univariate([5, 4, 4, 3]), k=2), Dice(0))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     front.report(f"{folder}/front.html").name
        'front.html'
        """
        parts = _pages.Parts(data, performance, stability, None, other_data, holdout=holdout)
        return Path(_pages.write(self, path, parts, title=title))

    def certificate(self, path: str | Path, problem: Any = None, most_leaves: float = 1e6) -> Any:
        """Write why the front is the one there is; as `Solutions.certificate`.

        Examples
        --------
        >>> import tempfile
        >>> from altsel import Dice, Problem, Univariate, pareto_front
        >>> front = pareto_front(Problem(Univariate([5, 4, 4]), k=2), Dice(0))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(*front.certificate(f"{folder}/front.proof.json.gz").claims, sep="; ")
        point 0: set 0 is optimal; no sets are more different
        """
        return _certificates.certificate(self, path, problem, None, most_leaves)

    def shown(self) -> tuple[list[str], list[list[Any]]]:
        """Return heads and rows of the table that text and notebooks show; sets are lists of names."""
        rows: list[list[Any]] = []
        for one in self:
            numbers = [f"{one.dissimilarity:.4g}", f"{one.quality:.6g}", percent(self.lost(one))]
            sets = [part.features for part in one.found]
            rows.append([*numbers, sets, "proved" if one.found.proved else "open"])
        return ["dissimilarity", "quality", "lost", "sets", "proof"], rows

    def ended(self) -> str:
        """Report how many points there are, why the search ended, and what that leaves open."""
        open_end = self.points and self.stop is not Stop.EXHAUSTED
        beyond = "; a set more different than the last may be as good" if open_end else ""
        return f"{number_of(len(self), 'point')}; stop: {self.stop.value}{beyond}"

    @property
    def members(self) -> Members:
        """Names that stand for the same feature, by the one that is in the sets."""
        return self.points[0].found.members if self.points else {}

    def __str__(self) -> str:
        head, rows = self.shown()
        for row in rows:
            row[3] = _sets(row[3], self.members)
        title = printable(f"{self.quality}; {self.measure}")
        title += f" from {_sets(self.reference, self.members)}" if self.reference else ""
        said = meanings(head, {"lost": "share of the best quality"})
        return "\n".join([title, *text_table(head, rows, right={0, 1, 2}), *said, self.ended()])


def _point(plain: PlainFront, point: PlainPoint) -> Point:
    """Build a point of what a file holds of it."""
    named = [*plain["reference"], *(one for other in plain["points"] for one in other["sets"])]
    request, members = plain.get("request", {}), plain.get("members", {})
    options = request.get("command", {}).get("options", {})
    proof = Proof.OPTIMAL if point["proved"] else Proof.FEASIBLE
    found = Solutions(
        tuple(FeatureSet(tuple(one), point["quality"], proof) for one in point["sets"]),
        Stop.COUNT,
        tuple(dict.fromkeys(name for one in named for name in one)),
        plain["quality"],
        plain.get("target") or (options.get("target") if isinstance(options, Mapping) else None),
        versions=plain.get("versions", {}),
        request=dict(request),
        members={name: members[name] for one in named for name in one if name in members},
    )
    return Point(point["dissimilarity"], point["quality"], found)


def _sets(sets: Sequence[Sequence[str]], members: Members) -> str:
    return " | ".join(", ".join(with_others(name, members) for name in subset) for subset in sets)
