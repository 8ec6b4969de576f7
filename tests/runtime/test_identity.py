"""Functions and objects that differ in anything their results depend on have different identities."""

from __future__ import annotations

import importlib
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression

import altsel
from altsel.runtime import libraries
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


SEEN = """
import abc, dataclasses, functools, enum, types
import altsel
LIMIT = {k}
class Config:
    limit = {k}
class Derived(Config): pass
class Level(enum.IntEnum): LEAST = {k}
def few(names): return len(names) <= LIMIT
def by_class(names): return len(names) <= Derived.limit
def by_enum(names): return len(names) <= Level.LEAST
def by_default(names, limit={k}): return len(names) <= limit
def by_keyword(names, *, limit={k}): return len(names) <= limit
def by_attribute(names): return len(names) <= by_attribute.limit
by_attribute.limit = {k}
def even(n): return odd(n - 1) if n else {k}
def odd(n): return even(n - 1) if n else 0
def outer(names):
    def inner(): return [LIMIT for _ in names]
    return inner()
def enclosed(limit): return lambda names: len(names) <= limit
def caught(names):
    try: return names[{k}]
    except IndexError: return False
def wrapping(function):
    @functools.wraps(function)
    def wrapper(*names): return function(names)
    return wrapper
class Rule:
    def __call__(self, names): return few(names)
    def method(self, names): return few(names)
    @property
    def limit(self): return LIMIT
    @staticmethod
    def static(names): return few(names)
    @classmethod
    def of(cls, names): return cls.static(names)
    @functools.cached_property
    def kept(self): return LIMIT
class Slots:
    __slots__ = ("limit",)
    def __init__(self, limit): self.limit = limit
class Own(altsel.models.Objective): limit = {k}
@dataclasses.dataclass
class Held:
    function: object
    by_name: dict = dataclasses.field(default_factory=dict)
    limit: int = {k}
class Mixed(abc.ABC):
    @abc.abstractmethod
    def limit(self): return LIMIT
table = {{"few": [few]}}
def by_table(names): return table["few"][0](names)
module = types.ModuleType("own")
module.few, module.lock = few, __import__("threading").Lock()
def by_module(names): return module.few(names)
search = {search}
"""


@pytest.mark.parametrize(
    "search",
    [
        *("few", "by_class", "by_enum", "by_default", "by_keyword", "by_attribute", "even", "outer"),
        *("enclosed({k})", "caught", "wrapping(few)", "functools.cache(few)", "functools.partial(few)"),
        *("Rule()", "Rule().method", "Rule().of", "Rule.static", "Rule", "Slots({k})", "Mixed", "Held(0)"),
        *("Held(few)", "Held(0, {{'few': few}})", "{{'few': few}}", "[(few,)]", "{{few}}", "by_table"),
        *("by_module", "map(few, [1])", "types.MappingProxyType(dict(few=few))", "object.__new__(Own)"),
        *("altsel.domain.predicate(few)", "altsel.BlackBox(few, ['a', 'b'])"),
        "altsel.Univariate(dict(a={k}))",
        "altsel.domain.criterion(altsel.BlackBox(few, ['a', 'b']), at_least=1)",
    ],
)
def test_all_that_functions_read_counts(search: str) -> None:
    first, other, again = (
        identity(defined(SEEN.format(k=k, search=search.format(k=k))))
        for k in (200001, 200002, 200001)  # as small integers may be the same objects
    )
    assert first != other
    assert first == again


def test_what_is_imported_counts_but_libraries_by_their_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    ways = ["from limits_of_a_user import few", "import limits_of_a_user; few = limits_of_a_user.few"]
    ways += [f"def few(names):\n  {way}\n  return few(names)" for way in ways]
    ways += ["import limits_of_a_user\ndef few(names): return getattr(limits_of_a_user, 'few')(names)"]
    ways += ["from limits_of_a_user import few as f\nfew = lambda names: f(names)"]
    found = []
    for k in (1, 2, 1):
        (tmp_path / "limits_of_a_user.py").write_text(f"K = {k}\ndef few(names): return len(names) < K")
        monkeypatch.delitem(sys.modules, "limits_of_a_user", raising=False)
        importlib.invalidate_caches()
        found.append([identity(defined(f"{way}\nsearch = few")) for way in ways])
    monkeypatch.delitem(sys.modules, "limits_of_a_user")
    assert found[0] == found[2]
    assert all(one != other for one, other in zip(found[0], found[1], strict=True))
    by_library = defined("import sklearn\ndef search(rows): return sklearn.clone(rows)")
    old = identity(by_library)
    monkeypatch.setattr(sklearn, "__version__", "0.0")
    libraries.release_of.cache_clear()
    new = identity(by_library)
    libraries.release_of.cache_clear()
    assert new != old


@pytest.mark.parametrize(
    "changed",
    [{"task": "regression"}, {"kinds": {"a": "categorical"}}, {"kinds": {"y": "ordinal"}}],
)
def test_what_is_declared_of_data_counts(changed: dict[str, Any]) -> None:
    values = [1, 2, 3, 1, 2, 3, 1, 2, 3]
    table = {"a": values, "b": [*range(9)]}
    target = pd.Series([0, 1, 2] * 3, name="y")
    data = altsel.Dataset(table, target)
    assert identity(data) == identity(altsel.Dataset(pd.DataFrame(table), target))
    assert identity(data) != identity(altsel.Dataset(table, target, **changed))
    assert identity(data) != identity(data.grouped([["a", "b"]]))


@pytest.mark.parametrize(
    "reading",
    [
        *("globals()['K']", "eval('K')", "__import__('limits').K", "other('K')"),
        *("table.query('a > @K')", "table.eval('a > @K')", "sys.modules['limits'].K"),
    ],
)
def test_a_function_that_reads_what_it_does_not_name_is_refused(reading: str) -> None:
    search = defined(f"other = eval\ndef search(names): return {reading}")
    with pytest.raises(altsel.ArgumentError, match="name the variables"):
        identity(altsel.domain.predicate(search))


def test_settings_count_and_a_function_may_call_itself() -> None:
    assert identity(LogisticRegression(C=1.0)) != identity(LogisticRegression(C=2.0))
    recursive = defined("def search(n): return n and search(n - 1)")
    assert identity(recursive) == identity(recursive)
    within: list[Any] = []
    within.append(within)
    assert identity(within) != identity([[]])
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    for refused, why in (((one for one in [1]), "cannot be pickled"), (deep, "nested")):
        with pytest.raises(altsel.ArgumentError, match=why):
            identity(refused)


def test_it_is_the_same_in_every_process() -> None:
    text = "import re\ndef search(x): return x in {'a', 'b', 'c', 'd'} or re.match(x, x) or search('e')"
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


def test_attributes_of_an_enumeration_count() -> None:
    def panel(price: int) -> Any:
        class Panel(Enum):
            LEFT = 1

        Panel.LEFT.price = price  # type: ignore[attr-defined]
        return lambda: Panel.LEFT

    assert identity(panel(1)) != identity(panel(2))
