"""Equivalence of several sets: pairs, corrected p, classes; the criterion that searches use."""

from __future__ import annotations

import pytest
from statsmodels.stats.multitest import multipletests

import altsel
from altsel.analysis.equivalence import holm
from altsel.errors import ArgumentError, DataError
from altsel.results.comparison import Comparison, Definition
from altsel.results.equivalence import Equivalence, Pair
from tests.oracles.synthetic_tables import binary, classes, with_copies


def test_the_recommended_criterion_goes_by_the_test() -> None:
    data = with_copies()
    linear = altsel.comparison.recommended_criterion(
        altsel.independence.Counted(altsel.independence.PartialCorrelation(data))
    )
    assert [type(test) for test in linear.tests] == [
        altsel.comparison.PermutedVariance,
        altsel.comparison.Comprehensive,
    ]
    assert linear(["a", "b"], ["copy", "sum"]).equivalent
    assert (
        altsel.comparison.recommended_criterion(
            altsel.independence.PartialCorrelation(data), signs=altsel.comparison.SignFlips(random_state=7)
        ).seed
        == 7
    )
    assert altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data)).seed == 0
    worse = linear(["a", "b"], ["d"])
    assert (worse.equivalent, len(worse.comparisons)) == (False, 1), "the first test ends the comparison"
    ranks = altsel.comparison.recommended_criterion(altsel.independence.PartialCorrelation(data, ranks=True))
    assert [type(test) for test in ranks.tests] == [altsel.comparison.ByIndependence]
    tables = altsel.comparison.recommended_criterion(altsel.independence.GSquare(classes()))
    assert isinstance(tables.tests[0], altsel.comparison.PermutedVariance)
    assert (
        "linear"
        not in altsel.comparison.recommended_criterion(altsel.independence.LikelihoodRatio(binary())).name
    )
    with pytest.raises(ArgumentError, match="alpha=2"):
        altsel.comparison.recommended_criterion(altsel.independence.GSquare(classes()), alpha=2)
    with pytest.raises(ArgumentError, match="needs tests"):
        altsel.comparison.Criterion([])


@pytest.mark.parametrize("p", [[0.01, 0.04, 0.03, 0.005], [0.2], [0.5, 0.5, 0.001, 1.0, 0.0]])
def test_holm_equals_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist())


def test_equivalence_of_sets() -> None:
    data = with_copies(0, 400)
    sets = [["a", "b", "c"], ["copy", "sum", "c"], ["c", "d"], ["d", "c"], ["d"]]
    message = altsel.equivalence(sets, data, against=None)
    assert message.classes() == ((0, 1), (2, 3), (4,))
    assert (len(message), message.equivalent(0, 1), message.equivalent(0, 2), message.equivalent(3, 3)) == (
        10,
        True,
        False,
        True,
    )
    first = altsel.equivalence(sets, data)
    assert [(pair.first, pair.second) for pair in first] == [(0, 1), (0, 2), (0, 3), (0, 4)]
    assert first.classes() == ((0, 1), (2,), (3,), (4,))
    frame = message.to_frame()
    assert len(frame) == 20
    assert (frame["adjusted p"] >= frame["p"] - 1e-15).all()
    raw = altsel.equivalence(sets, data, against=None, correct=False).to_frame()
    assert raw["adjusted p"].tolist() == raw["p"].tolist()
    assert '"classes"' in message.to_json()
    assert "classes of equivalent sets: 0, 1 | 2, 3 | 4" in str(message)
    assert str(altsel.equivalence(sets[:1], data)).endswith("\nno pair of sets to compare")


def test_tost_decides_beside_the_others() -> None:
    """With few rows no difference is shown, and no equivalence either."""
    data = with_copies(7, 16)
    lenient = altsel.equivalence(
        [["a", "c"], ["a", "d"]], altsel.comparison.PermutedVariance(altsel.comparison.GLMModels(data))
    )
    strict = altsel.equivalence([["a", "c"], ["a", "d"]], altsel.comparison.default_tests(data, margin=0.1))
    assert lenient.pairs[0].equivalent
    assert not strict.pairs[0].equivalent


def test_what_is_wrong_is_named() -> None:
    data = with_copies()
    with pytest.raises(ArgumentError, match="against=5"):
        altsel.equivalence([["a"], ["b"]], data, against=5)
    with pytest.raises(ArgumentError, match="give tests"):
        altsel.equivalence([["a"], ["b"]], [])
    with pytest.raises(ArgumentError, match="alpha=0"):
        altsel.equivalence([["a"], ["b"]], data, alpha=0)
    with pytest.raises(DataError, match="'nobody'"):
        altsel.equivalence([["a"], ["nobody"]], data)
    with pytest.raises(ArgumentError, match="were not compared"):
        altsel.equivalence([["a"], ["b"], ["c"]], data).equivalent(1, 2)
    for margin in (0, -1, float("nan")):
        with pytest.raises(ArgumentError, match="margin"):
            altsel.comparison.TOST(altsel.comparison.GLMModels(data), margin)
    with pytest.raises(ArgumentError, match="for IEQ see Comprehensive"):
        altsel.comparison.PairedT(altsel.comparison.GLMModels(data), Definition.INFORMATION)
    with pytest.raises(ArgumentError, match="permutations=0"):
        altsel.comparison.SignFlips(0)


def pair_of(loss: float | None, *p: float) -> Pair:
    """Return a pair judged by a test of performance, then by one of information."""
    kinds = (Definition.PERFORMANCE, Definition.INFORMATION)
    tests = tuple(
        Comparison(kind.value, kind, one, difference=loss) for kind, one in zip(kinds, p, strict=True)
    )
    return Pair(0, 1, tests, p, all(one > 0.05 for one in p))


@pytest.mark.parametrize(
    ("pair", "verdict", "text"),
    [
        (pair_of(0.3, 0.5, 0.5), "equal", "yes"),
        (pair_of(-0.1, 0.034, 0.5), "better", "no, predicts better"),
        (pair_of(0.1, 0.001, 0.001), "worse", "no, predicts worse"),
        (pair_of(-0.1, 0.5, 0.001), "different", "no, tells other things"),  # the loss may differ by chance
    ],
)
def test_a_set_that_is_not_equivalent_is_called_better_or_worse_where_it_predicts_so(
    pair: Pair, verdict: str, text: str
) -> None:
    known = Equivalence((("a",), ("b",)), (pair,), ("PEQ", "IEQ"), 0.05)
    assert known.verdict(pair) == verdict
    lines = str(known).splitlines()
    assert lines[-4].endswith(f" {text}")
    meaning = "the two predict as well (PEQ), and tell nothing of the target that the other does not (IEQ)"
    assert lines[-2] == f"equivalent: {meaning}"
    assert f">{text}<" in known._repr_html_()
