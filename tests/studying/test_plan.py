"""The plan: its file is read back, and whatever is wrong in it is named with what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import altsel
from altsel.data.schema import Kind
from altsel.studying.plan import COMMENTS, Plan, read_plan, refuse_data

RANDOM = np.random.default_rng(0)
NUMBERS = altsel.Dataset(RANDOM.normal(size=(60, 4)), RANDOM.normal(size=60))
CLASSES = altsel.Dataset(RANDOM.normal(size=(60, 4)), np.repeat(["a", "b"], [50, 10]))


def test_a_plan_is_read_back_from_its_file(tmp_path: Path) -> None:
    plan = Plan(seed=3, sizes=[2], models=["tree"], tau=[1.0]).for_data(NUMBERS)
    (path := tmp_path / "plan.toml").write_text(plan.text(), encoding="utf-8")
    assert read_plan(path) == plan
    assert read_plan(None) == Plan()
    assert {*COMMENTS} == {*Plan.model_fields}


def test_what_only_the_data_tell() -> None:
    assert Plan().for_data(NUMBERS).loss == "squared"
    assert Plan().for_data(CLASSES).loss == "brier"
    assert Plan(sizes=[9, 2, 4]).for_data(NUMBERS).sizes == [2, 3]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"flods": 5}, "flods: unknown key; did you mean 'folds'?"),
        ({"folds": "5"}, "folds: must be an integer, not '5'"),
        ({"folds": 1}, "folds: must be at least 2, not 1"),
        ({"criteria": ["mrmrr"]}, "criteria: there is no 'mrmrr'; did you mean 'mrmr'?"),
        ({"measures": ["x"]}, "measures: there is no 'x'; there are"),
        ({"models": ["wood"]}, "models: there is no 'wood'"),
        ({"models": []}, "models: must have 1 entry or more"),
        ({"loss": "auc"}, "loss: there is no 'auc'"),
        ({"criteria": [], "learners": []}, "nothing selects features"),
        ({"sizes": []}, "criteria need sizes"),
        ({"alpha": []}, "learners need levels"),
        ({"tau": []}, "alternatives need a least dissimilarity"),
        ({"stability": 1}, "stability: must be 0, or at least 2"),
        ({"alpha": [2.0], "flods": 5}, "flods: unknown key; did you mean 'folds'?; alpha[0]:"),
        ({5: 5}, "keys must be texts"),
    ],
)
def test_what_is_wrong_is_named(keys: dict[Any, Any], told: str) -> None:
    with pytest.raises(altsel.ConfigurationError, match=f"^plan: .*{re.escape(told)}"):
        read_plan(keys)


def test_a_file_that_is_no_plan_is_named(tmp_path: Path) -> None:
    (path := tmp_path / "plan.toml").write_text("folds = = 5")
    with pytest.raises(altsel.ConfigurationError, match=r"plan\.toml is not TOML"):
        read_plan(path)
    with pytest.raises(altsel.ConfigurationError, match=r"cannot read .*none\.toml"):
        read_plan(tmp_path / "none.toml")


def test_a_loss_of_another_kind_of_target_is_refused() -> None:
    with pytest.raises(altsel.ConfigurationError, match="use 'brier', 'error', 'log'"):
        Plan(loss="squared").for_data(CLASSES)


def test_data_that_a_study_does_not_take_are_refused() -> None:
    with pytest.raises(altsel.ArgumentError, match="class 'b' of 'y' has 10 rows, too few for 10 folds"):
        refuse_data(CLASSES, Plan())
    refuse_data(CLASSES, Plan(folds=5))
    with pytest.raises(altsel.ArgumentError, match="60 rows are too few for 30 folds"):
        refuse_data(NUMBERS, Plan(folds=30))
    counts = altsel.Dataset(
        RANDOM.normal(size=(60, 4)), RANDOM.poisson(9, 60), "regression", kinds={"y": Kind.COUNT}
    )
    with pytest.raises(altsel.ArgumentError, match=r"declared count; .*poisson-fit"):
        refuse_data(counts, Plan())
