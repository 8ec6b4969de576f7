"""What every search returns: feature sets, what was proved of them, and how the search ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
import pandas as pd
from pydantic import ConfigDict

from altsel.display.renderers import renderer
from altsel.errors import ArgumentError, DataError, list_of_names, listing, of_kind, printable
from altsel.results.base import Drawn, Readable
from altsel.results.comparison import Discarded
from altsel.results.dual import Dual
from altsel.results.effort import Effort
from altsel.results.feature_set import GIVE, FeatureSet, Proof
from altsel.results.members import known_names
from altsel.results.noise import NoiseLevel
from altsel.results.reading import validated
from altsel.results.solutions_json import faults, without_repeats
from altsel.results.spending import spent
from altsel.results.stop import Stop
from altsel.results.text import least_p, number_of, rounded
from altsel.runtime.caller import note_unpriced
from altsel.runtime.memory import require, tables
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    from altsel.results.performance import Performance
    from altsel.results.stability import Stability

PART = "part"
"""What a request says besides where sets were taken out of those that the search found."""
ASKED = "_asked"
"""Where solutions keep problem and diversity of their search."""
_pages: Any = OnDemand("altsel.report.page")  # layers above: named, not imported
_certificates: Any = OnDemand("altsel.auditing.certificates.certificate")


@dataclass(frozen=True)
class Solutions(Readable, Drawn, Sequence[FeatureSet]):
    """The sets a search found, in its order, and how it ended.

    Attributes
    ----------
    sets
        The feature sets; ``solutions[0]`` is the original one, the others its alternatives.
    stop
        Why the search ended.
    universe
        Names of all features that could have been chosen.
    criterion
        What was optimised or tested, in words.
    target
        Name of the target column, if known.
    search
        What was called, in words: the search and its arguments, rounded; `request` holds them as they are.
    effort, versions
        What it cost; what produced it.
    seed
        Seed of everything random, if anything was.
    discarded
        Sets that a search for all blankets found and did not return, and why.
    request
        What was requested, as plain data: the search and its arguments, sizes, rules, fingerprint of the
        data; enough for `altsel.audit` to check the answer by. ``part`` is true where `without` or `cheapest`
        have taken sets out.
    members
        Names that stand for the same feature, by the one in `universe`, if the data were grouped
        (`altsel.Dataset.grouped`).
    noise
        What scores best sets reach where the target tells nothing, if that was looked for
        (`altsel.noise_level`).
    permutations
        How many permuted targets were searched for the p of the null level; 0: none, or it is not known.
    dual
        Of a search for all Markov blankets: the removals after which none is left, and what they prove.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), alternatives=2)
    >>> len(found), found[1].features, found.stop.value
    (3, ('x0', 'x2'), 'count')
    >>> found.to_frame()["score"].tolist()
    [5.0, 4.0, 3.0]
    >>> Solutions.from_json(found.to_json()) == found
    True
    """

    sets: tuple[FeatureSet, ...]
    stop: Stop
    universe: tuple[str, ...]
    criterion: str
    target: str | None = None
    search: str = ""
    effort: Effort = field(default_factory=Effort)
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    discarded: tuple[Discarded, ...] = ()
    request: Mapping[str, Any] = field(default_factory=dict)
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    noise: NoiseLevel | None = None
    permutations: int = 0
    dual: Dual | None = None

    def __post_init__(self) -> None:
        rules = self.request.get("rules")
        own: list[dict[str, Any]] = [
            {
                "members": {name: self.members[name] for name in one if name in self.members},
                "spent": spent(one.features, rules, self.members),
            }
            for one in self.sets
        ]
        pairs = [*zip(self.sets, own, strict=True)]
        if any((one.members, one.spent) != (*known.values(),) for one, known in pairs):
            object.__setattr__(self, "sets", tuple(replace(one, **known) for one, known in pairs))
        object.__setattr__(self, "search", rounded(self.search))

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)
    _called = "Solutions"

    @overload
    def __getitem__(self, index: int) -> FeatureSet: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[FeatureSet]: ...
    def __getitem__(self, index: int | slice) -> FeatureSet | Sequence[FeatureSet]:
        return self.sets[index]

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def proved(self) -> bool:
        """Whether every set is proved optimal."""
        return all(found.proof is Proof.OPTIMAL for found in self.sets)

    def indicator(self) -> pd.DataFrame:
        """Membership as a boolean table: one row per set, one column per feature that is in any."""
        used = set().union(*self.sets)
        columns = [name for name in self.universe if name in used]
        rows = [[name in set(found) for name in columns] for found in self.sets]
        return pd.DataFrame(rows, columns=pd.Index(columns, name="feature"), dtype=bool)

    def dissimilarities(self, distance: Callable[[FeatureSet, FeatureSet], float]) -> pd.DataFrame:
        """Tabulate ``distance(a, b)`` of all pairs of sets, for example by ``Dice(0.5)``.

        Raises
        ------
        ArgumentError
            If the table would need more memory than is available.
        """
        of_kind("distance", distance, Callable, "a function of two sets, such as Dice(0.5)")
        require(*tables(len(self), 1), "compare fewer sets")
        table = np.zeros((len(self), len(self)))
        for i, first in enumerate(self.sets):
            for j in range(i):
                table[i, j] = table[j, i] = distance(first, self.sets[j])
        return pd.DataFrame(table, copy=False)

    def cheapest(self, costs: Mapping[str, float]) -> Solutions:
        """Return the solutions that cost least: ``min_S sum_{j in S} c_j``, in their order.

        Parameters
        ----------
        costs
            Cost of each feature; one of several names costs what its cheapest does; `FeatureSet.names` says
            which that is.

        Raises
        ------
        ArgumentError
            If there are no solutions, or a cost is no finite number or names no feature.

        Warns
        -----
        DataWarning
            Of features of the sets that are not named, which cost nothing.

        Examples
        --------
        >>> from altsel import Dice, Problem, Univariate, sequential
        >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=2)
        >>> found.cheapest({"x0": 2.0, "x1": 1.0, "x2": 0.0, "x3": 0.0})[0].features
        ('x0', 'x2')
        """
        of_kind("costs", costs, Mapping, "costs by name: {'age': 2.0}")
        if not self.sets:
            raise ArgumentError("there are no solutions to choose from")
        unknown = self._unknown(costs)
        if unknown:
            raise ArgumentError(f"costs name {listing(unknown)}, which are no features")
        used = dict.fromkeys(feature for one in self for feature in one)
        every = [name for feature in used for name in self.members.get(feature, (feature,))]
        free = [name for name in every if name not in costs]
        totals = [subset.cost({**costs, **dict.fromkeys(free, 0.0)}) for subset in self]
        note_unpriced("cost of sets", free, GIVE)  # of all sets at once
        limit = min(totals) + 1e-9 * max(abs(min(totals)), 1.0)
        kept = (subset for subset, total in zip(self.sets, totals, strict=True) if total <= limit)
        return self._part(kept)

    def without(self, features: Collection[str]) -> Solutions:
        """Return the solutions that have none of some features, in their order; possibly none.

        Parameters
        ----------
        features
            Features that must not be used, such as sensitive ones; any of the names of a feature of several
            rules out all of them, as they tell the same.

        Raises
        ------
        ArgumentError
            If a name is no feature.

        Examples
        --------
        >>> from altsel import Dice, Problem, Univariate, sequential
        >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(1), alternatives=1)
        >>> len(found), len(found.without(["x0"]))
        (2, 1)
        """
        names = list_of_names("features", features)
        unknown = self._unknown(names)
        if unknown:
            raise ArgumentError(f"there is no feature {listing(unknown)}")
        kept = (one for one in self.sets if not known_names(one, self.members) & set(names))
        return self._part(kept)

    def _part(self, sets: Iterable[FeatureSet]) -> Solutions:
        """Return some of the solutions; the request says so, as they are no longer all that were found."""
        kept = tuple(sets)
        return (
            self if len(kept) == len(self) else replace(self, sets=kept, request={**self.request, PART: True})
        )

    def _unknown(self, names: Collection[str]) -> list[str]:
        known = known_names(self.universe, self.members)
        return [name for name in names if name not in known]

    def with_holdout(self, objective: Any, *, other: bool = False) -> Solutions:
        """Add every set's score by the same criterion on rows kept apart: ``Univariate(dep_test)``.

        It shows what choosing among so many sets has flattered, and is no accuracy of prediction, which
        `altsel.performance` measures.

        Parameters
        ----------
        objective
            The criterion, of the other data.
        other
            Whether it may be another criterion, or for another target: then scores do not compare.

        Raises
        ------
        DataError
            If that objective lacks a selected feature.
        ArgumentError
            If it is another criterion or for another target, and that is not said to be meant.
        """
        compared = ((self.criterion, objective.name), (self.target, getattr(objective, "target", None)))
        differ = [f"{mine!r}, not {its!r}" for mine, its in compared if mine and its and mine != its]
        if differ and not other:
            raise ArgumentError(f"the sets are of {' and '.join(differ)}; other=True if that is meant")
        known = {name: j for j, name in enumerate(objective.features)}
        scored = []
        for found in self.sets:
            absent = [name for name in found if name not in known]
            if absent:
                raise DataError(f"the hold-out objective does not know {listing(absent)}")
            mask = np.zeros(len(known), dtype=bool)
            mask[[known[name] for name in found]] = True
            scored.append(replace(found, holdout=objective.checked_score(mask)))
        return replace(self, sets=tuple(scored))

    def with_null(self, p: Sequence[float], permutations: int = 0) -> Solutions:
        """Add the p of every set's score among those of searches of permuted targets; see `altsel.shadow`."""
        judged = tuple(replace(one, p_null=value) for one, value in zip(self.sets, p, strict=True))
        return replace(self, sets=judged, permutations=permutations)

    def null_note(self) -> str:
        """Report what p of the null level is, and how small it can be."""
        said = "share of permuted targets whose best set scores as well"
        return f"p, null: {said}{least_p(self.permutations)}"

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the sets, one a row.

        Columns: features (a tuple), size, score, bound, gap, proof, seconds and, if there are any, holdout
        (the score on rows kept apart), p_null, and cost, of further budgets cost 2 and so on.
        """
        rows = [
            {
                "features": found.features,
                "size": len(found),
                "score": found.score,
                "bound": found.bound,
                "gap": found.gap,
                "proof": found.proof.value,
                "seconds": found.seconds,
                "holdout": found.holdout,
                "p_null": found.p_null,
                **dict(zip(self.cost_columns, found.spent, strict=True)),
            }
            for found in self.sets
        ]
        columns = ["features", "size", "score", "bound", "gap", "proof", "seconds", "holdout", "p_null"]
        unknown = [name for name in columns[-2:] if all(row[name] is None for row in rows)]
        return pd.DataFrame(rows, columns=[*columns, *self.cost_columns]).drop(columns=unknown)

    @property
    def cost_columns(self) -> list[str]:
        """What the columns of costs are called: one a budget."""
        budgets = len(self.sets[0].spent) if self.sets else 0
        return ["cost", *(f"cost {number}" for number in range(2, budgets + 1))][:budgets]

    def _plain(self) -> dict[str, Any]:
        everything = {**asdict(self), "versions": dict(self.versions), "request": dict(self.request)}
        return without_repeats(everything)

    @classmethod
    def _read(cls, text: str) -> Self:
        found = validated(cls, text, cls._called)
        for wrong in faults(found.universe, found.sets, found.members, found.dual, found.request):
            raise DataError(f"not the JSON of {cls._called}: {wrong}")
        return found

    def counts(self) -> dict[str, int]:
        """Count the sets that have each feature, the most frequent first; features in no set are left out.

        Examples
        --------
        >>> from altsel import Dice, Problem, Univariate, sequential
        >>> sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=1).counts()
        {'x0': 2, 'x1': 1, 'x2': 1}
        """
        counts = Counter(feature for one in self for feature in one)
        places = {feature: j for j, feature in enumerate(self.universe)}
        order = sorted(counts, key=lambda feature: (-counts[feature], places.get(feature, 0)))
        return {feature: counts[feature] for feature in order}

    def __repr__(self) -> str:
        counts = f"{number_of(len(self), 'set')} of {number_of(len(self.universe), 'feature')}"
        target = f", target {printable(self.target)!r}" if self.target else ""
        return f"<Solutions: {counts}{target}, stop: {self.stop.value}>"

    def report(  # noqa: PLR0913  (what a page can show)
        self,
        path: str | Path,
        data: Any = None,
        performance: Performance | None = None,
        stability: Stability | None = None,
        front: Sequence[Any] | None = None,
        title: str | None = None,
        *,
        other_data: bool = False,
        holdout: Any = None,
        score_cards: Sequence[Any] = (),
        certificate: str | Path | None = None,
        audit: bool = False,
    ) -> Path:
        """Write one self-contained page that shows the sets and all that is known of them.

        It needs no network and no other file: a summary in words, a matrix of sets and features to sort,
        search and filter, pictures of the columns, the multiple-solutions graph, what replaces what,
        evidence, what was requested, how to audit it, and the JSON to download. Whoever reads it pins sets,
        comments on them and saves that choice.

        Parameters
        ----------
        path
            The file, whose name ends in .html; an earlier one is replaced.
        data
            The table of the search, a `Dataset`: features and the first 200 sets are then tested by
            `altsel.taxonomy` and `altsel.equivalence`, by their default tests.
        performance, stability, front
            What `altsel.performance`, `altsel.stability` and `altsel.pareto_front` (a `Front`) returned
            for it.
        title
            Title of the page; default: how many sets, for which target.
        other_data
            Whether data, performance, stability or front are meant to be of other data than the search's,
            such as new rows.
        holdout
            Rows held out, a `Dataset`, that losses are judged on where sets are compared; default: `data`.
        score_cards
            What `altsel.score_card` returned for the same target, to be shown beside the sets.
        certificate
            A file that `certificate` wrote for these solutions: it is checked, and the page shows what was
            proved, holds the file up to 2 MB, and checks it again on request.
        audit
            Compute sizes, rules, differences and scores again, by `altsel.audit`, and say in the summary
            whether they hold.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ArgumentError
            If the file cannot be written, or an argument is of the wrong kind, of other sets or other data;
            so of a certificate of another answer, and of an audit of sets that were read from a file.
        DataError
            If the data are not those of the search, or the certificate cannot be read or is refuted.

        Examples
        --------
        >>> import tempfile
        >>> from altsel import Dice, Problem, Univariate, sequential
        >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found.report(f"{folder}/report.html").name
        'report.html'
        """
        parts = _pages.Parts(
            *(data, performance, stability, front, other_data),
            holdout=holdout,
            score_cards=score_cards,
            certificate=certificate,
            audit=audit,
        )
        return Path(_pages.write(self, path, parts, title=title))

    @property
    def asked(self) -> tuple[Any, Any] | None:
        """Problem and diversity of the search; None of solutions that were read, changed or sent."""
        return self.__dict__.get(ASKED)

    def answering(self, problem: Any, diversity: Any) -> Self:
        """Keep problem and diversity with the solutions, as `asked`; they do not travel."""
        object.__setattr__(self, ASKED, (problem, diversity))
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != ASKED}

    def certificate(
        self, path: str | Path, problem: Any = None, diversity: Any = None, most_leaves: float = 1e6
    ) -> Any:
        """Write why the claims hold, in numbers that ``tools/check_certificate.py`` checks without altsel.

        Parameters
        ----------
        path
            The file; compressed if its name ends in ``.gz``.
        problem, diversity
            What was wanted; default: those of the search, where it was of this process. Of blankets none.
        most_leaves
            Number of leaves of a tree after which its claim is left without proof.

        Returns
        -------
        Certificate
            ``claims`` that are proved, those ``not_covered``, and the ``question``, a digest of its numbers.

        Raises
        ------
        ArgumentError
            If an argument is wrong, or the file cannot be written.
        SolverError
            If the checker refutes what was written: then a claim does not hold.

        Examples
        --------
        >>> import tempfile
        >>> from altsel import Dice, Problem, Univariate, sequential
        >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(*found.certificate(f"{folder}/sets.proof.json.gz").claims, sep="; ")
        set 0 is optimal; set 1 is optimal
        """
        return _certificates.certificate(self, path, problem, diversity, most_leaves)

    def __str__(self) -> str:
        return str(renderer("text", self)(self))
