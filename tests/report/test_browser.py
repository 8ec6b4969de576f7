"""The page in a real browser: the system's chromium, which Playwright drives; nothing is downloaded."""

from __future__ import annotations

import json
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
from altsel.results.estimate import Estimate
from altsel.results.set_performance import SetPerformance
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
    "img, iframe, object, embed, base, form, textarea:not(#comment), b, u, video, audio, [id=injected], "
    "[srcdoc], meta[http-equiv=refresh]"
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
COLUMNS_IN_SIGHT = """() => {
        const box = document.getElementById("matrix").getBoundingClientRect();
        return [...document.querySelectorAll("#matrix .head > .feature")].map(e => e.getBoundingClientRect())
            .filter(r => r.left >= box.left && r.right <= Math.min(box.right, innerWidth)).length;
    }"""
SERIOUS = """async () => (await axe.run()).violations.filter(v => ["serious", "critical"].includes(v.impact))
    .map(v => `${v.id}: ${v.nodes.map(n => n.html).slice(0, 3).join(" ")}`)"""
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
TIMEOUT = 120_000  # milliseconds: a loaded machine takes long, and a fault shall end
WIDE, NARROW = {"width": 1400, "height": 1000}, {"width": 400, "height": 800}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        arguments = ["--no-sandbox"] if root else []
        browser = started.chromium.launch(executable_path=CHROMIUM, args=arguments, timeout=0)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All that a page can show of some sets of the example data."""
    heart = altsel.Dataset(altsel.example("heart"), "disease")
    problem = altsel.Problem(altsel.Univariate(heart), k=3)
    found = altsel.sequential(problem, altsel.Dice(0.5), alternatives=3)
    score, far = Estimate(0.8, 0.7, 0.9), Estimate(-9.0, -99.0, 81.0)
    sets = tuple(SetPerformance(one.features, score) for one in found)
    return {
        "found": found,
        "data": heart,
        "front": altsel.pareto_front(problem, altsel.Dice(0)),
        "performance": altsel.results.Performance(sets, far, Estimate(0.55), None, (), "trees", "accuracy"),
        "certificate": found.certificate(tmp_path_factory.mktemp("proof") / "sets.proof.json.gz").path,
        "audit": True,
    }


class Opened:
    """A page in the browser, and all that it said and asked for."""

    def __init__(
        self,
        browser: Any,
        folder: Path,
        found: Solutions,
        certificate: Path | None = None,
        parts: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        path = found.report(folder / "report.html", certificate=certificate, **(parts or {}))
        self.said: list[str] = []
        self.page = browser.new_page(**{"viewport": WIDE, **options})
        self.page.set_default_timeout(TIMEOUT)
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
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("11", "16")
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
    assert page.evaluate(KINDS) == [4, 1, jumps, 1]
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


@pytest.mark.parametrize("width", [1000, 800, 500])
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
    assert [" ".join(one.split()) for one in heads[-2:]] == ["bound", "score, kept apart"]
    grid.focus()
    grid.press("Control+Home")
    grid.press("End")  # the number that stands last, behind the features
    assert " ".join(active.inner_text().split()) == "score, kept apart"
    grid.press("Enter")
    grid.press("Enter")
    assert at.rows() == list(range(11, -1, -1))  # the smallest first
    assert at.page.locator("#sort").input_value() != ""
    grid.press("ArrowDown")
    assert active.inner_text() == "1.02"  # the smallest comes first


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
    assert at.page.locator("#summary .card.good", has_text="Certified?").count() == 1
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


@pytest.mark.parametrize(("width", "least"), [(1200, 16), (390, 9)])
def test_so_many_features_are_in_sight(opened: Any, width: int, least: int) -> None:
    at = opened(wide(), viewport={"width": width, "height": 900})
    assert at.page.evaluate(COLUMNS_IN_SIGHT) >= least
    same = at.page.locator("#alike").inner_text()
    assert same == "The same for all sets: size 8; gap 1 %; proof feasible; p, null 0.05."


def test_sets_are_pinned_with_comments_and_saved(opened: Any, tmp_path: Path) -> None:
    found, at = few(), opened(few())
    page, hostile_comment = at.page, "</script><script>window.harmed=1</script> & so on"
    page.locator("#matrix .row:not(.head)").nth(3).locator(".value").first.click()
    page.locator("#pin").click()
    page.locator("#comment").fill(hostile_comment)
    grid = page.locator("#matrix")
    for key in ("Control+Home", "ArrowDown", "p"):  # by keyboard
        grid.press(key)
    assert at.marked("pinned") == [0, 3]
    assert "not saved yet" in page.locator("#saved").inner_text()
    page.locator("#only-pinned").check()
    assert at.rows() == [0, 3]
    with page.expect_download() as waiting:
        page.locator("#save-choice").click()
    waiting.value.save_as(tmp_path / "choice.json")
    chosen = json.loads((tmp_path / "choice.json").read_text(encoding="utf-8"))
    assert [(one["set"], one["features"], one["comment"]) for one in chosen["sets"]] == [
        (0, list(found[0]), ""),
        (3, list(found[3]), hostile_comment),
    ]
    assert page.locator("#saved").inner_text() == ""
    with page.expect_download() as waiting:
        page.locator("#save-page").click()
    waiting.value.save_as(tmp_path / "copy.html")
    page.goto((tmp_path / "copy.html").as_uri())  # a page of its own, with the same script
    page.wait_for_selector("html[data-ready=yes]")
    at.said = [one for one in at.said if not one.endswith("copy.html")]
    assert at.marked("pinned") == [0, 3]
    assert page.locator("#choice-of-sets .comment").inner_text() == hostile_comment
    assert page.evaluate("typeof window.harmed") == "undefined"
    assert Solutions.from_json(str(page.locator("#found").text_content())) == found


def test_what_tests_models_and_columns_say_is_shown(
    chromium: Any, tmp_path: Path, everything: dict[str, Any]
) -> None:
    parts = {name: part for name, part in everything.items() if name not in {"found", "certificate"}}
    at = Opened(chromium, tmp_path, everything["found"], everything["certificate"], parts)
    page = at.page
    answers = dict(
        zip(
            page.locator(".card h3").all_inner_texts(), page.locator(".card p").all_inner_texts(), strict=True
        )
    )
    assert [one.split("?")[0] for one in answers] == [
        "Proved best",
        "Are others as good",
        "Do they predict",
        "Audited",
        "Certified",
    ]
    assert (
        "270 rows and 13 columns to choose from; disease: absent 150 (56 %)"
        in page.locator("#summary").inner_text()
    )
    verdicts = (
        page.locator("#equivalence tbody tr")
        .first.locator("td")
        .evaluate_all("all => all.map(e => e.ariaLabel)")
    )
    told = [one for one in page.locator("#matrix .verdict").all_inner_texts() if one]
    assert [one.partition(": ")[2] for one in verdicts] == told
    assert page.locator("#relevance tbody tr").count() == 13
    assert page.locator("#relevance .tick").count() == 13
    dots = page.locator("#performance .interval .score[cx]").evaluate_all(
        "all => all.map(e => +e.getAttribute('cx'))"
    )
    assert len(dots) == 5  # models of all features are far off the scale: no dot, and an arrow on either side
    assert max(dots[1:]) - min(dots[1:]) < 1
    assert 40 < dots[1] < 200
    page.locator("#upset svg").last.click(position={"x": 21, "y": 100})
    assert at.marked("picked") == [1]
    first = page.locator("#spread figure.picked figcaption").all_inner_texts()
    assert first == list(everything["found"][1])
    page.locator("#check").click()
    page.wait_for_selector("#again .mark")
    assert "verified again in this page" in str(page.locator("#again .mark.good").text_content())
    at.close()


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 390),
        *(pytest.param(*one, marks=pytest.mark.long) for one in (("dark", 390), ("dark", 1200))),
    ],
)
def test_axe_finds_nothing_serious(
    chromium: Any, tmp_path: Path, everything: dict[str, Any], scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason='axe-core: pip install "altsel[browser]"')
    parts = {name: part for name, part in everything.items() if name not in {"found", "certificate"}}
    at = Opened(
        *(chromium, tmp_path, everything["found"], everything["certificate"], parts),
        color_scheme=scheme,
        viewport={"width": width, "height": 900},
    )
    at.page.locator("#pin").click()
    at.page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text())
    assert at.page.evaluate(SERIOUS) == []
    assert at.page.evaluate("document.documentElement.scrollWidth") <= width
    at.close()
