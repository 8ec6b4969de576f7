"""Best linear models beside leaps, abess and l0bnb; all within one per cent; AIC and BIC beside the lasso.

Run: OMP_NUM_THREADS=1 python -m benchmarks.linear_fit FOLDER [--peers PYTHON] [--seconds 60]

FOLDER holds ``*.csv.gz`` with a column ``target``. ``--peers`` names a Python with abess and l0bnb, and asks
Rscript for leaps too; their figures are kept in results/linear_fit_peers.json, and measured where missing.
Writes results/linear_fit.md. CPU seconds of one thread; numba's loops are compiled before.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LassoCV, LinearRegression
from sklearn.model_selection import train_test_split

import altsel
from altsel.exact.rules.limits import Limits
from altsel.exact.sources.least_squares.compiled import LOOPS
from altsel.exact.sources.least_squares.tree import Tree
from benchmarks.command import stamped
from benchmarks.linear_fit_data import dataset, table
from benchmarks.linear_fit_peers import by_leaps, by_python

RESULTS = Path(__file__).parent / "results"
KEPT = RESULTS / "linear_fit_peers.json"
BEST = (
    ("diabetes", 5, 0.0), ("wdbc", 5, 0.0), ("wdbc", 10, 0.0), ("factors 60", 8, 0.0),
    ("strong 60", 10, 0.0), ("factors 100", 10, 0.0), ("factors 200", 10, 0.0), ("strong 200", 6, 0.0),
    ("sonar", 8, 0.0),
    ("crime-violent", 5, 0.0), ("crime-violent", 6, 0.0), ("crime-violent", 7, 0.0),
    ("crime-violent", 8, 0.0),
    ("crime-violent", 8, 0.05), ("crime-violent", 10, 0.05),
)  # fmt: skip
LEAPS = ("diabetes", "wdbc", "factors 60")
"""Tables that leaps can search."""
PENALISED = (("diabetes", 5), ("wdbc", 5), ("factors 60", 8))
"""Questions that l0bnb gets, half a minute each."""
NEAR = (
    ("diabetes", 8),
    ("wdbc", 8),
    ("wdbc", 10),
    ("ionosphere", 6),
    ("maxwell", 6),
    ("crime-violent", 5),
    ("factors 100", 10),
)
LISTED = (("diabetes", 8), ("wdbc", 8))
"""Lists that leaps is asked for."""
SIZES = (("diabetes", 10), ("wdbc", 20), ("ionosphere", 20), ("maxwell", 12), ("factors 40", 20))
SCALED = ("diabetes", "wdbc", "ionosphere")

HEAD = """# Linear models

`python -m benchmarks.linear_fit FOLDER`: CPU seconds of one thread, on a shared machine.
"""
TEXTS = (
    """## The best set of k

At most {seconds:g} s of wall time each. leaps (R) searches all sizes up to k; abess is a heuristic, with its
default settings; l0bnb has a penalty for the size, and is searched for half a minute for one that gives k.
R2 of abess' and l0bnb's sets is computed anew.
""",
    """
## All models within 1 % of the best

`exhausted`: proved to be all. leaps: how many of its best 300 of that size are within 1 %.
""",
    """
## Free sizes by AIC and BIC

On 70 % of the rows. The criterion (smaller is better) is computed anew for every method's set, with
m log(1 - R2) for minus twice the log-likelihood; hold-out R2 is that of the other rows.
""",
    """
## Units

Columns multiplied by 1e-6, 1 and 1e6 in turn: are the five best sets that differ by Dice 0.4 the same, and
proved?
""",
)


def _unlimited(features: int) -> Limits:
    return Limits(np.zeros((0, features)), np.zeros(0))


def compile_loops() -> None:
    """Have numba's loops compiled, which is no part of the figures."""
    rng = np.random.default_rng(0)
    quality = altsel.LinearFit(altsel.Dataset(rng.normal(size=(30, 8)), rng.normal(size=30)))
    Tree(quality.design, 4, _unlimited(8), using=LOOPS.compiled).search(1e-10)


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """Call, and measure CPU seconds."""
    began = time.process_time()
    found = call()
    return found, time.process_time() - began


def fitted(frame: pd.DataFrame, chosen: Sequence[int]) -> float:
    """Return the R^2 of least squares on columns given by their positions, by scikit-learn."""
    columns, target = frame.drop(columns="target").iloc[:, list(chosen)], frame["target"]
    return float(LinearRegression().fit(columns, target).score(columns, target))


class Peers:
    """Figures of the peers, measured now or kept."""

    def __init__(self, python: str | None) -> None:
        self.python = python
        self.kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}

    def of(self, key: str, measure: Callable[[], Any]) -> Any:
        """Return the figures of a key; measured with the peers' Python, if it is given."""
        if self.python and key not in self.kept:
            self.kept[key] = measure()
            lines = [f" {json.dumps(one)}: {json.dumps(found)}" for one, found in self.kept.items()]
            KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return self.kept.get(key)


def best_rows(folder: Path, seconds: float, peers: Peers) -> Iterator[str]:
    """Yield a row for each best set, proved or with its gap, beside the peers' sets."""
    yield "| data | n | k | ridge | R2, or Q | proof | nodes | s | leaps s, R2 | abess s, R2 | l0bnb s, R2 |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name, k, ridge in BEST:
        frame = table(name, folder)
        n = frame.shape[1] - 1
        problem = altsel.Problem(altsel.LinearFit(dataset(frame), ridge), k)
        search = partial(altsel.sequential, problem, altsel.Dice(0.5), 0, time_limit=seconds)
        found, spent = timed(search)
        one = found[0]
        proof = "optimal" if one.proof is altsel.Proof.OPTIMAL else f"gap {100 * (one.gap or 0):.1f} %"
        beside = ["", "", ""]
        if not ridge:
            leaps = partial(by_leaps, frame, k, 1, 4 * seconds) if name in LEAPS else None
            ask = partial(by_python, str(peers.python), frame, k, (name, k) in PENALISED)
            beside = _beside(frame, k, peers, f"{name}, k={k}", (leaps, ask))
        mine = [f"{one.score:.6f}", proof, f"{found.effort.nodes:,}", f"{spent:.2f}"]
        yield f"| {' | '.join([name, str(n), str(k), f'{ridge:g}', *mine, *beside])} |"


def _beside(frame: pd.DataFrame, k: int, peers: Peers, key: str, asked: tuple[Any, Any]) -> list[str]:
    """Put what peers found into cells."""
    leaps, python = asked
    cells = ["not run"]
    found = leaps and peers.of(f"leaps, {key}", leaps)
    if found and found["seconds"] is None:
        cells = ["not in time"]
    elif found:
        cells = [f"{found['seconds']:.2f}, {max(r for size, r, _ in found['sets'] if size == k):.6f}"]
    others = peers.of(f"python, {key}", python) or {}
    for name in ("abess", "l0bnb"):
        one = others.get(name, {})
        worth = f"{fitted(frame, one['set']):.6f}" if "set" in one else one.get("failed", "no set of k")
        gap = f", gap {one['gap']:.3f}" if "gap" in one else ""
        cells.append(f"{one['seconds']:.2f}, {worth}{gap}" if "seconds" in one else "not run")
    return cells


def near_rows(folder: Path, seconds: float, peers: Peers) -> Iterator[str]:
    """Yield a row for each list of all models within 1 % of the best, and how many leaps has."""
    yield "| data | n | k | best R2 | within 1 % | stop | s | by leaps |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, k in NEAR:
        frame = table(name, folder)
        n = frame.shape[1] - 1
        problem = altsel.Problem(altsel.LinearFit(dataset(frame)), k)
        within = altsel.RelativeLoss(0.01)
        found, spent = timed(partial(altsel.near_optimal, problem, within, 5000, time_limit=4 * seconds))
        leaps = None
        if (name, k) in LISTED:
            ask = partial(by_leaps, frame, k, 300, 4 * seconds)
            leaps = peers.of(f"leaps 300, {name}, k={k}", partial(_asked_within, ask, k))
        beside = "not run" if leaps is None else str(leaps)
        best, many = f"{found[0].score:.6f}", f"{len(found):,}"
        yield f"| {name} | {n} | {k} | {best} | {many} | {found.stop} | {spent:.2f} | {beside} |"


def _asked_within(ask: Callable[[], dict[str, Any]], k: int) -> int | str:
    found = ask()
    values = [r for size, r, _ in found["sets"] if size == k]
    return sum(r >= 0.99 * max(values) for r in values) if values else "not in time"


def size_rows(folder: Path, peers: Peers) -> Iterator[str]:
    """Yield the models by AIC and BIC of free sizes, beside leaps', stepwise selection's and the lasso's."""
    yield "| data | rows learned from | n | sizes | by | size | criterion | hold-out R2 | proof | s |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name, most in SIZES:
        whole = table(name, folder)
        rows, held = train_test_split(whole, test_size=0.3, random_state=0)
        rows = rows.loc[:, rows.max() > rows.min()]
        columns = [c for c in rows if c != "target"]
        head = f"| {name} | {len(rows)} | {len(columns)} | 1 to {most} |"
        ask = partial(by_leaps, rows, most, 1, 240.0)
        leaps = peers.of(f"leaps sizes, {name}", ask)
        for criterion in ("aic", "bic"):
            quality = altsel.LinearFit(dataset(rows), penalty=criterion)
            search = partial(altsel.sequential, altsel.Problem(quality, (1, most)), altsel.Dice(0.5), 0)
            found, spent = timed(search)
            price = {"aic": 2.0, "bic": float(np.log(len(rows)))}[criterion]
            worth = partial(_worth, rows, price)
            named: dict[str, list[int]] = {"altsel": [columns.index(f) for f in found[0].features]}
            if leaps and leaps["sets"]:
                named["leaps"] = min((s for _, _, s in leaps["sets"]), key=worth)
            named["forward"] = _forward(worth, len(columns), most)
            named["backward"] = _backward(worth, len(columns))
            for who, chosen in named.items():
                proof, cost = (str(found[0].proof), f"{spent:.2f}") if who == "altsel" else ("", "")
                out = _held(rows, held, columns, chosen)
                by = f"{who}, {criterion.upper()} | {len(chosen)} | {worth(chosen):.4f}"
                yield f"{head} {by} | {out:.4f} | {proof} | {cost} |"
        scaled = (rows[columns] - rows[columns].mean()) / rows[columns].std()
        lasso = LassoCV(cv=5, random_state=0).fit(scaled, rows["target"])
        chosen = [int(j) for j in np.flatnonzero(lasso.coef_)]
        test = (held[columns] - rows[columns].mean()) / rows[columns].std()
        yield f"{head} lasso, 5 folds | {len(chosen)} | | {lasso.score(test, held['target']):.4f} | | |"


def _worth(rows: pd.DataFrame, price: float, chosen: Sequence[int]) -> float:
    """Return AIC or BIC, smaller is better, with ``m log(1 - R^2)`` for minus twice the log-likelihood."""
    return float(len(rows) * np.log(1 - fitted(rows, chosen)) + price * (len(chosen) + 1))


def _forward(worth: Callable[[Sequence[int]], float], n: int, most: int) -> list[int]:
    chosen: list[int] = []
    value = np.inf
    while len(chosen) < most:
        better, j = min((worth([*chosen, j]), j) for j in range(n) if j not in chosen)
        if better >= value:
            break
        chosen, value = [*chosen, j], better
    return chosen


def _backward(worth: Callable[[Sequence[int]], float], n: int) -> list[int]:
    chosen = list(range(n))
    value = worth(chosen)
    while len(chosen) > 1:
        better, j = min((worth([i for i in chosen if i != j]), j) for j in chosen)
        if better >= value:
            break
        chosen, value = [i for i in chosen if i != j], better
    return chosen


def _held(rows: pd.DataFrame, held: pd.DataFrame, columns: Sequence[str], chosen: Sequence[int]) -> float:
    names = [columns[j] for j in chosen]
    model = LinearRegression().fit(rows[names], rows["target"])
    return float(model.score(held[names], held["target"]))


def scale_rows(folder: Path) -> Iterator[str]:
    """Yield whether columns multiplied by 1e-6, 1 and 1e6 in turn change the five best sets."""
    yield "| data | k | same five sets | largest difference of R2 |"
    yield "|---|---|---|---|"
    for name in SCALED:
        frame = table(name, folder)
        factors = [10.0 ** (6 * (j % 3 - 1)) for j in range(frame.shape[1] - 1)]
        columns = frame.drop(columns="target") * factors
        pair = []
        for one in (frame, columns.assign(target=frame["target"])):
            problem = altsel.Problem(altsel.LinearFit(dataset(one)), 5)
            pair.append(altsel.sequential(problem, altsel.Dice(0.4), 4))
        same = [one.features for one in pair[0]] == [one.features for one in pair[1]]
        off = max(abs(a.score - b.score) for a, b in zip(*pair, strict=True))
        yield f"| {name} | 5 | {'yes' if same and pair[0].proved and pair[1].proved else 'no'} | {off:.1e} |"


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--peers", help="a Python with abess and l0bnb; Rscript with leaps has to be there too"
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    wanted = parser.parse_args()
    compile_loops()
    peers = Peers(wanted.peers)
    best, near, free, units = TEXTS
    parts = [
        HEAD,
        best.format(seconds=wanted.seconds),
        *best_rows(wanted.folder, wanted.seconds, peers),
        near,
        *near_rows(wanted.folder, wanted.seconds, peers),
        free,
        *size_rows(wanted.folder, peers),
        units,
        *scale_rows(wanted.folder),
    ]
    (RESULTS / "linear_fit.md").write_text(stamped("\n".join(parts)), encoding="utf-8")


if __name__ == "__main__":
    main()
