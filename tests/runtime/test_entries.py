"""Tables of entries: altsel's own names, those of other packages, and what goes wrong with them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import altsel
from altsel.catalogue import OBJECTIVES, TABLES
from altsel.errors import PluginWarning
from altsel.models import Objective
from altsel.runtime.entries import Entry, Table, entry_points
from altsel.solvers.profile import ENGINES
from tests.conftest import ROOT
from tests.other_packages import Install, install

__all__ = ["install"]
EVERY: tuple[Table[Any], ...] = (*TABLES, ENGINES)
GROUP = "altsel.roots"


@pytest.fixture
def roots() -> Table[Entry]:
    return Table("root", GROUP, [Entry("square", "math:isqrt")])


@pytest.mark.parametrize("table", EVERY, ids=[table.group for table in EVERY])
def test_every_entry_stands_for_something_that_has_a_page(table: Table[Any]) -> None:
    for name, entry in table.own.items():
        assert entry.name == name
        assert entry.load() is not None
        assert (ROOT / "docs" / f"{table.page_of(entry)}.md").is_file(), name


def test_every_criterion_that_is_exported_has_a_name() -> None:
    exported = (getattr(altsel, name) for name in altsel.__all__)
    criteria = {one for one in exported if isinstance(one, type) and issubclass(one, Objective)}
    assert criteria - {altsel.BlackBox} == {entry.load() for entry in OBJECTIVES.own.values()}


def test_the_page_of_an_objective_is_in_the_table_of_formulations() -> None:
    index = (ROOT / "docs" / "formulations" / "index.md").read_text(encoding="utf-8")
    for entry in OBJECTIVES.own.values():
        assert f"]({entry.page.removeprefix('formulations/')}.md)" in index, entry.name


def test_an_entry_of_another_package_is_found_and_listed(install: Install, roots: Table[Entry]) -> None:
    install("cubes", {GROUP: {"cube": "cubes:cube"}}, "def cube(n, *, power=3): return n ** (1 / power)")
    assert "cube" in roots
    assert list(roots) == ["square", "cube"]
    entry = roots["cube"]
    assert (entry.make(27), entry.takes("power"), entry.package) == (pytest.approx(3), True, "cubes 1.0")
    assert str(entry) == "'cube' of package cubes 1.0"
    with pytest.raises(altsel.ArgumentError, match="root 'cub' is not one of 'square', 'cube'; did you mean"):
        roots["cub"]


@pytest.mark.parametrize(
    ("value", "text", "why"),
    [
        ("bad:cube", "import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("bad:cube", "raise SystemExit(3)", "SystemExit: 3"),
        ("bad:cube", "syntax error", "SyntaxError: "),
        ("bad:gone", "cube = 1", "AttributeError: module 'bad' has no attribute 'gone'"),
        ("bad", "", "AttributeError"),
        ("", "", ""),
        ("bad:cube", "def cube(n): return n / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_package_is_one_error_that_names_it(
    install: Install, roots: Table[Entry], value: str, text: str, why: str
) -> None:
    install("bad", {GROUP: {"cube": value}}, text)
    assert roots["square"].make(9) == 3
    assert list(roots) == ["square", "cube"]
    with pytest.raises(altsel.ConfigurationError, match=f"'cube' of package bad 1.0 fails: {why}"):
        roots["cube"].make(8)


def test_a_name_that_altsel_has_stays_its_own_with_a_warning(install: Install, roots: Table[Entry]) -> None:
    install("bad", {GROUP: {"square": "bad:square"}}, "raise SystemExit")
    assert roots["square"].make(9) == 3  # nobody else was asked
    roots.own["other"] = Entry("other", "math:cbrt")
    part = roots.part(lambda entry: entry.name == "other")
    for table in (roots, part):
        with pytest.warns(PluginWarning, match=r"package bad 1\.0 adds the root 'square' .* own is used"):
            assert list(table) == list(table.own)


def test_a_name_of_two_packages_is_an_error_where_it_is_used(install: Install, roots: Table[Entry]) -> None:
    for package in ("one", "two"):
        install(package, {GROUP: {"cube": f"{package}:cube", f"{package}-more": "math:cbrt"}})
    assert list(roots) == ["square", "cube", "one-more", "two-more"]
    with pytest.raises(altsel.ConfigurationError, match=r"'cube'.*'one 1\.0', 'two 1\.0'; uninstall"):
        roots["cube"]


def test_nothing_is_looked_for_where_the_name_is_altsels_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(group: str) -> Any:
        raise AssertionError(group)

    monkeypatch.setattr("altsel.runtime.entries.entry_points", refuse)
    for table in EVERY:
        for name in table.own:
            assert name in table
            assert table[name].name == name
    assert altsel.solver("highs").name == "highs"


def test_all_that_is_installed_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_points.cache_clear()
    first = entry_points("console_scripts")
    monkeypatch.setitem(sys.modules, "importlib.metadata", None)
    assert entry_points("console_scripts") is first
