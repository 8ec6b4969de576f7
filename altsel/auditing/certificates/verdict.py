"""What a certificate says of an answer: whether it is of its question, and what the checker finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any, cast

from altsel.auditing.certificates.certificate import pen_of
from altsel.auditing.certificates.lines import Writer
from altsel.auditing.certificates.pen import Pen
from altsel.auditing.certificates.stated_claims import differences, read_claims
from altsel.errors import DataError
from altsel.exact.verification.verifier import Check
from altsel.models.problem import Problem
from altsel.results.solutions import Solutions
from altsel.tools import check_certificate


def certificate_checks(
    path: str | Path, solutions: Solutions, problem: Problem | None, diversity: Any = None
) -> Iterator[Check]:
    """Check a certificate: its numbers are those of the data, and it proves the claims of the answer.

    Parameters
    ----------
    path
        The file.
    solutions
        The answer.
    problem, diversity
        What was wanted, made of the data anew; of blankets None.

    Raises
    ------
    DataError
        If the file cannot be read.
    """
    pen = pen_of(solutions, problem, diversity)
    code, told, refuted = verdict_of(path)
    yield Check("the certificate is verified", code != 1, refuted)
    mine = any(line.startswith(f"question {question_of(pen)}") for line in told)
    yield Check(
        "the certificate is of these numbers, rules and sets", mine, "" if mine else "another question"
    )
    lines = {line["claim"]: line for line in read_claims(path)[1] if "claim" in line} if code != 1 else {}
    for claim, rows in pen.claims:
        what = f"the certificate proves: {claim.title}"
        if claim.title not in lines:
            yield Check(what, None, "not in it")
            continue
        expected = pen.expected(claim, rows)
        fault = next(differences(lines[claim.title], claim, solutions.universe, expected), "")
        yield Check(what, not fault, fault)
    for title in pen.not_covered:
        yield Check(f"the certificate proves: {title}", None, "certificates do not cover it")


def verdict_of(path: str | Path) -> tuple[int, list[str], str]:
    """Run the checker: its code, what it says, and why it refutes the file if it does.

    Raises
    ------
    DataError
        If the file cannot be read.
    """
    told: list[str] = []
    checker = cast(Any, check_certificate)
    try:
        return checker.check(path, told.append), told, ""
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as fault:
        raise DataError(f"{path} is no certificate that can be read: {fault}") from fault
    except Exception as fault:  # whatever a file makes of the checker, it proves nothing
        return 1, told, checker.reason(fault)


def question_of(pen: Pen) -> str:
    """Return the digest of the question of some claims, found anew."""
    writer = Writer(StringIO())
    writer.begin(pen.features, {})
    pen.state(writer)
    return writer.digest
