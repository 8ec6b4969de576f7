"""Takes claims, states their question once, and writes what proves each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from altsel.auditing.certificates.claims import CLOSE, TERMS, Claim, Known, Together, Transversals, raised
from altsel.auditing.certificates.lines import Writer, spooled
from altsel.auditing.certificates.prices import NoProofError
from altsel.auditing.certificates.question import Stated, stated
from altsel.auditing.certificates.rows import NotCoveredError, Rows, rows_of, upwards
from altsel.auditing.certificates.stated_claims import Expected
from altsel.auditing.certificates.together import bound_by_counts, sets_to_list
from altsel.auditing.certificates.tree import Bounds, Tree
from altsel.models.dissimilarity import largest_overlap
from altsel.models.problem import Problem
from altsel.results.feature_set import FeatureSet

ROUNDING = 1e-10
"""Share of a score by which the exact one of the same numbers may be less."""


@dataclass(eq=False)
class Pen:
    """Takes claims, states their question once, then writes what proves them.

    Parameters
    ----------
    features
        Names of all features.
    problem, diversity
        What was wanted; None of blankets.
    sets
        All sets that were found.

    Attributes
    ----------
    proved, not_covered
        Titles of claims.
    leaves
        Number of leaves of all trees.
    """

    features: Sequence[str]
    problem: Problem | None
    diversity: Any
    sets: Sequence[Iterable[str]]

    def __post_init__(self) -> None:
        self.index = {name: j for j, name in enumerate(self.features)}
        low, high = (0, -1) if self.problem is None else self.problem.sizes
        self.sizes = range(low, high + 1)
        self.found = [np.array(self._indices(one), dtype=np.int64) for one in self.sets]
        self.claims: list[tuple[Known, dict[int, Rows]]] = []
        self.criterion: Stated | None = None
        self.proved: list[str] = []
        self.not_covered: list[str] = []
        self.leaves = 0

    def take(self, claim: Known | str) -> None:
        """Take a claim, with the rows that its sets keep, by size."""
        if isinstance(claim, str):
            self.not_covered.append(claim)
            return
        try:
            self.claims.append((claim, {} if self.problem is None else self._rows(claim)))
        except NotCoveredError as fault:
            self.not_covered.append(f"{claim.title}: {fault}")

    def _rows(self, claim: Known) -> dict[int, Rows]:
        assert self.problem is not None
        self.criterion = self.criterion or stated(self.problem)
        if isinstance(claim, Together) and len(self.sizes) > 1:
            raise NotCoveredError("sets together are of several sizes")
        known = claim.known if isinstance(claim, Claim) else ()
        apart, part = self._apart(claim), "" if isinstance(claim, Transversals) else claim.part
        return {size: rows_of(self.problem, apart, known, size, self.found, part) for size in self.sizes}

    def _apart(self, claim: Known) -> Any:
        own = None if isinstance(claim, Transversals) else claim.apart
        return self.diversity if own is None else own

    def state(self, writer: Writer) -> None:
        """Write criteria and rows, each once, and the digest of all of it."""
        for name, line in dict(self.criterion.lines.values() if self.criterion else ()).items():
            writer.state({"criterion": name, **line})
        every = (rows for _, by_size in self.claims for rows in by_size.values())
        for line in {line["row"]: line for rows in every for line in rows.lines()}.values():
            writer.state(line)
        writer.settle()

    def prove(self, writer: Writer, most: float) -> None:
        """Write each claim with what proves it, and then what is not covered."""
        for number, (claim, rows) in enumerate(self.claims):
            with spooled() as aside:
                try:
                    self._prove(Writer(aside), claim, rows, number, most)
                except NoProofError as fault:
                    self.not_covered.append(f"{claim.title}: {fault}")
                    continue
                writer.append(aside)
            self.proved.append(claim.title)
        for words in self.not_covered:
            writer.write({"not covered": words})

    def _prove(self, writer: Writer, claim: Known, rows: dict[int, Rows], number: int, most: float) -> None:
        if isinstance(claim, Transversals):
            sets, others = ([self._indices(one) for one in some] for some in (claim.sets, claim.others))
            writer.write({"claim": claim.title, "sets": sets, "each has one of": others})
        elif isinstance(claim, Together):
            self._prove_together(writer, claim, rows, number, most)
        else:
            self._grow(writer, claim, rows, number, most)

    def _prove_together(
        self, writer: Writer, claim: Together, rows: dict[int, Rows], number: int, most: float
    ) -> None:
        """Write a bound by how many sets features are in; where that is too weak, a list of all good sets."""
        assert self.criterion is not None
        assert self.problem is not None
        common = largest_overlap(self._apart(claim), self.sizes[0], self.sizes[0])
        told = {
            "together": claim.count,
            "common": common,
            "family": [self._indices(one) for one in claim.sets],
        }
        try:
            told |= bound_by_counts(self.criterion, claim, rows[self.sizes[0]], self.sizes[0], common)
        except NoProofError:
            listed, limits = sets_to_list(self.problem, claim, self.criterion, common)
            kept = tuple(one for one in listed.sets if rows[len(one)].kept(self._indices(one)))
            self._grow(writer, replace(listed, sets=kept), rows, number, most, {**told, **limits})
        else:
            writer.write({"claim": claim.title, **self._named(rows), **told})

    def _grow(
        self,
        writer: Writer,
        claim: Claim,
        rows: dict[int, Rows],
        number: int,
        most: float,
        told: dict[str, Any] | None = None,
    ) -> None:
        """Write a claim and the tree of each size."""
        assert self.criterion is not None
        bounds: dict[int, Bounds | None] = dict.fromkeys(self.sizes)
        limit = self._limit(claim)
        if limit is not None:
            for size in self.sizes:
                name = f"for claim {number}, size {size}"
                bounds[size] = made = self.criterion.bounds(size, limit, rows[size], name)
                made.state(writer)
        writer.write(self._line(claim, limit, rows) | (told or {}))
        besides = [frozenset(self._indices(one)) for one in claim.sets] if claim.of == "others" else []
        for size in self.sizes if claim.of != "none" else ():
            tree = Tree(size, len(self.index), rows[size], bounds[size], writer.write, besides, most)
            tree.grow()
            self.leaves += tree.leaves

    def _limit(self, claim: Claim) -> float | None:
        """Return what no other set exceeds, as it is written; None if there is none."""
        assert self.criterion is not None
        limit = None if claim.limit is None else raised(claim.limit, claim.slack, self.criterion.terms)
        if limit is None or limit < self.criterion.least:
            return None
        scores = [self._exact(one) for one in claim.sets] if claim.of == "all" else []
        return max([limit, *(upwards(score) for score in scores if score is not None)])

    def expected(self, claim: Known, rows: dict[int, Rows]) -> Expected | None:
        """Return what the line of a claim states, but for its sets; None of blankets."""
        if isinstance(claim, Transversals) or self.criterion is None:
            return None
        if isinstance(claim, Claim):
            return Expected(self._named(rows), self._limit(claim))
        terms = claim.count * self.criterion.terms
        limit = None if claim.limit is None else raised(claim.limit, CLOSE, terms)
        return Expected(self._named(rows), limit)

    def _lowered(self, one: FeatureSet) -> float:
        """Lower a score by what its rounding may be off."""
        assert self.criterion is not None
        lower = one.score - ROUNDING * abs(one.score) - TERMS * self.criterion.terms
        exact = self._exact(one)
        lower = lower if exact is None else min(lower, -upwards(-exact))
        return float(max(lower, self.criterion.least))

    def _exact(self, one: FeatureSet) -> Fraction | None:
        """Return the exact score of a set, where the one that was computed may be far off."""
        assert self.criterion is not None
        return None if self.criterion.exact is None else self.criterion.exact(self._indices(one))

    def _indices(self, names: Iterable[str]) -> list[int]:
        return sorted(self.index[name] for name in names)

    def _named(self, rows: dict[int, Rows]) -> dict[str, Any]:
        assert self.criterion is not None
        return {
            "criteria": {str(size): self.criterion.lines[size][0] for size in self.sizes},
            "rows": {str(size): list(rows[size].names) for size in self.sizes},
        }

    def _line(self, claim: Claim, limit: float | None, rows: dict[int, Rows]) -> dict[str, Any]:
        assert self.criterion is not None
        sets = []
        for one in claim.sets:
            members = self._indices(one)
            told: dict[str, Any] = {"set": members, "at least": self._lowered(one).hex()}
            if (hint := self.criterion.hint(members)) is not None:
                told["model"] = hint
            sets.append(told)
        return {
            "claim": claim.title,
            **self._named(rows),
            "of": claim.of,
            "sets": sets,
            "at most": None if limit is None else limit.hex(),
        }
