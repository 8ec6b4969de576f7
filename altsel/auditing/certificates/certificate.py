"""The certificate of solutions: a file of claims and trees that a program without altsel checks exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from altsel._version import __version__
from altsel.auditing.audit import diversity_of
from altsel.auditing.certificates.bounds.sums import SumBounds
from altsel.auditing.certificates.claims import CLOSE, Claim, Known, Together, Transversals, claims_of
from altsel.auditing.certificates.lines import Writer, opened, spooled
from altsel.auditing.certificates.prices import NoProofError, prices_together
from altsel.auditing.certificates.question import Stated, stated
from altsel.auditing.certificates.rows import NotCoveredError, Rows, helper_values, rows_of
from altsel.auditing.certificates.tree import Bounds, Tree
from altsel.errors import ArgumentError, of_kind
from altsel.models.dissimilarity import largest_overlap
from altsel.models.problem import Problem
from altsel.results.request import read_request
from altsel.results.solutions import Solutions

ROUNDING = 1e-10
"""Share of a score by which the exact one of the same numbers may be less."""
TERMS = 2e-15
"""The same, as a share of the numbers that scores are made of."""


@dataclass(frozen=True)
class Certificate:
    """What was written.

    Attributes
    ----------
    path
        The file.
    question
        SHA-256 of the question's numbers, which the checker finds again.
    claims
        Titles of the claims that are proved in it.
    not_covered
        What is not, and why.
    leaves
        Number of leaves of all trees.
    """

    path: Path
    question: str
    claims: tuple[str, ...]
    not_covered: tuple[str, ...]
    leaves: int


def certificate(
    solutions: Solutions,
    path: str | Path,
    problem: Problem | None = None,
    diversity: Any = None,
    most_leaves: float = 1e6,
) -> Certificate:
    """Write why what solutions claim holds, so that `tools/check_certificate.py` checks it without altsel.

    The file holds the question in plain numbers, each claim, and of each a tree of cases whose leaves have
    bounds: see ``docs/certificates.md``. Trees are grown anew, from the answer.

    Parameters
    ----------
    solutions
        The answer of `sequential`, `near_optimal`, `satisfying` or `simultaneous`, or of a search for all
        blankets.
    path
        The file; compressed if its name ends in ``.gz``.
    problem
        What was wanted of every set; of blankets nothing. Default: that of the search, where the solutions
        come from a search of this process.
    diversity
        How different the sets must be; default: what the solutions say was requested.
    most_leaves
        Number of leaves of a tree after which its claim is left without proof.

    Returns
    -------
    Certificate
        What was written, and which claims are not covered.

    Raises
    ------
    ArgumentError
        If an argument is wrong, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2)
    >>> found = sequential(problem, Dice(0.5), alternatives=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = certificate(found, f"{folder}/sets.json", problem)
    >>> written.claims, written.not_covered
    (('set 0 is optimal', 'set 1 is optimal'), ())
    """
    of_kind("solutions", solutions, Solutions, "as a search returns them")
    request = read_request(solutions.request)
    pen = _Pen(solutions.universe, *_question(solutions, problem, diversity, request))
    for claim in claims_of(solutions, request):
        pen.take(claim)
    if not pen.claims and not pen.not_covered:
        pen.take(f"anything: the search ended ({solutions.stop}) before it could claim something")
    with opened(path) as file:
        writer = Writer(file, solutions.universe, _header(solutions))
        pen.state(writer)
        pen.prove(writer, most_leaves)
    return Certificate(Path(path), writer.digest, tuple(pen.proved), tuple(pen.not_covered), pen.leaves)


def _question(
    solutions: Solutions, problem: Problem | None, diversity: Any, request: dict[str, Any]
) -> tuple[Problem | None, Any]:
    """Return problem and diversity, those of the search if none are given."""
    if solutions.dual is not None:
        if problem is not None:
            raise ArgumentError("problem: of blankets a certificate needs none; leave it out")
        return None, None
    asked = solutions.asked or (None, None)
    problem = asked[0] if problem is None else problem
    if not isinstance(problem, Problem):
        raise ArgumentError(
            "these solutions do not come from a search of this process: give the problem that they answer, "
            "as found.certificate(path, problem)"
        )
    if list(problem.objective.features) != list(solutions.universe):
        raise ArgumentError("problem: its features are not those of the solutions")
    if diversity is None:
        diversity = asked[1] if asked[1] is not None else diversity_of(request.get("diversity"))
    return problem, diversity


def _header(solutions: Solutions) -> dict[str, Any]:
    """Return what is said of the answer, which no claim rests on."""
    told = {
        "criterion": solutions.criterion,
        "target": solutions.target,
        "search": solutions.search,
        "data": solutions.request.get("data"),
    }
    return {"written by": f"altsel {__version__}", "answer": told}


@dataclass(eq=False)
class _Pen:
    """Takes claims, states their question once, then writes what proves them."""

    features: Sequence[str]
    problem: Problem | None
    diversity: Any

    def __post_init__(self) -> None:
        self.index = {name: j for j, name in enumerate(self.features)}
        self.sizes = range(0) if self.problem is None else range(self.problem.sizes[0], self.problem.sizes[1] + 1)
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
        return {size: rows_of(self.problem, self.diversity, known, size) for size in self.sizes}

    def state(self, writer: Writer) -> None:
        """Write criteria, helper variables and rows, each once, and the digest of all of it."""
        for name, line in dict(self.criterion.lines.values() if self.criterion else ()).items():
            writer.state({"criterion": name, **line})
        stated_: set[str] = set()
        for rows in (rows for _, by_size in self.claims for rows in by_size.values()):
            for line in rows.lines():
                name = line.get("row", line.get("helper"))
                if name not in stated_:
                    stated_.add(name)
                    writer.state(line)
        writer.settle()

    def prove(self, writer: Writer, most: float) -> None:
        """Write each claim with what proves it, and then what is not covered."""
        for number, (claim, rows) in enumerate(self.claims):
            with spooled() as aside:
                try:
                    self._prove(writer.beside(aside), claim, rows, number, most)
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
            writer.write(self._together(claim, rows[self.sizes[0]]))
        else:
            self._grow(writer, claim, rows, number, most)

    def _grow(self, writer: Writer, claim: Claim, rows: dict[int, Rows], number: int, most: float) -> None:
        """Write a claim and the tree of each size."""
        assert self.criterion is not None
        bounds: dict[int, Bounds | None] = dict.fromkeys(self.sizes)
        limit = None if claim.limit is None else raised(claim.limit, claim.slack, self.criterion.terms)
        if limit is not None:
            for size in self.sizes:
                name = f"for claim {number}, size {size}"
                bounds[size] = made = self.criterion.bounds(size, limit, rows[size], name)
                made.state(writer)
        writer.write(self._line(claim, limit, rows))
        besides = [frozenset(self._indices(one)) for one in claim.sets] if claim.of == "others" else []
        for size in self.sizes if claim.of != "none" else ():
            tree = Tree(size, len(self.index), rows[size], bounds[size], writer.write, besides, most)
            tree.grow()
            self.leaves += tree.leaves

    def _lowered(self, score: float) -> float:
        """Lower a score by what its rounding may be off."""
        assert self.criterion is not None
        lower = score - ROUNDING * abs(score) - TERMS * self.criterion.terms
        return float(max(lower, self.criterion.least))

    def _indices(self, names: Iterable[str]) -> list[int]:
        return sorted(self.index[name] for name in names)

    def _line(self, claim: Claim, limit: float | None, rows: dict[int, Rows]) -> dict[str, Any]:
        assert self.criterion is not None
        sets = []
        for one in claim.sets:
            members = self._indices(one)
            told: dict[str, Any] = {"set": members, "at least": self._lowered(one.score).hex()}
            if (hint := self.criterion.hint(members)) is not None:
                told["model"] = hint
            if rows[len(members)].helpers.shape[1]:
                told["helpers"] = helper_values(rows[len(members)], members)
            sets.append(told)
        return {
            "claim": claim.title,
            "criteria": {str(size): self.criterion.lines[size][0] for size in self.sizes},
            "rows": {str(size): list(rows[size].names) for size in self.sizes},
            "of": claim.of,
            "sets": sets,
            "at most": None if limit is None else limit.hex(),
        }

    def _together(self, claim: Together, rows: Rows) -> dict[str, Any]:
        assert self.criterion is not None
        size, m = self.sizes[0], claim.count
        common = largest_overlap(self.diversity, size, size)
        limit = raised(claim.limit, CLOSE, m * self.criterion.terms)
        bounds = self.criterion.bounds(size, limit, rows, "")
        if not isinstance(bounds, SumBounds) or rows.helpers.shape[1]:
            raise NoProofError("sets together are bounded where their score is a sum")
        price, prices = prices_together(bounds.weights, rows, m, size, common, limit)
        name = str(size)
        return {
            "claim": claim.title,
            "together": m,
            "common": common,
            "criteria": {name: self.criterion.lines[size][0]},
            "rows": {name: list(rows.names)},
            "sets": [self._indices(one) for one in claim.sets],
            "at least": self._lowered(sum(one.score for one in claim.sets)).hex(),
            "at most": limit.hex(),
            "price": price.hex(),
            "prices": {rows.names[i]: float(prices[i]).hex() for i in np.flatnonzero(prices)},
        }


def raised(limit: float, slack: float, terms: float) -> float:
    """Raise a limit by a share of itself, and of what scores are made of for their rounding."""
    return float(limit + slack * abs(limit) + (TERMS if slack > 0 else -TERMS) * terms)
