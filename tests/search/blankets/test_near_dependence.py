"""What the given features all but determine is reported, not just p = 1."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets, independence
from altsel.cli.rendering import blanket_text


def near() -> altsel.Dataset:
    random = np.random.default_rng(0)
    a, z, w = random.normal(size=(3, 500))
    columns = {"a": a, "b": a + 3e-6 * z, "c": a + 0.02 * z, "w": w, "kind": np.where(z > 0, "u", "v")}
    return altsel.Dataset(columns, a + w + 0.3 * random.normal(size=500))


@pytest.mark.parametrize("make", [independence.PartialCorrelation, independence.LikelihoodRatio])
def test_correlation_and_warning_where_no_test_could_see_a_difference(make: Callable[..., Any]) -> None:
    data = near()
    numbers = altsel.Dataset(data.X[["a", "b", "c", "w"]], data.y)
    with pytest.warns(altsel.DataWarning, match="of 'a' those given leave so little that no test could see"):
        found = blankets.hiton_mb(make(numbers), 0.01)
    verdicts = found[0].rejected
    for name, one in verdicts.items():
        given = numbers.X[list(one.given)].to_numpy()
        expected = np.corrcoef(given[:, 0], numbers.X[name])[0, 1]
        assert one.determined == pytest.approx(expected, rel=1e-9)
    assert verdicts["a"].log_p == 0.0
    marked = (
        "all but determined by those given, which then may stand for them: c (R = 0.999828861), a (R = 1)"
    )
    assert marked in blanket_text(found)
    again = altsel.Solutions.from_json(found.to_json())
    assert again[0].verdicts == found[0].verdicts


def test_exact_copies_are_marked_without_a_warning() -> None:
    random = np.random.default_rng(1)
    a, w = random.normal(size=(2, 200))
    data = altsel.Dataset({"a": a, "copy": 2 * a + 1e6, "w": w}, a + w + random.normal(size=200))
    with warnings.catch_warnings():
        warnings.simplefilter("error", altsel.DataWarning)
        found = blankets.iamb(independence.PartialCorrelation(data), 0.01)
    (one,) = found[0].rejected.values()
    assert (one.feature in {"a", "copy"}, one.log_p) == (True, 0.0)
    assert one.determined == pytest.approx(1)


def test_centring_makes_powers_of_a_year_separable() -> None:
    random = np.random.default_rng(0)
    year = 2000 + np.arange(60) / 12
    y = 0.1 * (year - 2002.5) ** 3 + 0.2 * (year - 2002.5) ** 2 + 0.05 * random.normal(size=60)

    def search(x: np.ndarray) -> altsel.Solutions:
        powers = altsel.Dataset({f"year^{j}": x**j for j in range(1, 6)}, pd.Series(y, name="sales"))
        return blankets.iamb(independence.PartialCorrelation(powers), 0.01)

    with pytest.warns(altsel.DataWarning, match="such as a year, subtract its mean before"):
        assert search(year)[0].features != ("year^2", "year^3")
    centred = search(year - year.mean())[0]
    assert centred.features == ("year^2", "year^3")
    assert {one.determined for one in centred.verdicts} == {None}
