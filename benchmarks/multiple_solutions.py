"""All solutions on real data by TMFBS and TIE*-IGS, next to table 3 and figure 7 of the TMFBS paper.

Run: python -m benchmarks.multiple_solutions FOLDER [--sets crime-violent ada] [--seeds 3] [--pictures DIR]
       [--fewer-lambdas]
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import altsel
from benchmarks.protocol import FEWER_LAMBDAS, LAMBDAS, model, parts, performance, read, tuned, usual_test

PAPER = {
    "crime-violent": "2 (2), .588 [.583, .590], 2.31",
    "crime-nonviolent": "0, .585, 2.18",
    "uji-longitude": "12 (9), .938 [.938, .938], 2.40",
    "blogfeedback": "0, .304, 1.91",
    "ada": "0, .904, 1.97",
    "madelon": "0, .646, 1.81",
}
"""Additional solutions (of them equivalent on the test rows), performance and range, speed-up."""
HEAD = (
    "| set | seed | alpha | lambda | features | solutions besides, TMFBS (eq.) / TIE* | performance, range "
    "| tests, TMFBS | tests, TIE* | ratio | CPU s, TMFBS | CPU s, TIE* | paper |"
)


def row(table_name: str, seed: int, options: argparse.Namespace) -> str:
    """Run the protocol once."""
    given, pictures = parts(read(options.folder, table_name), seed), options.pictures
    fewer = options.fewer_lambdas and given.train.discrete_target
    alpha, penalty, _ = tuned(given, FEWER_LAMBDAS if fewer else LAMBDAS)
    test = usual_test(given.both)
    limits = altsel.blankets.Limits(max_solutions=options.limit)
    began = time.process_time()
    found = altsel.blankets.tmfbs(test, alpha, limits=limits)
    middle = time.process_time()
    plain = altsel.blankets.Reuse(blankets=False, answers=0)
    other = altsel.blankets.tie_star(usual_test(given.both), alpha, reuse=plain, limits=limits)
    ended = time.process_time()
    estimated = altsel.comparison.SklearnModels(given.both, model(given.both, penalty), holdout=given.test)
    values = [performance(estimated, subset.features) for subset in found]
    same = altsel.comparison.PermutedVariance(estimated)
    equal = sum(same(found[0].features, subset.features).equivalent(0.05) for subset in found[1:])
    if pictures is not None and len(found) > 1:
        altsel.msg(found).draw(pictures / f"msg_{table_name}_{seed}.svg")
    span = f"{values[0]:.3f} [{min(values):.3f}, {max(values):.3f}]"
    counts = f"{len(found) - 1} ({equal}) / {len(other) - 1}"
    stops = (
        ""
        if {found.stop.value, other.stop.value} == {"exhausted"}
        else f" ({found.stop.value}, {other.stop.value})"
    )
    ratio = other.effort.tests / found.effort.tests
    times = f"{middle - began:.2f} | {ended - middle:.2f}"
    return (
        f"| {table_name} | {seed} | {alpha:.1e} | {penalty:.3g} | {len(found[0])} | {counts}{stops} | {span} "
        f"| {found.effort.tests} | {other.effort.tests} | {ratio:.2f} | {times} | {PAPER[table_name]} |"
    )


def main() -> None:
    """Print one row a set and seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", nargs="*", default=list(PAPER))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--fewer-lambdas", action="store_true", help="16 instead of 121 for classes")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(HEAD)
    print("|" + "---|" * (HEAD.count("|") - 1))
    for name in given.sets:
        for seed in range(given.seeds):
            print(row(name, seed, given), flush=True)


if __name__ == "__main__":
    main()
