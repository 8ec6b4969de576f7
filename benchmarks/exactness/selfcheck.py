"""A few values worked out by hand, so that the brute force itself is not wrong."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, sqrt

from benchmarks.exactness.criteria import Criterion
from benchmarks.exactness.distance import Diversity
from benchmarks.exactness.instance import masks_of
from benchmarks.exactness.oracle import Oracle
from benchmarks.exactness.rules import Across, Row, Rule

R = ((1.0, 0.5, 0.1), (0.5, 1.0, 0.2), (0.1, 0.2, 1.0))
Q = (0.6, 0.5, 0.4)


def self_check() -> None:
    """Compare the brute force with numbers worked out by hand.

    Raises
    ------
    AssertionError
        If one differs.
    """
    _scores()
    _distances()
    _rules()
    _optima()


def _hold(message: str, holds: bool) -> None:
    if not holds:
        raise AssertionError(f"the brute force is wrong: {message}")


def _scores() -> None:
    by_hand = {
        ("univariate", 0b111): 1.5,
        ("mrmr-k2", 0b011): 0.55 - (1 + 1 + 2 * 0.5) / 4,  # mean relevance less mean of the 2 x 2 table
        ("mrmr", 0b011): 0.55 - 0.5,
        ("mrmr", 0b111): 0.5 - (0.5 + 0.1 + 0.2) / 3,
        ("mrmr", 0b100): 0.4,
        ("cfs", 0b011): 1.1 / sqrt(3),
        ("cfs-linearised", 0b111): 1.5 / sqrt(4.6),
        ("black box", 0b111): 1.0,
    }
    for (kind, mask), truth in by_hand.items():
        _hold(kind, isclose(Criterion(kind, Q, R, "").value(mask).score, truth, rel_tol=1e-14))
    fcbf = Criterion("fcbf", Q, R, "")
    feasible = [fcbf.value(mask).feasible for mask in (0b001, 0b011, 0b101, 0b110, 0b111)]
    _hold("fcbf", feasible == [True, False, True, True, False])
    _hold("cfs admits", Criterion("cfs", (-1.0, 0.5, 1.0), R, "").value(0b011).feasible is False)
    _hold("cfs admits 0", Criterion("cfs", (-1.0, 0.5, 1.0), R, "").value(0b101).feasible is True)


def _distances() -> None:
    dice, jaccard = Diversity("dice", 1 / 3), Diversity("jaccard", 0.5)
    _hold("dice", dice.apart(0b0111, 0b1110) == Fraction(1, 3) and dice.pair(0b0111, 0b1110))
    _hold("jaccard", jaccard.apart(0b0111, 0b1110) == Fraction(1, 2) and jaccard.pair(0b0111, 0b1110))
    _hold("tau", not Diversity("dice", 0.334).pair(0b0111, 0b1110))
    _hold("tau 0", Diversity("dice", 0.0).pair(1, 1) and not Diversity("dice", 1e-9).pair(1, 1))
    pairs = [(0b011, 0b110), (0b011, 0b1100)]  # 1/2 and 1
    _hold("mean", Diversity("dice", 0.75, "average").keeps(pairs) is True)
    _hold("mean short", Diversity("dice", 0.76, "average").keeps(pairs) is False)
    _hold("penalty", Diversity("dice", 0.75, "penalised", 8.0).penalty_paid(pairs) == 2.0)
    _hold("distinct", Diversity("dice", 0.0, "penalised").keeps([(1, 1)]) is False)


def _rules() -> None:
    worth = Criterion("univariate", Q, (), "").value
    row = Row(((0, 2.0), (1, 3.0)), None, 4.0, panels=((1.0, 0b110),))
    found = [row.verdict(mask, worth(mask)) for mask in (0b001, 0b010, 0b011, 0b100)]
    _hold("row", found == [True, True, False, True])
    least = Row((), 1.0, None, quality=1.0)
    found = [least.verdict(mask, worth(mask)) for mask in (0b011, 0b101, 0b110)]
    _hold("quality", found == [True, None, False])
    few = Across("in_at_most", ((0, 1.0),), 1)
    _hold("across", few.verdict([0b01, 0b10]) is True and few.verdict([0b01, 0b11]) is False)


def _optima() -> None:
    five = Criterion("univariate", (5.0, 4.0, 2.0, 1.0), (), "")
    oracle = Oracle(five, masks_of(4, (2, 2)), [])
    best = oracle.best_after(Diversity("dice", 0.5), [0b0011])
    _hold("next", best is not None and (best.value, best.masks) == (7.0, (0b0101,)))
    least = oracle.best_family(Diversity("dice", 1.0), 2, "min")
    _hold("family", least is not None and least.value == 6.0 and set(least.masks) == {0b1001, 0b0110})
    _hold("no family", oracle.best_family(Diversity("dice", 1.0), 3, "sum") is None)
    sold = oracle.best_after(Diversity("dice", 1.0, "penalised", 6.0), [0b0011])
    _hold("penalty", sold is not None and sold.value == 7.0 - 3.0)
    forbidden = Rule("forbid", (1,), (Row(((0, 1.0),), 0, 0),))
    _hold("rule", sorted(Oracle(five, masks_of(4, (2, 2)), [forbidden]).sure) == [0b0110, 0b1010, 0b1100])
