"""The explorer in a real browser: the system's chromium, which Playwright drives; nothing is downloaded."""

from __future__ import annotations

import os
import random
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import altsel
from altsel.errors import printable
from altsel.exploring.process import Process
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject, TableOrigin
from tests.exploring.tables import data, frame, one_by_one
from tests.exploring.test_server import Served
from tests.report.samples import HOSTILE

playwright = pytest.importorskip("playwright.sync_api", reason='Playwright: pip install "altsel[browser]"')
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium"),
    pytest.mark.slow,
]
STRANGE = "img, iframe, object, embed, base, form, textarea, b, u, video, audio, [id=injected], [srcdoc]"
SERIOUS = """async () => (await axe.run()).violations.filter(v => ["serious", "critical"].includes(v.impact))
    .map(v => `${v.id}: ${v.nodes.map(n => n.html).slice(0, 3).join(" ")}`)"""
TABLE = data()
CELLS = """() => [...document.querySelectorAll(".matrix tbody tr")].flatMap(row => {
    const name = row.querySelector(".name").title, cells = [...row.querySelectorAll(".cell")];
    return cells.flatMap((cell, i) => cell.querySelector(".dot") ? [[i, name]] : []);
})"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if root else [], timeout=0
        )
        yield browser
        browser.close()


class Opened:
    """The explorer in the browser, and all that it said and asked for."""

    def __init__(self, browser: Any, served: Served, **options: Any) -> None:
        self.served, self.said = served, list[str]()
        self.context = browser.new_context(**{"viewport": {"width": 1300, "height": 900}, **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.listen(self.page)
        self.page.goto(self.address)
        self.page.wait_for_selector("#explorer[data-ready]")

    @property
    def address(self) -> str:
        return f"http://{self.served.guard.hosts[0]}/#{self.served.guard.token}"

    def listen(self, page: Any) -> None:
        page.on("console", lambda message: self.said.append(f"console: {message.text}"))
        page.on("pageerror", lambda fault: self.said.append(f"error: {fault}"))
        page.on("dialog", lambda dialog: self.said.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith((f"http://{self.served.guard.hosts[0]}/", "data:", "blob:")):
            self.said.append(f"request: {url}")

    def settled(self) -> int:
        return int(self.page.locator("#explorer").get_attribute("data-settled") or 0)

    def after(self, act: Any) -> None:
        """Do something, and wait until it is answered."""
        before = self.settled()
        act()
        self.page.wait_for_selector(f'#explorer[data-settled="{before + 1}"]')

    def key(self, key: str) -> Any:
        return self.page.locator(f'[data-key="{key}"]')

    def click(self, key: str) -> None:
        self.after(lambda: self.key(key).click())

    def slide(self, key: str, value: float) -> None:
        move = "(e, v) => { e.value = v; e.dispatchEvent(new Event('change')); }"
        self.after(lambda: self.key(key).evaluate(move, str(value)))

    def tab(self, name: str, shown: str) -> None:
        self.page.locator(f"#tab-{name}").click()
        self.page.wait_for_selector(shown)

    def sets(self) -> list[tuple[str, ...]]:
        """Return the sets in the table, whose rows are all shown."""
        found: dict[int, list[str]] = {}
        for i, name in self.page.evaluate(CELLS):
            found.setdefault(i, []).append(name)
        return [tuple(sorted(found[i])) for i in sorted(found)]

    def close(self) -> None:
        """End with nothing said and nothing asked for."""
        self.context.close()
        assert self.said == []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("explored") / "table.csv"
    frame().to_csv(path, index=False)
    made = Served(one_by_one(Session(Subject(TABLE, origin=TableOrigin(str(path), "y")))))
    yield made
    made.close()


@pytest.fixture
def at(chromium: Any, served: Served) -> Iterator[Opened]:
    opened = Opened(chromium, served)
    yield opened
    opened.close()


def own(objective: Any, k: Any, tau: float, count: int, *rules: Any) -> list[tuple[str, ...]]:
    found = altsel.sequential(altsel.Problem(objective, k, rules), altsel.Dice(tau), count)
    return [tuple(sorted(one.features)) for one in found]


def test_every_control_asks_the_question_that_it_says(at: Opened) -> None:
    criterion = altsel.Univariate(TABLE)
    assert at.sets() == own(criterion, 5, 0.4, 5)
    at.slide("k", 3)
    at.slide("tau", 0.65)
    at.slide("alternatives", 2)
    assert at.sets() == own(criterion, 3, 0.65, 2)
    at.click("require 4")
    at.click("forbid 1")
    rules = altsel.domain.require("f4"), altsel.domain.forbid("f1")
    assert at.sets() == own(criterion, 3, 0.65, 2, *rules)
    assert at.key("require 4").get_attribute("aria-pressed") == "true"
    at.after(lambda: at.key("objective").select_option("mrmr"))
    at.after(lambda: at.key("measure").select_option("absolute-spearman"))
    by = altsel.dependence(TABLE, altsel.measures.absolute_spearman)
    assert at.sets() == own(altsel.MRMR(by), 3, 0.65, 2, *rules)
    at.after(lambda: at.key("objective").select_option("linear-fit"))
    assert at.key("measure").is_disabled()
    assert at.sets() == own(altsel.LinearFit(TABLE), 3, 0.65, 2, *rules)
    at.after(lambda: at.key("dissimilarity").select_option("jaccard"))
    at.after(lambda: (at.key("largest").fill("4"), at.key("largest").press("Enter")))
    found = altsel.sequential(altsel.Problem(altsel.LinearFit(TABLE), (3, 4), rules), altsel.Jaccard(0.65), 2)
    assert at.sets() == [tuple(sorted(one.features)) for one in found]
    at.click("chip forbid 0")
    at.click("undo")
    assert at.sets() == [tuple(sorted(one.features)) for one in found]
    at.after(lambda: at.key("history").select_option("0"))
    assert at.sets() == own(criterion, 5, 0.4, 5)
    at.click("redo")
    at.after(lambda: at.page.keyboard.press("Control+z"))
    assert at.sets() == own(criterion, 5, 0.4, 5)


def test_prices_groups_and_a_least_score(at: Opened) -> None:
    criterion = altsel.Univariate(TABLE)
    at.slide("k", 3)
    at.key("more rules").click()
    at.after(lambda: (at.key("budget limit").fill("2"), at.key("budget limit").press("Enter")))
    assert "cannot hold" in at.page.locator("#why").inner_text() or at.page.wait_for_selector("#why li")
    at.after(lambda: (at.key("budget limit").fill("4"), at.key("budget limit").press("Enter")))
    assert at.sets() == own(criterion, 3, 0.4, 5)
    at.after(lambda: (at.key("price 0").fill("2.5"), at.key("price 0").press("Enter")))
    budget = altsel.domain.budget({"f0": 2.5}, 4, other=1)
    assert at.page.locator("#chips .chip").inner_text() == "budget of 4 (1 price) ×"
    assert at.sets() == own(criterion, 3, 0.4, 5, budget)
    for j in (1, 2, 3):
        at.key(f"mark {j}").click()
    at.click("group add")
    group = altsel.domain.at_most(1, ["f1", "f2", "f3"])
    assert at.sets() == own(criterion, 3, 0.4, 5, budget, group)
    least = round(altsel.sequential(altsel.Problem(criterion, 3), altsel.Dice(0), 0)[0].score * 0.5, 3)
    at.after(lambda: (at.key("quality").fill(str(least)), at.key("quality").press("Enter")))
    rules = budget, group, altsel.domain.minimum_quality(least)
    assert at.sets() == own(criterion, 3, 0.4, 5, *rules)
    assert at.page.locator("#chips .chip").count() == 3


def test_why_there_is_none_and_repairs_by_one_click(at: Opened) -> None:
    at.slide("alternatives", 9)
    at.slide("tau", 1)
    at.page.wait_for_selector("#why .repair")
    assert "cannot hold together" in at.page.locator("#why").inner_text()
    at.click("repair alternatives")
    assert at.page.locator("#why").is_hidden()
    at.click("require 0")
    at.slide("k", 1)
    at.click("require 1")
    at.page.wait_for_selector('#why [data-key="leave require 0"]')
    at.click("leave require 0")
    assert at.sets()[0] == ("f1",)


def test_two_sets_are_compared_side_by_side(at: Opened) -> None:
    at.key("pin 0").click()
    at.key("pin 2").click()
    at.tab("compare", "#compare h3:has-text('Equivalent?')")
    text = at.page.locator("#compare").inner_text()
    scored = altsel.performance([list(one) for one in (at_sets(at, 0), at_sets(at, 2))], TABLE)
    assert f"{scored.sets[0].score.value:.3g}" in text
    assert at.page.locator("#tab-compare").inner_text() == "Compare (2)"
    at.key("unpin 0").click()
    at.page.wait_for_selector("#compare :text('Pin two sets')")


def at_sets(at: Opened, i: int) -> tuple[str, ...]:
    return own(altsel.Univariate(TABLE), 5, 0.4, 5)[i]


def test_the_front_and_the_map(at: Opened) -> None:
    at.tab("front", "#front .point")
    front = altsel.pareto_front(altsel.Problem(altsel.Univariate(TABLE), 5), altsel.Dice(0))
    assert at.page.locator("#front .point").count() == len(front)
    at.key("walk").focus()
    at.page.keyboard.press("End")
    shown = at.page.locator("#front .members li").all_inner_texts()
    assert tuple(shown) == front[-1].found[0].features
    at.click("use tau")
    assert at.sets() == own(altsel.Univariate(TABLE), 5, front[-1].dissimilarity, 5)
    at.tab("near", "#near .place")
    near = altsel.near_optimal(altsel.Problem(altsel.Univariate(TABLE), 5), altsel.RelativeLoss(0.05))
    assert at.page.locator("#near .place").count() == len(near)
    assert f"These are all {len(near)} set" in at.page.locator("#near").inner_text()


def test_what_is_copied_and_saved(at: Opened, tmp_path: Path) -> None:
    at.click("forbid 0")
    at.tab("copy", "#text-python")
    assert "altsel.domain.forbid('f0')" in at.page.locator("#text-python").inner_text()
    assert "--rules rules.toml" in at.page.locator("#text-command").inner_text()
    for form, name in (("json", "found.json"), ("rules", "rules.toml"), ("report", "report.html")):
        with at.page.expect_download() as download:
            at.key(f"save {form}").click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
    found = altsel.Solutions.from_json((tmp_path / "found.json").read_text())
    assert all("f0" not in one for one in found)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 30))])
def test_random_clicks(at: Opened, seed: int) -> None:
    draw, criterion = random.Random(seed), altsel.Univariate(TABLE)
    rules: dict[int, str] = {}
    k, tau = 5, 0.4
    for _ in range(10):
        what = draw.choice(["require", "forbid", "k", "tau"])
        if what in {"require", "forbid"}:
            j = draw.randrange(12)
            at.click(f"{what} {j}")
            if rules.get(j) == what:
                del rules[j]
            else:
                rules[j] = what
        elif what == "k":
            k = draw.choice([one for one in range(1, 7) if one != k])
            at.slide("k", k)
        else:
            tau = draw.choice([one for one in (0.0, 0.25, 0.5, 0.75, 1.0) if one != tau])
            at.slide("tau", tau)
        made = [
            (altsel.domain.require if rule == "require" else altsel.domain.forbid)(f"f{j}")
            for j, rule in rules.items()
        ]
        assert at.sets() == own(criterion, k, tau, 5, *made)


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1300),
        ("dark", 390),
        *(pytest.param(*one, marks=pytest.mark.long) for one in (("light", 390), ("dark", 1300))),
    ],
)
def test_axe_finds_nothing_serious(chromium: Any, served: Served, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason='axe-core: pip install "altsel[browser]"')
    at = Opened(chromium, served, color_scheme=scheme, viewport={"width": width, "height": 900})
    at.click("require 3")
    at.click("forbid 4")
    at.key("pin 0").click()
    at.key("pin 1").click()
    at.key("more rules").click()
    at.page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text())
    shown = {
        "sets": ".matrix",
        "compare": "#compare h3:has-text('Equivalent?')",
        "front": ".point",
        "near": ".place",
    }
    for tab, what in {**shown, "copy": "#text-python"}.items():
        at.tab(tab, what)
        assert at.page.evaluate(SERIOUS) == []
    assert at.page.evaluate("document.documentElement.scrollWidth") <= width
    at.close()


def test_hostile_names_are_text(chromium: Any) -> None:
    table = frame(len(HOSTILE), 60).drop(columns="y")
    table.columns = [*HOSTILE]
    rows = altsel.Dataset(table, frame(len(HOSTILE), 60)["y"])
    served = Served(one_by_one(Session(Subject(rows))))
    at = Opened(chromium, served)
    at.key("more features").click()
    shown = at.page.locator(".matrix tbody .name").evaluate_all("all => all.map(e => e.title)")
    assert sorted(shown) == sorted(map(printable, rows.features))
    for j in range(0, len(rows.features), 12):
        at.click(f"forbid {j}")
    at.click("require 1")
    assert at.page.locator(".matrix tr.must .name").get_attribute("title") == printable(rows.features[1])
    for tab, what in (("near", ".place"), ("front", ".point"), ("copy", "#text-python")):
        at.tab(tab, what)
    assert at.page.locator(STRANGE).count() == 0
    assert at.page.evaluate("window.harmed") is None
    at.close()
    served.close()


def test_two_tabs_ask_questions_of_their_own(at: Opened) -> None:
    other = at.context.new_page()
    at.listen(other)
    other.goto(at.address)
    other.wait_for_selector("#explorer[data-ready]")
    at.click("require 7")
    assert all("f7" in one for one in at.sets())
    assert other.locator("#chips .chip").count() == 0
    other.close()


def test_a_page_without_the_token_says_so(chromium: Any, served: Served) -> None:
    page = chromium.new_page()
    page.goto(f"http://{served.guard.hosts[0]}/")
    page.wait_for_selector("#explorer[data-ready=no]")
    assert "token" in page.locator("#explorer").inner_text()
    page.close()


def test_a_reload_goes_on_without_the_address(at: Opened) -> None:
    assert "#" not in at.page.url
    at.page.reload()
    at.page.wait_for_selector("#explorer[data-ready=yes]")


def test_a_slow_answer_shows_its_bound_and_is_stopped(chromium: Any) -> None:
    stop = threading.Event()
    session = Session(Subject(TABLE))

    def handle(message: Any, tell: Any) -> dict[str, Any]:
        if message.get("settings", {}).get("tau") != 0.75:
            return session.handle(message, tell)
        tell({"message": "branch and bound: best 0.5, bound 0.6, 3 nodes", "best": 0.5, "bound": 0.6})
        stop.wait(60)
        return session.handle({"do": "sets", "settings": {"tau": 0.5, "alternatives": 0}})

    served = Served(handle)
    at = Opened(chromium, served)
    ends = at.served.process.stop

    def stopped(number: int) -> None:
        ends(number)
        stop.set()

    served.process.stop = stopped  # type: ignore[method-assign]
    before = at.settled()
    at.key("tau").evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('change')); }", "0.75")
    at.page.wait_for_selector("#status:has-text('gap 20 %')")
    at.key("stop").click()
    at.page.wait_for_selector(f'#explorer[data-settled="{before + 1}"]')
    assert len(at.sets()) == 1
    assert at.key("stop").is_hidden()
    at.close()
    served.close()


@pytest.mark.long
def test_a_killed_process_is_told_and_started_again(chromium: Any) -> None:
    process = Process(partial(Session, Subject(TABLE)))
    served = Served(None)
    served.process.send = process.send  # type: ignore[method-assign]
    served.process.number = process.number  # type: ignore[method-assign]
    at = Opened(chromium, served)
    at.click("require 2")
    program = process._program
    assert program is not None
    program.kill()
    program.wait()
    at.click("require 3")
    at.click("undo")
    assert all("f2" in one for one in at.sets())
    at.close()
    served.close()
    process.close()
