"""Level and power of the covariance measures beside other tests of independence, and CPU of searches by them.

Every sample has one candidate, x, and is seen by all tests. Rows of the page are kept
in a CSV beside it; those that are run replace those before.

Run: python -m benchmarks.covariance_measures [--rows 400] [--repeats 200] [--tests GCM …] [--search]
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.errors import ConfigurationError
from benchmarks.command import stamped
from benchmarks.covariance_data import ALTERNATIVES, NULLS

FOLDER = Path(__file__).parent / "results"
PAGE, TABLE, SEARCHES = (FOLDER / f"covariance_measures{end}" for end in (".md", ".csv", "_search.csv"))
FIELDS = ("test", "data", "rows", "samples", "rejected", "rejected_01", "seconds")
known = altsel.independence


@dataclass(frozen=True)
class Subject:
    """A test, which share of the samples it sees, and whether it needs numbers."""

    make: Callable[[altsel.Dataset], known.Independence]
    share: float = 1.0
    numbers: bool = False


def of(test: Any, **options: Any) -> Callable[[altsel.Dataset], known.Independence]:
    """Make a test with options."""
    return lambda data: test(data, **options)


LONG = ("GCM, forest", "kernel test (KCI)")
gcm, pcm = partial(of, known.GeneralisedCovariance), partial(of, known.ProjectedCovariance)
SUBJECTS = {
    "partial correlation": Subject(of(known.PartialCorrelation), numbers=True),
    "likelihood ratio": Subject(of(known.LikelihoodRatio)),
    "robust score": Subject(of(known.RobustScore)),
    "GCM, linear": Subject(gcm(learner="linear")),
    "GCM": Subject(gcm()),
    "GCM, kernel": Subject(gcm(learner="kernel"), 1 / 3),
    "GCM, forest": Subject(gcm(learner="forest"), 0.1),
    "weighted GCM, signs": Subject(gcm(weighting="signs")),
    "weighted GCM, estimated": Subject(gcm(weighting="estimated")),
    "PCM, one division": Subject(pcm(divisions=1)),
    "PCM, three divisions": Subject(pcm(divisions=3), 0.5),
    "PCM, kernel, one division": Subject(pcm(learner="kernel", divisions=1), 1 / 3),
    "predictive, linear": Subject(of(known.PredictivePermutation, estimator="linear", permutations=199), 0.2),
    "kernel test (KCI)": Subject(of(known.kernel), 0.125, numbers=True),
}


USUAL = [name for name in SUBJECTS if name not in LONG]


def rejections(names: list[str], data: str, rows: int, repeats: int) -> list[dict[str, Any]]:
    """Run tests on samples of a kind."""
    kinds = {**NULLS, **ALTERNATIVES}
    seed = [rows, list(kinds).index(data)]
    mixed = {"levels", "classes"} & set(data.split()) or data.startswith("mixed")
    tried = [name for name in names if not (SUBJECTS[name].numbers and mixed)]
    found: dict[str, list[float]] = {name: [] for name in tried}
    seconds = dict.fromkeys(tried, 0.0)
    for sample in range(repeats):
        table = kinds[data](np.random.default_rng([*seed, sample]), rows)
        given = [name for name in table.features if name != "x"]
        for name in tried:
            if sample < round(SUBJECTS[name].share * repeats):
                began = time.process_time()
                found[name].append(float(SUBJECTS[name].make(table)(["x"], given).p[0]))
                seconds[name] += time.process_time() - began
    return [
        dict(
            zip(
                FIELDS,
                (
                    name,
                    data,
                    rows,
                    len(p),
                    *(_share(p, level) for level in (0.05, 0.01)),
                    seconds[name] / len(p),
                ),
                strict=True,
            )
        )
        for name, p in found.items()
    ]


def _share(p: list[float], level: float) -> float:
    return float((np.array(p) <= level).mean())


def installed(name: str) -> bool:
    """Return whether a test can be made, and print why not."""
    try:
        SUBJECTS[name].make(NULLS["linear"](np.random.default_rng(0), 50))
    except ConfigurationError as fault:
        print(f"{name}: left out; {fault}")
        return False
    return True


def read(path: Path) -> list[dict[str, str]]:
    """Read the rows that were run before."""
    return list(csv.DictReader(path.open())) if path.exists() else []


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write rows."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def network(random: np.random.Generator, rows: int, features: int) -> tuple[altsel.Dataset, set[str]]:
    """Draw a table of curved relations: the blanket of y are two causes, a child and its other cause."""
    x = random.normal(size=(rows, features))
    for j in range(8, features, 2):  # the other features hang on each other
        x[:, j] = np.sin(x[:, j - 1]) + 0.7 * x[:, j]
    x[:, 4] = 0.8 * x[:, 0] ** 2 - 0.8 + x[:, 4]  # depends on a cause, and is no member
    y = np.cos(2 * x[:, 0]) + 0.7 * x[:, 1] * np.abs(x[:, 1]) + 0.6 * random.normal(size=rows)
    x[:, 2] = y + np.exp(0.5 * x[:, 3]) + 0.6 * random.normal(size=rows)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(features)])
    return altsel.Dataset(frame, pd.Series(y, name="y")), {"x0", "x1", "x2", "x3"}


def search(tests: list[str], repeats: int) -> list[dict[str, Any]]:
    """Search blankets of curved relations by HITON-MB and IAMB: what is found, and CPU seconds."""
    lines = []
    for learner in ("hiton_mb", "iamb"):
        for name in tests:
            hits = truths = sizes = 0
            seconds = 0.0
            for seed in range(repeats):
                data, blanket = network(np.random.default_rng([55, seed]), 2000, 50)
                began = time.process_time()
                found = getattr(altsel.blankets, learner)(SUBJECTS[name].make(data), alpha=0.01)
                seconds += time.process_time() - began
                chosen = set(found[0].features)
                hits, truths, sizes = hits + len(chosen & blanket), truths + len(blanket), sizes + len(chosen)
            precision, recall = hits / max(sizes, 1), hits / truths
            f1 = 2 * precision * recall / max(precision + recall, 1e-9)
            values = {"precision": precision, "recall": recall, "F1": f1}
            line = {"learner": learner, "test": name, "tables": repeats}
            lines.append({**line, **{key: f"{value:.2f}" for key, value in values.items()}})
            lines[-1]["CPU seconds a search"] = f"{seconds / repeats:.1f}"
            print(lines[-1], flush=True)
    return lines


def grid(lines: list[dict[str, str]], kinds: dict[str, Any], rows: int, null: bool) -> str:
    """Make one table of the page."""
    kept = {(line["test"], line["data"]): line for line in lines if int(line["rows"]) == rows}
    head = f"| test | {' | '.join(kinds)} |\n|---{'|---' * len(kinds)}|"
    body = []
    for name in SUBJECTS:
        if any((name, kind) in kept for kind in kinds):
            cells = [shown(kept.get((name, kind)), null) for kind in kinds]
            body.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([head, *body])


def shown(line: dict[str, str] | None, null: bool) -> str:
    """Show a share, in bold if it is more than three standard errors above the level."""
    if line is None:
        return "–"
    share, samples = float(line["rejected"]), int(line["samples"])
    bold = "**" if null and share > 0.05 + 3 * (0.05 * 0.95 / samples) ** 0.5 else ""
    return f"{bold}{share:.3f}{bold}".replace("0.", ".").replace("1.000", "1.00")


def page() -> str:
    """Make the page of what is stored."""
    lines = read(TABLE)
    parts = [HEAD.strip()]
    for rows in sorted({int(line["rows"]) for line in lines}):
        parts += [f"## {rows:,} rows, independent", grid(lines, NULLS, rows, True)]
        parts += [f"## {rows:,} rows, dependent", grid(lines, ALTERNATIVES, rows, False)]
        own = [line for line in lines if int(line["rows"]) == rows]
        cells = [
            f"| {name} | {samples(own, name)} | {milliseconds(own, name):.0f} |"
            for name in SUBJECTS
            if any(line["test"] == name for line in own)
        ]
        parts += [
            f"## {rows:,} rows, cost",
            "| test | samples | CPU milliseconds a test, one candidate |\n|---|---|---|",
        ]
        parts[-1] += "\n" + "\n".join(cells)
    searches = read(SEARCHES)
    if searches:
        keys = list(searches[0])
        table = [f"| {' | '.join(keys)} |", f"|{'---|' * len(keys)}"]
        parts += [
            SEARCH.strip(),
            "\n".join([*table, *(f"| {' | '.join(line.values())} |" for line in searches)]),
        ]
    return "\n\n".join(parts) + "\n"


def samples(lines: list[dict[str, str]], name: str) -> str:
    """Return how many samples a test has seen of each kind."""
    return "/".join(sorted({line["samples"] for line in lines if line["test"] == name}))


def milliseconds(lines: list[dict[str, str]], name: str) -> float:
    """Return the mean cost of a test."""
    return 1000 * float(np.mean([float(line["seconds"]) for line in lines if line["test"] == name]))


HEAD = """
# Covariance measures: level and power

`python -m benchmarks.covariance_measures --repeats 200` (about 15 CPU minutes; parts by `--tests` and
`--data`): share of samples in which x is rejected as independent of y given the other columns, at .05.
Every sample has one candidate and is seen by all tests; those that take long see a part. The file
`covariance_measures.csv` has the number of samples of each cell. **Bold**: more than three binomial
standard errors above .05 (.096 of 200 samples, .115 of 100, .130 of 67). A standard error of a power of
one half is .035 of 200 samples, .05 of 100, .07 of 50. –: not run; these are few samples, on a busy
machine.

*GCM*: generalised covariance measure by splines; *PCM*: projected one, by splines, each division used
both ways; *robust score*: the generalised score test of a linear model, each row a group. Three numbers
are given, or ten; *mixed*: a number, a category and two values. Both x and y have the same effects of
what is given: lines; curves `.6 exp(s0) + sin(2 s1) + .5 s2^2`; `s0 s1`. *heteroscedastic*: errors of
both are larger where s0 is. *+ line*: .18 of what is left of x is added to y; *square*: its square;
*changing sign*: .3 of it times the sign of s0; *product*: .25 of it times s0; *variance only*: the error
of y is larger where what is left of x is, so that no mean differs: nothing for these tests to find. Where
a test does not keep the level (bold above), its share of dependent samples is no power.

The kernel test (KCI, causal-learn) and the forests are run only if named by `--tests`. pycomets, the peer
of these tests, is on no package index that this was run with.
"""
SEARCH = """
## Searches

`--search`: blankets at level .01 in tables of 2,000 rows and 50 features, with curved relations. The
target has two causes (a cosine and a signed square), a child and the child's other cause, which acts by
an exponential; the other 46 features hang on each other or on a cause.
"""


def main() -> None:
    """Run rows, and write each into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tests", nargs="+", choices=SUBJECTS, default=USUAL)
    parser.add_argument("--data", nargs="+", choices=[*NULLS, *ALTERNATIVES], default=[*NULLS, *ALTERNATIVES])
    parser.add_argument("--rows", nargs="+", type=int, default=[400])
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--page", action="store_true", help="only write the page anew")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.search:
        write(SEARCHES, search(asked.tests, asked.repeats))
    elif not asked.page:
        names = [name for name in asked.tests if installed(name)]
        for rows in asked.rows:
            for data in asked.data:
                new = rejections(names, data, rows, asked.repeats)
                keys = {(line["test"], data, str(rows)) for line in new}
                kept = [one for one in read(TABLE) if (one["test"], one["data"], one["rows"]) not in keys]
                write(TABLE, [*kept, *new])
                print(data, {line["test"]: line["rejected"] for line in new}, flush=True)
    PAGE.write_text(stamped(page()))


if __name__ == "__main__":
    main()
