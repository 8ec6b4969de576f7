from __future__ import annotations

import importlib
import subprocess
import sys
from dataclasses import asdict
from typing import Any

import pytest

from altsel.display.renderers import RENDERERS, renderer
from altsel.results import FeatureSet, Proof
from altsel.results.base import Drawn, Result
from tests.public_names import PUBLIC


def named(path: str, separator: str) -> Any:
    module, _, name = path.rpartition(separator)
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("kind", RENDERERS)
def test_the_table_names_classes_and_functions_that_are_there(kind: str) -> None:
    assert named(kind, ".").__name__ == kind.rpartition(".")[2]
    assert all(callable(named(function, ":")) for function in asdict(RENDERERS[kind]).values() if function)


def test_every_result_is_in_the_table() -> None:
    shown = {thing for thing in PUBLIC.values() if isinstance(thing, type) and issubclass(thing, Result)}
    assert len(shown) >= 8
    for one in shown:
        entry = RENDERERS[f"{one.__module__}.{one.__qualname__}"]
        assert entry.html
        assert bool(entry.plot) is issubclass(one, Drawn)
        assert bool(entry.size) is (issubclass(one, Drawn) and "draw" not in vars(one))
        assert entry.text or "__str__" in vars(one)


def test_a_class_of_a_users_own_is_shown_as_what_it_derives_from() -> None:
    class Mine(FeatureSet):
        pass

    assert "<bdi>a</bdi>" in Mine(("a",), 1.0, Proof.OPTIMAL)._repr_html_()
    with pytest.raises(TypeError, match="nothing shows FeatureSet as plot"):
        renderer("plot", FeatureSet(("a",), 1.0, Proof.OPTIMAL))


@pytest.mark.slow
def test_results_import_no_renderer() -> None:
    modules = {path.partition(":")[0] for one in RENDERERS.values() for path in asdict(one).values() if path}
    results = {kind.rpartition(".")[0] for kind in RENDERERS}
    program = f"import sys, {', '.join(sorted(results))}\nprint(*({modules!r} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
