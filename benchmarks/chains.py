"""Long chains of univariate alternatives: CPU seconds of altsel and alfese, set by set.

    python -m benchmarks.chains --cap 10 --output benchmarks/results/chains.md

Qualities are beta(1, 6), k = 10, Dice. Each tool searches for 100 alternatives in a process of its own,
one thread; altsel for 10, 50 and 100 alternatives, each time anew, while alfese notes its CPU time after
every set; alfese (as shipped: SCIP, a relative gap of 1e-4) is cut off after ``--cap`` CPU seconds, twice
(tau .2), six (.5) or forty times (.8). Without alfese altsel runs alone. What
numba takes to load or compile comes before the clock starts.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, util
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.command import stamped

SIZES, TAUS, AFTER = (36, 57, 100, 129, 1069, 5000), (0.2, 0.5, 0.8), (10, 50, 100)
K, MOST = 10, 100
REPEATS = 9
"""Runs of altsel of which the time is the median, where they take less than a tenth of a second."""
ALONE = 60.0
"""Seconds of altsel alone for longer and dense chains."""
LONGER = {0.2: 2, 0.5: 6, 0.8: 40}
"""How many times as long alfese has at a tau."""
Times = list[tuple[float, float]]
"""CPU seconds after each set, and its score."""


def qualities(n: int, seed: int = 0) -> np.ndarray:
    """Draw qualities of n features."""
    return np.random.default_rng(seed).beta(1, 6, n)


def by_altsel(n: int, tau: float, alternatives: int, seconds: float, note: Callable[..., None]) -> None:
    """Search with altsel for 10, 50, … alternatives, each time anew; note the median time for its sets."""
    import altsel  # noqa: PLC0415

    while "numba" not in sys.modules:  # it is loaded once loops have worked long enough
        altsel.sequential(altsel.Problem(altsel.Univariate(qualities(100)), K), altsel.Dice(0.8), 50)
        if util.find_spec("numba") is None:
            break
    noted = 0
    for wanted in (one for one in AFTER if one <= alternatives):
        times: list[float] = []
        while len(times) < REPEATS and sum(times) < REPEATS / 10:
            began = time.process_time()
            problem = altsel.Problem(altsel.Univariate(qualities(n)), K)
            found = altsel.sequential(problem, altsel.Dice(tau), wanted, time_limit=20 * seconds)
            times.append(time.process_time() - began)
        whole = median(times)
        for one in list(found)[noted:]:
            if one.proof is altsel.Proof.OPTIMAL:
                note(whole, one.score)
                noted += 1
        if found.stop is altsel.Stop.INFEASIBLE:
            break
    note(whole, None if found.stop is altsel.Stop.INFEASIBLE else float("nan"))


def by_alfese(n: int, tau: float, alternatives: int, seconds: float, note: Callable[..., None]) -> None:
    """Search with alfese, and note the time after every solve."""
    del seconds
    import alfese  # noqa: PLC0415

    pywraplp = import_module("ortools.linear_solver.pywraplp")
    solve = pywraplp.Solver.Solve
    began = time.process_time()

    def noted(self: Any, *given: Any) -> Any:
        status = solve(self, *given)
        value = self.Objective().Value() if status == pywraplp.Solver.OPTIMAL else None
        note(time.process_time() - began, value)
        return status

    pywraplp.Solver.Solve = noted
    selector = alfese.ManualQualityUnivariateSelector()
    selector.set_data(q_train=qualities(n).tolist())
    selector.search_sequentially(k=K, num_alternatives=alternatives, tau=tau)


def _child(tool: Callable[..., None], given: tuple[Any, ...], pipe: Any) -> None:
    tool(*given, lambda *noted: pipe.send(noted))
    pipe.close()


def run(
    tool: Callable[..., None], n: int, tau: float, alternatives: int, cap: float
) -> tuple[Times, bool, bool]:
    """Run a tool for at most so many CPU seconds.

    Returns
    -------
    list
        CPU seconds and score, set by set.
    bool
        Whether it found that no set remains.
    bool
        Whether it was cut off.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(tool, (n, tau, alternatives, cap), there))
    process.start()
    there.close()
    times: Times = []
    ended = cut = False
    while True:
        if here.poll(0.2):
            try:
                seconds, value = here.recv()
            except EOFError:
                break
            if value is None:
                ended = True
                if tool is by_alfese:
                    break  # it goes on with what cannot be
            elif value == value:  # noqa: PLR0124 (not a number: only the whole time)
                times.append((seconds, value))
        elif process.is_alive() and _cpu(process.pid) > cap + 3:  # three to import
            cut = True
            break
    process.terminate()
    process.join()
    return times, ended, cut


def _cpu(pid: int | None) -> float:
    """CPU seconds of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def row(n: int, tau: float, cap: float, peer: bool) -> list[str]:
    """Compare the tools on one instance, after 10, 50 and 100 alternatives."""
    most = LONGER[tau] * cap
    mine, ended, _ = run(by_altsel, n, tau, MOST, most)
    cap = most if len(mine) > AFTER[0] else cap  # of few sets no time is shown
    theirs, _, _ = run(by_alfese, n, tau, MOST, cap) if peer else ([], False, False)
    cells = [f"{n:,}", f"{tau:g}", f"{len(mine)}{', no more' if ended else ''}"]
    for after in AFTER:
        ours = mine[after][0] if after < len(mine) else None
        other = theirs[after][0] if after < len(theirs) else None
        cells += ["" if ours is None else f"{ours:.3f}"]
        if ours is None:
            cells += ["", ""]
        elif other is None:
            cells += [f"> {cap:.0f} ({len(theirs)} sets)", f"> {cap / ours:,.0f}"] if peer else ["", ""]
        else:
            cells += [f"{other:.2f}", f"{other / ours:,.0f}"]
    shared = min(len(mine), len(theirs))
    first = next((i for i in range(shared) if abs(mine[i][1] - theirs[i][1]) > 1e-9), shared)
    if peer:
        cells += [
            f"first {first} equal"
            + ("" if first == shared else ", " + _word(mine[first][1], theirs[first][1]))
        ]
    return cells


def _word(ours: float, other: float) -> str:
    return f"then {'better' if ours > other else 'WORSE'} by {abs(ours / other - 1):.0e}"


def alone(cap: float) -> list[list[str]]:
    """Run altsel on longer and dense chains."""
    rows = []
    for n, k, tau, most in (
        *((100, K, tau, 1000) for tau in (0.5, 0.8)),
        *((1069, K, 0.5, 1000), (5000, K, 0.5, 1000)),
        *((n, K, 0.5, 10_000) for n in (20, 24)),
        *((n, 5, 0.8, 10_000) for n in (30, 35, 40)),
        *((30, 10, 0.8, 10_000), (40, 10, 0.9, 10_000), (1000, 20, 0.5, 10)),
    ):
        problem = (n, k, tau, most)
        rows.append([f"{n:,}", str(k), f"{tau:g}", f"{most:,}", *_outcome(problem, cap)])
        print(rows[-1], flush=True)
    return rows


def _outcome(problem: tuple[int, int, float, int], cap: float) -> list[str]:
    import altsel  # noqa: PLC0415

    n, k, tau, most = problem
    began = time.process_time()
    stated = altsel.Problem(altsel.Univariate(qualities(n)), k)
    found = altsel.sequential(stated, altsel.Dice(tau), most, time_limit=cap)
    spent = time.process_time() - began
    proved = sum(one.proof is altsel.Proof.OPTIMAL for one in found)
    said = {altsel.Stop.COUNT: "all wanted", altsel.Stop.INFEASIBLE: "no set remains: proved"}
    return [f"{len(found)} ({proved} proved)", said.get(found.stop, str(found.stop)), f"{spent:.2f}"]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])


def main() -> None:
    """Read the command line, run, and write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cap", type=float, default=60.0)
    parser.add_argument(
        "--jobs", type=int, default=1, help="instances under way; CPU time is counted by process"
    )
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    peer = util.find_spec("alfese") is not None
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

    def done(instance: tuple[int, float]) -> list[str]:
        cells = row(*instance, given.cap, peer)
        print(cells, flush=True)
        return cells

    with ThreadPoolExecutor(given.jobs) as several:
        rows = list(several.map(done, product(SIZES, TAUS)))
    head = ["n", "tau", "sets of altsel"]
    head += [cell for a in AFTER for cell in (f"altsel, a = {a}", "alfese", "ratio")]
    head += ["scores"] if peer else []
    longer = ["n", "k", "tau", "wanted", "sets", "end", "CPU s"]
    limits = ", ".join(f"{factor * given.cap:g} at tau {tau:g}" for tau, factor in LONGER.items())
    text = f"""# Chains of univariate alternatives

`python -m benchmarks.chains --cap {given.cap:g}`; k = {K}, qualities drawn from beta(1, 6), one thread, CPU
seconds after so many alternatives on a shared machine: read the ratios. Those of altsel are the median of
{REPEATS} runs where one takes less than a tenth of a second. alfese is cut off after so many CPU seconds:
{limits}; the row then says how many sets it had, and the ratio is a lower bound. Its solver stops at a
relative gap of 1e-4; after the first set that differs the chains are no longer the same.

{table(head, rows)}

Longer, and to the end, by altsel alone (at most {ALONE:g} s):

{table(longer, alone(ALONE))}
"""
    text = stamped(text)
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
