"""Docstrings of public names keep numpydoc's rules; needs ``altsel[docs]``, and ``nox -s docs`` runs it."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from typing import Any

import pytest

from tests.public_names import PUBLIC

validate = pytest.importorskip("numpydoc.validate").validate

IGNORED = {
    "ES01": "one sentence may be all there is to say",
    "GL01": "the summary stands on the line of the quotes",
    "PR03": "entries such as 'problem, known: as in sequential' gather what is said elsewhere",
    "PR04": "types are annotated",
    "RT01": "where the summary says what is made",
    "SA01": "links are in the text",
    "YD01": "as RT01",
}
"""Checks left out, and why."""
LIKE_ANOTHER = {"AlternativeTreeRegressor", "ChiSquare", "NonInferiority", "balancing"}
"""Their arguments are those of another, which they name."""
THINGS = {
    name: thing
    for name, thing in PUBLIC.items()
    if inspect.isfunction(thing) or (inspect.isclass(thing) and thing.__module__.startswith("altsel"))
}


def described_otherwise(name: str, thing: Any) -> bool:
    """Whether it is not made by calling it with arguments of one's own: a result, a protocol, an error."""
    if not inspect.isclass(thing):
        return name.rpartition(".")[2] in LIKE_ANOTHER
    result = "Attributes\n----" in (inspect.getdoc(thing) or "")
    kinds = issubclass(thing, Enum | BaseException) or getattr(thing, "_is_protocol", False)
    return result or kinds or thing.__name__ in LIKE_ANOTHER


@pytest.mark.parametrize("name", THINGS)
def test_a_docstring_keeps_the_rules(name: str) -> None:
    faults = [f"{code}: {text}" for code, text in validate(name)["errors"] if code not in IGNORED]
    if described_otherwise(name, THINGS[name]):
        faults = [fault for fault in faults if not fault.startswith("PR01")]
    private = re.compile(r"PR01: Parameters \{('_\w+'(, )?)+\} not documented")
    assert [fault for fault in faults if not private.fullmatch(fault)] == []


def test_most_names_are_looked_at() -> None:
    assert len(THINGS) > 190
