"""How auto chooses: every engine that says it can answer is right, and the table is what is done."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import (
    FCBF,
    MRMR,
    Average,
    BlackBox,
    Dependence,
    Dice,
    Penalised,
    Problem,
    Univariate,
    sequential,
    simultaneous,
)
from altsel.exact import auto
from altsel.exact.auto_solver import Auto
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.every_set import engine as all_sets
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.solvers import Outcome
from tests.models.test_objectives import OBJECTIVES, dependences, is_not_both, not_both
from tests.oracles import brute_force as bf
from tests.pairs import paired

CHOICES = list(dict.fromkeys(engine.name for engine in auto.ENGINES))


def correlated(n: int = 8) -> Dependence:
    rng = np.random.default_rng(n)
    names = [f"x{j}" for j in range(n)]
    pairs = rng.random((n, n)) / 2
    table = pd.DataFrame((pairs + pairs.T) / 2, index=names, columns=names)
    return Dependence(pd.Series(rng.random(n), index=names), table)


@pytest.mark.parametrize(("make", "name"), paired(OBJECTIVES, [*CHOICES], 2))
@given(st.data())
@settings(max_examples=4)
def test_an_engine_that_says_it_can_is_right(make: Any, name: str, data: st.DataObject) -> None:
    """Alone, on one set after known ones and on several together, against brute force."""
    objective = make(data.draw(dependences(6)))
    ruled = data.draw(st.booleans())
    sizes: tuple[int, int] = data.draw(st.sampled_from([(2, 2), (1, 3)]))
    problem = Problem(objective, sizes, [not_both] if ruled else [])
    count, total = data.draw(st.sampled_from([(1, "min"), (2, "sum"), (2, "min")]))
    tau = data.draw(st.sampled_from([0.4, 0.5, 1.0]))
    run = Run(problem, None, "test")
    known = [objective.features[:2]] if count == 1 and data.draw(st.booleans()) else []
    question = run.question(Dice(tau), count, total).after(known)
    engine = next(getattr(one, "engine", one) for one in auto.ENGINES if one.name == name)
    if engine.why_not(question) is not None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "ENGINES", (engine,))
        found = auto.answer(question, run)
    sets = [s for s in bf.all_sets(objective.features, problem.sizes) if not ruled or is_not_both(s)]
    scores = bf.scored(objective, sets)
    if count == 1:
        best = bf.best_after(scores, [frozenset(one) for one in known], bf.dice, tau)
    else:
        best = bf.best_together(scores, 2, bf.dice, tau, sum if total == "sum" else min)
    if best is None or best == -np.inf:
        assert (found.sets, found.outcome.stop) == ([], Stop.INFEASIBLE)
        return
    assert question.quality(found.sets) == pytest.approx(best, abs=1e-9)
    if found.outcome.proof is not Proof.OPTIMAL:  # a solver's tolerance may leave open what is less
        assert best <= (found.outcome.bound or np.inf) < best + 1e-6


class Oracle:
    """An engine of one's own: it knows the answer to one question."""

    name = "oracle"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        return None if len(question.problem.index) == 4 else "it knows four features only"

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Give the answer, or give up."""
        del run
        return None if question.known else Answer([["x0", "x1"]], Outcome.optimal(9.0))


def test_adding_an_engine_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "ENGINES", (Oracle(), *auto.ENGINES))
    found = sequential(Problem(Univariate([5, 4, 2, 1]), k=2), Dice(0.5), alternatives=1, solver=None)
    assert [one.score for one in found] == [9.0, 7.0]
    assert found.search == "sequential, Dice(tau=0.5), alternatives=1; by oracle, then list of the next sets"
    question = Run(Problem(Univariate([5, 4, 2]), k=2), None, "test").question(Dice(0.5))
    assert auto.reasons(question)[0] == auto.Reason("oracle", "it knows four features only")
    wrong = sequential(Problem(Univariate([1, 1, 2, 9]), k=2), Dice(0.5), 0)
    assert (wrong[0].score, wrong[0].proof) == (2.0, Proof.FEASIBLE)  # the formula counts, not its word


def test_an_open_answer_is_taken_on_with_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bounds(Oracle):
        def answer(self, question: Question, run: Run) -> Answer | None:
            del question, run
            return Answer([["x0", "x3"]], Outcome.unfinished(Stop.LIMIT, 6.0, 7.5), cut_short=True)

    class Weak(Oracle):
        def answer(self, question: Question, run: Run) -> Answer | None:
            assert run.incumbent == [["x0", "x3"]]
            return Answer([["x0", "x2"]], Outcome.unfinished(Stop.LIMIT, 7.0, 100.0))

    monkeypatch.setattr(auto, "ENGINES", (Bounds(), Weak()))
    found = sequential(Problem(Univariate([5, 3, 2, 1]), k=2), Dice(0.5), alternatives=0)
    assert found[0].proof is altsel.Proof.FEASIBLE
    assert (found[0].score, found[0].bound) == (7.0, 7.5)


def test_a_final_answer_with_a_gap_is_not_taken_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an earlier engine had left a gap too, a model was made all the same, after the time limit."""

    class Open(Oracle):
        def answer(self, question: Question, run: Run) -> Answer | None:
            del question, run
            return Answer([["x0", "x3"]], Outcome.unfinished(Stop.LIMIT, 6.0, 7.5), cut_short=True)

    class Final(Oracle):
        def answer(self, question: Question, run: Run) -> Answer | None:
            del question, run
            return Answer([["x0", "x2"]], Outcome.unfinished(Stop.TIME, 7.0, 8.0), final=True)

    class Never(Oracle):
        def answer(self, question: Question, run: Run) -> Answer | None:
            raise AssertionError

    monkeypatch.setattr(auto, "ENGINES", (Open(), Final(), Never()))
    found = sequential(Problem(Univariate([5, 3, 2, 1]), k=2), Dice(0.5), alternatives=0)
    assert (found[0].score, found[0].bound) == (7.0, 7.5)


QUALITY = MRMR(correlated())


def rows_of(n: int) -> altsel.LinearFit:
    rng = np.random.default_rng(0)
    return altsel.LinearFit(altsel.Dataset(rng.normal(size=(80, n)), rng.normal(size=80)))


def helper(b: Any) -> None:
    """Use a variable that is not eliminated: no row bounds it by an integer."""
    b.mine = pyo.Var(domain=pyo.Integers)
    b.row = pyo.Constraint(expr=pyo.inequality(-1, 2 * b.mine - b.x["x0"], 0))


@pytest.mark.parametrize(
    ("problem", "diversity", "count", "solver", "chosen"),
    [
        (Problem(Univariate([3, 2, 1]), 2), Dice(0.5), 1, None, "list of the next sets"),
        (Problem(Univariate([3, 2, 1]), 2, [helper]), Dice(0.5), 1, None, "model"),
        (Problem(Univariate([3, 2, 1]), 1), Dice(0.5), 2, None, "list of all sets"),
        (Problem(Univariate(range(60)), 9), Dice(0.5), 2, None, "counts of memberships"),
        (Problem(Univariate([3, 2, 1]), 1, [helper]), Dice(0.5), 2, None, "model"),
        (Problem(Univariate([3, 2, 1]), 1), Average(Dice(0.5)), 2, None, "list of all sets"),
        (Problem(QUALITY, 3), Dice(0.5), 1, None, "list of all sets"),
        (Problem(QUALITY, 3), Penalised(Dice(0.5), 0.1), 1, None, "list of all sets"),
        (Problem(QUALITY, 3), Dice(0.5), 1, "highs", "model"),
        (Problem(QUALITY, 3, [helper]), Dice(0.5), 1, None, "model"),
        (Problem(MRMR(correlated(60)), 9), Dice(0.5), 1, None, "branch and bound"),
        (Problem(FCBF(correlated(60)), 9), Dice(0.5), 2, None, "lists above a floor"),
        (Problem(MRMR(correlated(60)), 9), Dice(0.5), 2, None, "lists above a floor"),
        (Problem(MRMR(correlated(9)), 6), Dice(1), 2, None, "counts of memberships"),
        (Problem(MRMR(correlated(60)), 9), Penalised(Dice(0.5), 0.1), 2, None, "model"),
        (Problem(rows_of(60), 9), Dice(0.5), 1, None, "branch and bound on least squares"),
        (Problem(rows_of(60), 9), Dice(0.5), 2, None, "lists above a floor"),
        (Problem(rows_of(60), 9, [helper]), Dice(0.5), 1, None, "model"),
        (Problem(rows_of(60), 9), Dice(0.5), 1, "highs", "model"),
        (Problem(BlackBox(len, ["a", "b"]), 1), Dice(0.5), 1, None, "list of all sets"),
    ],
)
def test_the_table(problem: Problem, diversity: Any, count: int, solver: str | None, chosen: str) -> None:
    question = Run(problem, solver, "test").question(diversity, count, "sum")
    table = auto.reasons(question)
    able = [row.engine for row in table if row.why_not is None]
    assert chosen in (able[:1] if count == 1 else able)  # of several sets, which is first was learnt
    assert sorted(row.engine for row in table) == sorted(CHOICES)
    assert all(row.why_not is None or len(row.why_not) > 10 for row in table)


def test_solutions_say_which_engine_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(QUALITY, 3)
    assert sequential(problem, Dice(0.5), 1).search.endswith("; by list of all sets")
    assert sequential(problem, Dice(0.5), 1, "highs").search.endswith("; by model on highs")
    assert simultaneous(Problem(Univariate(range(60)), 5), Dice(1), 1).search.endswith(
        "; by counts of memberships on highs"
    )
    found = altsel.near_optimal(problem, altsel.RelativeLoss(0.1))
    assert found.search.endswith("; by list of all sets")
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    assert sequential(problem, Dice(0.5), 1).search.endswith("; by branch and bound")
    found = simultaneous(problem, Dice(0.5), 1, "min")
    assert found.search.endswith("; by lists above a floor")


def test_a_black_box_with_too_many_sets_says_why() -> None:
    problem = Problem(BlackBox(len, [f"x{j}" for j in range(40)]), 5)
    with pytest.raises(altsel.ArgumentError, match=r"658,008 sets are more than 20,000; use wrapper\(...\)"):
        sequential(problem, Dice(0.5), 1)
    with pytest.raises(altsel.ArgumentError, match=r"a solver is named; use wrapper\(..., together=True\)"):
        simultaneous(Problem(BlackBox(len, ["a", "b"]), 1), Dice(0.5), 1, solver="highs")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None])
def test_a_score_that_is_no_number_is_refused(value: Any) -> None:
    """It was taken for a set that is not admitted, and the rest was called optimal."""

    class Broken(altsel.models.Objective):
        name, features = "broken", ("a", "b", "c", "d")

        def score(self, mask: np.ndarray) -> float:
            return value if mask[3] else float(mask.sum())

        def express(self, block: Any, sizes: tuple[int, int]) -> None:
            block.quality = pyo.Expression(expr=block.size + block.x["d"])

    for solver in (None, "highs"):
        with pytest.raises(
            altsel.DataError, match=r"broken gives .* for \('a', 'd'\)|must be a finite number"
        ):
            sequential(Problem(Broken(), 2), Dice(0.5), 1, solver)


def test_a_set_called_optimal_before_a_better_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(Oracle):
        def answer(self, question: Question, run: Run) -> Answer | None:
            del run
            return None if question.known else Answer([["x2", "x3"]], Outcome.optimal(3.0))

    monkeypatch.setattr(auto, "ENGINES", (Wrong(), *auto.ENGINES))
    with pytest.raises(altsel.SolverError, match=r"set 0 \('x2', 'x3'\) is called optimal, yet a later one"):
        sequential(Problem(Univariate([5, 4, 2, 1]), k=2), Dice(0.5), alternatives=1)


def test_an_objective_says_what_it_lacks() -> None:
    class Nameless(altsel.models.Objective):
        features = ("a", "b")

        def score(self, mask: np.ndarray) -> float:
            return float(mask.sum())

        def express(self, block: Any, sizes: tuple[int, int]) -> None:
            """Forget the quality."""

    class Sum(Nameless):
        name, kind = "sum", altsel.models.Kind.SUM

    class Silent(Nameless):
        name = "silent"

    with pytest.raises(altsel.ArgumentError, match="Nameless: an objective needs 'name'"):
        Problem(Nameless(), 1)
    with pytest.raises(altsel.ArgumentError, match="Sum: an objective of kind SUM needs 'weights'"):
        Problem(Sum(), 1)
    with pytest.raises(altsel.ArgumentError, match=r"silent: express must add block\.quality"):
        sequential(Problem(Silent(), 1), Dice(0.5), 0, "highs")


@pytest.mark.slow
def test_composed_searches_name_engines_too() -> None:
    problem = Problem(QUALITY, 3)
    found = altsel.most_different(problem, Dice(0.2), 1, altsel.RelativeLoss(0.2))
    assert found.search.endswith("; by list of all sets")
    found = altsel.most_different(problem, Dice(0.2), 1, altsel.RelativeLoss(0.2), "highs", together=True)
    assert found.search.endswith("; by model on highs")
    best = float(sequential(problem, Dice(0.5), 0)[0].score)
    found = altsel.satisfying(problem, Dice(0.9), 3, best)
    assert found.search.endswith("; by list of all sets")


@pytest.mark.parametrize("known", [3, [3], [[]], "ab"])
def test_known_sets_that_are_none_are_refused(known: Any) -> None:
    with pytest.raises(altsel.ArgumentError, match="known"):
        sequential(Problem(Univariate([3, 2, 1]), 2), Dice(0.5), 1, known=known)


def test_a_list_cut_short_is_not_exhausted() -> None:
    """35 blocks of a Steiner system exist, and none was found in time: it was called exhausted once."""
    rng = np.random.default_rng(1)
    known: dict[tuple[str, ...], float] = {}
    quality = BlackBox(
        lambda names: known.setdefault(names, float(rng.random())), [f"f{j}" for j in range(15)]
    )
    found = simultaneous(Problem(quality, 3), Dice(0.6), 34, time_limit=0.5)
    assert (len(found), found.stop) == (0, Stop.TIME)


def test_rules_across_sets_reach_no_last_resort() -> None:
    def none_has_a(b: Any, sets: Any) -> None:
        b.none = pyo.ConstraintList()
        for one in sets:
            if not isinstance(one["a"], int):
                b.none.add(one["a"] <= 0)

    problem = Problem(BlackBox(lambda names: float("a" in names), list("abcde")), 2, across=[none_has_a])
    with pytest.raises(altsel.ArgumentError, match="rules across sets"):
        simultaneous(problem, Dice(0.5), 0)
    assert "a" not in sequential(problem, Dice(0.5), 0)[0]


def test_rules_across_sets_may_tell_the_first_from_the_last() -> None:
    """Sets were ordered best first all the same, and then there were none."""

    def ascending(b: Any, sets: Any) -> None:
        b.ascending = pyo.ConstraintList()
        for one, other in pairwise(sets):
            row = one["x0"] <= other["x0"]
            if row is not True:
                b.ascending.add(row if row is not False else pyo.Constraint.Infeasible)

    for objective in (Univariate([3.0, 2, 1]), MRMR(correlated(3))):
        problem = Problem(objective, 1, across=[ascending])
        for total, add in (("sum", sum), ("min", min)):
            found = simultaneous(problem, Dice(1), 1, total)
            scores = bf.scored(objective, list(bf.all_sets(objective.features, (1, 1))))
            best = max(
                add([scores[one], scores[other]])
                for one in scores
                for other in scores
                if one != other and ("x0" in one) <= ("x0" in other)
            )
            assert add([subset.score for subset in found]) == pytest.approx(best, abs=1e-9)
            assert found.proved


def answering(*answers: Answer | Exception) -> tuple[Any, ...]:
    """Engines that give one answer each."""

    class One(Oracle):
        def __init__(self, given: Answer | Exception) -> None:
            self.given = given

        def answer(self, question: Question, run: Run) -> Answer | None:
            del question, run
            if isinstance(self.given, Exception):
                raise self.given
            return self.given

    return tuple(One(given) for given in answers)


OPEN = Answer([["x0", "x1"]], Outcome.unfinished(Stop.LIMIT, 9.0, 9.5), cut_short=True)
POORER = Answer([["x0", "x2"]], Outcome.unfinished(Stop.LIMIT, 7.0, 9.2))
NOTHING = Answer([], Outcome.unfinished(Stop.TIME))


@pytest.mark.parametrize("second", [POORER, NOTHING, altsel.errors.RangeError("too wide")])
def test_what_was_found_is_not_lost(second: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "ENGINES", answering(OPEN, second))
    run = Run(Problem(Univariate([5, 4, 2, 1]), k=2), None, "test")
    found = auto.answer(run.question(Dice(0.5)), run)
    assert found.sets == [["x0", "x1"]]
    assert found.outcome.value == 9.0
    assert found.outcome.bound == (9.2 if second is POORER else 9.5)


@pytest.mark.parametrize(
    "second",
    [
        Answer([], Outcome.infeasible()),
        Answer([["x0", "x2"]], Outcome.optimal(7.0)),
        Answer([["x0", "x2"]], Outcome.optimal(None)),
    ],
)
def test_what_an_earlier_answer_refutes_is_refused(second: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "ENGINES", answering(OPEN, second))
    run = Run(Problem(Univariate([5, 4, 2, 1]), k=2), None, "test")
    with pytest.raises(altsel.SolverError, match="calls"):
        auto.answer(run.question(Dice(0.5)), run)
    below = Answer([["x2", "x3"]], Outcome.unfinished(Stop.LIMIT, 3.0, 8.0), cut_short=True)
    monkeypatch.setattr(auto, "ENGINES", answering(below, Answer([["x0", "x1"]], Outcome.optimal(9.0))))
    with pytest.raises(altsel.SolverError, match=r"a bound of 8.0 was proved, yet 9.0 found"):
        auto.answer(run.question(Dice(0.5)), run)


def test_a_proof_that_there_are_none_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was sought again, to the time limit, where an earlier engine had left a bound alone."""
    bounded = Answer([], Outcome.unfinished(Stop.LIMIT, None, 9.5), cut_short=True)
    nothing = Answer([], Outcome.infeasible())
    monkeypatch.setattr(auto, "ENGINES", answering(bounded, nothing, AssertionError("asked")))
    run = Run(Problem(Univariate([5, 4, 2, 1]), k=2), None, "test")
    assert auto.answer(run.question(Dice(0.5)), run) is nothing


def test_a_sum_with_conditions_is_no_plain_sum() -> None:
    class NotBoth(Univariate):
        def is_feasible(self, mask: np.ndarray) -> bool:
            return not (mask[0] and mask[1])

    with pytest.raises(altsel.ArgumentError, match="a plain sum has no conditions"):
        Problem(NotBoth([3, 2, 1]), 2)


def test_a_rule_that_switches_the_size_off_is_refused() -> None:
    def free(b: Any) -> None:
        b.cardinality.deactivate()
        b.mine = pyo.Constraint(expr=pyo.inequality(1, b.size, 3))

    for solver in (None, "highs"):
        with pytest.raises(altsel.ArgumentError, match=r"it may name b\.x, b\.size, b\.quality"):
            sequential(Problem(Univariate([3, 2, 1, 1]), 1, [free]), Dice(0.6), 1, solver)


def test_near_optimal_sets_are_in_order_of_the_formula() -> None:
    problem = Problem(Univariate([0.7, 0.1, 0.6, 0.6]), (2, 3))
    found = altsel.near_optimal(problem, altsel.AbsoluteLoss(1))
    scores = [subset.score for subset in found]
    assert scores == sorted(scores, reverse=True)
    assert altsel.audit(found, problem).verdict == "confirmed"


@pytest.mark.parametrize("denominator", ["k^2", "k(k-1)"])
@pytest.mark.parametrize("seed", range(12))
def test_negative_redundancies_are_not_clipped_to_something_else(denominator: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"x{j}" for j in range(5)]
    r = rng.choice([-1.0, -0.8, 0.0, 0.3, 5.0], size=(5, 5))
    dependence = Dependence(
        pd.Series(rng.choice([-5.0, -1.0, -0.1, 0.4], 5), index=names),
        pd.DataFrame((r + r.T) / 2, index=names, columns=names),
    )
    objective = MRMR(dependence, denominator)
    for k in (1, 2):
        found = sequential(Problem(objective, k), Dice(1), 1, "highs")
        scores = bf.scored(objective, list(bf.all_sets(names, (k, k))))
        assert found[0].score == pytest.approx(max(scores.values()), abs=1e-9)


def test_an_objective_of_ones_own_with_conditions_is_explained() -> None:
    class Own(altsel.models.Objective):
        name, features, kind = "own", tuple("abcde"), altsel.models.Kind.BLACK_BOX

        def score(self, mask: np.ndarray) -> float:
            return float(mask.sum())

        def is_feasible(self, mask: np.ndarray) -> bool:
            return not mask[0]

        def express(self, block: Any, sizes: tuple[int, int]) -> None:
            block.unknown = pyo.Var()
            block.quality = pyo.Expression(expr=block.unknown)

    rules = [altsel.domain.require("a"), altsel.domain.budget({"b": 1}, 3, [(1, ["c"])], other=0)]
    explained = altsel.explain(Problem(Own(), 2, rules), Dice(0.5), 0, together=True)
    assert "require 'a'" in " ".join(explained.conflict)


class Liar:
    """A solver that calls everything infeasible, or a poor set optimal, at most so many times."""

    name = "liar"

    def __init__(self, says: str) -> None:
        self.says, self.calls = says, 0

    def __call__(self, model: Any) -> Outcome:
        self.calls += 1
        if self.says == "infeasible":
            return Outcome.infeasible()
        for x in model.sets[0].x.values():
            x.set_value(int(x.local_name in {"x[x4]", "x[x5]"}))
        return Outcome.optimal(float(pyo.value(model.total)))


@pytest.mark.parametrize("says", ["infeasible", "poor"])
def test_another_solver_is_asked_where_an_answer_is_refuted(says: str) -> None:
    problem = Problem(Univariate([6, 5, 4, 3, 2, 1]), 2, [helper])
    liar = Liar(says)
    found = altsel.sequential(problem, Dice(0.5), 1, Auto(liar, altsel.solver("highs")))
    assert [one.score for one in found] == [11, 10]
    assert all(one.proof is altsel.Proof.OPTIMAL for one in found)
    assert liar.calls == 1
    assert "after an answer of liar was refuted" in found.search
    with pytest.raises(altsel.SolverError, match="infeasible, yet"):
        altsel.sequential(problem, Dice(0.5), 1, Auto(Liar("infeasible"), Liar("infeasible")))


def test_a_black_box_of_too_many_sets_is_refused_before_it_is_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"x{j}" for j in range(8)]
    problem = altsel.Problem(altsel.BlackBox(len, names), 3)
    question = Run(problem, None, "test").question(altsel.Dice(0.5))
    auto.refuse_black_box(question)
    monkeypatch.setattr(all_sets, "MOST_SETS", 50)
    with pytest.raises(altsel.ArgumentError, match="is a black box, and not all sets can be evaluated"):
        auto.refuse_black_box(Run(problem, None, "test").question(altsel.Dice(0.5)))
