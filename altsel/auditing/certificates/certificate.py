"""The certificate of solutions: a file of claims and trees that a program without altsel checks exactly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from altsel._version import __version__
from altsel.auditing.certificates.claims import claims_of
from altsel.auditing.certificates.fronts import claims_of_front
from altsel.auditing.certificates.lines import Writer, opened
from altsel.auditing.certificates.pen import Pen
from altsel.auditing.stated_diversity import diversity_asked
from altsel.errors import ArgumentError, SolverError, of_kind
from altsel.models.problem import Problem
from altsel.results.front import Front
from altsel.results.request import read_request
from altsel.results.solutions import Solutions
from altsel.results.text import json_text
from altsel.runtime.clock import clock
from altsel.runtime.files import replacing
from altsel.tools import check_certificate

QUESTION = ("k", "rules", "across", "diversity", "known", "within", "least", "best", "alternatives")
"""Parts of a request that a certificate repeats, so that answers are told apart without the data."""


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
    solutions: Solutions | Front,
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
        The answer of `sequential`, `near_optimal`, `satisfying`, `most_different`, `simultaneous` or
        `pareto_front`, or of a search for all blankets.
    path
        The file; compressed if its name ends in ``.gz``.
    problem
        What was wanted of every set; of blankets nothing. Default: that of the search, where the solutions
        come from a search of this process.
    diversity
        How different the sets must be; default: what the solutions say was requested. Points of a front have
        their own.
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
    SolverError
        If the checker refutes what was written: then a claim does not hold.

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
    pen = pen_of(solutions, problem, diversity)
    with replacing(path) as part:
        with opened(part) as file:
            writer = Writer(file)
            writer.begin(pen.features, _header(solutions))
            pen.state(writer)
            pen.prove(writer, most_leaves)
        _refuse_refuted(part)
    return Certificate(Path(path), writer.digest, tuple(pen.proved), tuple(pen.not_covered), pen.leaves)


def _refuse_refuted(path: Path) -> None:
    """Refuse a certificate that the checker does not accept."""
    checker = cast(Any, check_certificate)
    try:
        checker.check(path, lambda line: clock().check())
    except checker.RefutedError as fault:
        raise SolverError(f"no certificate is written, as the checker refutes it: {fault}") from fault


def pen_of(found: Solutions | Front, problem: Problem | None, diversity: Any) -> Pen:
    """Take the claims of an answer, and what they are about."""
    if isinstance(found, Front):
        return _pen_of_front(found, problem)
    of_kind("solutions", found, Solutions, "as a search returns them")
    request = read_request(found.request)
    if found.dual is None:
        problem = _problem(found, problem)
        diversity = diversity_asked(found) if diversity is None else diversity
    elif problem is not None:
        raise ArgumentError("problem: of blankets a certificate needs none; leave it out")
    pen = Pen(found.universe, problem, diversity, found.sets)
    for claim in claims_of(found, request, diversity):
        pen.take(claim)
    if not pen.claims and not pen.not_covered:
        pen.take(f"anything: the search ended ({found.stop}) before it could claim something")
    return pen


def _pen_of_front(front: Front, problem: Problem | None) -> Pen:
    if not front.points:
        raise ArgumentError("this front has no points, of which a certificate could say something")
    problem = _problem(front[0].found, problem)
    pen = Pen(front[0].found.universe, problem, None, [one for point in front for one in point.found])
    for claim in claims_of_front(front):
        pen.take(claim)
    return pen


def _problem(solutions: Solutions, problem: Problem | None) -> Problem:
    """Return the problem given, or that of the search."""
    if problem is None and solutions.asked is not None:
        problem = solutions.asked[0]
    if not isinstance(problem, Problem):
        raise ArgumentError(
            "these solutions do not come from a search of this process: give the problem that they answer, "
            "as found.certificate(path, problem)"
        )
    if list(problem.objective.features) != list(solutions.universe):
        raise ArgumentError("problem: its features are not those of the solutions")
    return problem


def asked_in_words(solutions: Solutions) -> dict[str, str]:
    """Return sizes, rules and the rest of what was requested, each as a text of JSON."""
    asked = {name: solutions.request[name] for name in QUESTION if name in solutions.request}
    return {name: json_text(value) for name, value in asked.items()}


def _header(found: Solutions | Front) -> dict[str, Any]:
    """Return what is said of the answer, which no claim rests on."""
    solutions = found[0].found if isinstance(found, Front) else found
    told = {
        "criterion": solutions.criterion,
        "target": solutions.target,
        "search": solutions.search,
        "data": solutions.request.get("data"),
        "question": asked_in_words(solutions),
    }
    return {"written by": f"altsel {__version__}", "answer": told}
