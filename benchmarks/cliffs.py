"""Cliffs: one thing is changed at a time in a question, and the factor in CPU seconds is told.

Run: python -m benchmarks.cliffs [--seconds 10] [--only univariate]

One thread. Seconds are CPU seconds of the search, statement of the problem included; compiled code is loaded
before. A question that is not proved within the limit has a factor of at least limit / base, and its gap.
Writes ``benchmarks/results/cliffs.md`` (with ``--only`` it prints).
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import numpy as np
import pandas as pd

import altsel
from altsel import CFS, FCBF, MRMR, Dice, Jaccard, LinearFit, Problem, Univariate, domain
from benchmarks.command import stamped
from benchmarks.many_sets import cpu_limit

RESULTS = Path(__file__).parent / "results" / "cliffs.md"
FEATURES, ROWS, FACTORS = 60, 300, 12
STEEP = 10.0
SHORTEST = 0.02
"""CPU seconds that a base is taken to last at least: below, factors tell of the clock."""
KINDS = {"univariate": Univariate, "FCBF": FCBF, "mRMR": MRMR, "CFS": CFS, "linear fit": LinearFit}


INTRODUCTION = f"""# Cliffs

`python -m benchmarks.cliffs --seconds {{seconds:g}}`: {FEATURES} features of {ROWS} rows that share {FACTORS}
factors (noise 3); k = 8 (FCBF 3), Dice .5, five alternatives after the first set. One thing is changed at a
time. CPU seconds of one thread, at most {{seconds:g}} a question; factors beside the base, which counts as
{SHORTEST:g} s at least. The factor of a question that was not proved is a lower
bound, unless the base was not proved either (linear fit). Below each table it
says why a factor is above {STEEP:g}.
"""


@dataclass(frozen=True)
class Asked:
    """A question.

    Attributes
    ----------
    kind
        Name of the criterion.
    k, rules, diversity, alternatives
        As searches take them.
    together
        ``"sum"`` or ``"min"`` of several sets; None: one after another.
    stated
        Whether the criterion measures the table again.
    explained
        Whether `altsel.explain` is asked, not a search.
    """

    kind: str
    k: Any = 8
    rules: tuple[Any, ...] = ()
    diversity: Any = field(default_factory=lambda: Dice(0.5))
    alternatives: int = 5
    together: str | None = None
    stated: bool = False
    explained: bool = False


@dataclass(frozen=True)
class Told:
    """What came of it: CPU seconds, the end in words, and whether that is an end."""

    seconds: float
    said: str
    ended: bool


class Tables:
    """The data: features that share factors, and what criteria are made of, measured once."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        common = rng.normal(size=(ROWS, FACTORS))
        table = common @ rng.normal(size=(FACTORS, FEATURES)) + 3 * rng.normal(size=(ROWS, FEATURES))
        y = table[:, :15] @ rng.normal(size=15) + 10 * rng.normal(size=ROWS)
        self.data = altsel.Dataset(pd.DataFrame(table).add_prefix("x"), pd.Series(y, name="y"))
        self.names = [f"x{j}" for j in range(FEATURES)]
        self.costs = dict(zip(self.names, rng.uniform(1, 10, FEATURES).tolist(), strict=True))
        self.made = {kind: self.measured(kind) for kind in KINDS}

    def measured(self, kind: str) -> Any:
        """Make a criterion from the table."""
        return KINDS[kind](self.data)

    def rules(self, kind: str) -> dict[str, tuple[Any, ...]]:
        """Rules by name; the floor is nine tenths of what greedy selection reaches."""
        best = altsel.sequential(
            Problem(self.made[kind], 8 if kind != "FCBF" else 3), Dice(0.5), 0, time_limit=5
        )
        first = best[0].features[0] if len(best) else "x0"
        floor = 0.5 * best[0].score if len(best) else 0.0
        x = self.names
        return {
            "a floor": (domain.minimum_quality(floor),),
            "forbid one feature": (domain.forbid(first),),
            "require one feature": (domain.require(first),),
            "a budget": (domain.budget(self.costs, 40.0),),
            "a panel's cost": (domain.budget(self.costs, 50.0, [(8.0, x[:10]), (8.0, x[10:20])]),),
            "two quotas": (domain.at_most(2, x[:20]), domain.at_least(2, x[20:40])),
            "ten implications": tuple(domain.implies(x[j], x[j + 30]) for j in range(10)),
        }


def ask(tables: Tables, asked: Asked, seconds: float) -> Told:
    """Ask, for at most so many CPU seconds."""
    began = time.process_time()
    try:
        with cpu_limit(seconds, again=2.0):
            objective = tables.measured(asked.kind) if asked.stated else tables.made[asked.kind]
            problem = Problem(objective, asked.k, asked.rules)
            found = _searched(problem, asked)
    except KeyboardInterrupt:
        return Told(time.process_time() - began, "no answer", False)
    except altsel.AltselError as fault:
        return Told(time.process_time() - began, f"refused: {str(fault)[:60]}", False)
    spent = time.process_time() - began
    if asked.explained:
        return Told(spent, "explained", True)
    return Told(spent, *_end(found, asked))


def _searched(problem: Problem, asked: Asked) -> Any:
    if asked.explained:
        found = altsel.sequential(problem, asked.diversity, asked.alternatives)
        return altsel.explain(problem, asked.diversity, asked.alternatives, found=found)
    if asked.together:
        return altsel.simultaneous(problem, asked.diversity, asked.alternatives, asked.together)
    return altsel.sequential(problem, asked.diversity, asked.alternatives)


def _end(found: altsel.Solutions, asked: Asked) -> tuple[str, bool]:
    """Put the end into words: how many sets, proved, or with which gap."""
    if found.stop is altsel.Stop.INFEASIBLE:
        return f"{len(found)} sets, no more: proved", True
    proved = sum(one.proof is altsel.Proof.OPTIMAL for one in found)
    if proved == len(found) == asked.alternatives + 1:
        return f"{proved} sets proved", True
    gaps = [one.gap for one in found if one.gap]
    worst = f", gap {100 * max(gaps):.2g} %" if gaps else ""
    return f"{proved} of {asked.alternatives + 1} sets proved{worst}", False


def changes(base: Asked, rules: dict[str, tuple[Any, ...]]) -> Iterator[tuple[str, Asked]]:
    """Change one thing at a time."""
    for name, stated in rules.items():
        yield name, replace(base, rules=stated)
    wide = isinstance(base.k, int) and not base.together
    yield "free size", replace(base, k=(base.k - 2, base.k + 2))
    if wide:
        for k in (10, 20, 30):
            if base.kind != "FCBF":
                yield f"k = {k}", replace(base, k=k)
    for alternatives in (10, 20) if not base.together else (8, 11):
        yield f"a = {alternatives}", replace(base, alternatives=alternatives)
    for tau in (0.2, 0.8):
        yield f"tau = {tau:g}", replace(base, diversity=Dice(tau))
    yield "Jaccard", replace(base, diversity=Jaccard(0.5))
    if not base.together:
        yield "measured from the table again", replace(base, stated=True)
        yield "three sets at once, sum", replace(base, together="sum", alternatives=2)
        yield "three sets at once, min", replace(base, together="min", alternatives=2)
        others = (domain.forbid(*(f"x{j}" for j in range(6, FEATURES))),)
        few = replace(base, k=2, rules=others, diversity=Dice(0.1), alternatives=100_000)
        yield "15 sets, 100,000 wanted, explained", replace(few, explained=True)


BASES = {
    "univariate": Asked("univariate"),
    "univariate, six at once": Asked("univariate", together="sum"),
    "FCBF": Asked("FCBF", k=3),
    "mRMR": Asked("mRMR"),
    "CFS": Asked("CFS"),
    "linear fit": Asked("linear fit"),
}


def section(tables: Tables, title: str, seconds: float, why: Callable[[str, str], str]) -> list[str]:
    """Ask a base and its changes; return the lines of the table, and why some factors are large."""
    base = BASES[title]
    told = min((ask(tables, base, seconds) for _ in range(3)), key=lambda one: one.seconds)
    before = max(told.seconds, SHORTEST)
    lines = [f"| {title} | *base* | {told.seconds:.2f} | 1 | {told.said} |"]
    notes = []
    for name, asked in changes(base, tables.rules(base.kind)):
        told = ask(tables, asked, seconds)
        factor = told.seconds / before
        more = "" if told.ended else "> "
        lines.append(f"| {title} | {name} | {told.seconds:.2f} | {more}{factor:.1f} | {told.said} |")
        print(lines[-1], flush=True)
        if factor > STEEP:
            notes.append(f"- **{title}, {name}**: {why(title, name)}")
    return [*lines, "", *notes, ""]


REASONS: dict[tuple[str, str], str] = {
    ("", "15 sets, 100,000 wanted, explained"): "a conflict is shown by models, about half a second whatever "
    "the criterion; the base takes milliseconds.",
    ("", "a = 10"): "every further set lies deeper below the optimum, and more sets are above its bound.",
    ("", "a = 20"): "every further set lies deeper below the optimum, and more sets are above its bound.",
    ("", "k = 20"): "the bound lets go of fewer pairs, and there are 4e15 sets of 60 features.",
    ("", "k = 30"): "the bound lets go of fewer pairs, and there are 1e17 sets of 60 features.",
    (
        "",
        "a panel's cost",
    ): "its helper variables are eliminated, which leaves a hundred rows for every node.",
    (
        "univariate",
        "three sets at once, min",
    ): "counts say nothing of the poorest set: a model of all features.",
    (
        "univariate, six at once",
        "a floor",
    ): "a least quality of each set is no sum of counts: the whole model.",
    (
        "univariate, six at once",
        "a budget",
    ): "the best counts spend all budgets together to the last; sets that "
    "spend their own each are another question, of patterns.",
    (
        "univariate, six at once",
        "two quotas",
    ): "membership patterns know no rules: a model of the nine hundred sets that can be among the best two, "
    "then one of counts.",
    ("univariate, six at once", "a panel's cost"): "its helper variables are too many to eliminate: "
    "the whole model.",
    (
        "univariate, six at once",
        "ten implications",
    ): "a feature is in no set without those it implies, of which "
    "counts say little: many best counts are refuted, then annealed sets or patterns answer.",
    (
        "univariate, six at once",
        "a = 8",
    ): "the best profile is not realised: annealed sets stay below it, and no bound between is known.",
    (
        "univariate, six at once",
        "a = 11",
    ): "the best profile is not realised: annealed sets stay below it, and no bound between is known.",
    (
        "univariate, six at once",
        "tau = 0.2",
    ): "the best profiles cannot be realised, and each is refuted by a model.",
    (
        "univariate, six at once",
        "Jaccard",
    ): "the best profiles cannot be realised, and each is refuted by a model.",
}
"""Why a change costs more than ten times as much, by base (any: empty) and change."""


def reason(title: str, change: str) -> str:
    """Say why, as far as that is known."""
    return REASONS.get((title, change)) or REASONS.get(("", change)) or "not known yet."


def main() -> None:
    """Ask everything, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU seconds a question")
    parser.add_argument("--only", choices=BASES, help="one base, printed")
    given = parser.parse_args()
    tables = Tables()
    for warm in ("a panel's cost", "a floor"):  # modelling language and solvers are loaded before
        stated = Asked("univariate", rules=tables.rules("univariate")[warm], alternatives=1)
        for together in ("min", "sum", None):
            ask(tables, replace(stated, together=together), given.seconds)
    text = [INTRODUCTION.format(seconds=given.seconds)]
    for title in [given.only] if given.only else BASES:
        head = [f"## {title[0].upper()}{title[1:]}", "", "| base | change | CPU s | factor | result |"]
        text += [*head, "|---|---|---|---|---|", *section(tables, title, given.seconds, reason)]
    if not given.only:
        RESULTS.write_text(stamped("\n".join(text)), encoding="utf-8")


if __name__ == "__main__":
    main()
