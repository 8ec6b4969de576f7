"""Published schemas are those of the classes, and results are written as they say."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

import altsel
from altsel.results.base import Result
from altsel.results.schemas import KINDS, schema, write
from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "reference" / "schemas"
jsonschema: Any = import_module("jsonschema")


def outline(plain: dict[str, Any]) -> dict[str, Any]:
    """Return names and what is required, which no version of pydantic words otherwise."""
    parts = {"": plain, **plain.get("$defs", {})}
    return {
        name: (sorted(part.get("properties", ())), sorted(part.get("required", ())))
        for name, part in parts.items()
    }


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_published_is_what_is_written(kind: str) -> None:
    published = json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))
    assert outline(published) == outline(schema(kind))
    jsonschema.Draft202012Validator.check_schema(published)


def test_every_result_that_is_json_has_a_schema() -> None:
    kinds = {name for name in altsel.results.__all__ if hasattr(getattr(altsel.results, name), "to_json")}
    assert kinds - {"FamilyClaim", "Front", "Equivalence", "Study"} == {
        *KINDS
    }  # which have a form of their own
    assert all(getattr(altsel.results, name)._plain is Result._plain for name in KINDS if name != "Solutions")
    assert {path.stem for path in FOLDER.glob("*.json")} == {*KINDS}


@pytest.mark.slow
def test_results_keep_their_schemas(tmp_path: Any) -> None:
    problem = altsel.Problem(altsel.Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), k=2)
    found = altsel.sequential(problem, altsel.Dice(0.5), 1)
    ranges = altsel.importance_range(altsel.near_optimal(problem, altsel.AbsoluteLoss(1.0)), problem)
    for kind, result in (("Solutions", found), ("ImportanceRanges", ranges)):
        plain = json.loads(result.to_json())
        published = json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))
        jsonschema.validate(plain, published)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**plain, "tolerance": [], "stop": 3}, published)
    write(tmp_path)
    assert len(list(tmp_path.iterdir())) == len(KINDS)
