"""Clicks in the explorer, in a real browser: milliseconds until the first set is shown, and until all are.

    python -m benchmarks.explore --clicks 100 --output benchmarks/results/explore.md

The server and its process are those of ``altsel explore``; the browser is the system's Chromium, which
Playwright drives (``pip install -e ".[browser]"``). A click is a must or must not of one of the forty
features in sight, a rule left out, or another difference. Wall time runs in the page, from the click to the
frame after the answer; CPU time is that of worker, server and renderer together, so that other programs do
not count.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.errors import ConfigurationError
from altsel.exploring.process import Process
from altsel.exploring.serving import serve
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject
from benchmarks.command import in_one_line, stamped, whole

TIMED = """async ([key, value]) => {
    const box = document.getElementById("explorer"), part = document.querySelector(`[data-key="${key}"]`);
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const shown = box.dataset.shown, settled = box.dataset.settled, began = performance.now();
    if (value === null) part.click();
    else { part.value = value; part.dispatchEvent(new Event("change")); }
    let first = null;
    while (box.dataset.settled === settled) {
        await frame();
        if (first === null && box.dataset.shown !== shown) first = performance.now() - began;
    }
    await frame();
    const all = performance.now() - began;
    return [first ?? all, all, box.querySelector("#status").textContent];
}"""
PROVED = re.compile(r"\d+ sets, all proved optimal|1 set, proved optimal|no set – proved")
"""What is said of an answer of which nothing is open."""
CASES = (
    (12, "univariate"),
    (60, "univariate"),
    (60, "cfs"),
    (60, "mrmr"),
    (60, "linear-fit"),
    (1000, "univariate"),
    (1000, "fcbf"),
)
"""Features, and criteria."""


def table(features: int, rows: int = 500, seed: int = 0) -> altsel.Dataset:
    """Columns that share six factors, and two classes that the first eight tell of."""
    drawn = np.random.default_rng(seed)
    values = 0.7 * drawn.normal(size=(rows, 6)) @ drawn.normal(size=(6, features))
    values += drawn.normal(size=(rows, features))
    target = values[:, :8] @ drawn.normal(size=8) + 2 * drawn.normal(size=rows) > 0
    return altsel.Dataset(pd.DataFrame(values).add_prefix("f"), target.astype(int))


@dataclass(frozen=True)
class Click:
    """What one click took, in milliseconds, and what was said then."""

    first: float
    whole: float
    cpu: float
    said: str


def cpu_milliseconds(processes: Sequence[int]) -> float:
    """CPU milliseconds that some processes have used, to the system's tick (Linux)."""
    tick, total = os.sysconf("SC_CLK_TCK"), 0
    for pid in processes:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])  # of user and system, of all its threads
    return 1000 * total / tick


def renderers() -> list[int]:
    """Numbers of the processes that show pages in Chromium."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes()
        except OSError:  # it has ended
            continue
        if b"--type=renderer" in words:
            found.append(int(file.parent.name))
    return found


def clicks(page: Any, processes: Sequence[int], count: int, seed: int) -> list[Click]:
    """Click so often, and return what each click took."""
    draw, told = random.Random(seed), list[Click]()
    page.wait_for_timeout(3000)  # what the page loads beside the first answer
    while len(told) < count:
        rules = page.locator("#chips button").evaluate_all("all => all.map(e => e.dataset.key)")
        rows = page.locator(".matrix tbody tr").count()
        if len(rules) >= 3 and draw.random() < 0.6:
            what: tuple[str, str | None] = (draw.choice(rules), None)
        elif draw.random() < 0.3:
            now = float(page.locator('[data-key="tau"]').input_value())
            what = ("tau", str(draw.choice([one for one in (0.2, 0.4, 0.6, 0.8) if one != now])))
        else:
            row = page.locator(".matrix tbody tr").nth(draw.randrange(min(rows, 40)))
            what = (row.locator("button").nth(draw.randrange(2)).get_attribute("data-key"), None)
        page.wait_for_timeout(50)
        before = cpu_milliseconds(processes)
        first, whole, said = page.evaluate(TIMED, list(what))
        told.append(Click(first, whole, cpu_milliseconds(processes) - before, said))
    return told


def measured(browser: Any, features: int, criterion: str, count: int) -> list[Click]:
    """Explore a table of so many features by a criterion."""
    address, ready = list[str](), threading.Event()

    def opened(text: str) -> None:
        address.append(text)
        ready.set()

    process = Process(partial(Session, Subject(table(features))))
    threading.Thread(target=serve, args=(process, "clicks"), kwargs={"opened": opened}, daemon=True).start()
    ready.wait()
    page = browser.new_page(viewport={"width": 1300, "height": 900})
    page.set_default_timeout(0)
    page.goto(address[0])
    page.wait_for_selector("#explorer[data-ready=yes]")
    if criterion != "univariate":
        page.locator('[data-key="objective"]').select_option(criterion)
    worker = process.pid
    assert worker is not None
    told = clicks(page, [os.getpid(), worker, *renderers()], count, seed=features)
    page.close()
    process.close()
    return told


def row(features: int, criterion: str, told: Sequence[Click]) -> str:
    """Write one row of the table."""
    cells = [f"{features} x 500", criterion]
    for times in ([one.cpu for one in told], [one.first for one in told], [one.whole for one in told]):
        cells += [f"{np.median(times):.0f}", f"{np.percentile(times, 95):.0f}"]
    within = 150 if features < 1000 else 1000
    cells.append(f"{np.mean([one.cpu < within for one in told]):.0%} below {within} ms")
    cells.append(f"{np.mean([PROVED.match(one.said) is not None for one in told]):.0%}")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Read the command line, click, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clicks", type=whole(1), default=100, help="clicks of each row")
    parser.add_argument("--output", type=Path, help="file of the page")
    given = parser.parse_args()
    with in_one_line(parser):
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        if chromium is None:
            raise ConfigurationError("no chromium: apt-get install chromium")
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  (an extra)

        lines = [
            "# Clicks in the explorer",
            "",
            f"`python -m benchmarks.explore --clicks {given.clicks}`: {given.clicks} clicks a row in the "
            "system's Chromium; five features in a set, six sets. Milliseconds. *CPU*: of worker, server and "
            "renderer, until all sets are shown. *Wall*: from the click to the frame in which the first set, "
            f"and all sets, are shown, on two cores with a load of {os.getloadavg()[1]:.1f} by other "
            "programs. *proved*: answers of which nothing is open.",
            "",
            "| table | criterion | CPU, median | 95 % | wall, first set, median | 95 % "
            "| wall, all sets, median | 95 % | CPU | proved |",
            "|---|---|---|---|---|---|---|---|---|---|",
        ]
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=0)
            for features, criterion in CASES:
                lines.append(row(features, criterion, measured(browser, features, criterion, given.clicks)))
                print(lines[-1], flush=True)
            browser.close()
    page = stamped("\n".join(lines))
    if given.output is not None:
        given.output.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
