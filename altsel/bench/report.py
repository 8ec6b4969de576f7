"""Tables, profiles and a summary of a benchmark."""

from __future__ import annotations

import os
import platform
import re
from importlib import metadata, util
from pathlib import Path

import numpy as np
import pandas as pd

from altsel._version import __version__
from altsel.bench.comparison import (
    HEAD,
    SHIFT,
    SOLVED,
    as_latex,
    cells,
    comparison,
    contradictions,
    seconds,
    steps,
)
from altsel.bench.plots import draw
from altsel.errors import ArgumentError
from altsel.results.text import csv_text
from altsel.runtime.files import replacing

STATUS = ("proved", "infeasible", "feasible", "open", "error")
PACKAGES = ("numpy", "pyomo", "highspy", "ortools", "pyscipopt")


def report(runs: pd.DataFrame, folder: str | Path) -> list[Path]:
    """Write all files of a benchmark.

    ``runs.csv``, ``runs.parquet`` (with pyarrow), ``summary.md``, ``comparison.tex`` (the table of solvers,
    for papers), ``comparison.csv``, ``performance_profile.csv`` and the plots (with matplotlib).

    Parameters
    ----------
    runs
        The table of `bench`.
    folder
        Where to write.

    Returns
    -------
    list of pathlib.Path
        The files.
    """
    into = Path(folder)
    table, times = comparison(runs), seconds(runs)
    texts = {
        "runs.csv": csv_text(runs),
        "summary.md": summary(runs),
        "comparison.csv": csv_text(table.reset_index()),
        "comparison.tex": as_latex(table),
        "performance_profile.csv": csv_text(steps(times)),
    }
    written = []
    for name, text in texts.items():
        written.append(into / name)
        with replacing(written[-1]) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    if util.find_spec("pyarrow"):
        written.append(into / "runs.parquet")
        with replacing(written[-1]) as part:
            runs.to_parquet(part, index=False)
    return written + draw(times, into)


def profile(times: pd.DataFrame, factors: np.ndarray) -> pd.DataFrame:
    """Share of instances each solver proves within a factor of the fastest (Dolan and More 2002).

    Parameters
    ----------
    times
        Seconds, one row an instance, one column a solver, infinite where unproved.
    factors
        Factors, at least 1.

    Returns
    -------
    pandas.DataFrame
        Shares in [0, 1], one row a factor.

    Examples
    --------
    >>> times = pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, np.inf]})
    >>> profile(times, np.array([1.0, 2.0]))["b"].tolist()
    [0.0, 0.5]
    """
    if (factors < 1).any():
        raise ArgumentError("factors of a performance profile are at least 1")
    fastest = times.min(axis=1)
    with np.errstate(invalid="ignore"):
        ratio = times.div(fastest, axis=0).where(np.isfinite(times), np.inf)
    shares = {name: [(ratio[name] <= factor).mean() for factor in factors] for name in times}
    return pd.DataFrame(shares, index=pd.Index(factors, name="factor"))


def summary(runs: pd.DataFrame) -> str:
    """Summarise in Markdown: who proved how much, in what time, on what machine."""
    head = ["criterion", "search", "solver", "runs", "proved", "infeasible", "feasible", "open", "errors"]
    head += ["median s", "largest s", "times the fastest"]
    faults = runs.loc[runs["status"] == "error", "message"].value_counts()
    message = [f"- {_plain(str(text))} ({count})" for text, count in faults.items()]
    against = [f"- {_plain(text)}" for text in contradictions(runs)]
    lines = [
        "# Benchmark",
        "",
        *_markdown(head, _rows(runs)),
        "",
        "Seconds are CPU seconds of proved and infeasible runs; the last column is the geometric mean of",
        "their ratios to the fastest solver. *feasible*: not all sets proved; *open*: nothing found.",
        "",
        *_markdown(list(HEAD), cells(comparison(runs))),
        "",
        f"Over the instances that all solvers ran. Seconds: geometric mean, shifted by {SHIFT:g} s, of CPU",
        "seconds; what is not proved counts with its limit. *ratio*: to the best solver; *fastest*: on how",
        "many none is faster; *alone*: solved by no other. *virtual best*: the fastest on each instance.",
        "",
        surroundings(),
        *(["", "**Solvers contradict each other**:", "", *against] if against else []),
        *(["", "Errors:", "", *message] if message else []),
    ]
    return "\n".join(lines) + "\n"


def surroundings() -> str:
    """Name the versions and the machine of a benchmark, in one line."""
    return f"altsel {__version__}, Python {platform.python_version()}, {_versions()}; {_machine()}."


def _rows(runs: pd.DataFrame) -> list[list[str]]:
    """One row a criterion, search and solver."""
    times = seconds(runs)
    ratios = times.div(times.min(axis=1).clip(lower=1e-9), axis=0)
    rows = []
    for key, group in runs.groupby(["objective", "search", "solver"], sort=False):
        objective, search, solver = (str(part) for part in key)
        counts = group["status"].value_counts()
        cpu = group.loc[group["status"].isin(SOLVED)].get("cpu", pd.Series(dtype=float))
        ratio = ratios.xs((objective, search), level=("objective", "search"))[solver]
        ratio = ratio[np.isfinite(ratio) & (ratio > 0)]
        rows.append(
            [
                *(objective, search, solver, str(len(group))),
                *(str(counts.get(kind, 0)) for kind in STATUS),
                *([f"{cpu.median():.2f}", f"{cpu.max():.2f}"] if len(cpu) else ["", ""]),
                f"{np.exp(np.log(ratio).mean()):.2f}" if len(ratio) else "",
            ]
        )
    return rows


def _markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    rule = ["---"] * len(head)
    return [
        f"| {' | '.join(row)} |" for row in [head, rule, *([_plain(cell) for cell in row] for row in rows)]
    ]


def _plain(text: str) -> str:
    """Mask what Markdown or HTML would obey; a terminal shows the same."""
    return re.sub(r"([\\`\[\]<>|])", r"\\\1", text)


def _versions() -> str:
    found = [f"{name} {metadata.version(name)}" for name in PACKAGES if util.find_spec(name)]
    return ", ".join(found)


def _machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
        model = names[0] if names else model
    return f"{platform.system()}, {os.cpu_count()} cores, {model}"
