"""How solvers compare over many instances: shifted geometric means, the virtual best, contradictions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.errors import ArgumentError

SHIFT = 1.0
"""Seconds that are added to each time before the geometric mean, and subtracted from it."""
AGREE = 1e-6
"""Relative difference of two values that is none: the usual tolerance of solvers."""
VIRTUAL = "virtual best"
INSTANCE = [
    "name",
    "data",
    "target",
    "measure",
    "objective",
    "k",
    "tau",
    "dissimilarity",
    "alternatives",
    "search",
    "rules",
]
"""Columns that tell one instance from another."""
SOLVED = {"proved", "infeasible"}


def shifted_geometric_mean(seconds: FloatArray, shift: float = SHIFT) -> float:
    """Return the shifted geometric mean of times: ``(prod_i (t_i + s))^(1/n) - s``.

    The shift keeps differences of small times from counting for more than they are worth; see Achterberg
    (2007), Constraint Integer Programming, appendix A.3. Mittelmann's pages use 10 s for runs of an hour.

    Parameters
    ----------
    seconds
        Times, shape (instances,).
    shift
        In seconds, above 0.

    Raises
    ------
    ArgumentError
        If there are no times, or the shift is not above 0.

    Examples
    --------
    >>> round(shifted_geometric_mean(np.array([1.0, 7.0]), shift=1.0), 12)
    3.0
    """
    times = np.asarray(seconds, dtype=float)
    if not len(times) or not shift > 0:
        raise ArgumentError(
            f"a shifted geometric mean is of at least one time; shift={shift!r} must be above 0"
        )
    return float(np.exp(np.log(times + shift).mean()) - shift)


def seconds(runs: pd.DataFrame) -> pd.DataFrame:
    """Median CPU seconds to a proof, one row an instance, one column a solver; infinite if unproved."""
    times = runs.get("cpu", pd.Series(np.inf, index=runs.index))
    known = _complete(runs).assign(cpu=times.where(runs["status"].isin(SOLVED), np.inf))
    table = known.pivot_table(index=INSTANCE, columns="solver", values="cpu", aggfunc="median", sort=False)
    return table.fillna(np.inf)


def comparison(runs: pd.DataFrame, shift: float = SHIFT) -> pd.DataFrame:
    """Compare solvers as the pages of MIPLIB and Mittelmann do, over the instances that all of them ran.

    An instance that is not proved counts with its limit, as if it had been solved then; without a limit with
    the time it took. The virtual best solver takes the least time of all on each instance.

    Parameters
    ----------
    runs
        The table of `bench`.
    shift
        Of the geometric means, in seconds.

    Returns
    -------
    pandas.DataFrame
        One row a solver, the virtual best first, then by mean: ``instances``, ``solved`` (proved, or proved
        infeasible), ``seconds`` (shifted geometric mean of the CPU seconds), ``ratio`` (to the best solver's
        mean), ``fastest`` (instances on which none is faster), ``alone`` (solved by no other).

    Examples
    --------
    >>> plain = dict.fromkeys(INSTANCE, "x")
    >>> runs = pd.DataFrame([
    ...     {**plain, "solver": "a", "status": "proved", "cpu": 1.0, "time_limit": 7.0},
    ...     {**plain, "solver": "b", "status": "feasible", "cpu": 7.1, "time_limit": 7.0}])
    >>> comparison(runs)[["solved", "seconds", "ratio"]].round(6).to_dict("index")["b"]
    {'solved': 0, 'seconds': 7.0, 'ratio': 7.0}
    """
    proved = seconds(runs)
    used = _limited(runs, proved)
    everywhere = used.notna().all(axis=1)
    proved, used = proved[everywhere], used[everywhere]
    solved = proved < np.inf
    rows = {}
    for name in used:
        others = solved.drop(columns=name)
        rows[name] = {
            "instances": len(used),
            "solved": int(solved[name].sum()),
            "seconds": shifted_geometric_mean(used[name].to_numpy(), shift) if len(used) else np.nan,
            "fastest": int((solved[name] & (proved[name] <= proved.min(axis=1))).sum()),
            "alone": int((solved[name] & ~others.any(axis=1)).sum()),
        }
    best = {
        "instances": len(used),
        "solved": int(solved.any(axis=1).sum()),
        "seconds": shifted_geometric_mean(used.min(axis=1).to_numpy(), shift) if len(used) else np.nan,
        "fastest": int(solved.any(axis=1).sum()),
        "alone": 0,
    }
    table = pd.DataFrame.from_dict(rows, orient="index").sort_values("seconds", kind="stable")
    table = pd.concat([pd.DataFrame([best], index=[VIRTUAL]), table]) if len(table) > 1 else table
    least = max(float(table.loc[table.index != VIRTUAL, "seconds"].min()), 1e-9)
    table.insert(3, "ratio", table["seconds"] / least)
    return table.rename_axis("solver")


def _limited(runs: pd.DataFrame, proved: pd.DataFrame) -> pd.DataFrame:
    """Return the seconds that count, of each instance and solver; missing where it did not run."""
    cpu = runs.get("cpu", pd.Series(np.nan, index=runs.index))
    limit = runs.get("time_limit", pd.Series(np.nan, index=runs.index)).astype(float)
    counted = _complete(runs).assign(counted=limit.fillna(cpu).fillna(cpu.max()).fillna(0.0))
    limits = counted.pivot_table(
        index=INSTANCE, columns="solver", values="counted", aggfunc="max", sort=False
    )
    limits = limits.reindex(index=proved.index, columns=proved.columns)
    return proved.where(np.isfinite(proved), limits)


def contradictions(runs: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for each instance on which solvers contradict each other.

    Two proofs of different values, or a solution and a proof that there is none: one of them is wrong.
    """
    if "objective_value" not in runs:
        return
    for _, group in _complete(runs).groupby(INSTANCE, sort=False):
        proofs = group[group["status"] == "proved"]
        none = group[group["status"] == "infeasible"]
        found = group[group["objective_value"].notna()]
        name = group["name"].iloc[0] or group["data"].iloc[0]
        if len(none) and len(found):
            yield f"{name}: infeasible by {_names(none)}, and has a solution by {_names(found)}"
        values = proofs["objective_value"].dropna()
        if len(values) and values.max() - values.min() > AGREE * max(1.0, abs(values.max())):
            shown = ", ".join(
                f"{value:.10g} by {solver}"
                for solver, value in zip(proofs["solver"], proofs["objective_value"], strict=True)
            )
            yield f"{name}: proved optima differ: {shown}"


def _names(group: pd.DataFrame) -> str:
    return ", ".join(dict.fromkeys(group["solver"]))


def _complete(runs: pd.DataFrame) -> pd.DataFrame:
    """Return runs with all columns of an instance; what tables of earlier editions lack is empty."""
    return runs.assign(**{name: "" for name in INSTANCE if name not in runs})


def steps(times: pd.DataFrame) -> pd.DataFrame:
    """Return all steps of the performance profiles: the data of the picture, for one of one's own.

    Parameters
    ----------
    times
        Seconds, one row an instance, one column a solver, infinite where unproved.

    Returns
    -------
    pandas.DataFrame
        ``factor`` (of the fastest solver's time), and the share of instances that each solver proves within
        it; one row a factor at which some share rises.

    Examples
    --------
    >>> times = pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, np.inf]})
    >>> steps(times).to_dict("list")
    {'factor': [1.0, 2.0], 'a': [1.0, 1.0], 'b': [0.0, 0.5]}
    """
    fastest = times.min(axis=1).clip(lower=1e-9)
    ratios = times.div(fastest, axis=0).where(np.isfinite(times), np.inf).clip(lower=1.0)
    factors = np.unique(ratios.to_numpy()[np.isfinite(ratios.to_numpy())])
    shares = {name: [float((ratios[name] <= factor).mean()) for factor in factors] for name in times}
    return pd.DataFrame({"factor": factors, **shares})


HEAD = ("solver", "instances", "solved", "seconds", "ratio", "fastest", "alone")
"""Columns of the tables for papers."""


def as_latex(table: pd.DataFrame, shift: float = SHIFT) -> str:
    """Write a comparison as a table for LaTeX, with the rules of booktabs.

    Parameters
    ----------
    table
        Of `comparison`.
    shift
        With which it was made.
    """
    lines = [
        "% needs \\usepackage{booktabs}",
        "\\begin{tabular}{lrrrrrr}",
        "\\toprule",
        " & ".join(HEAD) + r" \\",
        "\\midrule",
        *(" & ".join(map(_escaped, row)) + r" \\" for row in cells(table)),
        "\\bottomrule",
        "\\end{tabular}",
        f"% seconds: geometric mean of CPU seconds, shifted by {shift:g} s; not proved counts as the limit",
    ]
    return "\n".join(lines) + "\n"


def cells(table: pd.DataFrame) -> list[list[str]]:
    """Return the cells of a comparison as texts, in the order of `HEAD`."""
    shown = table.copy()
    for name in shown:
        shown[name] = [f"{one:.2f}" if name in {"seconds", "ratio"} else f"{one:.0f}" for one in table[name]]
    return [[str(name), *row] for name, row in zip(shown.index, shown.to_numpy().tolist(), strict=True)]


def _escaped(text: str) -> str:
    """Mask what LaTeX would obey."""
    marks = {one: f"\\{one}" for one in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
    return "".join(marks.get(sign, sign) for sign in text)
