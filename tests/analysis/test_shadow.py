"""The null level: maxima over permutations by loops of their own, and what is said of sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from altsel.errors import AltselError, ArgumentError, DataError
from altsel.measures import absolute_pearson
from altsel.results.shadow import critical, share_at_least
from altsel.runtime.clock import OutOfTimeError

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(60, 5)), columns=list("abcde")).assign(f=lambda t: t["e"] + 0.01)
DATA = altsel.Dataset(
    TABLE.drop(columns="f"), TABLE["a"] + 0.6 * TABLE["b"] + RNG.normal(size=60), "regression"
)


def two_of(rows: altsel.Dataset) -> altsel.Solutions:
    quality = altsel.Univariate(altsel.dependence(rows, absolute_pearson))
    return altsel.sequential(altsel.Problem(quality, 2), altsel.Dice(1), 1)


def correlations(target: Any) -> np.ndarray:
    return np.abs([np.corrcoef(DATA.X[name], target)[0, 1] for name in "abcde"])


def shuffled(count: int, seed: int = 0) -> np.ndarray:
    orders = [np.random.default_rng((seed, number)).permutation(60) for number in range(count)]
    return np.array([correlations(DATA.y.to_numpy()[order]) for order in orders])


def test_levels_and_p_are_those_of_permuted_targets() -> None:
    found = altsel.shadow(DATA, absolute_pearson, repeats=39)
    copies, observed = shuffled(39), correlations(DATA.y)
    assert found.largest == pytest.approx(copies.max(axis=1))
    for one, own, value in zip(found.features, copies.T, observed, strict=True):
        assert one.relevance == pytest.approx(value)
        assert one.level == pytest.approx(np.sort(own)[-2])  # floor(.05 * 40) = 2
        assert one.p == (1 + (own >= value).sum()) / 40
        assert one.p_any == (1 + (copies.max(axis=1) >= value).sum()) / 40
    assert found.relevance_level == pytest.approx(np.sort(copies.max(axis=1))[-2])
    assert found.above == ("a", "b")
    assert "2 of 5 features are above it" in str(found)
    assert list(found.to_frame()["feature"]) == list("abcde")
    assert len(json.loads(found.to_json())["largest"]) == 39


@pytest.mark.slow
def test_a_set_is_judged_by_the_best_of_permuted_targets() -> None:
    found = two_of(DATA)
    shadow = altsel.shadow(DATA, search=two_of, repeats=19, random_state=2)
    best = np.sort(shuffled(19, 2), axis=1)[:, -2:].sum(axis=1)
    assert shadow.features == ()
    assert shadow.scores == pytest.approx(best)
    assert shadow.score_level == pytest.approx(best.max())
    judged = shadow.judged(found)
    assert [one.p_null for one in judged] == [(1 + (best >= one.score).sum()) / 20 for one in found]
    first, second = (one.p_null for one in judged)
    assert first is not None
    assert second is not None
    assert first <= 0.05 < second
    assert "p, null" in str(judged)
    assert "p_null" in judged.to_frame()
    assert "p_null" not in found.to_frame()
    assert altsel.Solutions.from_json(judged.to_json()) == judged
    both = altsel.shadow(DATA, absolute_pearson, 19, search=two_of, random_state=2)
    assert both.scores == shadow.scores
    assert len(both.features) == 5


def test_solutions_of_another_search_are_not_judged() -> None:
    null = altsel.shadow(DATA, repeats=19, search=two_of)
    assert (null.sizes, null.data) == ((2,), DATA.fingerprint)
    quality = altsel.Univariate(altsel.dependence(DATA, absolute_pearson))
    with pytest.raises(ArgumentError, match="3 to 3 features, those of permuted targets 2"):
        null.judged(altsel.sequential(altsel.Problem(quality, 3), altsel.Dice(1), 0))
    with pytest.raises(ArgumentError, match="the scores are of mRMR"):
        null.judged(altsel.sequential(altsel.Problem(altsel.MRMR(DATA), 2), altsel.Dice(1), 0))
    with pytest.raises(DataError, match="other data"):
        null.judged(two_of(altsel.Dataset(TABLE[list("abc")], DATA.y)))


@pytest.mark.slow
def test_a_search_that_finds_nothing_there_reaches_no_score() -> None:
    def search(rows: altsel.Dataset) -> altsel.Solutions:
        found = two_of(rows)
        return found if found[0].score > 0.5 else altsel.Solutions((), found.stop, found.universe, "")

    shadow = altsel.shadow(DATA, search=search, repeats=19)
    best = np.sort(shuffled(19), axis=1)[:, -2:].sum(axis=1)
    assert [score is None for score in shadow.scores] == (best <= 0.5).tolist()
    assert shadow.p_of(0.6) == (1 + (best >= 0.6).sum()) / 20
    nothing = altsel.shadow(
        DATA, search=lambda rows: altsel.Solutions((), two_of(rows).stop, (), ""), repeats=19
    )
    assert (nothing.score_level, nothing.p_of(-1.0)) == (None, 0.05)


def test_critical_values_by_hand() -> None:
    assert critical([5.0, 1, 4, 2, 3, 6, 7, 8, 9], 0.2) == 8  # the 2nd largest of 9: p of 8 is 3/10
    assert (share_at_least([1.0, 2.0, 3.0], 3.0), share_at_least([1.0, 2.0, 3.0], 3.1)) == (0.5, 0.25)
    assert share_at_least([0.3], 0.1 + 0.2) == 1  # .1 + .2 is more than .3 by rounding alone


class Counted:
    """A measure that notes each of its calls in a file."""

    def __init__(self, calls: Path) -> None:
        self.calls = calls

    def __call__(self, first: Any, second: Any) -> float:
        with self.calls.open("a") as file:
            file.write(".")
        return float(abs(first @ second))


def test_it_goes_on_from_its_store(tmp_path: Path) -> None:
    counted = Counted(tmp_path / "calls")
    few = altsel.shadow(DATA, counted, 19, store=tmp_path / "runs.sqlite")
    made = counted.calls.stat().st_size
    more = altsel.shadow(DATA, counted, 20, store=tmp_path / "runs.sqlite")
    assert more.largest[:19] == few.largest
    assert counted.calls.stat().st_size == made + 5 + 5  # of the 20th permutation, and of the data


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"repeats": 10}, "repeats=10 cannot show a level of 0.05; use 19 or more"),
        ({"repeats": 0}, "repeats=0; use an integer of at least 1"),
        ({"level": 2}, "level=2; use a number between 0 and 1"),
        ({"search": 5}, "give search="),
        ({"search": lambda rows: [["a"]]}, "permutation 0: the search returned sets without scores"),
        ({"measure": 5}, "permutation 0: a int is neither a measure nor a function"),
    ],
)
def test_what_is_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match="shadow takes a Dataset, not a DataFrame"):
        altsel.shadow(DATA.X, **more)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="give Solutions, whose sets have scores"):
        altsel.results.Shadow((), (), (0.5,), 0.05, "").judged([["a"]])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=message):
        altsel.shadow(DATA, **more)
    with pytest.raises(ArgumentError, match="no search was repeated"):
        altsel.shadow(DATA, absolute_pearson, 19).p_of(1.0)


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    DATA.X.assign(y=DATA.y).to_csv(tmp_path / "data.csv", index=False)
    options = ["--target", "y", "-k", "2", "--alternatives", "1", "--tau", "1"]
    return ["select", str(tmp_path / "data.csv"), *options, "--measure", "absolute-pearson", "--null", "19"]


@pytest.mark.slow
def test_the_command_prints_p_beside_scores(words: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1].endswith("p, null")
    assert done.stdout.splitlines()[2].endswith("0.05")
    CliRunner().invoke(app, [*words, "--output", str(tmp_path / "found.json")])
    audit = CliRunner().invoke(app, ["audit", str(tmp_path / "found.json"), words[1]])
    assert audit.exit_code == 0
    assert "p of the null level" in audit.stdout
    fault = CliRunner().invoke(app, [*words[:-1], "-1"]).exception
    assert isinstance(fault, AltselError)
    assert "--permutations -1" in str(fault)


@pytest.mark.parametrize(
    ("stop", "code", "why"), [(OutOfTimeError, 4, "time was up"), (KeyboardInterrupt, 130, "interrupted")]
)
def test_sets_are_kept_if_the_null_is_stopped(
    stop: type[BaseException], code: int, why: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise stop

    monkeypatch.setattr(altsel, "shadow", stopped)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == code
    assert "2 sets of 5 features" in done.stdout
    assert f"{why} before all permuted targets were searched" in done.stderr
