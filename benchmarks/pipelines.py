"""Selectors in scikit-learn pipelines: what a memory saves in a grid search, and what an ensemble is for.

    python -m benchmarks.pipelines --output benchmarks/results/pipelines.md

The grid has 12 points, `set_index` x `tau`, three folds, and the last fit on all rows; breast cancer, 569
rows, the first 15 features. Accuracies are means of five folds; "spread" is the mean over rows that the
ensemble predicts wrong, and right.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import altsel
from altsel.sklearn import AlternativeEnsemble, AlternativeFeatureSelector
from benchmarks.command import stamped

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def tables() -> dict[str, tuple[pd.DataFrame, Any]]:
    """Three shipped data sets."""
    radar = pd.read_csv("examples/data/ionosphere.csv.gz").drop(columns="a02")
    return {
        "wine": load_wine(return_X_y=True, as_frame=True),
        "breast cancer": load_breast_cancer(return_X_y=True, as_frame=True),
        "ionosphere": (radar.drop(columns="target"), radar["target"]),
    }


def linear() -> Any:
    """Logistic regression on scaled numbers."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))


def seconds_of_a_grid(relevance: str, memory: str | None) -> float:
    """CPU seconds of a grid search on breast cancer."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[:, :15]
    selector = AlternativeFeatureSelector(relevance=relevance, k=5, alternatives=5, memory=memory)
    model = make_pipeline(selector, linear())
    name = "alternativefeatureselector__"
    began = time.process_time()
    GridSearchCV(model, {name + "set_index": list(range(6)), name + "tau": [0.2, 0.4]}, cv=3).fit(X, y)
    return time.process_time() - began


def grids() -> Iterator[str]:
    """Tabulate grid searches."""
    yield "| relevance | CPU s | with `memory=` |"
    yield "|---|---|---|"
    for relevance in ("mutual-information", "correlation-ratio"):
        with tempfile.TemporaryDirectory() as folder:
            seconds = [seconds_of_a_grid(relevance, memory) for memory in (None, folder)]
        yield f"| {relevance} | {seconds[0]:.1f} | {seconds[1]:.1f} |"


def accuracies() -> Iterator[str]:
    """Tabulate ensembles."""
    yield "| data | all features | best set | each alternative | ensemble | spread where wrong, right |"
    yield "|---|---|---|---|---|---|"
    for name, (X, y) in tables().items():
        selector = AlternativeFeatureSelector(relevance="correlation-ratio", k=5, alternatives=4)
        scores = []
        for index in range(3 if name == "wine" else 5):
            model = make_pipeline(selector.set_params(set_index=index), linear())
            scores.append(cross_val_score(model, X, y, cv=FOLDS).mean())
        ensemble, wrong, spread = AlternativeEnsemble(linear(), selector), [], []
        for train, test in FOLDS.split(X, y):
            fitted = ensemble.fit(X.iloc[train], y.iloc[train])
            wrong.append(fitted.predict(X.iloc[test]) != y.iloc[test])
            spread.append(fitted.spread(X.iloc[test]))
        errs, spreads = np.concatenate(wrong), np.concatenate(spread)
        whole = cross_val_score(linear(), X, y, cv=FOLDS).mean()
        others = ", ".join(f"{score:.3f}" for score in scores[1:])
        parted = f"{spreads[errs].mean():.3f}, {spreads[~errs].mean():.3f}"
        yield f"| {name} | {whole:.3f} | {scores[0]:.3f} | {others} | {1 - errs.mean():.3f} | {parted} |"


def main() -> None:
    """Measure, and write the two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    output = parser.parse_args().output
    warnings.simplefilter("ignore", altsel.DataWarning)  # wine has too few features for five sets
    head = ["# Selectors in pipelines", "", "`python -m benchmarks.pipelines --output FILE`.", ""]
    text = stamped("\n".join([*head, *grids(), "", *accuracies()]))
    print(text)
    if output:
        output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
