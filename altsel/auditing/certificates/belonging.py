"""Whether a certificate is verified, and is that of an answer: of its question, its sets and its claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altsel.auditing.certificates.certificate import asked_in_words, pen_of
from altsel.auditing.certificates.claims import claims_of
from altsel.auditing.certificates.pen import Pen
from altsel.auditing.certificates.stated_claims import Expected, differences, read_claims
from altsel.auditing.certificates.verdict import question_of, verdict_of
from altsel.auditing.stated_diversity import diversity_asked
from altsel.errors import ArgumentError, DataError, listing
from altsel.models.problem import Problem
from altsel.results.request import read_request
from altsel.results.solutions import Solutions

OTHER = "is the certificate of another answer"


@dataclass(frozen=True)
class Proof:
    """What a verified certificate says of its answer.

    Attributes
    ----------
    path
        The file.
    lines
        What the checker said.
    numbers
        Whether the question was found anew, from the numbers of the problem.
    """

    path: Path
    lines: tuple[str, ...]
    numbers: bool


def proof_of(path: str | Path, solutions: Solutions, problem: Problem | None = None) -> Proof:
    """Check a certificate, and that it is the answer's.

    Features, sets, scores and claims must be those of the answer. So must the numbers of the question, where
    the problem is known, with the sizes and rows of each claim; else what the file says of criterion, target,
    search, data and what was requested.

    Parameters
    ----------
    path
        The file.
    solutions
        The answer.
    problem
        What was wanted; default: that of the search, where the solutions come from a search of this process.

    Raises
    ------
    ArgumentError
        If the certificate is of another answer; the message says what differs.
    DataError
        If it cannot be read, or is refuted.

    Examples
    --------
    >>> import tempfile
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), alternatives=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = found.certificate(f"{folder}/sets.json")
    ...     proof_of(written.path, found).lines[0].partition(":")[0]
    'verified'
    """
    code, told, refuted = verdict_of(path)
    if code == 1:
        raise DataError(f"{path} is refuted: {refuted}")
    header, lines = read_claims(path)
    _same("features", header["features"], list(solutions.universe), path)
    known = problem is not None or solutions.asked is not None or solutions.dual is not None
    _same_claims(lines, solutions, path, {})
    if known:
        pen = pen_of(solutions, problem, None)
        _same_question(pen, told, path)
        expected = {claim.title: pen.expected(claim, rows) for claim, rows in pen.claims}
        _same_claims(lines, solutions, path, expected)
    else:
        answer = header.get("answer") or {}
        for name in ("criterion", "target", "search"):
            _same(name, answer.get(name), getattr(solutions, name), path)
        _same("data", answer.get("data"), solutions.request.get("data"), path)
        stated = answer.get("question") or {}
        for name, own in asked_in_words(solutions).items():
            if stated.get(name) != own:
                raise ArgumentError(f"{path} {OTHER}: its {name} are others")
    return Proof(Path(path), tuple(told), known and solutions.dual is None)


def _same(name: str, stated: Any, own: Any, path: str | Path) -> None:
    if stated == own:
        return
    if isinstance(own, list):
        other = [one for one in stated if one not in own] + [one for one in own if one not in stated]
        raise ArgumentError(
            f"{path} {OTHER}: its {name} are others" + (f" ({listing(other, 3)})" if other else "")
        )
    raise ArgumentError(f"{path} {OTHER}: its {name} is {stated!r}, that of the solutions {own!r}")


def _same_question(pen: Pen, told: Sequence[str], path: str | Path) -> None:
    if not any(line.startswith(f"question {question_of(pen)}") for line in told):
        raise ArgumentError(f"{path} {OTHER}: its numbers, rules or sets to differ from are others")


def _same_claims(
    lines: Iterable[Mapping[str, Any]],
    solutions: Solutions,
    path: str | Path,
    expected: Mapping[str, Expected | None],
) -> None:
    """Compare claims one by one, by their titles: each is proved or named as not covered, and no other is."""
    diversity = None if solutions.dual is not None else diversity_asked(solutions)
    claims = list(claims_of(solutions, read_request(solutions.request), diversity))
    own = {claim if isinstance(claim, str) else claim.title: claim for claim in claims}
    left = set(own)
    for line in lines:
        if "not covered" in line:
            words = str(line["not covered"])
            left -= {title for title in own if words == title or words.startswith(f"{title}: ")}
            continue
        title = line["claim"]
        claim = own.get(title)
        if claim is None or isinstance(claim, str):
            raise ArgumentError(f"{path} {OTHER}: it claims {title!r}, which the solutions do not")
        left.discard(title)
        for fault in differences(line, claim, solutions.universe, expected.get(title)):
            raise ArgumentError(f"{path} {OTHER}: in {title!r} {fault}")
    if left:
        raise ArgumentError(f"{path} {OTHER}: it says nothing of {listing(sorted(left), 3)}")
