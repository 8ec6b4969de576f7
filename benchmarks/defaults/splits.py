"""Data sets with noise columns, split into training and other rows; losses of three models on the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import altsel

LEVELS = 200
MOST_ROWS, MOST_OTHERS, MOST_FEATURES, LEAST_OF_A_CLASS = 600, 2000, 100, 5
SAME = {"credit-approval", "hill-valley-noise", "kr-vs-kp", "musk1"}
"""Data sets of the papers that PMLB has by other names: credit_a, Hill_Valley_with_noise, chess, clean1."""
MODELS = ("linear", "forest", "neighbours")
RULES = f"""Each data set has 60 rows or more without missing values; of more than {MOST_FEATURES} features
so many are drawn, once. A split: 60 % of the rows, at most {MOST_ROWS}, are for training, the others, at
most {MOST_OTHERS:,}, for the losses; splits with a class of fewer than {LEAST_OF_A_CLASS} training rows are
left out. Ten shuffled columns and a category of {LEVELS} levels are added. Sets are chosen on training rows
only; a logistic or ridge regression, a forest and nearest neighbours are fitted to them, and the mean of
their losses (log loss, squared error) on the other rows is divided by the loss of a constant."""


@dataclass(frozen=True)
class Split:
    """Training rows of a data set with noise columns, and the others."""

    name: str
    number: int
    table: pd.DataFrame
    y: pd.Series
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    classes: bool
    _known: dict[frozenset[str], list[float]] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """Return the names of all columns."""
        return [str(name) for name in self.table]

    @property
    def rows(self) -> pd.DataFrame:
        """Return the training rows."""
        return self.table.iloc[self.train].reset_index(drop=True)

    @property
    def target(self) -> pd.Series:
        """Return the target of the training rows."""
        return self.y.iloc[self.train].reset_index(drop=True).rename("y")

    def data(self) -> altsel.Dataset:
        """Return the training rows as altsel takes them."""
        task = None if self.classes else "regression"
        return altsel.Dataset(self.rows, self.target, task, keep=self.columns)

    def losses(self, features: list[str]) -> list[float]:
        """Return what three models lose on the other rows with these features, in the loss of a constant."""
        if (key := frozenset(features)) not in self._known:
            inside = [name for name in self.columns if name in key]  # forests depend on the order
            self._known[key] = _losses(self.table[inside], self.y, self.train, self.test, self.classes)
        return self._known[key]


def is_number(column: pd.Series) -> bool:
    """Return whether a column holds numbers."""
    return pd.api.types.is_numeric_dtype(column)


def is_noise(name: str) -> bool:
    """Return whether a column was added."""
    return name.startswith("shuffled ") or name == "places"


def splits(folders: list[Path], number: int) -> Iterator[Split]:
    """Split every data set some times."""
    seen = set(SAME)
    for name, X, given in (one for folder in folders for one in read(folder)):
        if name in seen:
            continue
        seen.add(name)
        classes = not is_number(given) or given.nunique() <= 10
        y = given.astype(str) if classes else given.astype(float)
        for split in range(number):
            random = np.random.default_rng(split)
            order = random.permutation(len(y))
            cut = min(len(y) * 6 // 10, MOST_ROWS)
            train, test = order[:cut], order[cut : cut + MOST_OTHERS]
            if not classes or y.iloc[train].value_counts().min() >= LEAST_OF_A_CLASS:
                yield Split(name, split, with_noise(X, random), y, train, test, classes)


def read(folder: Path) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Read the data sets of a folder."""
    for path in sorted(folder.glob("*.csv.gz")):
        table = pd.read_csv(path, keep_default_na=False, na_values=[""]).dropna(axis=1, thresh=1)
        table = table.dropna()
        if len(table) < 60:
            continue
        y, X = table["target"], table.drop(columns="target")
        X = X[[name for name in X if len(set(X[name])) > 1]]
        if X.shape[1] > MOST_FEATURES:
            X = X.sample(MOST_FEATURES, axis=1, random_state=0)
        yield path.name.removesuffix(".csv.gz"), X.reset_index(drop=True), y.reset_index(drop=True)


def with_noise(X: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Add ten shuffled columns of the table and a category of many levels."""
    columns = [X[X.columns[int(random.integers(X.shape[1]))]].to_numpy() for _ in range(10)]
    noise = {f"shuffled {j}": random.permutation(column) for j, column in enumerate(columns)}
    noise["places"] = np.array([f"p{one}" for one in random.integers(0, LEVELS, len(X))])
    return pd.concat([X, pd.DataFrame(noise)], axis=1).rename(columns=str)


def _losses(
    X: pd.DataFrame, y: pd.Series, train: NDArray[np.int64], test: NDArray[np.int64], classes: bool
) -> list[float]:
    text = [name for name in X if not is_number(X[name])]
    rest = [name for name in X if name not in text]
    code = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), text), (StandardScaler(), rest))
    models = (
        [
            LogisticRegression(max_iter=1000),
            RandomForestClassifier(50, min_samples_leaf=5, random_state=0),
            KNeighborsClassifier(15),
        ]
        if classes
        else [Ridge(), RandomForestRegressor(50, min_samples_leaf=5, random_state=0), KNeighborsRegressor(15)]
    )
    found = []
    for model in models:
        fitted = make_pipeline(code, model).fit(X.iloc[train], y.iloc[train])
        if classes:
            shares = np.clip(fitted.predict_proba(X.iloc[test]), 1e-3, 1)
            loss = log_loss(y.iloc[test], shares / shares.sum(axis=1, keepdims=True), labels=fitted.classes_)
            prior = y.iloc[train].value_counts(normalize=True).reindex(fitted.classes_)
            base = log_loss(y.iloc[test], np.tile(prior, (len(test), 1)), labels=fitted.classes_)
        else:
            loss = float(((fitted.predict(X.iloc[test]) - y.iloc[test]) ** 2).mean())
            base = float(((y.iloc[train].mean() - y.iloc[test]) ** 2).mean())
        found.append(float(loss / base))
    return found
