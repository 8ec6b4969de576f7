"""The page of the library: what each solver proves, and which questions are open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from altsel.bench.report import SOLVED, surroundings

SHIFT = 1.0
"""Seconds that are added to each time before the geometric mean, as in comparisons of MIP solvers."""
EARLY = 0.9
"""Share of the limit before which a run ended of itself."""
HARDEST = 10
HEAD = """# A library of questions for solvers

`python -m benchmarks.library FOLDER --out LIBRARY --models --audit`, then `python -m benchmarks.library
report LIBRARY`: {questions} questions (criteria x searches x tables; easy, correlated, nearly collinear;
13 to 1,000 features), {seconds:g} s a run, one thread. The first command writes every model as MPS and
LP (compressed); best known values are in `results/library.solu`, as in MIPLIB: `=opt=` proved, `=inf=`
proved to have no solution, `=best=` found, not proved. A value is the quality, or the sum or minimum of
the qualities, to be maximised. MPS files minimise its negative; CFS is written in a linearised form,
whose optimum bounds the quality.

*Proved* are optima and proofs of infeasibility. The mean is the shifted geometric mean (by 1 s) of CPU
seconds, the limit where nothing was proved. *auto* is altsel's choice among its own engines and HiGHS;
the others solve the model that is written. *Within 2*: share of the questions that anybody proves,
proved in at most twice the time of the fastest.
"""


def page(runs: pd.DataFrame, known: pd.DataFrame, audits: pd.DataFrame, reads: pd.DataFrame) -> str:
    """Write all of it."""
    seconds = float(runs["time_limit"].max())
    lines = [
        HEAD.format(questions=len(known), seconds=seconds),
        *_solvers(runs, seconds),
        "",
        *_not_ended(runs, len(known)),
        *_unproved(runs, seconds),
        *_refused(runs),
        *_agreement(known),
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


def _solvers(runs: pd.DataFrame, seconds: float) -> Iterator[str]:
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
        taken = group["cpu"].where(solved, seconds).fillna(seconds).clip(upper=seconds)
        mean = np.exp(np.log(taken + SHIFT).mean()) - SHIFT
        ratio = (times[solver] + 0.01)[solvable] / (fastest + 0.01)[solvable]
        within = " | ".join(f"{(ratio <= factor).mean():.0%}" for factor in (2, 10, 100))
        errors = (group["status"] == "error").sum()
        counts = f"{len(group)} | {solved.sum()} | {solved.mean():.0%}"
        yield f"| {solver} | {counts} | {mean:.2f} | {within} | {errors} |"


def _not_ended(runs: pd.DataFrame, questions: int) -> Iterator[str]:
    """Say which solvers were not asked all questions."""
    asked = runs.groupby("solver", sort=False)["name"].nunique()
    for solver, count in asked[asked < questions].items():
        yield f"- {solver} was asked {count} of {questions} questions so far, easy ones first."
    if (asked < questions).any():
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


def _agreement(known: pd.DataFrame) -> Iterator[str]:
    """Say whether all proofs of a question agree."""
    several = known[known["by"].str.contains(",")]
    wrong = known[~known["agree"]]
    yield f"{len(several)} questions are proved by several solvers; they disagree in {len(wrong)}."
    for one in wrong.itertuples():
        yield f"- {one.name}: {one.by}"


def _audited(audits: pd.DataFrame) -> str:
    """Say what the audit says of auto's answers."""
    counts = audits["verdict"].value_counts() if len(audits) else pd.Series(dtype=int)
    said = ", ".join(f"{verdict} {count}" for verdict, count in counts.items())
    return f"`altsel audit` of auto's answers to {len(audits)} questions: {said or 'not run'}."


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
        yield f"| {name} | {float(opened['value'].loc[str(name)]):.8g} | {gap:.1%} |"
