"""Published schemas are those of the classes, and results are written as they say."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

import altsel
from altsel.looking.result import Look
from altsel.results.base import Result
from altsel.results.orientation import Edge, Orientation, OrientedMember, Side
from altsel.results.schemas import ADDED, KINDS, LEFT_OUT, schema, write
from tests.conftest import ROOT
from tests.display.shown_objects import everything

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
    classes: set[type[Result]] = {Look, altsel.MSG}
    classes |= {
        kind for name in altsel.results.__all__ if hasattr(kind := getattr(altsel.results, name), "to_json")
    }
    assert {kind.__name__ for kind in classes} == {*KINDS}
    of_their_own = {kind.__name__ for kind in classes if kind._plain is not Result._plain}
    assert of_their_own == {"Solutions", "Front", "Study", *ADDED, *LEFT_OUT}
    assert {path.stem for path in FOLDER.glob("*.json")} == {*KINDS}


def written() -> dict[str, Any]:
    """Return a result of each kind, as its JSON."""
    names = ["a", "b", "né", "=d", "e", "f", "g"]
    member = OrientedMember("a", Side.PARENT, "by a test", ("b",), 0.5)
    orientation = Orientation("g", (member,), (Edge("a", "g", "->"),), ("g",), False, 12)
    made = {**everything(names, 3), "Orientation": orientation}
    return {kind: json.loads(made[kind].to_json()) for kind in KINDS}


def test_results_are_written_as_their_schemas_say() -> None:
    for kind, plain in written().items():
        published = json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))
        check = jsonschema.Draft202012Validator(published)
        check.validate(plain)
        check.validate({**plain, "of a later version": 1})
        assert {*plain} <= {*published["properties"]}, kind
        without = [{key: plain[key] for key in plain if key != name} for name in published["required"]]
        assert not any(map(check.is_valid, without)), kind


@pytest.mark.slow
def test_results_keep_their_schemas(tmp_path: Any) -> None:
    problem = altsel.Problem(altsel.Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), k=2)
    found = altsel.sequential(problem, altsel.Dice(0.5), 1)
    ranges = altsel.importance_range(altsel.near_optimal(problem, altsel.AbsoluteLoss(1.0)), problem)
    front = altsel.pareto_front(problem, altsel.Dice(0))
    for kind, result in (("Solutions", found), ("ImportanceRanges", ranges), ("Front", front)):
        plain = json.loads(result.to_json())
        published = json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))
        jsonschema.validate(plain, published)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**plain, "tolerance": [], "stop": 3}, published)
    write(tmp_path)
    assert len(list(tmp_path.iterdir())) == len(KINDS)
