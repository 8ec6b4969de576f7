"""False discovery rate and power of `altsel.discoveries` in ten designs, and of what is chosen among them.

Each sample is searched once; levels share its statistics. Rows of designs that are run replace those of
``benchmarks/results/discoveries.json``, from which the page is written.

Run: python -m benchmarks.discoveries [--designs "p > n" …] [--samples 200] [--page] [--wide]
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import altsel
from altsel.stats.e_values import e_bh, knockoff_e_values
from altsel.stats.knockoffs import chosen_knockoffs, chosen_statistic, differences
from benchmarks.command import in_one_line, stamped, whole
from benchmarks.discoveries_designs import DESIGNS, LEVELS, WAYS, Design
from benchmarks.discoveries_page import page

FOLDER = Path(__file__).parent / "results"
STORED, RESULT = FOLDER / "discoveries.json", FOLDER / "discoveries.md"
AGREEMENT = 20
"""Samples that are searched with a second seed."""


def statistics_of(design: Design, data: altsel.Dataset, seed: int, draws: int) -> np.ndarray:
    """Return W, shape (draws, features), as `altsel.discoveries` computes it."""
    draw = chosen_knockoffs(None, data).fitted(data)
    measure = chosen_statistic(design.options.get("statistic"), 0)
    found = []
    for number in range(draws):
        rng = np.random.default_rng([seed, number, 77])
        found.append(differences(data, draw(rng), measure, rng))
    return np.array(found)


def e_values_of(statistics: np.ndarray, run_level: float) -> np.ndarray:
    """Return the mean e-values."""
    return np.asarray(np.mean([knockoff_e_values(one, run_level) for one in statistics], axis=0))


def selections(statistics: np.ndarray, level: float) -> dict[str, np.ndarray]:
    """Select in each way."""
    first = knockoff_e_values(statistics[0], level)
    return {
        "e-BH": e_bh(e_values_of(statistics, level / 2), level),
        "e-BH, run level = level": e_bh(e_values_of(statistics, level), level),
        "one filter": e_bh(first, level),
    }


def false_share(selected: np.ndarray, false: np.ndarray) -> float:
    """Return the share of the selected features that is false; 0 of none."""
    return float((selected & false).sum() / max(1, selected.sum()))


def worst_share(e_values: np.ndarray, false: np.ndarray, level: float) -> float:
    """Return the largest share of false features among all self-consistent sets, chosen knowing the truth."""
    worst = 0.0
    for least in np.unique(e_values[e_values > 0]):
        needed = int(np.ceil(len(e_values) / (level * least) - 1e-9))
        wrong = int((false & (e_values >= least)).sum())
        right = int((~false & (e_values >= least)).sum())
        if wrong + right >= needed:
            worst = max(worst, wrong / max(wrong, needed))
    return worst


def family(data: altsel.Dataset, e_values: np.ndarray, false: np.ndarray, level: float) -> dict[str, Any]:
    """Search alternatives among the discoveries, and look at the claim on all that they show."""
    selected = e_bh(e_values, level)
    if selected.sum() < 20:
        return {}
    rule = altsel.domain.forbid(*(n for n, kept in zip(data.features, selected, strict=True) if not kept))
    objective = altsel.Univariate(altsel.dependence(data, altsel.measures.absolute_pearson))
    problem = altsel.Problem(objective, k=15, subject_to=[rule])
    found = altsel.sequential(problem, altsel.Dice(0.5), 3)
    union = {name for one in found for name in one.features}
    shown = np.array([name in union for name in data.features])
    q = min(1.0, len(false) / (shown.sum() * e_values[shown].min()))
    return {"shown": int(shown.sum()), "q": float(q), "false": false_share(shown, false)}


def sample(design: Design, number: int) -> dict[str, Any]:
    """Draw a table, make discoveries, and compare them with the truth."""
    data, false = design.table(np.random.default_rng([DESIGNS.index(design), number]))
    statistics = statistics_of(design, data, number, design.draws)
    again = number < AGREEMENT
    other = statistics_of(design, data, 10_000 + number, design.draws) if again else statistics
    row: dict[str, Any] = {}
    for level in LEVELS:
        e_values = e_values_of(statistics, level / 2)
        row[f"{level}"] = {
            "worst": worst_share(e_values, false, level),
            **{
                way: [false_share(chosen, false), float((chosen & ~false).sum() / (~false).sum())]
                for way, chosen in selections(statistics, level).items()
            },
        }
        if again:
            pairs = [selections(one, level) for one in (statistics, other)]
            row[f"{level}"]["same"] = {way: alike(*(pair[way] for pair in pairs)) for way in WAYS}
    if design.name == "Gaussian":
        row["family"] = family(data, e_values_of(statistics, 0.05), false, 0.1)
    return row


def alike(first: np.ndarray, second: np.ndarray) -> float:
    """Return the share of common features among all that either selects; 1 if none does."""
    return float((first & second).sum() / max(1, (first | second).sum())) if (first | second).any() else 1.0


def mean_error(values: list[float]) -> tuple[float, float]:
    """Return mean and standard error, rounded."""
    spread = float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
    return round(float(np.mean(values)), 4), round(spread, 4)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return means and standard errors over the samples of a design."""
    found: dict[str, Any] = {"samples": len(rows)}
    for level in LEVELS:
        known = [row[f"{level}"] for row in rows]
        again = [one["same"] for one in known if "same" in one]
        found[f"{level}"] = {
            "fdr": {way: mean_error([one[way][0] for one in known]) for way in WAYS},
            "power": {way: mean_error([one[way][1] for one in known]) for way in WAYS},
            "worst": mean_error([one["worst"] for one in known]),
            "same": {way: mean_error([one[way] for one in again]) for way in WAYS},
        }
    families = [row["family"] for row in rows if row.get("family")]
    if families:
        held = [row["false"] for row in families if row["q"] <= 0.1 + 1e-9]
        found["family"] = {
            "searched": len(families),
            "held": len(held),
            "shown": mean_error([row["shown"] for row in families]),
            "false": mean_error(held),
            "ratio": mean_error([row["false"] / row["q"] for row in families]),
        }
    return found


def of_width() -> str:
    """Measure the seconds of 500 x 5,000."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(500, 5000))
    data = altsel.Dataset(values, values[:, :40] @ np.full(40, 0.5) + rng.normal(size=500))
    begun, wall = time.process_time(), time.perf_counter()
    found = altsel.discoveries(data, 0.1)
    spent = time.process_time() - begun
    right = sum(int(name[1:]) < 40 for name in found.selected)
    return (
        f"50 draws take {spent:.0f} CPU s ({time.perf_counter() - wall:.0f} s on the clock); "
        f"{len(found.selected)} features are selected at .1, {right} of the 40 that tell of the target."
    )


def main() -> None:
    """Run the designs, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--designs", nargs="*", default=None, choices=[one.name for one in DESIGNS])
    parser.add_argument("--samples", type=whole(2), default=200)
    parser.add_argument("--page", action="store_true", help="write the page from what is stored")
    parser.add_argument("--wide", action="store_true", help="measure 500 x 5,000 alone")
    given = parser.parse_args()
    with in_one_line(parser):
        if given.wide:
            keep("wide", of_width())
        elif not given.page:
            for design in DESIGNS:
                if given.designs is None or design.name in given.designs:
                    keep(design.name, run(design, given.samples))
        RESULT.write_text(stamped(page(json.loads(STORED.read_text()))))


def run(design: Design, samples: int) -> dict[str, Any]:
    """Run one design."""
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = [sample(design, number) for number in range(samples)]
    seconds = time.process_time() - begun
    print(f"{design.name}: {samples} samples, {seconds:.0f} CPU s", flush=True)
    return {**summary(rows), "seconds": round(seconds)}


def keep(key: str, value: Any) -> None:
    """Store what was found of a design."""
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    STORED.write_text(json.dumps({**stored, key: value}, indent=1) + "\n")


if __name__ == "__main__":
    main()
