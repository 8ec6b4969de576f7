"""What features are worth in all good sets of resamples, against every set of each, one by one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import altsel
from altsel import (
    AbsoluteLoss,
    ArgumentError,
    DataError,
    Dataset,
    LinearFit,
    Problem,
    RelativeLoss,
    Solutions,
    near_optimal,
)
from altsel.analysis.resampling import Resampling, Scheme
from altsel.results import ImportanceDistribution, RangeClass

NAMES = tuple("abcdef")


def drawn(rows: int = 60, seed: int = 0) -> Dataset:
    """Draw a target of two columns, of which one has a near copy."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, 6))
    values[:, 2] = values[:, 1] + 0.2 * random.normal(size=rows)
    target = 2 * values[:, 0] + values[:, 1] + 0.5 * random.normal(size=rows)
    return Dataset(dict(zip(NAMES, values.T, strict=True)), target)


def within(share: float, limit: int = 1000) -> Callable[[Dataset], Solutions]:
    """List the sets of three that lose at most a share."""
    return lambda rows: near_optimal(Problem(LinearFit(rows), k=3), RelativeLoss(share), limit)


def explained(data: Dataset, names: tuple[str, ...]) -> float:
    """Return the share of the variance that a linear fit explains, by the columns as they are."""
    x = np.column_stack([np.ones(len(data.y)), *(data.X[name] for name in names)])
    y = data.y.to_numpy(dtype=float)
    left = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    return 1.0 - float(left @ left) / float(((y - y.mean()) ** 2).sum())


def good_sets(data: Dataset, share: float) -> dict[tuple[str, ...], dict[str, float]]:
    """Return all good sets, with the worth of each of their features."""
    scores = {one: explained(data, one) for one in combinations(NAMES, 3)}
    least = (1 - share) * max(scores.values())
    return {
        one: {j: score - explained(data, tuple(i for i in one if i != j)) for j in one}
        for one, score in scores.items()
        if score >= least
    }


def test_worths_are_those_of_all_sets_one_by_one() -> None:
    data, share = drawn(), 0.08
    found = altsel.importance_distribution(within(share), data, 7, random_state=3)
    rows = Resampling(data, Scheme.BOOTSTRAP, 3)
    for number, held in ((-1, found.all_rows), *enumerate(found.resamples)):
        good = good_sets(rows[number], share)
        assert (held.sets, held.complete) == (len(good), True)
        for name in NAMES:
            worth = sorted(one.get(name, 0.0) for one in good.values())
            assert held.of(name) == pytest.approx(worth, abs=1e-9)
            count = sum(name in one for one in good)
            kind = "core" if count == len(good) else "sometimes" if count else "never"
            assert held.range_class(name) == kind
    whole = good_sets(data, share)
    for one in found:
        worth = [held.get(one.feature, 0.0) for held in whole.values()]
        assert (one.least, one.most) == pytest.approx((min(worth), max(worth)), abs=1e-9)


def test_every_resample_counts_the_same_however_many_good_sets_it_has() -> None:
    found = altsel.importance_distribution(within(0.012), drawn(), 12)
    assert len({one.sets for one in found.resamples}) > 1
    for name in NAMES:
        each = [one.of(name) for one in found.resamples]
        assert found[name].mean == pytest.approx(np.mean([one.mean() for one in each]))
        points = np.unique(np.concatenate(each))
        shares = [found.share_at_most(name, w) for w in points]
        assert shares == pytest.approx([np.mean([(one <= w).mean() for one in each]) for w in points])
        for q in (0.0, 0.1, 0.5, 0.9, 1.0):
            w = found.quantile(name, q)
            assert found.share_at_most(name, w) >= q - 1e-9
            assert all(found.share_at_most(name, low) < q for low in points[points < w])


def test_statements_are_as_sure_as_the_level_says() -> None:
    found = altsel.importance_distribution(within(0.03), drawn(200), 40)
    assert found["a"].shares == (1.0, 0.0, 0.0)
    assert found["a"].statement() is RangeClass.CORE
    for one in found:
        for share, low in zip(one.shares, one.at_least, strict=True):
            count = round(40 * share)
            assert count == 0 or binom.sf(count - 1, 40, low) == pytest.approx(0.05)  # chance of as many
    assert found["a"].statement(0.95) is None


def test_a_list_that_is_not_complete_tells_of_no_core_and_no_never() -> None:
    found = altsel.importance_distribution(within(0.5, 1), drawn(), 5)
    assert (found.complete, found.all_rows.complete) == (0, False)
    assert {one.range_class(name) for one in found.resamples for name in NAMES} == {None}
    assert not any(found.of(kind) for kind in RangeClass)
    assert "5 resamples whose list is not complete" in str(found)


def test_it_is_read_back_resumed_and_the_same_for_any_workers(tmp_path: Path) -> None:
    store = tmp_path / "kept.sqlite"
    first = altsel.importance_distribution(within(0.08), drawn(), 3, store=store)
    again = altsel.importance_distribution(within(0.08), drawn(), 6, store=store)
    assert again.resamples[:3] == first.resamples
    assert ImportanceDistribution.from_json(again.to_json()) == again
    assert again.to_frame()["feature"].tolist() == list(NAMES)


def test_rows_without_a_set_and_wrong_arguments() -> None:
    rules = [altsel.domain.require("a"), altsel.domain.forbid("a")]
    with pytest.raises(DataError, match="no resample has a set"):
        altsel.importance_distribution(
            lambda rows: near_optimal(Problem(LinearFit(rows), 2, rules), AbsoluteLoss(0.1)), drawn(), 2
        )
    with pytest.raises(ArgumentError, match=r"level=0.2; must be above 0.5 and below 1"):
        altsel.importance_distribution(within(0.1), drawn(), level=0.2)
    with pytest.raises(ArgumentError, match=r"must return what altsel\.near_optimal returns"):
        altsel.importance_distribution(lambda rows: [("a", "b")], drawn())


def test_names_that_are_none_are_refused_and_few_resamples_are_told() -> None:
    found = altsel.importance_distribution(within(0.08), drawn(), 5)
    for read in (found.quantile, found.share_at_most):
        with pytest.raises(ArgumentError, match=r"there is no feature 'aa'; did you mean 'a'\?"):
            read("aa", 0.5)
    with pytest.raises(ArgumentError, match="range_class='coore'; use 'core'"):
        found.of("coore")
    assert "no statement can be made of 5 resamples: 29 that agree are needed" in str(found)
    assert found.needed == 29
    assert 0.05 ** (1 / 28) < 0.9 <= 0.05 ** (1 / 29)
