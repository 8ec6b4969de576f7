"""Docstrings name the parameters that a function has; every public name has an example and a place."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import altsel
from tests.conftest import ROOT
from tests.public_names import PUBLIC

SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=\n\n\S+( \S+)*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)


def documented() -> Iterator[tuple[str, Any]]:
    """Return what has a docstring with parameters, by its full name."""
    for module in pkgutil.walk_packages(altsel.__path__, "altsel."):
        try:
            found = vars(importlib.import_module(module.name))
        except ImportError:  # an extra that is not installed
            continue
        for name, thing in found.items():
            own = getattr(thing, "__module__", None) == module.name
            if own and (inspect.isfunction(thing) or inspect.isclass(thing)) and SECTION.search(text(thing)):
                yield f"{module.name}.{name}", thing


def text(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


THINGS = dict(documented())


@pytest.mark.parametrize("name", THINGS)
def test_parameters_are_those_of_the_signature(name: str) -> None:
    section = SECTION.search(text(THINGS[name]))
    assert section is not None
    lines = [line for line in section.group(1).splitlines() if line and not line[0].isspace()]
    listed = [entry.strip().lstrip("*") for line in lines for entry in line.split(",")]
    assert set(listed) <= set(inspect.signature(THINGS[name]).parameters)


def test_many_are_looked_at() -> None:
    assert len(THINGS) > 150


WITHOUT_EXAMPLE = {"altsel.__version__", "altsel.models.Rule", "altsel.solvers.CLOSED"}
"""A text, an alias of types and a number."""


def test_every_public_name_has_an_example() -> None:
    lacking = {name for name, thing in PUBLIC.items() if ">>>" not in text(thing)}
    assert lacking == WITHOUT_EXAMPLE


def test_every_public_name_stands_in_the_reference() -> None:
    pages = (ROOT / "docs" / "reference").glob("*.md")
    listed = {line.strip() for page in pages for line in page.read_text(encoding="utf-8").splitlines()}
    assert {name for name in PUBLIC if name.rpartition(".")[2] not in listed} == {"altsel.__version__"}
