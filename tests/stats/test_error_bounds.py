"""Error bounds hold for the Bayes error of known distributions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import altsel
from altsel.stats.error_bounds import fano


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 6))
def test_the_bayes_error_lies_between_the_bounds(seed: int, classes: int, values: int) -> None:
    random = np.random.default_rng(seed)
    counts = random.integers(0, 12, (values, classes)) + np.eye(values, classes, dtype=int)
    counts[0] += 1  # every class occurs
    counts *= 60  # enough rows, of the same shares
    x = np.repeat(np.arange(values), counts.sum(axis=1))
    y = np.concatenate([np.repeat(np.arange(classes), row) for row in counts])
    plug_in, corrected = altsel.blankets.error_bounds(
        altsel.Dataset({"x": x}, pd.Series(y, name="y"), None), ["x"]
    )
    error = 1 - counts.max(axis=1).sum() / counts.sum()
    assert plug_in.lower <= error + 1e-9
    assert error <= plug_in.upper + 1e-9
    assert corrected.entropy >= plug_in.entropy
    assert not plug_in.corrected
    assert corrected.corrected


@given(st.floats(0.001, 0.49), st.integers(2, 6))
def test_fano_inverts_its_inequality(error: float, classes: int) -> None:
    entropy = -error * np.log2(error) - (1 - error) * np.log2(1 - error) + error * np.log2(classes - 1)
    assert fano(entropy, classes) == pytest.approx(error, abs=1e-9)
    assert fano(np.log2(classes) + 1, classes) == (classes - 1) / classes


def test_no_features_leave_the_entropy_of_the_classes() -> None:
    data = altsel.Dataset({"x": [0, 1] * 8}, [0, 0, 0, 1] * 4)
    plug_in, _ = altsel.blankets.error_bounds(data, [])
    assert plug_in.entropy == pytest.approx(-0.75 * np.log2(0.75) - 0.25 * np.log2(0.25))
    assert plug_in.upper == 0.25  # the most frequent class


def test_the_correction_is_that_of_miller_and_madow() -> None:
    random = np.random.default_rng(0)
    x = random.integers(0, 8, 200)
    data = altsel.Dataset({"x": x}, np.where(random.random(200) < 0.8, x % 2, 1 - x % 2))
    plug_in, corrected = altsel.blankets.error_bounds(data, ["x"])
    assert corrected.entropy - plug_in.entropy == pytest.approx((16 - 8) / 400 / np.log(2))
    assert plug_in.entropy < corrected.entropy <= 1


@pytest.mark.parametrize("rows", [300, 1000, 5000])
def test_cells_of_few_rows_bound_no_error(rows: int) -> None:
    """Five numbers with a Bayes error of 26 %: the bounds were 1.8, 7 and 23 %."""
    random = np.random.default_rng(3)
    X = random.normal(size=(rows, 15))
    chance = 1 / (1 + np.exp(-X[:, :5] @ np.array([0.9, 0.8, 0.7, 0.6, 0.5])))
    data = altsel.Dataset(X, (random.random(rows) < chance).astype(int))
    test = altsel.independence.auto(data)
    found = altsel.blankets.with_error_bounds(altsel.blankets.iamb(test), data)
    assert set(found[0].features) >= set(data.features[:4])
    assert found[0].error == ()
    with pytest.raises(altsel.DataError, match=r"no bound on the error: .* combinations of values in"):
        altsel.blankets.error_bounds(data, data.features[:5])
    one, better = altsel.blankets.error_bounds(data, data.features[:1])
    assert one.lower == better.lower == 0.0  # a classifier may see more of a number than its bin
    assert better.upper > 0.3


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(2, 30))
def test_where_there_are_bounds_they_hold_for_the_distribution(seed: int, classes: int, values: int) -> None:
    """Samples with just as many rows as the rule asks for, of a distribution whose Bayes error is known."""
    random = np.random.default_rng(seed)
    shares = random.dirichlet(np.ones(classes), size=values)
    rows = 10 * (classes - 1) * values
    x = np.resize(np.arange(values), rows)
    y = (random.random((rows, 1)) > shares[x].cumsum(axis=1)).sum(axis=1)
    if len(set(y.tolist())) < classes:
        return
    _, corrected = altsel.blankets.error_bounds(altsel.Dataset({"x": x}, y), ["x"])
    error = float(1 - shares.max(axis=1).mean())
    noise = 3 / np.sqrt(rows)
    assert corrected.lower - noise <= error <= corrected.upper + noise


@pytest.mark.slow
def test_a_blanket_reports_its_bounds() -> None:
    random = np.random.default_rng(0)
    x = random.integers(0, 2, 500)
    data = altsel.Dataset(
        {"x": x, "z": random.integers(0, 2, 500)}, np.where(random.random(500) < 0.9, x, 1 - x)
    )
    found = altsel.blankets.with_error_bounds(altsel.blankets.iamb(altsel.independence.GSquare(data)), data)
    assert found[0].error[0].lower == pytest.approx(0.1, abs=0.03)
    assert altsel.Solutions.from_json(found.to_json()) == found


def test_wrong_calls_are_named() -> None:
    with pytest.raises(altsel.DataError, match="'y' holds numbers"):
        altsel.blankets.error_bounds(
            altsel.Dataset({"x": [1.5, 2, 3]}, pd.Series([0.5, 1.5, 2.5], name="y")), ["x"]
        )
    with pytest.raises(altsel.ArgumentError, match="'none'"):
        altsel.blankets.error_bounds(altsel.Dataset({"x": [0, 1]}, [0, 1]), ["none"])
