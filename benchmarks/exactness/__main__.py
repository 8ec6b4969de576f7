"""Try to refute altsel's claims of exactness.

    python -m benchmarks.exactness --seconds 600 --seed 1 [--family F] [--mode M] [--only F:I] [--json FILE]
    python -m benchmarks.exactness --seconds 900 --family chains --output benchmarks/results/exact_chains.md

Instance I of family F depends on the seed, F and I alone, so that ``--only F:I`` repeats it. The family
with the least CPU time so far comes next. Ends with exit code 1 if a claim was refuted or a call crashed.
What is wrong and what is a matter of rounding: docstrings of `checks`, `oracle` and `rules`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from benchmarks.command import stamped
from benchmarks.exactness.families import FAMILIES, judge
from benchmarks.exactness.instance import MODES
from benchmarks.exactness.selfcheck import self_check
from benchmarks.exactness.tally import Tally


def campaign(
    seed: int, seconds: float, families: list[str], mode: str | None, first: int, jobs: int
) -> Tally:
    """Judge instances for so many seconds of wall time: of each family the first and every jobs-th after."""
    tally, until = Tally(), time.monotonic() + seconds
    numbers = Counter(dict.fromkeys(families, first))
    while time.monotonic() < until:
        name = min(families, key=lambda one: tally.cpu.get(one, 0.0))
        verdict = judge(seed, name, numbers[name], mode)
        numbers[name] += jobs
        tally.add(verdict)
        if verdict.ended in {"wrong", "crash", "slow"}:
            print(verdict.short, file=sys.stderr, flush=True)
    return tally


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    parser.add_argument("--mode", choices=list(MODES))
    parser.add_argument("--only", help="FAMILY:NUMBER")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--output", type=Path, help="a page with what was seen")
    return parser.parse_args()


def main() -> int:
    """Run the campaign, and print what it saw."""
    wanted = _asked()
    self_check()
    families = wanted.family or list(FAMILIES)
    tally = Tally()
    if wanted.only:
        name, number = wanted.only.rsplit(":", 1)
        tally.add(judge(wanted.seed, name, int(number), wanted.mode))
    elif wanted.jobs == 1:
        tally = campaign(wanted.seed, wanted.seconds, families, wanted.mode, 0, 1)
    else:
        same = (repeat(one) for one in (wanted.seed, wanted.seconds, families, wanted.mode))
        with ProcessPoolExecutor(wanted.jobs) as workers:
            for part in workers.map(campaign, *same, range(wanted.jobs), repeat(wanted.jobs)):
                tally.join(part)
    print(tally)
    if wanted.output:
        title = f"Campaign of exactness: {', '.join(families)}"
        call = (
            f"--seconds {wanted.seconds:g} --seed {wanted.seed} {' '.join(f'--family {f}' for f in families)}"
        )
        wanted.output.write_text(
            stamped(tally.page(title, f"python -m benchmarks.exactness {call}")), encoding="utf-8"
        )
    if wanted.json:
        tally.write(wanted.json)
    return 1 if tally.refuted else 0


if __name__ == "__main__":
    sys.exit(main())
