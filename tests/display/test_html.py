"""What notebooks show: small, well formed, escaped and accessible, whatever names and sizes."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from altsel.display.html import Table, names_cell, page
from altsel.display.names import short
from tests.display.shown_objects import everything, small

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</td></table><script>alert(2)</script>",
    '"><svg/onload=alert(3)>',
    "' onmouseover='alert(4)",
    "a&amp;b &lt;script&gt;",
    "$\\href{javascript:alert(5)}{x}$",
    "line\nbreak\r\x1b[31m",
    "\u202eright to left",
    "العربية",
    "</bdi></details>",
    "é" * 3000,
    "🦓" * 3000,
]
PLAIN = [f"x{j}" for j in range(40)]
MANY = [f"{HOSTILE[j % len(HOSTILE)]}{j}" for j in range(400)]
ELEMENTS = {"div", "p", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "em"}
ELEMENTS |= {"br", "details", "summary", "img"}
VOID = {"br", "img"}


class Reader(HTMLParser):
    """Reads HTML strictly: every element is closed, in order, and is one of those that are meant."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


SMALL, LARGE = everything(PLAIN, 3), everything(MANY, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("size", ["small", "large"])
def test_whatever_is_shown(name: str, size: str) -> None:
    thing = (SMALL if size == "small" else LARGE)[name]
    shown = thing._repr_html_()
    assert 100 < len(shown.encode()) < 20_000
    read = Reader(shown)
    for tag, attributes in read.elements:
        assert set(attributes) <= {"class", "style", "scope", "colspan", "src", "alt"}
        assert "color" not in (attributes.get("style") or "")
        assert tag != "th" or attributes["scope"] in {"row", "col"}
        assert tag != "img" or str(attributes["src"]).startswith("data:image/svg+xml;base64,")
    tags = [tag for tag, _ in read.elements]
    assert tags.count("caption") == tags.count("table") or "img" in tags
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", read.text)
    assert "mathjax_ignore" in str(read.elements[0][1]["class"])
    brief = repr(thing)
    assert brief.startswith("<")
    assert brief.isprintable()
    assert len(brief) < 300


@pytest.mark.parametrize("name", ["Solutions", "Front", "Taxonomy", "Dataset", "Audit", "Problem", "MSG"])
def test_long_tables_say_how_much_is_not_shown(name: str) -> None:
    assert re.search(r"… and [\d,]+ more |[\d,]+ \w+s, too long to show", LARGE[name]._repr_html_())


def test_sets_with_scores_bounds_and_proofs_and_who_is_in_which() -> None:
    read = Reader(small()._repr_html_())
    words = re.sub(r"\s+", " ", read.text)
    assert "setfeaturesscoreof bestproof 0x0, x15100 %optimal" in words
    assert "3 sets of 4 features; stop: count" in words
    assert "x0100 %✓✓✓" in words
    assert repr(small()) == "<Solutions: 3 sets of 4 features, stop: count>"
    assert repr(small()[0]) == "<FeatureSet: x0, x1; score 5, optimal>"


def test_rows_are_cut_by_number_and_by_bytes() -> None:
    def rows(width: int) -> Table:
        return Table("many", ["a"], ([f"{number:0{width}}"] for number in range(10_000)), 10_000, "thing")

    assert "… and 9,980 more things" in page("", [rows(3)])
    wide = page("", [Table("wide", ["a"], ([names_cell(MANY)] for _ in range(50)), 50, "thing")] * 3)
    assert len(wide.encode()) < 20_000
    assert wide.count("more things") == 3


def test_an_empty_table_has_no_rows() -> None:
    assert "more" not in page("", [Table("none", ["a"], iter([]), 0)])


def test_a_very_long_name_keeps_its_own_end() -> None:
    assert short("a" * 900 + " (site 7)", 20).endswith("ite 7)")
