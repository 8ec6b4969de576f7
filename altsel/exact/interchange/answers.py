"""Answers of other software: read in whatever form, and judged by the question."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from altsel.errors import DataError, checked_path, did_you_mean, of_kind
from altsel.exact.interchange.integer_rows import rows_of_rules
from altsel.exact.interchange.question_files import ReadQuestion
from altsel.exact.rules.linear_rules import keeps
from altsel.exact.verification.dissimilarity_checks import distance
from altsel.models.dissimilarity import exact
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem

OF_A_SET = re.compile(r"set(\d+)_x_(.+)")
"""Names of the variables of features in LP and MPS files."""
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
HALF = 0.5


@dataclass(frozen=True)
class Answer:
    """Sets that somebody found, judged.

    Attributes
    ----------
    sets
        Features of each set, in the order of the criterion.
    scores
        What each is worth; None of a set that the criterion does not admit.
    total
        Sum or minimum of the scores, as the question has it; None if a score is.
    faults
        What is wrong with them, in words: sizes, rules, distances, number. Empty: nothing.

    Examples
    --------
    >>> from altsel import Univariate
    >>> judged(ReadQuestion(Problem(Univariate([3, 2, 1]), k=2)), [["x2", "x0"]]).scores
    (4.0,)
    """

    sets: tuple[tuple[str, ...], ...]
    scores: tuple[float | None, ...]
    total: float | None
    faults: tuple[str, ...] = ()


def read_answer(path: str | Path, question: ReadQuestion | Problem) -> Answer:
    r"""Read an answer file, and judge it.

    Forms: bits of one vector, in the order of a QUBO's variables; lines with the name of a variable and its
    value, as solvers write solutions of LP and MPS files; JSON: names of features, sets of them, or a vector
    by names, as samplers return (``{"sample": {...}}``).

    Parameters
    ----------
    path
        The file, also one compressed by gzip.
    question
        What was asked; a problem: for its best set.

    Returns
    -------
    Answer
        The sets, what they score, and what is wrong with them.

    Raises
    ------
    ArgumentError
        If it is no question.
    DataError
        If the file holds no answer to it.

    Examples
    --------
    >>> import tempfile
    >>> from altsel import Univariate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (file := Path(folder) / "answer").write_text("set1_x_a 0\nset1_x_b 1\n")
    ...     answer = read_answer(file, Problem(Univariate({"a": 2.0, "b": 1.0}), k=1))
    >>> answer.sets, answer.total, answer.faults
    ((('b',),), 1.0, ())
    """
    asked = ReadQuestion(question) if isinstance(question, Problem) else question
    of_kind("question", asked, ReadQuestion, "a ReadQuestion, or a Problem")
    return judged(asked, _sets_in(path, asked.problem))


def _sets_in(path: str | Path, problem: Problem) -> list[tuple[str, ...]]:
    """Read the sets of an answer file, in any of the forms."""
    try:
        packed = checked_path("path", path).read_bytes()
        text = (gzip.decompress(packed) if str(path).endswith(".gz") else packed).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as fault:
        raise DataError(f"{path} cannot be read: {fault}") from fault
    features = [*problem.objective.features]
    for read in (_of_json, _of_bits, _of_values):
        sets = read(text, features)
        if sets is not None:
            return _known(sets, problem, str(path))
    raise DataError(
        f"{path} holds no answer: give bits, lines of a variable's name and value, or JSON of names"
    )


def _known(sets: list[list[str]], problem: Problem, path: str) -> list[tuple[str, ...]]:
    for name in (name for one in sets for name in one):
        if name not in problem.index:
            raise DataError(f"{path}: {name!r} is no feature{did_you_mean(name, problem.index)}")
    return [problem.ordered(dict.fromkeys(one)) for one in sets]


def _of_json(text: str, features: Sequence[str]) -> list[list[str]] | None:
    try:
        plain: Any = json.loads(text)
    except ValueError:
        return None
    for name in ("sample", "samples", "sets"):
        if isinstance(plain, dict) and name in plain and name not in features:
            plain = plain[name]
    if isinstance(plain, dict):
        known = {*features}
        return [[name for name, value in plain.items() if name in known and float(value) > HALF]]
    if isinstance(plain, list) and plain and all(isinstance(one, str) for one in plain):
        return [plain]
    if isinstance(plain, list) and plain and all(isinstance(one, list) for one in plain):
        return [[str(name) for name in one] for one in plain]
    if isinstance(plain, list) and plain and set(map(str, plain)) <= {"0", "1"}:
        return _chosen([int(one) for one in plain], features)
    return None


def _of_bits(text: str, features: Sequence[str]) -> list[list[str]] | None:
    bits = re.sub(r"[\s,\[\]]", "", text)
    return _chosen([int(one) for one in bits], features) if bits and {*bits} <= {"0", "1"} else None


def _chosen(bits: Sequence[int], features: Sequence[str]) -> list[list[str]] | None:
    """Return the set of a vector; behind its features may be slacks."""
    if len(bits) < len(features):
        return None
    return [[name for name, bit in zip(features, bits, strict=False) if bit]]


def _of_values(text: str, features: Sequence[str]) -> list[list[str]] | None:
    """Read lines of name and value; the name may come after a number, as CBC writes it."""
    labels = _labels(features)
    sets: dict[int, list[str]] = {}
    for line in text.splitlines():
        found = _named_value(line.split(), labels)
        if found is not None:
            number, name, value = found
            inside = sets.setdefault(number, [])
            if value > HALF:
                inside.append(name)
    return [sets[number] for number in sorted(sets)] or None


def _named_value(words: Sequence[str], labels: dict[str, str]) -> tuple[int, str, float] | None:
    for word, value in pairwise(words):
        if not NUMBER.fullmatch(value):
            continue
        named = OF_A_SET.fullmatch(word)
        if named and named[2] in labels:
            return int(named[1]), labels[named[2]], float(value)
        if word in labels:
            return 1, labels[word], float(value)
    return None


def _labels(features: Sequence[str]) -> dict[str, str]:
    """Return the features by what LP and MPS files call them, as far as that is one feature."""
    plain: dict[str, list[str]] = {}
    for name in features:
        plain.setdefault(re.sub(r"[^A-Za-z0-9_.]+", "_", name), []).append(name)
    return {label: names[0] for label, names in plain.items() if len(names) == 1} | {f: f for f in features}


def judged(question: ReadQuestion, sets: Sequence[Collection[str]]) -> Answer:
    """Judge sets by a question: their number, sizes, rules and distances, and what they score.

    Parameters
    ----------
    question
        What was asked.
    sets
        What somebody answered, names of features.

    Raises
    ------
    ArgumentError
        If a name is no feature.

    Examples
    --------
    >>> from altsel import Univariate
    >>> judged(ReadQuestion(Problem(Univariate([3, 2, 1]), k=2)), [["x0"]]).faults
    ('set 1 has 1 features; 2 to 2 are wanted',)
    """
    problem = question.problem
    of_kind("question", question, ReadQuestion, "a ReadQuestion, as read_question gives it")
    given_sets("sets", [one for one in sets if isinstance(one, str) or len(one)], problem)
    ordered = tuple(problem.ordered(dict.fromkeys(one)) for one in sets)
    scores = tuple(_score(problem, one) for one in ordered)
    known = [value for value in scores if value is not None]
    whole = len(known) == len(scores) and bool(scores)
    total = (min(known) if question.total == "min" else sum(known)) if whole else None
    return Answer(ordered, scores, total, tuple(_faults(question, ordered)))


def _score(problem: Problem, features: Collection[str]) -> float | None:
    mask = problem.mask(features)
    return problem.objective.checked_score(mask) if problem.objective.checked_feasible(mask) else None


def _faults(question: ReadQuestion, sets: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield what is wrong."""
    problem, wanted = question.problem, question.alternatives + 1
    low, high = problem.sizes
    if len(sets) != wanted:
        yield f"{len(sets)} sets instead of {wanted}"
    rows = rows_of_rules(problem)
    if rows is None:
        yield "a rule is more than a linear row over the features, and was not looked at"
    for number, one in enumerate(sets, 1):
        if not low <= len(one) <= high:
            yield f"set {number} has {len(one)} features; {low} to {high} are wanted"
        if not problem.objective.checked_feasible(problem.mask(one)):
            yield f"set {number}: the criterion does not admit it"
        for row, least, most in rows or ():
            if not keeps(row[problem.mask(one)], least, most):
                yield f"set {number} breaks a rule"
                break
    if question.dissimilarity is None:
        return
    tau = exact(question.dissimilarity.tau)
    pairs = [(f"sets {i + 1} and {j + 1}", sets[i], sets[j]) for i, j in combinations(range(len(sets)), 2)]
    pairs += [
        (f"set {i + 1} and known set {j + 1}", one, tuple(other))
        for i, one in enumerate(sets)
        for j, other in enumerate(question.known)
    ]
    for name, first, second in pairs:
        if first and distance(question.dissimilarity, first, second) < tau:
            yield f"{name} differ by less than {float(tau):g}"
