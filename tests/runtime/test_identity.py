"""Functions and objects that differ in anything their results depend on have different identities."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from sklearn.linear_model import LogisticRegression

import altsel
from altsel.runtime.identity import identity

CELL = """
K = {k}
def helper(rows):
    return rows[:K] + {extra}
class Search:
    def __init__(self, k): self.k = k
    def __call__(self, rows): return rows[:self.k + {extra}]
def by_helper(rows): return helper(rows)
search = {search}
"""


def defined(text: str) -> Any:
    """Run a cell of a notebook; return what it calls ``search``."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(text, names)
    sys.modules["__main__"].__dict__.update({"Search": names.get("Search")})  # as pickle looks for it
    return names["search"]


@pytest.mark.parametrize("search", ["helper", "by_helper", "Search({k})", "lambda rows: by_helper(rows)"])
def test_globals_helpers_and_objects_count(search: str) -> None:
    first, other, edited, again = (
        identity(defined(CELL.format(k=k, extra=extra, search=search.format(k=k))))
        for k, extra in ((2, 0), (4, 0), (2, 1), (2, 0))
    )
    assert len({first, other, edited}) == 3  # objects, and what uses a global, were all the same
    assert first == again


def test_settings_count_and_a_function_may_call_itself() -> None:
    assert identity(LogisticRegression(C=1.0)) != identity(LogisticRegression(C=2.0))
    recursive = defined("def search(n): return n and search(n - 1)")
    assert identity(recursive) == identity(recursive)
    with pytest.raises(altsel.ArgumentError, match="cannot be pickled"):
        identity(one for one in [1])


def test_it_is_the_same_in_every_process() -> None:
    text = "def search(x): return x in {'a', 'b', 'c', 'd'}"
    program = f"""
from altsel.runtime.identity import identity
names = {{"__name__": "__main__"}}
exec({text!r}, names)
print(identity(names["search"], {{"k": 2}}))
"""
    found = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert found == [identity(defined(text), {"k": 2}) + "\n"] * 2
