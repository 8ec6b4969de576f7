"""Solutions and speed-up against sample size, as figures 5 and 6 of Borboudakis and Tsamardinos (2021).

Run: python -m benchmarks.sample_size FOLDER [--sets crime-violent] [--repeats 5] [--limit 1000]
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

import altsel
from benchmarks.protocol import parts, read, tuned, usual_test


def once(
    folder: Path, name: str, share: float, seed: int, limits: altsel.blankets.Limits
) -> tuple[float, ...]:
    """Tune on a share of the training rows; count solutions and tests on these and the validation rows."""
    given = parts(read(folder, name), seed, share)
    alpha, _, _ = tuned(given)
    found = altsel.blankets.tmfbs(usual_test(given.both), alpha, limits=limits)
    plain = altsel.blankets.Reuse(blankets=False, answers=0)
    other = altsel.blankets.tie_star(usual_test(given.both), alpha, reuse=plain, limits=limits)
    ended = found.stop is altsel.Stop.EXHAUSTED and other.stop is altsel.Stop.EXHAUSTED
    return len(found) - 1, len(other) - 1, other.effort.tests / found.effort.tests, not ended


def main() -> None:
    """Print one row a set and share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="*", default=["crime-violent", "crime-nonviolent", "uji-longitude"])
    parser.add_argument("--shares", type=float, nargs="*", default=np.arange(0.1, 1.0, 0.1).round(1).tolist())
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| set | share of training rows | solutions besides, TMFBS | TIE*-IGS", end=" ")
    print("| tests, ratio: mean, median, smallest, largest | ended by a limit |\n" + "|---" * 6 + "|")
    limits = altsel.blankets.Limits(max_solutions=given.limit, max_seconds=given.seconds)
    for name in given.sets:
        for share in given.shares:
            message = np.array(
                [once(given.folder, name, share, seed, limits) for seed in range(given.repeats)]
            )
            first, second, ratio, limited = message.mean(axis=0)
            spread = [f"{of(message[:, 2]):.2f}" for of in (np.median, np.min, np.max)]
            most = ", ".join([f"{ratio:.2f}", *spread])
            print(
                f"| {name} | {share:.0%} | {first:.1f} | {second:.1f} | {most} | {limited:.0%} |", flush=True
            )


if __name__ == "__main__":
    main()
