"""Rows of a question: rules and distances as sums of features, and of loads, that have a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import comb, inf, nextafter
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.auditing.certificates.similar import Similar, similar_to
from altsel.exact.question import Question, Structure
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.exact.shared_structures import structure_of
from altsel.models.dissimilarity import Dice
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.models.soft_diversity import DISTINCT, is_soft

MISSED = 1e-9
"""Share of a limit by which sets that were found may miss it, as rounding goes."""
MOST_LISTED = 5_000
"""Sets up to which those that keep rules that are no rows, or scores that no numbers tell, are listed."""


class NotCoveredError(Exception):
    """A claim, or a criterion, of which certificates say nothing."""


@dataclass(frozen=True, eq=False)
class Rows:
    """``features @ x + loads <= limits`` for sets x.

    Attributes
    ----------
    names
        Of the rows.
    features
        Coefficients, shape (rows, features).
    limits
        Shape (rows,).
    similar
        Loads of rows, by their names: what is added for the features that are common with a set.
    listed
        The sets that keep a row, by its name, where these are listed.
    penalty
        What sets that keep them pay, as one row; None if nothing.
    """

    names: tuple[str, ...]
    features: FloatArray
    limits: FloatArray
    similar: Mapping[str, tuple[Similar, ...]] = field(default_factory=dict)
    listed: Mapping[str, frozenset[frozenset[int]]] = field(default_factory=dict)
    penalty: Rows | None = None

    def __len__(self) -> int:
        return len(self.names)

    def sums(self, members: Sequence[int]) -> Iterator[Fraction]:
        """Sum coefficients and loads of a set exactly, row by row."""
        for name, row in zip(self.names, self.features, strict=True):
            loads = (Fraction(one.load(members)) for one in self.similar.get(name, ()))
            yield exact_sum(row[list(members)]) + sum(loads)

    def kept(self, members: Sequence[int]) -> bool:
        """Return whether a set keeps the rows exactly."""
        fine = all(
            total <= Fraction(float(limit))
            for total, limit in zip(self.sums(members), self.limits, strict=True)
        )
        return fine and all(frozenset(members) in sets for sets in self.listed.values())

    def at(self, inside: IntArray) -> Rows:
        """Return rows without loads that sets with these features keep: loads by their chords."""
        if not self.similar:
            return self
        features, limits = self.features.copy(), self.limits.copy()
        for i, name in enumerate(self.names):
            for one in self.similar.get(name, ()):
                limits[i] -= one.load(inside)
                features[i] += one.added(inside, features.shape[1])
        return replace(self, features=features, limits=limits, similar={})

    def lines(self) -> Iterator[dict[str, Any]]:
        """Write the rows as lines of a question."""
        for name, row, limit in zip(self.names, self.features, self.limits, strict=True):
            used = {str(j): float(row[j]).hex() for j in np.flatnonzero(row)}
            line: dict[str, Any] = {"row": name, "features": used, "at most": float(limit).hex()}
            if name in self.similar:
                line["similar"] = [one.plain() for one in self.similar[name]]
            if name in self.listed:
                line["kept by"] = sorted(sorted(one) for one in self.listed[name])
            yield line
        if self.penalty is not None:
            yield from self.penalty.lines()

    def paid(self, members: Sequence[int]) -> Fraction:
        """Return what a set pays, exactly."""
        return Fraction(0) if self.penalty is None else next(self.penalty.sums(members))

    def raised(self, found: Sequence[IntArray]) -> Rows:
        """Raise each limit to the largest exact sum of sets found that keep it but for rounding."""
        limits = self.limits.copy()
        for one in found:
            for i, total in enumerate(self.sums(one.tolist())):
                size = max(abs(self.limits[i]), float(np.abs(self.features[i][one]).sum()), 1e-3)
                near = float(total) <= self.limits[i] + MISSED * size
                if near and total > Fraction(float(limits[i])):
                    limits[i] = upwards(total)
        return replace(self, limits=limits)


def rows_of(
    problem: Problem,
    diversity: Any,
    known: Sequence[Collection[str]],
    size: int,
    found: Sequence[IntArray],
    part: str = "",
) -> Rows:
    """Write rules and distances from known sets as rows, for sets of a size.

    Distances of a part of the answer that has a diversity of its own are named after it. Rules that are more
    than rows are listed. Limits are those of the rules, raised where a set that was found keeps them only but
    for rounding.

    Raises
    ------
    NotCoveredError
        If they are more than rows, and too many sets would be listed.
    """
    after = problem.after(known)
    soft = diversity if known and is_soft(diversity) else None
    hard = diversity if known and soft is None else Dice(0)
    structure = structure_of(problem) if after is problem else Structure(after)
    asked = Question(structure, hard, [] if soft else list(known))
    question, listed = asked.stated, {}
    named = "" if after is problem else f" after {len(known)} sets"
    rules = _rules(question.as_sum.structure)
    if rules is None:
        listed[f"rules{named} for {size}"] = _kept_by(question, problem, size)
    numbered = enumerate(_upper(rules or [], size))
    plain = [(f"rule {number}{named} for {size}", *row) for number, row in numbered]
    distances = soft or question.diversity, known if soft else question.known
    plain += _apart(problem, *distances, size, part)
    names = (*(name for name, _, _ in plain), *listed)
    table = np.zeros((len(names), len(problem.index)))
    limits = np.zeros(len(names))
    for i, (_, row, limit) in enumerate(plain):
        table[i], limits[i] = row, limit
    rows = Rows(names, table, limits, listed=listed, penalty=_penalty(problem, soft, known, size))
    if soft is not None and soft.limit(len(known)) < inf:
        rows = _on_average(rows, similar_to(problem, soft, known, size), soft.limit(len(known)), size, part)
    return rows.raised([one for one in found if len(one) == size])


def _penalty(problem: Problem, diversity: Any, known: Sequence[Collection[str]], size: int) -> Rows | None:
    """Return what sets of a size pay for being similar to known ones, as a row; None if nothing."""
    if diversity is None or not diversity.penalty:
        return None
    name = f"penalty for similarity to {len(known)} known sets, for {size}"
    loads = similar_to(problem, diversity, known, size, diversity.penalty)
    return Rows((name,), np.zeros((1, len(problem.index))), np.zeros(1), {name: loads})


def _on_average(rows: Rows, loads: tuple[Similar, ...], limit: float, size: int, part: str) -> Rows:
    """Append the row of a mean similarity."""
    name = _of_part(part, f"apart on average from {len(loads)} known sets for {size}")
    features = np.vstack([rows.features, np.zeros(rows.features.shape[1])])
    limits = np.append(rows.limits, limit)
    return replace(rows, names=(*rows.names, name), features=features, limits=limits, similar={name: loads})


def _of_part(part: str, name: str) -> str:
    return f"{part}: {name}" if part else name


def _apart(
    problem: Problem, diversity: Any, known: Sequence[Collection[str]], size: int, part: str
) -> Iterator[tuple[str, FloatArray, float]]:
    """Write distances from known sets as named rows with upper limits; those on average, that they differ."""
    each = DISTINCT if is_soft(diversity) else diversity
    rows = dissimilarity_rows(problem, each, known, size) if known else []
    for number, (row, _, limit) in enumerate((rows or [])[: len(known)]):
        yield _of_part(part, f"apart from known set {number} for {size}"), row, limit


def _rules(structure: Structure) -> list[Row] | None:
    """Read rules, and conditions of the criterion, as rows over the features; None if they are more."""
    objective, rules = structure.problem.objective, structure.rules
    if rules is None or (rules.on_quality and objective.kind is not Kind.SUM):
        return None
    if objective.conditional and objective.rows is None:
        return None
    of_sums = [(row + weight * objective.weights, low, high) for (row, low, high), weight in rules.on_quality]
    conditions = [*(objective.rows or [])] if objective.conditional else []
    return [*rules.rows, *of_sums, *conditions]


def _kept_by(question: Question, problem: Problem, size: int) -> frozenset[frozenset[int]]:
    """List the sets of a size that keep all rules, and the criterion's conditions."""
    names = problem.objective.features
    if comb(len(names), size) > MOST_LISTED:
        raise NotCoveredError(f"a rule is more than rows, and more than {MOST_LISTED:,} sets may keep it")
    return frozenset(
        frozenset(one)
        for one in combinations(range(len(names)), size)
        if question.keeps_rules([names[j] for j in one])
        and problem.objective.checked_feasible(problem.mask(names[j] for j in one))
    )


def _upper(rows: Sequence[Row], size: int) -> Iterator[tuple[FloatArray, float]]:
    """Write rows with upper limits only; without those that all sets of a size keep by counting."""
    both = ((row, low, high) for row, low, high in rows if not ((row == 1.0).all() and low <= size <= high))
    upper = ((sign * row, limit) for row, low, high in both for sign, limit in ((1, high), (-1, -low)))
    yield from (one for one in upper if one[1] < inf)


def exact_sum(numbers: FloatArray) -> Fraction:
    """Sum floats exactly."""
    return sum(map(Fraction, numbers.tolist()), Fraction(0))


def upwards(value: Fraction) -> float:
    """Round a fraction to a float, upwards."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)
