"""The page of the library: what each solver proves, and which questions are open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from altsel.bench.comparison import SOLVED
from altsel.bench.report import surroundings

SHIFT = 1.0
"""Seconds that are added to each time before the geometric mean, as in comparisons of MIP solvers."""
EARLY = 0.9
"""Share of the limit before which a run ended of itself."""
HARDEST = 10
HEAD = """# A library of questions for solvers

`python -m benchmarks.library FOLDER --out LIBRARY --models --read --audit`, then `python -m
benchmarks.library report LIBRARY`: {questions} questions (criteria x searches x tables; easy, correlated,
nearly collinear; 13 to 1,000 features), {seconds:g} s of wall time a run, one thread. FOLDER holds PMLB's
`sonar.csv.gz` and `spambase.csv.gz`; the other tables are scikit-learn's (wine, wdbc, digits: is the digit
odd?), come with the examples (ionosphere), or are drawn by `benchmarks/library/tables.py`. With `--models
--solvers` and no name after it nothing is run.

## What the files are

- `KIND-FEATURES-SEED-CRITERION-kK-sumN-tT`: the best N sets of K features by the sum (`min`: by the
  poorest) of a criterion, any two with a Dice dissimilarity of at least T per cent; without `sumN` one set.
  `k3to7`: 3 to 7 features. `sum3-t50` of ten features: no two share more than five. Relevance and
  redundancy are plain correlation ratios (`altsel.measures.CorrelationRatio(debiased=False)`); the criteria:
  docs/formulations.
- Every model as free MPS and as LP, compressed (HiGHS from pip reads neither `.gz`: unpack first). MPS
  files minimise the negative of the quality, LP files maximise it. CFS is written in a linearised form with
  a few tangents: its optimum in the file bounds the quality from above, by up to a per cent.
- `results/library.solu`, as in MIPLIB: `=opt=` proved, `=inf=` proved to have no solution, `=best=` found,
  not proved: the quality, or the sum or minimum of the qualities, to be maximised.
- `results/library_sets.csv`: the best sets, where they were kept. `--sets FILE`, a file of the same columns
  (`value` may be absent), checks yours by the formulas, and `report` keeps the better ones and their values.
- A solver of your own: a profile in `solvers.toml`, and its name after `--solvers`; `--only QUESTION …` asks
  some questions alone.

## Who proves what

*Proved* are optima and proofs of infeasibility. The mean is the shifted geometric mean (by 1 s) of CPU
seconds, the limit where nothing was proved. *auto* is altsel's choice among its own engines, HiGHS and
CP-SAT. The others are altsel with that solver named: they solve altsel's model, which may have fewer
features than the file, or count in how many sets each is, and begin with its sets; so runs on the files are
another matter. *Within 2*: share of the questions that anybody here proves, proved in at most twice the
time of the fastest, .01 s added to both. A solver is in the tables once it was asked every question. A gap
is (bound - value) / value.
"""


def page(runs: pd.DataFrame, known: pd.DataFrame, audits: pd.DataFrame, reads: pd.DataFrame) -> str:
    """Write all of it."""
    seconds = float(runs["time_limit"].median())
    asked = runs.groupby("solver", sort=False)["name"].nunique()
    partly = asked[asked < len(known)]
    every, runs = runs, runs[~runs["solver"].isin(partly.index)]
    lines = [
        HEAD.format(questions=len(known), seconds=seconds),
        *_solvers(runs),
        "",
        *_not_ended(partly, len(known)),
        *_unproved(runs, seconds),
        *_refused(runs),
        *_agreement(known, every),
        "",
        _audited(audits),
        _read(reads),
        "",
        "## By kind",
        "",
        *_kinds(runs),
        "",
        "## The hardest",
        "",
        *_hardest(runs, known),
        "",
        surroundings(),
    ]
    return "\n".join(lines) + "\n"


def _solvers(runs: pd.DataFrame) -> Iterator[str]:
    """One row a solver: share proved, shifted geometric mean, share proved within factors of the fastest."""
    proved = runs["status"].isin(SOLVED)
    known = runs.assign(cpu=runs["cpu"].where(proved, np.inf))
    times = known.pivot_table(index="name", columns="solver", values="cpu", aggfunc="min").fillna(np.inf)
    fastest = times.min(axis=1)
    solvable = np.isfinite(fastest)
    yield "| solver | questions | proved | share | mean s | within 2 | within 10 | within 100 | errors |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for solver, group in runs.groupby("solver", sort=False):
        solved = group["status"].isin(SOLVED)
        limit = group["time_limit"]
        taken = group["cpu"].where(solved, limit).fillna(limit).clip(upper=limit)
        mean = np.exp(np.log(taken + SHIFT).mean()) - SHIFT
        ratio = (times[solver] + 0.01)[solvable] / (fastest + 0.01)[solvable]
        within = " | ".join(f"{(ratio <= factor).mean():.0%}" for factor in (2, 10, 100))
        errors = (group["status"] == "error").sum()
        counts = f"{len(group)} | {solved.sum()} | {solved.mean():.0%}"
        yield f"| {solver} | {counts} | {mean:.2f} | {within} | {errors} |"


def _not_ended(partly: pd.Series[int], questions: int) -> Iterator[str]:
    """Say which solvers were not asked all questions."""
    for solver, count in partly.items():
        yield f"- {solver} was asked {count} of {questions} questions so far."
    if len(partly):
        yield ""


def _unproved(runs: pd.DataFrame, seconds: float) -> Iterator[str]:
    """Say whose answers, given before the limit, are optimal to a tolerance alone."""
    early = runs[(runs["status"] == "feasible") & (runs["wall"] < EARLY * seconds)]
    for solver, group in early.groupby("solver", sort=False):
        yield (
            f"- {solver}, {len(group)} runs that ended before their time: the solver says *optimal* within a "
            "tolerance that it cannot be asked to lower; that is no proof here."
        )
    if len(early):
        yield ""


def _refused(runs: pd.DataFrame) -> Iterator[str]:
    """Say why runs ended with an error."""
    errors = runs[runs["status"] == "error"]
    for (solver, message), group in errors.groupby(["solver", "message"], sort=False):
        kinds = ", ".join(sorted({f"{run.objective} {run.search}" for run in group.itertuples()}))
        yield f"- {solver}, {len(group)} errors ({kinds}): {message}."
    if len(errors):
        yield ""


def _agreement(known: pd.DataFrame, runs: pd.DataFrame) -> Iterator[str]:
    """Say whether all proofs of a question agree."""
    several = known[known["by"].str.contains(",")]
    wrong = known[~known["agree"]]
    yield f"{len(several)} questions are proved by several solvers; they disagree in {len(wrong)}."
    for one in wrong.itertuples():
        yield f"- {one.name}: {one.by}"
    alone = known[(known["by"] != "") & ~known["by"].str.contains(",")]["by"].value_counts()
    for solver, count in alone.items():
        yield f"{count} are proved by {solver} alone, of {runs['solver'].nunique()} solvers."


def _audited(audits: pd.DataFrame) -> str:
    """Say what the audit says of auto's answers."""
    counts = audits["verdict"].value_counts() if len(audits) else pd.Series(dtype=int)
    said = ", ".join(f"{verdict} {count}" for verdict, count in counts.items())
    said = said or "not run"
    return f"`altsel audit` of auto's answers (sets, rules, scores and, where claimed, proofs): {said}."


def _read(reads: pd.DataFrame) -> str:
    """Say whether other programs read the models."""
    if not len(reads):
        return "The models were not read by other programs."
    same = int(reads["same"].sum())
    return f"HiGHS, SCIP, CBC and GLPK read {same} of {len(reads)} MPS files with the same rows and columns."


def _kinds(runs: pd.DataFrame) -> Iterator[str]:
    """Questions proved of all, by criterion and search."""
    solvers = list(dict.fromkeys(runs["solver"]))
    yield f"| criterion | search | questions | {' | '.join(solvers)} |"
    yield f"|{'---|' * (len(solvers) + 3)}"
    for (criterion, search), group in runs.groupby(["objective", "search"], sort=False):
        proved = [group.loc[group["solver"] == one, "status"].isin(SOLVED).sum() for one in solvers]
        kind = "one set" if search == "sequential" else f"several, {search}"
        yield f"| {criterion} | {kind} | {group['name'].nunique()} | {' | '.join(map(str, proved))} |"


def _hardest(runs: pd.DataFrame, known: pd.DataFrame) -> Iterator[str]:
    """List the open questions, those of the largest gap first."""
    opened = known[known["known"].isin({"best", "unkn"})].set_index("name")
    gaps = runs[runs["name"].isin(opened.index)].groupby("name")["largest_gap"].min()
    yield f"Open problems: {len(opened)} that nobody proves; the gap is the least that a solver left."
    yield ""
    yield "| question | best known | least gap |"
    yield "|---|---|---|"
    for name, gap in gaps.sort_values(ascending=False).head(HARDEST).items():
        yield f"| {name} | {float(opened['value'].loc[str(name)]):.8g} | {gap:.2%} |"
