"""Mutated files of every format: each is refused in one line, or means what was read.

    python -m benchmarks.fuzz --seconds 600 --seed 1
    python -m benchmarks.fuzz --number 3000 --formats csv json --keep folder

Every file is read in a child with 4 GiB of address space, within 10 seconds; what is accepted is read a
second time, by code that shares nothing with altsel, and must mean the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.fuzz.formats import FORMATS
from benchmarks.fuzz.run import BATCH, GOOD, drawn, verdicts


def main() -> int:
    """Fuzz until the time is over or every format has had its number of files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, help="stop after these")
    parser.add_argument("--number", type=int, help="files of each format")
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--keep", type=Path, help="folder for the files that failed")
    wanted = parser.parse_args()
    if wanted.seconds is None and wanted.number is None:
        parser.error("give --seconds or --number")
    until = None if wanted.seconds is None else time.monotonic() + wanted.seconds
    counts: dict[str, Counter[str]] = {name: Counter() for name in wanted.formats}
    start = 0
    while (wanted.number is None or start < wanted.number) and (until is None or time.monotonic() < until):
        most = BATCH if wanted.number is None else min(BATCH, wanted.number - start)
        for name in wanted.formats:
            for number, verdict in verdicts(name, wanted.seed, range(start, start + most)):
                counts[name][verdict.split(":")[0]] += 1
                if verdict not in GOOD:
                    print(f"{name} {wanted.seed}:{number} {verdict}", file=sys.stderr)
                    _keep(wanted.keep, name, wanted.seed, number)
        start += most
    print(f"seed {wanted.seed}\n")
    print("| format | files | refused | accepted, and right | unchanged | faults |")
    print("|---|---|---|---|---|---|")
    for name, count in counts.items():
        good = [count[one] for one in GOOD]
        print(f"| {name} | {count.total()} | {' | '.join(map(str, good))} | {count.total() - sum(good)} |")
    return int(any(set(count) - set(GOOD) for count in counts.values()))


def _keep(folder: Path | None, name: str, seed: str, number: int) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        form = FORMATS[name]
        (folder / f"{name}-{seed}-{number}{form.ending}").write_bytes(drawn(form, seed, number))


if __name__ == "__main__":
    sys.exit(main())
