"""The page of `benchmarks.discoveries`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.discoveries_designs import DESIGNS, LEVELS, WAYS

HEAD = """# Discoveries

How many of `altsel.discoveries` are false, in tables of which the truth is known: `python -m
benchmarks.discoveries` (`--designs` runs some of the designs, `--samples` another number than 200 of
each; where there are fewer here, they took longer). A feature is false if it is independent of the
target given all others. *FDR* is the mean share of false ones among the selected (0 where none is), with
its standard error; **bold** if it is more than two of these above the level. *Worst set*: the mean of
the largest share of false features among *all* self-consistent sets, chosen by somebody who knows the
truth; the bound is for this, too. *Power*: share of the features that tell of the target that are
selected. *One filter*: the knockoff filter of the first draw, at the level. *Same*: share of common
features among those that either of two seeds selects, in the first 20 samples (1 where both select
none), by one filter and by e-BH. Knockoffs and statistics are the default ones but for the forest; 20
draws, of interactions 10; the default of `discoveries` is 50, which differs in how much seeds agree, not
in what is promised.
"""
TABLE = (
    "| design | samples | level | FDR (SE) | worst set (SE) | power | one filter: FDR (SE) | power | "
    "same: one filter | e-BH |\n|---|---|---|---|---|---|---|---|---|---|"
)


def page(stored: dict[str, Any]) -> str:
    """Write the page from what is stored."""
    designs = ["| design | rows and features |", "|---|---|"]
    designs += [f"| {one.name} | {one.words} |" for one in DESIGNS]
    parts = [
        HEAD.strip(),
        "\n".join(designs),
        "\n".join([TABLE, *rows(stored)]),
        beyond(),
        run_levels(stored),
    ]
    parts += (
        ["## Alternatives among discoveries", families(stored["Gaussian"])] if "Gaussian" in stored else []
    )
    parts += ["## 500 rows, 5,000 features", stored["wide"]] if "wide" in stored else []
    return "\n\n".join(parts) + "\n"


def rows(stored: dict[str, Any]) -> Iterator[str]:
    """Yield a row for each design and level."""
    for design in DESIGNS:
        for level in LEVELS if design.name in stored else ():
            found = stored[design.name][f"{level}"]
            rates = [shown(found["fdr"][way], level) for way in (WAYS[0], WAYS[2])]
            power = [f"{found['power'][way][0]:.2f}" for way in (WAYS[0], WAYS[2])]
            same = [f"{found['same'][way][0]:.2f}" for way in (WAYS[2], WAYS[0])]
            cells = [design.name, str(stored[design.name]["samples"]), f"{level}", rates[0]]
            cells += [shown(found["worst"], level), power[0], rates[1], power[1], *same]
            yield f"| {' | '.join(cells)} |"


def shown(value: list[float], level: float) -> str:
    """Show a rate with its error, in bold if it is too large."""
    mark = "**" if value[0] > level + 2 * value[1] else ""
    return f"{mark}{value[0]:.3f}{mark} ({value[1]:.3f})"


def beyond() -> str:
    """Report where nothing is promised."""
    names = ", ".join(one.name for one in DESIGNS if not one.promised)
    return (
        f"Nothing is promised for *{names}*: there no knockoff of the default kind has the distribution of "
        "the features. In all designs that distribution is estimated from the same rows."
    )


def run_levels(stored: dict[str, Any]) -> str:
    """Compare the default level of the filter of each draw with another."""
    halves, wholes = [], []
    for design in DESIGNS:
        for level in LEVELS if design.name in stored and design.promised else ():
            power = stored[design.name][f"{level}"]["power"]
            halves.append(power[WAYS[0]][0])
            wholes.append(power[WAYS[1]][0])
    return (
        f"With `run_level` equal to the level, not half of it, the power is {sum(wholes) / len(wholes):.2f} "
        "in the mean of these rows where something is promised, with half of it "
        f"{sum(halves) / len(halves):.2f}."
    )


def families(found: dict[str, Any]) -> str:
    """Report what was claimed of alternatives, and what was true."""
    one = found["family"]
    return (
        f"In {one['searched']} samples of the first design with 20 discoveries or more at .1, four sets of "
        "15 were searched among these (sums of correlations, dissimilarity .5). They show "
        f"{one['shown'][0]:.1f} features in the mean. The claim at .1 holds of {one['held']} of these; there "
        f"{one['false'][0]:.3f} of the features shown are false, in the mean (SE {one['false'][1]:.3f}). "
        "Over all samples searched the share of false features divided by the stated q is "
        f"{one['ratio'][0]:.3f} in the mean (SE {one['ratio'][1]:.3f}); the theorem says at most 1."
    )
