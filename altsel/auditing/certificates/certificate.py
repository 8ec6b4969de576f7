"""The certificate of solutions: a file of claims and trees that a program without altsel checks exactly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altsel._version import __version__
from altsel.auditing.audit import diversity_of
from altsel.auditing.certificates.claims import Claim, claims_of
from altsel.auditing.certificates.lines import Writer, opened, spooled
from altsel.auditing.certificates.question import Stated, stated
from altsel.auditing.certificates.rows import NotCoveredError, Rows, helper_values, rows_of
from altsel.auditing.certificates.tree import Bounds, NoProofError, Tree
from altsel.errors import ArgumentError
from altsel.models.problem import Problem
from altsel.results.request import read_request
from altsel.results.solutions import Solutions

ROUNDING = 1e-10
"""Share of a score by which the exact one of the same numbers may be less."""


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
    solutions: Solutions, path: str | Path, problem: Problem, diversity: Any = None, most_leaves: float = 1e6
) -> Certificate:
    """Write why what solutions claim holds, so that `tools/check_certificate.py` checks it without altsel.

    The file holds the question in plain numbers, each claim, and of each a tree of cases whose leaves have
    bounds: see ``docs/certificates.md``. Trees are grown anew, from the answer.

    Parameters
    ----------
    solutions
        The answer of `sequential` or `near_optimal`.
    path
        The file; compressed if its name ends in ``.gz``.
    problem
        What was wanted of every set.
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
    if not isinstance(solutions, Solutions) or not isinstance(problem, Problem):
        raise ArgumentError("a certificate is of Solutions and the Problem that they answer")
    request = read_request(solutions.request)
    if diversity is None:
        diversity = diversity_of(request.get("diversity"))
    pen = _Pen(problem, diversity)
    with opened(path) as file:
        writer = Writer(file, problem.objective.features, _header(solutions))
        for claim in claims_of(solutions, request):
            pen.take(claim)
        pen.state(writer)
        pen.prove(writer, most_leaves)
    return Certificate(Path(path), writer.digest, tuple(pen.proved), tuple(pen.not_covered), pen.leaves)


def _header(solutions: Solutions) -> dict[str, Any]:
    data = solutions.request.get("data")
    told = {"criterion": solutions.criterion, "target": solutions.target, "search": solutions.search, "data": data}
    return {"written by": f"altsel {__version__}", "answer": told}


@dataclass(eq=False)
class _Pen:
    """Takes claims, states their question once, then writes what proves them."""

    problem: Problem
    diversity: Any

    def __post_init__(self) -> None:
        self.sizes = range(self.problem.sizes[0], self.problem.sizes[1] + 1)
        self.claims: list[tuple[Claim, dict[int, Rows]]] = []
        self.criterion: Stated | None = None
        self.proved: list[str] = []
        self.not_covered: list[str] = []
        self.leaves = 0

    def take(self, claim: Claim | str) -> None:
        """Take a claim, with the rows that its sets keep, by size."""
        if isinstance(claim, str):
            self.not_covered.append(claim)
            return
        try:
            self.criterion = self.criterion or stated(self.problem)
            rows = {size: rows_of(self.problem, self.diversity, claim.known, size) for size in self.sizes}
        except NotCoveredError as fault:
            self.not_covered.append(f"{claim.title}: {fault}")
        else:
            self.claims.append((claim, rows))

    def state(self, writer: Writer) -> None:
        """Write criteria, helper variables and rows, each once."""
        for name, line in dict(self.criterion.lines.values() if self.criterion else ()).items():
            writer.state({"criterion": name, **line})
        stated: set[str] = set()
        for rows in (rows for _, by_size in self.claims for rows in by_size.values()):
            for line in rows.lines():
                name = line.get("row", line.get("helper"))
                if name not in stated:
                    stated.add(name)
                    writer.state(line)
        writer.settle()

    def prove(self, writer: Writer, most: float) -> None:
        """Write each claim with its trees, and then what is not covered."""
        for number, (claim, rows) in enumerate(self.claims):
            with spooled() as aside:
                draft = writer.beside(aside)
                try:
                    self._prove(draft, claim, rows, number, most)
                except NoProofError as fault:
                    self.not_covered.append(f"{claim.title}: {fault}")
                    continue
                writer.append(aside)
            self.proved.append(claim.title)
        for words in self.not_covered:
            writer.write({"not covered": words})

    def _prove(self, writer: Writer, claim: Claim, rows: dict[int, Rows], number: int, most: float) -> None:
        assert self.criterion is not None
        bounds: dict[int, Bounds | None] = dict.fromkeys(self.sizes)
        if claim.limit is not None:
            for size in self.sizes:
                name = f"for claim {number}, size {size}"
                bounds[size] = made = self.criterion.bounds(size, claim.limit, rows[size], name)
                made.state(writer)
        writer.write(self._line(claim, rows))
        besides = [frozenset(self.problem.index[f] for f in one) for one in claim.sets] if claim.others else []
        for size in self.sizes:
            tree = Tree(size, len(self.problem.index), rows[size], bounds[size], writer.write, besides, most)
            tree.grow()
            self.leaves += tree.leaves

    def _line(self, claim: Claim, rows: dict[int, Rows]) -> dict[str, Any]:
        assert self.criterion is not None
        sets = []
        for one in claim.sets:
            members = sorted(self.problem.index[f] for f in one)
            size = len(members)
            least = one.score - ROUNDING * max(abs(one.score), ROUNDING)
            told: dict[str, Any] = {"set": members, "at least": float(least).hex()}
            if (hint := self.criterion.hint(members)) is not None:
                told["hint"] = hint
            if rows[size].helpers.shape[1]:
                told["helpers"] = helper_values(rows[size], members)
            sets.append(told)
        return {
            "claim": claim.title,
            "criteria": {str(size): self.criterion.lines[size][0] for size in self.sizes},
            "rows": {str(size): list(rows[size].names) for size in self.sizes},
            "of": "others" if claim.others else "all",
            "sets": sets,
            "at most": None if claim.limit is None else float(claim.limit).hex(),
        }
