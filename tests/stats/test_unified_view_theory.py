"""The theory of the unified view by exact joint distributions: what holds as printed, and what does not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel.stats.error_bounds import fano
from tests.oracles.networks import FIGURE_5, Exact, flips, random_network, random_tables, with_tables

TIGHT = 1e-9
NETWORKS = [(4, 0), (5, 1), (6, 2), (7, 3), (8, 4)]


def subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))


@pytest.fixture(params=NETWORKS, ids=str, scope="module")
def exact(request: pytest.FixtureRequest) -> Exact:
    nodes, seed = request.param
    return random_network(seed, nodes)


def others(exact: Exact) -> list[str]:
    return [name for name in exact.names if name != "C"]


def shared(exact: Exact, one: str, other: str, *given_: str) -> float:
    return exact.information({one}, {other}, given_)


def test_the_oracle_computes_the_same_information_as_four_entropies(exact: Exact) -> None:
    test, names = exact.oracle("C"), others(exact)
    for some in subsets(names[:4]):
        rest = [name for name in names if name not in some]
        if rest:
            expected = [exact.information({name}, {"C"}, some) for name in rest]
            assert test(rest, some).statistic == pytest.approx(expected, abs=TIGHT)


def test_theorem_4_5_the_blanket_tells_most_and_so_does_every_set_that_holds_it(exact: Exact) -> None:
    """As printed, with equality only for the blanket itself, it is false: supersets are equal too."""
    names, blanket = others(exact), set(exact.network.blanket("C"))
    most = exact.information({"C"}, blanket)
    equal = []
    for some in subsets(names):
        told = exact.information({"C"}, some)
        assert told <= most + TIGHT
        if told >= most - TIGHT:
            equal.append(set(some))
    assert equal == [set(some) for some in subsets(names) if blanket <= set(some)]
    if blanket != set(names):
        assert len(equal) > 1  # the counter-example to "only if"


def test_corollary_4_6_strongly_relevant_features_are_the_blanket(exact: Exact) -> None:
    names = others(exact)
    strong = {name for name in names if exact.information({name}, {"C"}, set(names) - {name}) > TIGHT}
    assert strong == set(exact.network.blanket("C"))


# -- properties 1 to 4 -----------------------------------------------------------------------------


SEEDS = st.integers(0, 100_000)


@settings(max_examples=25)
@given(SEEDS)
def test_property_1_of_two_independent_causes(seed: int) -> None:
    exact = random_tables(FIGURE_5["a"], seed)
    assert shared(exact, "X", "Y") == pytest.approx(0, abs=TIGHT)
    assert shared(exact, "X", "C") > shared(exact, "X", "Y") + 1e-12
    assert shared(exact, "X", "Y", "C") >= shared(exact, "X", "Y")
    check_identity(exact)


@settings(max_examples=25)
@given(SEEDS, st.sampled_from("bcd"))
def test_property_2_of_chains_and_common_causes(seed: int, figure: str) -> None:
    exact = random_tables(FIGURE_5[figure], seed)
    assert shared(exact, "X", "Y", "C") == pytest.approx(0, abs=TIGHT)
    assert shared(exact, "X", "C") > shared(exact, "X", "Y")
    check_identity(exact)


@settings(max_examples=25)
@given(SEEDS)
def test_property_3_of_a_spouse(seed: int) -> None:
    exact = random_tables(FIGURE_5["e"], seed)
    assert shared(exact, "X", "C") == pytest.approx(0, abs=TIGHT)
    assert shared(exact, "X", "Y", "C") > shared(exact, "X", "Y")
    check_identity(exact)


@settings(max_examples=25)
@given(SEEDS, st.sampled_from("fg"))
def test_property_4_of_an_indirect_cause_or_effect(seed: int, figure: str) -> None:
    exact = random_tables(FIGURE_5[figure], seed)
    assert shared(exact, "X", "Y") >= shared(exact, "X", "C") - TIGHT
    assert shared(exact, "Y", "C") >= shared(exact, "X", "C") - TIGHT
    score = shared(exact, "X", "C") + shared(exact, "X", "Y", "C") - shared(exact, "X", "Y")
    assert score == pytest.approx(0, abs=TIGHT)


def check_identity(exact: Exact) -> None:
    """``I(X; C) - I(X; Y) + I(X; Y | C) = I(X; C | Y)``, which is what all of them are about."""
    score = shared(exact, "X", "C") - shared(exact, "X", "Y") + shared(exact, "X", "Y", "C")
    assert score == pytest.approx(shared(exact, "X", "C", "Y"), abs=TIGHT)
    assert score > 0


def test_property_1_needs_causes_that_are_independent() -> None:
    """X is a cause of Y too, and both are weak causes of C."""
    both = np.array([[flips(0.4)[0], [0.5, 0.5]], [[0.5, 0.5], flips(0.4)[1]]])
    exact = with_tables(
        {"X": (), "Y": ("X",), "C": ("X", "Y")}, {"X": np.array([0.5, 0.5]), "Y": flips(0.05), "C": both}
    )
    assert shared(exact, "X", "C") < shared(exact, "X", "Y")  # (1)
    assert shared(exact, "X", "Y", "C") < shared(exact, "X", "Y")  # (2)


def test_property_2_needs_that_no_other_path_joins_them() -> None:
    """C is a weak effect of X, and Y an effect of both."""
    effect = np.array([[[0.95, 0.05], [0.9, 0.1]], [[0.1, 0.9], [0.05, 0.95]]])  # of X and C
    exact = with_tables(
        {"X": (), "C": ("X",), "Y": ("X", "C")}, {"X": np.array([0.5, 0.5]), "C": flips(0.4), "Y": effect}
    )
    assert shared(exact, "X", "C") < shared(exact, "X", "Y")  # (1)


def test_property_3_needs_a_spouse_that_is_independent() -> None:
    """A is a cause of the spouse X and of C; X hardly matters to the child Y."""
    child = np.array([[[0.95, 0.05], [0.05, 0.95]], [[0.93, 0.07], [0.04, 0.96]]])  # of X and C
    exact = with_tables(
        {"A": (), "X": ("A",), "C": ("A",), "Y": ("X", "C")},
        {"A": np.array([0.5, 0.5]), "X": flips(0.1), "C": flips(0.1), "Y": child},
    )
    assert exact.network.spouses("C") == ("X",)
    assert shared(exact, "X", "Y", "C") < shared(exact, "X", "Y")
    assert shared(exact, "X", "C", "Y") > 0  # the second half holds


def committee() -> Exact:
    """Three members that are noisy copies of A; C is their majority, with errors."""
    votes = np.zeros((2, 2, 2, 2))
    for cell in product((0, 1), repeat=3):
        votes[cell] = [0.98, 0.02] if sum(cell) < 2 else [0.02, 0.98]
    members = {f"P{j}": flips(0.2) for j in (1, 2, 3)}
    causes = {"A": (), **dict.fromkeys(members, ("A",)), "C": tuple(members)}
    return with_tables(causes, {"A": np.array([0.5, 0.5]), **members, "C": votes})


def test_property_4_needs_a_single_path_else_an_indirect_cause_tells_more_than_any_direct_one() -> None:
    """So the observation that all criteria select direct causes and effects first is false in general."""
    exact = committee()
    assert exact.network.parents_and_children("C") == ("P1", "P2", "P3")
    for member in ("P1", "P2", "P3"):
        assert shared(exact, "A", "C") > shared(exact, member, "C")  # (3) is false
        score = shared(exact, "A", "C") + shared(exact, "A", member, "C") - shared(exact, "A", member)
        assert score > 0.01  # (2) is false
    data = as_rows(exact, 25)
    for search in (altsel.ranking.mim, altsel.ranking.mrmr, altsel.ranking.jmi, altsel.ranking.cife):
        assert search(data, 1)[0].features == ("A",)


def as_rows(exact: Exact, denominator: int) -> altsel.Dataset:
    """Return rows whose shares are the distribution's, where its tables are fractions of small numbers."""
    for power in range(1, 2 * len(exact.names)):
        counts = exact.joint * float(denominator**power) * 4
        if np.allclose(counts, np.rint(counts), atol=1e-6):
            break
    weights = np.rint(counts).astype(int).ravel()
    cells = np.array(list(np.ndindex(*exact.joint.shape)))
    rows = pd.DataFrame(np.repeat(cells, weights, axis=0), columns=list(exact.names))
    return altsel.Dataset(rows.drop(columns="C"), rows["C"].astype(str), None)


# -- table 2 ---------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(SEEDS)
def test_table_2_given_the_child_jmi_cife_and_cmim_prefer_a_spouse_to_a_descendant(
    seed: int,
) -> None:
    exact = random_tables({"C": (), "X": (), "Y": ("X", "C"), "W": ("Y",)}, seed)

    def score(name: str, conditional: bool) -> float:
        redundancy = shared(exact, name, "Y") - (shared(exact, name, "Y", "C") if conditional else 0)
        return shared(exact, name, "C") - redundancy

    assert score("X", True) > score("W", True) + 1e-12
    assert score("W", True) == pytest.approx(0, abs=TIGHT)
    assert score("X", False) <= 0 + TIGHT  # a spouse never has a positive score by mRMR and MIFS


def test_table_2_mrmr_may_prefer_either() -> None:
    """Eq. 33 gives both a score of at most 0; which is larger depends on the tables."""
    signs = set()
    for seed in range(40):
        exact = random_tables({"C": (), "X": (), "Y": ("X", "C"), "W": ("Y",)}, seed)
        spouse = shared(exact, "X", "C") - shared(exact, "X", "Y")
        descendant = shared(exact, "W", "C") - shared(exact, "W", "Y")
        assert max(spouse, descendant) <= TIGHT
        signs.add(spouse > descendant)
    assert signs == {True, False}


# -- section 6 -------------------------------------------------------------------------------------


def test_theorem_6_1_and_corollary_6_2_with_equations_58_and_62_as_they_should_read(exact: Exact) -> None:
    """``P(S) <= H(C|S) / 2``, and both grow as S loses what matters."""
    names = others(exact)
    near, blanket = set(exact.network.parents_and_children("C")), set(exact.network.blanket("C"))
    least, near_most = exact.given("C", blanket), exact.given("C", near)
    classes = len(exact.network.states["C"])
    for some in map(set, subsets(names)):
        entropy, error = exact.given("C", some), exact.error("C", some)
        assert fano(entropy, classes) - TIGHT <= error <= entropy / 2 + TIGHT  # so should 58 and 62 read
        assert entropy >= least - TIGHT
        assert error >= exact.error("C", blanket) - TIGHT
        if near <= some:  # corollary 6.2
            assert near_most + TIGHT >= entropy >= least - TIGHT
            assert exact.error("C", blanket) - TIGHT <= error <= near_most / 2 + TIGHT
        if some < near:
            assert entropy > near_most
            assert error >= exact.error("C", near) - TIGHT


def test_equations_58_and_62_and_the_lower_bound_of_corollary_6_2_are_false_as_printed() -> None:
    """Two strong causes: without one of them the error is above half of what remains unknown with both."""
    both = np.array([[[0.99, 0.01], [0.5, 0.5]], [[0.5, 0.5], [0.01, 0.99]]])
    half = np.array([0.5, 0.5])
    sure = np.array([[[0.99, 0.01], [0.01, 0.99]], [[0.01, 0.99], [0.99, 0.01]]])  # X xor Y
    exact = with_tables({"X": (), "Y": (), "C": ("X", "Y")}, {"X": half, "Y": half, "C": sure})
    part, whole = exact.error("C", {"X"}), exact.given("C", {"X", "Y"}) / 2
    assert part > whole  # 0.5 > 0.04: eq. 58 with AMB = {X}, eq. 62 with S = {X}
    assert part <= exact.given("C", {"X"}) / 2
    near = exact.error("C", {"X", "Y"})
    assert near < whole  # 0.01 < 0.04: corollary 6.2 (2) says that it is at least that
    graded = with_tables({"X": (), "Y": (), "C": ("X", "Y")}, {"X": half, "Y": half, "C": both})
    assert graded.error("C", {"X", "Y"}) < graded.given("C", {"X", "Y"}) / 2


def test_case_3_in_the_proof_of_corollary_6_2_is_false_though_the_corollary_does_not_need_it() -> None:
    """A non-descendant that is no spouse can tell more given the neighbours: here the spouse's cause."""
    exact = random_tables({"A": (), "X": ("A",), "C": (), "Y": ("X", "C")}, 1)
    assert "A" not in exact.network.blanket("C")
    assert shared(exact, "A", "C", "Y") > 1e-4


def test_bounds_from_rows_of_the_exact_shares_are_those_of_the_distribution() -> None:
    exact = committee()
    data = as_rows(exact, 25)
    for some in subsets(["A", "P1", "P2", "P3"]):
        bounds, _ = altsel.blankets.error_bounds(data, some)
        entropy, error = exact.given("C", some), exact.error("C", some)
        assert bounds.entropy == pytest.approx(entropy, abs=TIGHT)
        assert bounds.upper == pytest.approx(min(entropy / 2, exact.error("C", ())), abs=TIGHT)
        assert bounds.lower - 1e-9 <= error <= bounds.upper + 1e-9
