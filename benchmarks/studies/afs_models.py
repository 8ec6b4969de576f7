"""Trees and forests on the sets of the study of AFS: fitted once for each distinct set of a fold."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.base import ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import matthews_corrcoef

from benchmarks.studies.afs_design import SEED, fold, name_of
from benchmarks.wrapper import tree

MODELS = ("tree", "forest")
CHUNKS = {"tree": 200, "forest": 20}
"""Sets of one task: some seconds of work."""
Features = tuple[str, ...]


@dataclass(frozen=True)
class Fits:
    """Some sets of a fold on which a model is to be fitted.

    Attributes
    ----------
    path, fold
        The table, and the number of the fold.
    model
        ``"tree"`` or ``"forest"``.
    sets
        The sets.
    """

    path: Path
    fold: int
    model: str
    sets: tuple[Features, ...]


def model(name: str) -> ClassifierMixin:
    """Make a model of the study: information gain, defaults otherwise."""
    if name == "tree":
        return tree()
    return RandomForestClassifier(100, criterion="entropy", random_state=SEED, n_jobs=1)


def fitted(fits: Fits) -> dict[str, Any]:
    """Return the MCC of a model on training and on test rows by set, and what was fitted to which fold."""
    divided = fold(fits.path, fits.fold)
    index = {name: j for j, name in enumerate(divided.X.columns)}
    train, test = divided.X.to_numpy(), divided.X_test.to_numpy()
    y, y_test = divided.y.to_numpy(), divided.y_test.to_numpy()
    scores = []
    for names in fits.sets:
        columns = [index[name] for name in names]
        learned = model(fits.model).fit(train[:, columns], y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # one class in a small test fold
            on_train = float(matthews_corrcoef(y, learned.predict(train[:, columns])))
            on_test = float(matthews_corrcoef(y_test, learned.predict(test[:, columns])))
        scores.append((list(names), on_train, on_test))
    return {"data": name_of(fits.path), "fold": fits.fold, "model": fits.model, "scores": scores}


def chunks(sets: Iterable[Features], size: int) -> Iterator[tuple[Features, ...]]:
    """Divide sets into parts, in sorted order."""
    ordered = sorted(sets)
    for begin in range(0, len(ordered), size):
        yield tuple(ordered[begin : begin + size])
