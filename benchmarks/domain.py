"""Rules of a domain on real data: alternatives with proofs, and explanations where there are none.

    python -m benchmarks.domain FOLDER [--criteria univariate fcbf mrmr cfs] [--time-limit 60]
    (writes benchmarks/results/domain.md)

For ada, spambase, musk1 and prostate (6,033 features) in the folder (``*.csv.gz``, column ``target``): k = 8,
five alternatives, Dice dissimilarity of at least 0.5, absolute correlations, one thread. Every feature costs
1 to 9 (seeded), at most 30 may be spent; three features are forbidden, at most three may come from the first
half, at least one must come from the last quarter. Then the same with five features of cost 7 or more.
CPU seconds; what is loaded once is so before.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import altsel
from altsel import domain
from altsel.data.frames import to_table
from altsel.exact.auto_solver import automatic
from altsel.models import Rule
from benchmarks.command import stamped

CRITERIA: dict[str, Callable[[altsel.Dependence], altsel.models.Objective]] = {
    "univariate": altsel.Univariate,
    "fcbf": altsel.FCBF,
    "mrmr": altsel.MRMR,
    "cfs": altsel.CFS,
}
NAMES = ("ada", "spambase", "musk1", "prostate")
RESULTS = Path(__file__).parent / "results" / "domain.md"
HEAD = ["data", "n", "criterion", "sets", "proved", "seconds", "with rules that cannot be met", "seconds"]


def rules(features: Sequence[str]) -> tuple[list[Rule], Rule]:
    """Make the rules, and the one that cannot be met along with them."""
    n = len(features)
    prices = np.random.default_rng(0).integers(1, 10, n).tolist()
    cost = dict(zip(features, map(float, prices), strict=True))
    kept = [
        domain.budget(cost, 30),
        domain.forbid(*features[:3]),
        domain.at_most(3, features[3 : n // 2]),
        domain.at_least(1, features[-(n // 4) :]),
    ]
    return kept, domain.at_least(5, [f for f in features if cost[f] >= 7])


def row(name: str, criterion: str, dependence: altsel.Dependence, time_limit: float) -> list[str]:
    """Search with the rules, and explain why there is nothing with one rule more."""
    objective = CRITERIA[criterion](dependence)
    kept, too_much = rules(objective.features)
    began = time.process_time()
    found = altsel.sequential(altsel.Problem(objective, 8, kept), altsel.Dice(0.5), 5, automatic(time_limit))
    seconds = time.process_time() - began
    proved = sum(subset.proof is altsel.Proof.OPTIMAL for subset in found)
    began = time.process_time()
    problem = altsel.Problem(objective, 8, [*kept, too_much])
    message = altsel.explain(problem, altsel.Dice(0.5), 5, automatic(time_limit))
    return [
        name,
        str(len(objective.features)),
        criterion,
        f"{len(found)}, {found.stop.value}",
        str(proved),
        f"{seconds:.1f}",
        message.line().replace("|", "\\|"),
        f"{time.process_time() - began:.1f}",
    ]


def main() -> None:
    """Run all and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--criteria", nargs="+", choices=list(CRITERIA), default=list(CRITERIA))
    parser.add_argument("--time-limit", type=float, default=60.0)
    wanted = parser.parse_args()
    lines = [" | ".join(HEAD), " | ".join("---" for _ in HEAD)]
    for name in NAMES:
        table = to_table(wanted.folder / f"{name}.csv.gz")
        target = table.pop("target")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", altsel.DataWarning)
            dependence = altsel.dependence(altsel.Dataset(table, target), altsel.measures.absolute_pearson)
        if name == NAMES[0]:
            row(name, wanted.criteria[0], dependence, wanted.time_limit)  # loads solvers and loops
        for criterion in wanted.criteria:
            cells = row(name, criterion, dependence, wanted.time_limit)
            lines.append(" | ".join(cells))
            print(" | ".join(cells), flush=True)
    command = f"`python -m benchmarks.domain FOLDER --time-limit {wanted.time_limit:g}`. "
    text = "# Rules of a domain\n\n" + command + (__doc__ or "").split("\n\n")[2]
    RESULTS.write_text(stamped(text + "\n" + "\n".join(f"| {line} |" for line in lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
