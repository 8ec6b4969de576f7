"""The page in a real browser: the system's chromium, which Playwright drives; nothing is downloaded."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import altsel
from altsel import FeatureSet, Proof, Solutions, Stop
from altsel.errors import printable
from tests.report.samples import HOSTILE, few, hostile, many, wide

playwright = pytest.importorskip("playwright.sync_api", reason='Playwright: pip install "altsel[browser]"')
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium"),
    pytest.mark.slow,
]
ROWS_IN_SIGHT = """all => all.map(r =>
    [+r.getAttribute("aria-rowindex"), +r.querySelector(".value").textContent])"""
NAMELESS = """() => [...document.querySelectorAll(
    "button, input, select, a, [role=button], [role=grid], [role=region], section")]
    .filter(e => e.id !== "printed" && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby"))
    .filter(e => !e.textContent.trim()).map(e => e.outerHTML)"""
STRANGE = (
    "img, iframe, object, embed, base, form, textarea, b, u, video, audio, [id=injected], [srcdoc], "
    "meta[http-equiv=refresh]"
)
KINDS = """[document.scripts.length, document.styleSheets.length, document.links.length,
    document.querySelectorAll('link').length]"""
HANDLERS = """[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])
    .filter(a => /^on/i.test(a.name) || /^ *javascript:/i.test(a.name === "href" ? a.value : "")).length"""
CONTRAST = """() => {
        const style = getComputedStyle(document.documentElement);
        const light = name => {
            const hex = style.getPropertyValue(name).trim().replace("#", "");
            const full = hex.length === 3 ? [...hex].map(c => c + c).join("") : hex;
            const [r, g, b] = [0, 2, 4].map(k => parseInt(full.slice(k, k + 2), 16) / 255)
                .map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        return [["--ink", "--ground"], ["--mute", "--ground"], ["--link", "--ground"], ["--ink", "--hot"],
            ["--ink", "--picked"], ["--ink", "--several"], ["--ink", "--always"], ["--ink", "--soft"]]
            .map(([a, b]) => ratio(a, b));
    }"""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
SCROLLED = """async () => {
        const box = document.getElementById("matrix"), elements = [];
        for (let k = 0; k < 40; k += 1) {
            box.scrollTop += 137; box.scrollLeft += 91;
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
            elements.push(box.querySelectorAll("*").length);
        }
        return elements;
    }"""
CELLS = """all => all.map(r => [+r.querySelector(".value").textContent,
    [...r.querySelectorAll(".in")].map(c => c.getAttribute("aria-label"))])"""
IN_SIGHT = """() => {
        const box = document.getElementById("matrix").getBoundingClientRect();
        const places = all => [...document.querySelectorAll(all)].map(e => e.getBoundingClientRect());
        const heads = places("#matrix .head > .feature");
        const inside = heads.filter(r => r.left >= box.left && r.right <= box.right);
        return [inside.length * 24 / box.width, document.documentElement.scrollWidth];
    }"""
OVERLAPS = """() => [...document.querySelectorAll("#matrix .row")].flatMap(row => {
        const cells = [...row.querySelectorAll(".value, .feature, .in")].map(e => e.getBoundingClientRect());
        const frozen = row.querySelector(".fixed").getBoundingClientRect().right;
        const free = cells.filter(r => r.left >= frozen - 1).sort((a, b) => a.left - b.left);
        return free.filter((r, k) => k > 0 && free[k - 1].right > r.left + 1).map(r => r.left);
    })"""
CUT = """() => [...document.querySelectorAll("#matrix .head .value")]
    .filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).map(e => e.textContent)"""
WIDE, NARROW = {"width": 1400, "height": 1000}, {"width": 400, "height": 800}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        arguments = ["--no-sandbox"] if root else []
        browser = started.chromium.launch(executable_path=CHROMIUM, args=arguments, timeout=0)
        yield browser
        browser.close()


class Opened:
    """A page in the browser, and all that it said and asked for."""

    def __init__(
        self,
        browser: Any,
        folder: Path,
        found: Solutions,
        certificate: Path | None = None,
        **options: Any,
    ) -> None:
        path = found.report(folder / "report.html", certificate=certificate)
        self.said: list[str] = []
        self.page = browser.new_page(**{"viewport": WIDE, **options})
        self.page.set_default_timeout(0)  # however long a step takes
        self.page.on("console", lambda message: self.said.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda fault: self.said.append(f"error: {fault}"))
        self.page.on("dialog", lambda dialog: self.said.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._asked(request.url, path.as_uri()))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]")

    def _asked(self, url: str, own: str) -> None:
        if url.partition("#")[0] != own and not url.startswith(("data:", "blob:")):
            self.said.append(f"request: {url}")

    def rows(self) -> list[int]:
        """Return the sets in sight, from top to bottom."""
        rows = self.page.locator("#matrix .row:not(.head)")
        return [i for _, i in sorted(rows.evaluate_all(ROWS_IN_SIGHT))]

    def marked(self, name: str) -> list[int]:
        """Return the sets whose rows have a class."""
        code = """all => all.map(r => +r.querySelector(".value").textContent)"""
        return sorted(self.page.locator(f"#matrix .row.{name}").evaluate_all(code))

    def lit(self) -> set[int]:
        """Return the nodes of the graph that are highlighted."""
        code = "all => all.flatMap((g, i) => (g.classList.contains('lit') ? [i] : []))"
        return set(self.page.locator("#graph .node").evaluate_all(code))

    def head(self, name: str) -> Any:
        """Return the head of a feature's column."""
        return self.page.locator("#matrix .feature").filter(has_text=re.compile(f"^{re.escape(name)}"))

    def view(self) -> list[float]:
        """Return what part of the graph is in sight."""
        return [float(v) for v in self.page.locator("#graph svg").get_attribute("viewBox").split()]

    def close(self) -> None:
        """End with nothing said and nothing asked for."""
        self.page.close()
        assert self.said == []


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    pages: list[Opened] = []

    def make(found: Solutions, **options: Any) -> Opened:
        pages.append(Opened(chromium, tmp_path, found, **options))
        return pages[-1]

    yield make
    for one in pages:
        one.close()


def test_filters_by_a_click(opened: Any) -> None:
    found, at = few(), opened(few())
    with_c = [i for i, one in enumerate(found) if "c" in one]
    assert at.rows() == list(range(10))
    at.head("c").click()
    assert at.rows() == with_c
    assert at.page.locator("#shown").inner_text() == "5 of 10 sets"
    playwright.expect(at.page.get_by_role("status")).to_have_text("5 of 10 sets")
    at.head("c").click()
    assert at.rows() == [i for i in range(10) if i not in with_c]
    at.head("d").click()
    assert at.page.locator(".chip").all_inner_texts() == ["without c ×", "with d ×"]
    assert at.rows() == [i for i, one in enumerate(found) if "c" not in one and "d" in one]
    at.page.locator("#clear").click()
    assert at.rows() == list(range(10))
    assert at.head("c").get_attribute("aria-label") == "c, in 5 of 10 sets"


def test_sorts_and_searches(opened: Any) -> None:
    at = opened(few())
    score = at.page.locator("#matrix .head .value", has_text="score")
    for expected, word in (
        ([*range(10)], "descending"),
        ([*range(9, -1, -1)], "ascending"),
        ([*range(10)], "none"),
    ):
        score.click()
        assert (at.rows(), score.get_attribute("aria-sort")) == (expected, word)
    at.page.locator("#sort").select_option(label="by bound")
    assert at.page.locator("#matrix [aria-sort=descending]").inner_text().startswith("bound")
    at.page.locator("#find").fill("G")
    assert at.page.locator("#matrix .feature").all_inner_texts() == ["g"]
    assert at.page.locator("#shown").inner_text() == "10 of 10 sets, 1 of 11 features"
    at.page.locator("#find").fill("")
    at.page.locator("#order").select_option("name")
    assert at.page.locator("#matrix .feature").all_inner_texts() == list("abcdefghijk")
    first = at.page.locator("#substitutions tbody tr")
    at.page.locator("#substitutions input").fill("g")
    assert first.count() > 0
    assert all("g" in text for text in first.all_inner_texts())


def test_matrix_and_graph_highlight_each_other(opened: Any) -> None:
    found, at = few(), opened(few())
    graph = altsel.msg(found)
    assert at.lit() == set(graph.nodes_of(found[0].features))
    at.page.locator("#matrix .row:not(.head)").nth(4).locator(".value").first.hover()
    assert at.marked("hot") == [4]
    assert at.lit() == set(graph.nodes_of(found[4].features))
    at.page.locator("#matrix .row:not(.head)").nth(7).locator(".value").first.click()
    assert at.marked("picked") == [7]
    assert at.page.locator("#details h2").inner_text() == "Set 7"
    assert at.page.locator("#details li").all_inner_texts() == list(found[7])
    for node in graph.nodes[2:]:
        through = [i for i, one in enumerate(found) if node.name in graph.nodes_of(one.features)]
        at.page.locator("#graph .node").nth(node.name).dispatch_event("pointerenter")
        assert at.marked("hot") == through
        at.page.locator("#graph .node").nth(node.name).dispatch_event("pointerleave")
    node = next(one for one in graph.nodes if len(one.alternatives) > 1)
    steps = [dict(graph.steps_of(one.features)) for one in found]
    at.page.locator("#graph .node").nth(node.name).locator(".alternative").nth(1).click()
    assert at.rows() == [i for i, path in enumerate(steps) if path.get(node.name) == 1]
    assert at.page.locator("#graph .node").nth(node.name).get_attribute("aria-pressed") == "true"
    at.page.locator(".chip").click()
    assert at.rows() == list(range(10))


def test_the_graph_zooms_and_moves(opened: Any) -> None:
    at = opened(few())
    box = at.page.locator("#graph")
    box.scroll_into_view_if_needed()
    whole, stated = at.view(), at.page.locator("#graph svg").get_attribute("viewBox")
    at.page.get_by_label("Zoom in").click()
    assert at.view()[2] < whole[2]
    at.page.locator("#fit").click()
    assert at.view() == whole
    place = box.bounding_box()
    x, y = place["x"] + 12, place["y"] + 12
    at.page.mouse.move(x, y)
    at.page.mouse.wheel(0, 1)  # the page scrolls, the graph stays
    assert at.view() == whole
    box.scroll_into_view_if_needed()
    box.focus()
    at.page.mouse.move(x, y)
    at.page.mouse.wheel(0, -100)
    playwright.expect(at.page.locator("#graph svg")).not_to_have_attribute("viewBox", stated)
    assert at.view()[2] < whole[2]
    box.press("0")
    assert at.view() == whole
    at.page.mouse.down()
    at.page.mouse.move(x + 60, y + 20, steps=4)
    at.page.mouse.up()
    assert at.view()[0] < whole[0]
    assert at.view()[2:] == whole[2:]
    for key, index, sign in (("ArrowRight", 0, 1), ("ArrowUp", 1, -1), ("-", 2, 1), ("+", 2, -1)):
        before = at.view()
        box.press(key)
        assert (at.view()[index] - before[index]) * sign > 0


def test_all_of_it_by_keyboard(opened: Any) -> None:
    found, at = few(), opened(few())
    seen = set()
    for _ in range(40):
        at.page.keyboard.press("Tab")
        seen.add(
            at.page.evaluate("document.activeElement.id || document.activeElement.className.baseVal || ''")
        )
    assert {"find", "order", "sort", "matrix", "graph", "fit", "save"} <= seen
    assert any(str(one).startswith("node") for one in seen)
    grid = at.page.locator("#matrix")
    grid.focus()
    active = at.page.locator("#active-cell")
    for key in ("ArrowDown", "ArrowDown", "End"):
        grid.press(key)
    assert active.get_attribute("aria-label") == "k: not in set 1"
    assert grid.get_attribute("aria-activedescendant") == "active-cell"
    grid.press("Enter")
    assert at.marked("picked") == [1]
    assert at.page.locator("#matrix [aria-selected=true]").count() == 1
    grid.press("Control+Home")
    assert active.inner_text() == "set"
    grid.press("End")
    grid.press("Enter")
    assert at.rows() == [i for i, one in enumerate(found) if "k" in one]
    grid.press(" ")
    assert at.rows() == [i for i, one in enumerate(found) if "k" not in one]
    at.page.locator("#clear, .chip").first.press("Enter")
    graph = altsel.msg(found)
    first = at.page.locator("#graph .node").nth(2)
    first.focus()
    assert at.marked("hot") == [i for i, one in enumerate(found) if 2 in graph.nodes_of(one.features)]
    first.press("ArrowRight")
    assert at.page.evaluate("document.activeElement.classList.contains('node')")
    at.page.keyboard.press("Enter")
    assert at.page.locator(".chip").count() == 1


def test_what_screen_readers_need_is_there(opened: Any) -> None:
    at = opened(few())
    assert at.page.evaluate(NAMELESS) == []
    grid = at.page.locator("#matrix")
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("11", "17")
    assert at.page.get_by_role("main").count() == 1
    assert at.page.get_by_role("heading", level=1).inner_text() == "10 feature sets for y"
    assert at.page.get_by_role("gridcell", name="c: in set 0").count() == 1
    assert at.page.get_by_role("columnheader", name="c, in 5 of 10 sets").count() == 1


def test_hostile_names_are_text(opened: Any) -> None:
    at = opened(hostile())
    page = at.page
    shown = {re.sub(r"\s+", " ", printable(name)).strip() for name in HOSTILE}
    features, every = (
        page.locator("#matrix .feature"),
        "all => all.map(e => [e.title, e.querySelector('bdi').textContent])",
    )
    heads = features.evaluate_all(every)
    page.locator("#matrix").evaluate("e => { e.scrollLeft = 1e6; }")
    page.evaluate(DRAWN)
    heads += features.evaluate_all(every)
    names = [re.split(r" \(or |\nin ", title)[0] for title, _ in heads]
    assert {re.sub(r"\s+", " ", name).strip() for name in names} == shown
    for name, (_, text) in zip(names, heads, strict=True):  # cut in the middle where it is long
        begin, _, end = text.partition("…")
        assert name.startswith(begin)
        assert name.endswith(end)
    for i in range(0, 12, 3):
        page.locator("#matrix .row:not(.head)").nth(i).locator(".value").first.click()
    page.locator("#matrix .feature").last.click()
    page.locator("#matrix .feature").first.click(force=True)
    for node in page.locator("#graph .node").all()[2:20]:
        node.dispatch_event("pointerenter")
    page.locator("#find").fill(HOSTILE[0])
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for more in page.get_by_role("button", name="show more").all():
        more.click()
    assert page.locator(STRANGE).count() == 0
    jumps = page.locator("nav a, a.skip").count()
    assert page.evaluate(KINDS) == [3, 1, jumps, 1]
    assert page.evaluate(HANDLERS) == 0
    assert page.evaluate("[window.harmed, typeof window.harmed]") == [None, "undefined"]
    assert page.title() == f"30 feature sets for {HOSTILE[1]}"


def test_the_json_can_be_downloaded(opened: Any, tmp_path: Path) -> None:
    for number, found in enumerate((hostile(), few())):
        at = opened(found)
        with at.page.expect_download() as waiting:
            at.page.locator("#save").click()
        waiting.value.save_as(tmp_path / f"{number}.json")
        assert waiting.value.suggested_filename == "found.json"
        assert Solutions.from_json((tmp_path / f"{number}.json").read_text(encoding="utf-8")) == found


def test_a_thousand_sets_of_five_hundred_features(opened: Any) -> None:
    found, at = many(), opened(many())
    page = at.page
    assert page.locator("#matrix *").count() < 4000
    assert max(page.evaluate(SCROLLED)) < 4000  # what is in sight, and no more
    sight = set(page.locator("#matrix .feature bdi").all_inner_texts())
    assert len(sight) > 20
    drawn = page.locator("#matrix .row:not(.head)").evaluate_all(CELLS)
    assert len(drawn) > 15
    for number, labels in drawn:
        assert set(labels) == {f"{name}: in set {number}" for name in found[number] if name in sight}
    page.locator("#matrix").press("Control+End")
    page.evaluate(DRAWN)
    assert at.rows()[-1] == 999
    page.locator("#find").fill("gene 123")
    at.head("gene 123").click()
    assert set(at.rows()) <= {i for i, one in enumerate(found) if "gene 123" in one}


def test_dark_light_narrow_and_printed(opened: Any) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        at = opened(few(), color_scheme=scheme, viewport=NARROW)
        assert min(at.page.evaluate(CONTRAST)) >= 4.5  # WCAG 2.1, level AA
        assert at.page.evaluate("document.documentElement.scrollWidth") <= 400
        grounds.add(at.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2
    at = opened(few())
    at.head("c").click()
    assert at.page.pdf().startswith(b"%PDF")
    at.page.emulate_media(media="print")
    assert at.page.locator("#printed tbody tr").count() == 5
    assert at.page.locator("#printed").is_visible()
    assert not at.page.locator("#matrix").is_visible()
    assert at.page.locator("#printed caption").inner_text() == "5 of 10 sets: with c"


def test_paper_is_light_and_shows_the_whole_graph(opened: Any) -> None:
    at = opened(few(), color_scheme="dark")
    at.page.get_by_role("button", name="whole graph").click()
    whole = at.view()
    for _ in range(6):
        at.page.get_by_role("button", name="Zoom in").click()
    zoomed = at.view()
    at.page.emulate_media(media="print", color_scheme="dark")
    assert min(at.page.evaluate(CONTRAST)) >= 4.5
    heads = " ".join(at.page.locator("#substitutions thead").inner_text().split())
    assert heads == "feature along with replaced by pairs of sets"
    assert not at.page.get_by_role("button", name="show more").is_visible()
    at.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    _, _, width, height = at.view()
    assert width > zoomed[2]
    assert height == whole[3]
    at.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert at.view() == zoomed


def test_heads_tell_long_names_apart(opened: Any) -> None:
    names = [
        f"Mean arterial pressure over the first {j} measurements of the day, left arm" for j in range(20)
    ]
    sets = [FeatureSet((one, names[-1]), 1.0, Proof.HEURISTIC) for one in names[:-1]]
    at = opened(Solutions(tuple(sets), Stop.HEURISTIC, tuple(names), "sum"), viewport=WIDE)
    heads = at.page.locator("#matrix .feature").all_inner_texts()
    assert len(set(heads)) == len(heads) == 20


@pytest.mark.parametrize("width", [1200, 800, 500])
def test_numbers_leave_the_features_most_of_the_width(opened: Any, width: int) -> None:
    at = opened(wide(), viewport={"width": width, "height": 900})
    share, page = at.page.evaluate(IN_SIGHT)
    assert share > 0.5
    assert page <= width
    assert at.page.evaluate(CUT) == []
    grid, active = at.page.locator("#matrix"), at.page.locator("#active-cell")
    for place in (0, 300, 1e6):
        grid.evaluate("(e, left) => { e.scrollLeft = left; }", place)
        at.page.evaluate(DRAWN)
        assert at.page.evaluate(OVERLAPS) == []
    heads = at.page.locator("#matrix .head .value").all_inner_texts()
    assert [" ".join(one.split()) for one in heads[-2:]] == ["score, kept apart", "p, null"]
    grid.focus()
    grid.press("Control+Home")
    grid.press("End")  # the number that stands last, behind the features
    assert " ".join(active.inner_text().split()) == "p, null"
    grid.press("ArrowLeft")
    grid.press("Enter")
    grid.press("Enter")
    assert at.rows() == list(range(11, -1, -1))  # the smallest first
    assert at.page.locator("#sort").input_value() != ""
    grid.press("ArrowDown")
    assert active.inner_text() == "1.02457"  # the smallest comes first


def test_numbers_stand_together_where_there_is_room(opened: Any) -> None:
    at = opened(wide(), viewport={"width": 1700, "height": 900})
    at.page.locator("#find").fill("first 1 m")
    at.page.evaluate(DRAWN)
    lefts = at.page.locator("#matrix .head .value").evaluate_all("all => all.map(e => e.offsetLeft)")
    feature = at.page.locator("#matrix .feature").evaluate("e => e.offsetLeft")
    assert max(lefts) < feature
    at.page.locator("#find").fill("")
    at.page.set_viewport_size({"width": 800, "height": 900})
    at.page.evaluate(DRAWN)
    assert at.page.evaluate(IN_SIGHT)[0] > 0.5


@pytest.mark.parametrize("embedded", [True, False])
def test_a_certificate_is_checked_again_in_the_page(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: bool
) -> None:
    monkeypatch.setattr("altsel.report.proof.EMBEDDED", 10**6 if embedded else 10)
    names = {name: float(j + 1) for j, name in enumerate(HOSTILE[:20])}
    found = altsel.sequential(altsel.Problem(altsel.Univariate(names), 3), altsel.Dice(0.5), 2)
    path = found.certificate(tmp_path / "sets.proof.json").path
    at = Opened(chromium, tmp_path, found, path)
    told = at.page.locator("#proof > .proofs li").all_text_contents()
    assert at.page.locator("#head .mark.good").text_content() == "✓ certificate verified"
    assert [line.startswith("verified: ") for line in told] == [True] * 3
    if embedded:
        at.page.locator("#check").click()
    else:
        at.page.locator("#check").set_input_files(path)
    at.page.wait_for_selector("#again .mark")
    assert "verified again in this page" in str(at.page.locator("#again .mark.good").text_content())
    assert at.page.locator("#again .proofs li").all_text_contents()[:3] == told
    assert at.page.locator(STRANGE).count() == 0
    assert at.said == []
    at.page.close()
