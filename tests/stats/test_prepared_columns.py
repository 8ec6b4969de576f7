"""Columns prepared one by one are those of the whole pipeline, and no work for joblib's workers."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import altsel
from altsel.stats.equivalence import CrossValidatedModels
from altsel.stats.equivalence.models.prepared_columns import PreparedColumns
from altsel.stats.equivalence.models.sklearn import usual_estimator


def mixed(seed: int) -> altsel.Dataset:
    """Draw columns of all kinds."""
    random, rows = np.random.default_rng(seed), 60
    table = {
        "number": random.normal(size=rows),
        "single": random.normal(size=rows).astype("float32"),
        "integer": random.integers(0, 9, rows),
        "nullable": pd.array(random.integers(0, 5, rows), dtype="Int64"),
        "flag": random.random(rows) < 0.5,
        "text": random.choice(list("pqr"), rows),
        "ordinal": pd.Categorical(random.choice(["lo", "mid"], rows), ["lo", "mid"], ordered=True),
    }
    return altsel.Dataset(pd.DataFrame(table), random.choice(["k", "l"], rows))


@pytest.mark.parametrize("seed", range(5))
def test_columns_are_those_of_the_pipeline_to_the_bit(seed: int) -> None:
    data, random = mixed(seed), np.random.default_rng(seed)
    prepared = usual_estimator(data)[0]
    columns = PreparedColumns(data, *(one for _, one, _ in prepared.transformers))
    order = random.permutation(60)
    train, test = order[:40], order[40:]
    names = [name for name in data.features if random.random() < 0.7]
    whole = clone(prepared)
    learned, seen = columns.of(0, train, test, names)
    assert np.array_equal(learned, whole.fit_transform(data.X[names].iloc[train]))
    assert np.array_equal(seen, whole.transform(data.X[names].iloc[test]))


def test_columns_are_not_given_to_workers() -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("work for joblib")

    with patch("sklearn.utils.parallel.Parallel.__call__", refuse):
        assert CrossValidatedModels(mixed(0), cv=3).scores(["number", "text"]).shape == (3,)
