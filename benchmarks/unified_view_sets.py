"""Tables 9 to 11 of the unified view: accuracy of a support vector machine, set sizes, times."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from altsel import Dataset, Solutions, ranking
from altsel import blankets as blanket
from altsel.blankets import Limits
from altsel.data import binned
from altsel.independence import GSquare

SECONDS, ALPHA, FOLDS, BINS = 120, 0.01, 10, 5
SIZES = (5, 10, 15, 20, 25)

TESTED: dict[str, Callable[..., Solutions]] = {
    "MMPC": blanket.mmpc,
    "HITON-PC": blanket.hiton_pc,
    "MMMB": blanket.mmmb,
    "HITON-MB": blanket.hiton_mb,
    "IAMB": blanket.iamb,
}
RANKED: dict[str, Callable[..., Solutions]] = {
    "mRMR": ranking.mrmr,
    "CMIM": ranking.cmim,
    "JMI": ranking.jmi,
}
PAPER = {
    "mushroom": {"MMPC": (".9996", 10), "HITON-PC": (".9996", 10), "MMMB": (".9996", 20),
                 "HITON-MB": (".9996", 20), "IAMB": ("1.00", 3), "mRMR": (".9986", 10), "CMIM": ("1.00", 5),
                 "JMI": ("1.00", 5)},
    "kr-vs-kp": {"MMPC": (".9408", 8), "HITON-PC": (".9408", 8), "MMMB": (".9383", 19),
                 "HITON-MB": (".9383", 19), "IAMB": (".9581", 7), "mRMR": (".9387", 15),
                 "CMIM": (".9387", 10), "JMI": (".9387", 10)},
    "madelon": {"MMPC": (".6030", 5), "HITON-PC": (".6095", 5), "MMMB": (".6050", 6),
                "HITON-MB": (".6050", 5), "IAMB": (".6200", 6), "mRMR": (".5970", 20),
                "CMIM": (".6075", 15), "JMI": (".6025", 10)},
    "spambase": {"MMPC": (".9270", 24), "HITON-PC": (".9274", 24), "MMMB": (".9294", 45),
                 "HITON-MB": (".9298", 45), "IAMB": (".9063", 8), "mRMR": (".9234", 20),
                 "CMIM": (".9198", 20), "JMI": (".9107", 10)},
}  # fmt: skip
"""Accuracy and number of features, tables 9 and 10."""


def accuracy(data: Dataset, features: list[str]) -> float:
    """Mean accuracy over folds of an RBF support vector machine, categories by indicators."""
    if not features:
        return float(data.y.value_counts(normalize=True).max())
    nominal = any(isinstance(data.X[name].dtype, pd.CategoricalDtype) for name in features)
    scale = OneHotEncoder(handle_unknown="ignore") if nominal else StandardScaler()
    scores = []
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(data.X, data.y):
        model = make_pipeline(scale, SVC()).fit(data.X.iloc[train][features], data.y.iloc[train])
        scores.append(float((model.predict(data.X.iloc[test][features]) == data.y.iloc[test]).mean()))
    return float(np.mean(scores))


def real_data(folder: Path) -> None:
    """Print one row a data set and search; the filters take the size that is most accurate, as the paper."""
    print(f"\n## Real data, numbers cut into {BINS} bins for selection, alpha = {ALPHA}\n")
    print(
        "| data | search | features | accuracy | seconds | tests | stop | paper, accuracy | paper, features |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, paper in PAPER.items():
        table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
        data = Dataset(table, "target", missing="drop rows")
        flat = binned(data, BINS)
        for label, search in TESTED.items():
            began = time.perf_counter()
            found = search(GSquare(flat), ALPHA, limits=Limits(max_seconds=SECONDS))
            seconds = time.perf_counter() - began
            share = accuracy(data, list(found[0]))
            message = (
                f"{len(found[0])} | {share:.4f} | {seconds:.2f} | {found.effort.tests} | {found.stop.value}"
            )
            print(f"| {name} | {label} | {message} | {' | '.join(map(str, paper[label]))} |", flush=True)
        for label, rank in RANKED.items():
            began = time.perf_counter()
            path = [step.feature for step in rank(flat, min(max(SIZES), len(flat.features)))[0].path]
            seconds = time.perf_counter() - began
            shares = {size: accuracy(data, path[:size]) for size in SIZES if size <= len(path)}
            best = max(shares, key=lambda size: shares[size])
            message = f"{best} | {shares[best]:.4f} | {seconds:.2f} | | count"
            print(f"| {name} | {label} | {message} | {' | '.join(map(str, paper[label]))} |", flush=True)
