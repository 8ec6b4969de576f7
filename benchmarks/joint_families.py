"""All blankets of random joint distributions: what each search finds beside trying all sets, and claims.

Features copy, code, add up to or explain one another and the target (`tests.oracles.known_blankets`). Where
composition holds, which trying all sets shows too, a search that ends as ``exhausted`` must be right.

Run: python -m benchmarks.joint_families [--tables 400] [--seed 0] > benchmarks/results/joint_families.md
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial
from itertools import chain, combinations

import altsel
from altsel import blankets
from altsel.results.stop import Stop
from benchmarks import oracle
from benchmarks.command import stamped
from tests.oracles.known_blankets import Search, all_blankets, random_table

LEARNERS: dict[str, Search] = {
    **oracle.whole(None),
    "FBED, until nothing changes": partial(blankets.forward_backward_early_dropping, extra_runs=None),
}
SEARCHES: dict[str, Search] = {
    "TMFBS": blankets.tmfbs,
    "TMFBS, no pruning": partial(blankets.tmfbs, prune=blankets.Pruning(False, False, False)),
    "TMFBS, by pairs": partial(blankets.tmfbs, template=blankets.Template(blankets.dependent_in_pairs)),
    "TMFBS, MMPC": partial(blankets.tmfbs, template=blankets.mmpc_template()),
    "TMFBS, HITON-PC": partial(blankets.tmfbs, template=blankets.hiton_pc_template()),
    "TMFBS, JMI": partial(blankets.tmfbs, template=blankets.information_template("jmi")),
    "TIE*, hitting set": partial(blankets.tie_star, removal="hitting_set"),
    **{f"TIE*, {name}": partial(blankets.tie_star, learner=learner) for name, learner in LEARNERS.items()},
}


def composes(test: altsel.independence.Independence) -> bool:
    """Return whether features that are each independent given a set are so together, for every set."""
    names = test.features
    for given in chain.from_iterable(combinations(names, size) for size in range(len(names))):
        rest = [name for name in names if name not in given]
        answers = test(rest, given)
        alone = [name for name, no in zip(rest, answers.independent(0.05), strict=True) if no]
        if any(test([name], [*given, *alone[:j]]).dependent(0.05)[0] for j, name in enumerate(alone)):
            return False
    return True


def main() -> None:
    """Count the families that are found, and the claims that are wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    drawn, counts = Counter[bool](), Counter[tuple[str, bool, str]]()
    for number in range(asked.tables):
        test = random_table(asked.seed * 1_000_000 + number)
        family, kind = all_blankets(test), composes(test)
        drawn[kind] += 1
        for name, search in SEARCHES.items():
            found = search(test)
            right = {frozenset(one) for one in found} == family
            counts[name, kind, "right"] += right
            counts[name, kind, "wrong claim"] += found.stop is Stop.EXHAUSTED and not right
    print(stamped(f"# All blankets of {asked.tables} random joint distributions"))
    print(f"`python -m benchmarks.joint_families --tables {asked.tables} --seed {asked.seed}`. Composition")
    print(f"holds in {drawn[True]} of them. *Wrong claim*: `exhausted` with other sets than all blankets.\n")
    print("| search | right | wrong claims | right without composition | wrong claims |")
    print("|---|---|---|---|---|")
    for name in SEARCHES:
        cells = [
            f"{counts[name, kind, what]}{f' of {drawn[kind]}' if what == 'right' else ''}"
            for kind in (True, False)
            for what in ("right", "wrong claim")
        ]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
