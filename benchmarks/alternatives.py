"""Compare altsel and alfese on the same qualities: CPU seconds, what was proved, ratio.

    python -m benchmarks.alternatives                         the univariate instances of the README
    python -m benchmarks.alternatives --multivariate          FCBF and mRMR; half an hour, nearly all alfese's
    python -m benchmarks.alternatives --pmlb FOLDER           AFS's grid on a folder of data sets
    python -m benchmarks.alternatives --million               n = 1,000,000: seconds and memory

Each tool runs all instances in one process of its own, one solver thread, gap 0. alfese
runs as shipped (SCIP, 60 s a set). Without alfese (pip install "altsel[bench]") altsel runs alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib import util
from pathlib import Path

import numpy as np

from benchmarks.instances import Instance, multivariate, pmlb, speed
from benchmarks.tools import TOOLS, Answer


def work(tool: str) -> None:
    """Solve the instances that come as JSON lines on stdin; one answer a line on stdout."""
    TOOLS[tool](Instance("warm-up", (0.3, 0.2, 0.1), 1, 1, 1.0, "sequential"))
    for line in sys.stdin:
        instance = Instance(**json.loads(line))
        cpu, wall = time.process_time(), time.perf_counter()
        answer = TOOLS[tool](instance)
        answer |= {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
        print(json.dumps(answer), flush=True)


class Tool:
    """A process that solves instances with one tool."""

    def __init__(self, name: str) -> None:
        command = [sys.executable, "-m", "benchmarks.alternatives", "--tool", name]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **threads}
        )

    def solve(self, instance: Instance) -> Answer:
        """Send one instance, wait for its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asdict(instance)) + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))


def verdict(instance: Instance, mine: Answer, peer: Answer | None) -> str:
    """Return whether the scores agree as far as the peer proved them (in a joint search: the totals)."""
    if peer is None:
        return ""
    if instance.search == "sequential":
        proved = [status for status in peer["proved"] if status != "infeasible"]
        upto = proved.index("open") if "open" in proved else len(proved)
        ours, theirs = mine["scores"][:upto], peer["scores"][:upto]
    elif "open" in peer["proved"]:
        return "peer open"
    else:
        ours, theirs = ([_total(one, instance)] if one else [] for one in (mine["scores"], peer["scores"]))
    for a, b in zip(ours, theirs, strict=False):
        if abs(a - b) > 1e-6 * max(abs(a), 1e-9):  # what comes after the first difference compares nothing
            return f"BETTER by {a / b - 1:.1e}" if a > b else f"WORSE by {1 - a / b:.1e}"
    return "equal" if len(ours) == len(theirs) else "FEWER" if len(ours) < len(theirs) else "MORE"


def _total(scores: list[float], instance: Instance) -> float:
    return sum(scores) if instance.search == "sum" else min(scores)


def compare(instances: Iterator[Instance], alone: bool) -> None:
    """Print one line an instance and a summary."""
    names = ["altsel"] + ([] if alone or util.find_spec("alfese") is None else ["alfese"])
    tools = {name: Tool(name) for name in names}
    print(
        f"{'instance':42} {'k':>3} {'a':>3} {'tau':>4} {'search':>10} "
        f"{'altsel':>18} {'alfese':>18} {'ratio':>8}"
    )
    rows: list[tuple[Answer, Answer | None, str]] = []
    for instance in instances:
        mine = tools["altsel"].solve(instance)
        peer = tools["alfese"].solve(instance) if "alfese" in tools else None
        said = verdict(instance, mine, peer)
        rows.append((mine, peer, said))
        named = f"{instance.criterion} {instance.name}"
        ratio = f"{peer['cpu'] / mine['cpu']:8.1f}" if peer else ""
        print(
            f"{named[:42]:42} {instance.k:3} {instance.alternatives:3} {instance.tau:4} "
            f"{instance.search:>10} {_cell(mine):>18} {_cell(peer):>18} {ratio:>8} {said}",
            flush=True,
        )
    done = sum("open" not in mine["proved"] for mine, _, _ in rows)
    print(f"\n{len(rows)} instances; altsel proved {done} (optimal or infeasible) to the end")
    if "alfese" in tools:
        cpu = [
            sum(answer["cpu"] for answer in side if answer)
            for side in zip(*[r[:2] for r in rows], strict=True)
        ]
        print(f"scores: {sum(said == 'equal' for *_, said in rows)} equal of those alfese proved")
        print(f"CPU seconds: altsel {cpu[0]:.1f}, alfese {cpu[1]:.1f}, ratio {cpu[1] / cpu[0]:.1f}")


def _cell(answer: Answer | None) -> str:
    if answer is None:
        return "-"
    return f"{answer['cpu']:9.3f} {'open' if 'open' in answer['proved'] else 'proved':>7}"


def million() -> None:
    """Search sequentially among a million given qualities."""
    began = time.perf_counter()
    import altsel  # noqa: PLC0415

    problem = altsel.Problem(altsel.Univariate(np.random.default_rng(0).random(1_000_000)), k=10)
    found = altsel.sequential(problem, altsel.Dice(0.5), alternatives=10)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    seconds = time.perf_counter() - began
    print(f"n=1,000,000: {len(found)} sets, proved: {found.proved}")
    print(f"{seconds:.1f} s in all, peak {memory:.2f} GB")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pmlb", type=Path, help="folder of data sets *.csv.gz with a column 'target'")
    parser.add_argument("--multivariate", action="store_true", help="FCBF and mRMR")
    parser.add_argument("--million", action="store_true", help="a million features")
    parser.add_argument("--only", default="", help="instances whose criterion and name hold this text")
    parser.add_argument("--alone", action="store_true", help="without alfese")
    parser.add_argument("--tool", choices=TOOLS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.tool:
        work(given.tool)
    elif given.million:
        million()
    else:
        chosen = pmlb(given.pmlb) if given.pmlb else multivariate() if given.multivariate else speed()
        compare((one for one in chosen if given.only in f"{one.criterion} {one.name}"), given.alone)


if __name__ == "__main__":
    main()
