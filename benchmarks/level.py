"""How often tests of independence reject candidates that are independent of the target given a set.

Every candidate depends on the features given, and so does the target; given them, the two are independent.
Rows of ``benchmarks/results/level.md`` are replaced by those that are run, the others stay. All tests of one
kind of data see the same samples.

Run: python -m benchmarks.level [--tests "G-square" …] [--data "rare classes" …] [--share 1.0]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestRegressor

import altsel
from altsel.errors import AltselError, ConfigurationError, DataError
from benchmarks.command import stamped
from benchmarks.level_data import CANDIDATES, DATA, Drawn

RESULT = Path(__file__).parent / "results" / "level.md"
SETTINGS = [(rows, given) for rows in (50, 200, 2000) for given in (0, 1, 3)]
LEVELS = (0.05, 0.01)
TABLES = ("discrete", "rare classes", "many levels")
NUMBERS = ("normal", "skewed", "nonlinear")
MIXED = ("mixed", "mixed, rare class", "mixed, 3 classes", "discrete", "rare classes", "nonlinear, classes")
known = altsel.independence


@dataclass(frozen=True)
class Subject:
    """A test, the data it is tried on, how many samples, candidates of each, and up to how many rows."""

    make: Callable[[Drawn], known.Independence]
    data: tuple[str, ...]
    samples: int = 60
    candidates: int = CANDIDATES
    rows: int = 2000


def on_rows(test: Any, **options: Any) -> Callable[[Drawn], known.Independence]:
    """Make a test that looks at the table only."""
    return lambda drawn: test(drawn.data, **options)


draws = known.Permutations(199)
predictive = partial(on_rows, known.PredictivePermutation, permutations=199, splits=5)
PREDICTED = ("mixed", "mixed, number", "nonlinear")


def by_forests() -> Callable[[Drawn], known.Independence]:
    """Make the predictive test whose models and draws are forests."""
    forest = RandomForestRegressor(20, min_samples_leaf=5, random_state=0)
    return predictive(estimator=forest, knockoff=known.Conditional(forest))


def straightened(drawn: Drawn) -> known.Independence:
    """Make the partial correlation test of a table in which what is given is transformed to be linear."""
    frame = drawn.data.X.copy()
    given = [name for name in drawn.data.features if name.startswith("s")]
    frame[given] = np.exp(frame[given])
    return known.PartialCorrelation(altsel.Dataset(frame, drawn.data.y))


def binned(drawn: Drawn) -> known.Independence:
    """Make the G-square test of numbers in four bins."""
    return known.GSquare(altsel.data.binned(drawn.data, 4))


SUBJECTS = {
    "G-square": Subject(on_rows(known.GSquare), TABLES),
    "G-square, expected counts": Subject(on_rows(known.GSquare, expected_counts=True), TABLES),
    "G-square, classical": Subject(on_rows(known.GSquare, corrected=False), TABLES),
    "G-square, classical, samples_per_cell=0": Subject(
        on_rows(known.GSquare, corrected=False, samples_per_cell=0), TABLES
    ),
    "G-square, 199 permutations": Subject(on_rows(known.GSquare, permutations=draws), TABLES, 25),
    "chi-square": Subject(on_rows(known.ChiSquare), TABLES),
    "chi-square, without expected counts": Subject(on_rows(known.ChiSquare, expected_counts=False), TABLES),
    "chi-square, 199 permutations": Subject(on_rows(known.ChiSquare, permutations=draws), TABLES, 25),
    "partial correlation": Subject(on_rows(known.PartialCorrelation), NUMBERS),
    "partial correlation, Fisher z": Subject(on_rows(known.PartialCorrelation, fisher=True), NUMBERS),
    "partial correlation of ranks": Subject(on_rows(known.PartialCorrelation, ranks=True), NUMBERS),
    "partial correlation, given transformed": Subject(straightened, ("nonlinear",)),
    "likelihood ratio, classes": Subject(on_rows(known.LikelihoodRatio), MIXED),
    "likelihood ratio, classes, bartlett=False": Subject(
        on_rows(known.LikelihoodRatio, bartlett=False), MIXED
    ),
    "likelihood ratio, numbers": Subject(on_rows(known.LikelihoodRatio), (*NUMBERS, "mixed, number")),
    "likelihood ratio, Poisson": Subject(
        on_rows(known.LikelihoodRatio, family=known.Poisson()), ("mixed, counts",)
    ),
    "likelihood ratio, Poisson, bartlett=False": Subject(
        on_rows(known.LikelihoodRatio, family=known.Poisson(), bartlett=False), ("mixed, counts",)
    ),
    "Cox regression": Subject(
        lambda drawn: known.CoxRatio(drawn.data, drawn.event), ("survival",), 10, rows=200
    ),
    "kernel": Subject(on_rows(known.kernel), NUMBERS, 10, 5, rows=200),
    "predictive, trees": Subject(predictive(), PREDICTED, 20, 5, rows=200),
    "predictive, linear": Subject(predictive(estimator="linear"), PREDICTED, 20, 5, rows=200),
    "predictive, forests": Subject(by_forests(), ("nonlinear",), 10, 4, rows=200),
    "G-square, 4 bins": Subject(binned, ("normal", "nonlinear"), 30),
}


@dataclass(frozen=True)
class Rejections:
    """Shares of the tests done that rejected at each level, and of the tests that could not be done."""

    tests: int
    shares: tuple[float, ...]
    untested: float

    def __str__(self) -> str:
        """Show the shares, in bold those more than three standard errors too large, in italics too small."""
        if not self.tests:
            return "untested"
        shown = []
        for share, level in zip(self.shares, LEVELS, strict=True):
            error = 3 * (level * (1 - level) / self.tests) ** 0.5
            mark = "**" if share > level + error else "*" if share < level - error else ""
            shown.append(f"{mark}{share:.3f}{mark}".replace("0.", "."))
        rest = f" ({self.untested:.0%} untested)" if self.untested >= 0.005 else ""
        return " ".join(shown) + rest


def installed(name: str) -> bool:
    """Return whether a test can be made, and print why not."""
    try:
        SUBJECTS[name].make(DATA[SUBJECTS[name].data[0]](np.random.default_rng(0), 50, 0))
    except ConfigurationError as fault:
        print(f"{name}: left out; {fault}")
        return False
    return True


def number(subject: Subject, share: float) -> int:
    """Return how many samples a test is tried on."""
    return max(1, round(subject.samples * share))


def rejections(kind: str, names: list[str], setting: tuple[int, int], share: float) -> dict[str, str]:
    """Run some tests on the same samples of one kind."""
    rows, given = setting
    tried = {name: SUBJECTS[name] for name in names if rows <= SUBJECTS[name].rows}
    found: dict[str, list[altsel.independence.TestResults]] = {name: [] for name in tried}
    refused: dict[str, str] = {}
    random = np.random.default_rng([rows, given, list(DATA).index(kind)])
    for sample in range(max((number(subject, share) for subject in tried.values()), default=0)):
        try:
            drawn = DATA[kind](random, rows, given)
        except DataError:  # all rows in one class
            continue
        candidates = [name for name in drawn.data.features if name.startswith("x")]
        conditions = [f"s{j}" for j in range(given)]
        for name, subject in tried.items():
            if sample < number(subject, share):
                try:
                    test = subject.make(drawn)
                    found[name].append(test(candidates[: subject.candidates], conditions))
                except AltselError as fault:
                    refused[name] = f"refused: {fault}"
    return dict.fromkeys(names, "–") | {name: shown(found[name]) for name in tried} | refused


def shown(answers: list[altsel.independence.TestResults]) -> str:
    """Summarise answers of independent candidates."""
    if not answers:
        return "–"
    tested = np.concatenate([one.tested for one in answers])
    p = np.concatenate([one.p for one in answers])[tested]
    shares = tuple(float((p <= level + 1e-12).mean()) if len(p) else 0.0 for level in LEVELS)
    return str(Rejections(len(p), shares, 1 - float(tested.mean())))


def table(lines: dict[tuple[str, str], str]) -> str:
    """Make the page of the rows that there are."""
    settings = " | ".join(f"{rows}, {given}" for rows, given in SETTINGS)
    order = [(name, kind) for name, subject in SUBJECTS.items() for kind in subject.data]
    columns = "|---" * (3 + len(SETTINGS)) + "|"
    rows = "\n".join(lines[key] for key in order if key in lines)
    return f"{HEAD.strip()}\n\n| test | data | tests | {settings} |\n{columns}\n{rows}\n"


HEAD = """
# Level of the tests of independence

`python -m benchmarks.level` (some 12 CPU minutes; `--share 0.5` takes half the samples, `--tests` and
`--data` some of the rows): share of candidates that are independent of the target given a set, and are
rejected at .05 and at .01. Candidates and target depend on the features given. Columns: rows, features
given. **Bold**: more than three binomial standard errors above the level; *italics*: below it. With 1,200
tests a standard error is .006 at .05 and .003 at .01, with 500 .010 and .004, with 100 .022 and .010. The
candidates of one sample share target and given features, so that errors are a little larger than that, and
among so many figures a few are bold by chance. *untested*: too few rows by the default rule of the test.
Samples that a test refuses (a class of too few rows for its folds) are left out. Cox regression and the
kernel test are run where their extras are installed.

| data | drawn from |
|---|---|
| normal, skewed | x and y linear in what is given, normal errors or log-normal ones |
| nonlinear | x and y of exp(s), normal errors; *classes*: y above its median |
| discrete | x, y of 3 levels, s of 2; each combination of what is given has probabilities of its own |
| rare classes | the same with 6 levels of x and classes of 79, 13, 7 and 1 % |
| many levels | the same with 12 levels of x, 6 of y and 4 of s |
| mixed | x numbers or of 2 to 4 levels, given a number, a category and two values; y linear in them |
"""


def read() -> dict[tuple[str, str], str]:
    """Read the rows that were run before."""
    if not RESULT.exists():
        return {}
    cells = [(line, line.split("|")) for line in RESULT.read_text().splitlines() if line.startswith("| ")]
    return {(parts[1].strip(), parts[2].strip()): line for line, parts in cells if parts[1].strip() != "test"}


def main() -> None:
    """Run rows, and write each into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tests", nargs="+", choices=SUBJECTS, default=list(SUBJECTS))
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--share", type=float, default=1.0, help="of the samples")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = read()
    absent = {name for name in asked.tests if not installed(name)}
    for kind in asked.data:
        names = [name for name in asked.tests if kind in SUBJECTS[name].data and name not in absent]
        if not names:
            continue
        began = time.process_time()
        cells = [rejections(kind, names, setting, asked.share) for setting in SETTINGS]
        for name in names:
            tests = number(SUBJECTS[name], asked.share) * SUBJECTS[name].candidates
            row = f"| {name} | {kind} | {tests:,} | {' | '.join(cell[name] for cell in cells)} |"
            lines[name, kind] = row
            print(row, flush=True)
        RESULT.write_text(stamped(table(lines)))
        print(f"{kind}: {time.process_time() - began:.0f} CPU seconds", flush=True)


if __name__ == "__main__":
    main()
