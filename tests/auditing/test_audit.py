"""Audits confirm what is true, and refute what was falsified, each way it can be."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from typer.testing import CliRunner

import altsel
from altsel import Average, Dice, Penalised, Problem, Proof, RelativeLoss, Stop, Univariate, audit, domain
from altsel.auditing.recomputation import Case
from altsel.auditing.stated_diversity import diversity_of
from altsel.cli.app import app
from altsel.exact.verification.dissimilarity_checks import distance
from altsel.exact.verification.verifier import Check, Verifier

pytestmark = pytest.mark.filterwarnings("ignore::altsel.DataWarning")
ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data" / "ionosphere.csv.gz"
PROBLEM = Problem(Univariate([5, 4, 3, 2, 1.5, 0.5]), k=2)
FOUND = altsel.sequential(PROBLEM, Dice(0.5), 3)


def changed(number: int, **values: Any) -> altsel.Solutions:
    sets = list(FOUND.sets)
    sets[number] = replace(sets[number], **values)
    return replace(FOUND, sets=tuple(sets))


@pytest.mark.parametrize(
    ("false", "claim"),
    [
        (changed(1, features=("x0", "x4")), "score"),
        (changed(1, score=8.5, bound=8.5), "score"),
        (changed(2, features=("x0", "x1"), score=9.0, bound=9.0), "dissimilarity"),
        (changed(0, features=("x0", "x1", "x2")), "2 known features"),
        (changed(0, features=("x0", "x0")), "each once"),
        (changed(0, features=("x0", "x9")), "known features"),
        (changed(1, bound=7.0), "bound"),
        (changed(1, proof=Proof.FEASIBLE, bound=9.0, gap=0.5), "gap"),
        (replace(FOUND, sets=FOUND.sets[:2]), "4 sets"),
        (replace(FOUND, sets=(FOUND[1], FOUND[0], *FOUND.sets[2:])), "no later set is better"),
        (replace(FOUND, universe=FOUND.universe[:-1]), "features are those"),
        (replace(FOUND, target="another"), "target"),
        (replace(FOUND, seed=7), "seed"),
        (replace(FOUND, stop=Stop.EXHAUSTED), "may end so"),
        (replace(FOUND, sets=(), stop=Stop.EXHAUSTED), "may end so"),
        (changed(1, proof=Proof.TESTED), "tested"),
        (changed(0, features=("x1", "x0")), "order of the data"),
        (replace(FOUND, request={**FOUND.request, "rules": [{"forbid": ["x5"]}]}), "rules on each set"),
        (replace(FOUND, request={**FOUND.request, "criterion": {"name": "MRMR"}}), "parameters"),
        (replace(FOUND, request={k: v for k, v in FOUND.request.items() if k != "search"}), "which search"),
    ],
)
def test_what_was_falsified_is_refuted(false: altsel.Solutions, claim: str) -> None:
    claims = audit(false, PROBLEM, Dice(0.5))
    assert claims.verdict == "refuted"
    assert any(claim in str(check) for check in claims.refuted)


@pytest.mark.parametrize("prover", ["highs", "scip", "cp-sat"])
def test_an_optimal_that_is_not_is_refuted_by_another_engine(prover: str) -> None:
    if prover not in [profile.name for profile in altsel.profiles() if profile.version]:
        pytest.skip(f"{prover} is not installed")
    worse = altsel.sequential(PROBLEM, Dice(0.5), 0)[0]
    worse = replace(worse, features=("x0", "x2"), score=8.0, bound=8.0)
    claims = audit(replace(FOUND, sets=(worse,), stop=Stop.INFEASIBLE), PROBLEM, Dice(0.5), prove=prover)
    assert claims.verdict == "refuted"
    assert any("'x0', 'x1' has 9.0" in check.found for check in claims.refuted)
    assert audit(FOUND, PROBLEM, Dice(0.5), prove=prover).verdict == "confirmed"


def test_that_there_is_no_further_set_is_proved_again() -> None:
    all_sets = altsel.sequential(PROBLEM, Dice(1), 5)
    assert all_sets.stop is Stop.INFEASIBLE
    assert audit(all_sets, PROBLEM, prove="highs").verdict == "confirmed"
    some = replace(all_sets, sets=all_sets.sets[:1])
    assert "no further set" in str(audit(some, PROBLEM, prove="highs").refuted[0])


SEARCHES: dict[str, Callable[[], altsel.Solutions]] = {
    "sequential": lambda: FOUND,
    "of known sets": lambda: altsel.sequential(PROBLEM, Dice(0.5), 2, known=[["x0", "x1"]]),
    "simultaneous": lambda: altsel.simultaneous(PROBLEM, Dice(0.5), 2),
    "satisfying": lambda: altsel.satisfying(PROBLEM, Dice(0.5), 2, least=5),
    "satisfying together": lambda: altsel.satisfying(PROBLEM, Dice(0.5), 2, least=4, together=True),
    "most different": lambda: altsel.most_different(PROBLEM, Dice(0), 2, RelativeLoss(0.5)),
    "most different together": lambda: altsel.most_different(
        PROBLEM, Dice(0), 2, RelativeLoss(0.5), together=True
    ),
    "wrapper": lambda: altsel.wrapper(PROBLEM, Dice(0.5), 2),
    "wrapper together": lambda: altsel.wrapper(PROBLEM, Dice(0.5), 2, together=True),
    "near optimal": lambda: altsel.near_optimal(PROBLEM, RelativeLoss(0.3), 4),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_that_found_all_was_not_infeasible(search: str) -> None:
    found = SEARCHES[search]()
    assert found.stop is Stop.COUNT
    assert audit(found, PROBLEM, prove="highs").verdict != "refuted"
    false = replace(found, stop=Stop.INFEASIBLE)
    assert ["may end so" in str(check) for check in audit(false, PROBLEM).refuted] == [True]
    fewer = audit(replace(false, sets=found.sets[:-1]), PROBLEM)  # which a search set by set may end with
    together = "together" in search or search in {"simultaneous", "near optimal"}
    assert any("may end so" in str(check) for check in fewer.refuted) == together


def test_false_bounds_of_sets_that_are_not_optimal_are_refuted() -> None:
    low = changed(2, features=("x2", "x3"), score=5.0, bound=5.1, gap=0.02, proof=Proof.FEASIBLE)
    low = replace(low, sets=low.sets[:3], stop=Stop.TIME)
    claims = audit(low, PROBLEM, Dice(0.5))
    assert (claims.verdict, claims.unproved) == (
        "confirmed",
        ("sets '0', '1' called optimal", "bounds of sets '2'"),
    )
    claims = audit(low, PROBLEM, Dice(0.5), prove="highs")
    assert ["bound of set 2" in str(one) for one in claims.refuted] == [True]
    family = altsel.simultaneous(PROBLEM, Dice(0.5), 1)
    sets = tuple(
        replace(subset, bound=subset.score + 0.1, gap=0.01, proof=Proof.FEASIBLE) for subset in family
    )
    worse = replace(sets[1], features=("x2", "x5"), score=3.5, bound=3.6)
    claims = audit(replace(family, sets=(sets[0], worse)), PROBLEM, Dice(0.5), prove="highs")
    assert claims.verdict == "refuted"


def test_a_short_list_of_near_optimal_sets_is_refuted() -> None:
    found = altsel.near_optimal(PROBLEM, RelativeLoss(0.3), 100)
    assert audit(found, PROBLEM).verdict == "confirmed"
    for false in (
        replace(found, sets=()),
        replace(found, sets=found.sets[:2], stop=Stop.COUNT),
        replace(found, stop=Stop.INFEASIBLE),
    ):
        assert audit(false, PROBLEM).verdict == "refuted"


@pytest.mark.parametrize(
    ("arguments", "claims"),
    [
        (([], PROBLEM, Dice(0.5)), "an audit is of Solutions"),
        ((FOUND, "x", Dice(0.5)), "give the Problem"),
        ((FOUND, PROBLEM, "dice"), "use Dice"),
    ],
)
def test_arguments_of_another_kind_are_named(arguments: Any, claims: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=claims):
        audit(*arguments)


def test_another_engine_is_to_prove() -> None:
    with pytest.raises(altsel.ConfigurationError, match="name a solver"):
        audit(FOUND, PROBLEM, Dice(0.5), prove="auto")
    with pytest.raises(altsel.ConfigurationError):
        audit(FOUND, PROBLEM, Dice(0.5), prove="")


@pytest.mark.parametrize("total", ["sum", "min"])
def test_totals_are_proved_again(total: str) -> None:
    found = altsel.simultaneous(PROBLEM, Dice(0.5), 2, total)
    assert audit(found, PROBLEM, prove="highs").verdict == "confirmed"
    worst = altsel.simultaneous(Problem(Univariate([5, 4, 3, 2, 1.5, 0.5]), 2), Dice(1), 2, total)
    claimed = replace(worst, request=found.request)
    assert audit(claimed, PROBLEM, Dice(0.5), prove="highs").verdict == "refuted"


def test_that_there_are_no_such_sets_at_once_is_proved_again() -> None:
    none = altsel.simultaneous(PROBLEM, Dice(1), 5)
    assert none.stop is Stop.INFEASIBLE
    assert audit(none, PROBLEM, prove="highs").verdict == "confirmed"
    claimed = replace(none, request={**none.request, "alternatives": 1})
    assert audit(claimed, PROBLEM, Dice(1), prove="highs").verdict == "refuted"
    early = replace(none, stop=Stop.TIME)  # it claims nothing
    assert audit(early, PROBLEM, prove="highs").verdict == "confirmed"


def test_a_bound_of_a_total_is_proved_again() -> None:
    found = altsel.simultaneous(PROBLEM, Dice(0.5), 1)
    best = sum(subset.score for subset in found)

    def bounded(more: float) -> altsel.Solutions:
        sets = [
            replace(subset, proof=altsel.Proof.FEASIBLE, bound=subset.score + more, gap=more / best)
            for subset in found
        ]
        return replace(found, sets=tuple(sets))

    assert audit(bounded(1.0), PROBLEM, Dice(0.5), prove="highs").verdict == "confirmed"
    poorer = altsel.simultaneous(Problem(PROBLEM.objective, PROBLEM.k), Dice(1), 1)
    claimed = replace(poorer, request=found.request)
    sets = [replace(one, proof=altsel.Proof.FEASIBLE, bound=one.score + 1e-3, gap=1e-3) for one in claimed]
    assert audit(replace(claimed, sets=tuple(sets)), PROBLEM, Dice(0.5), prove="highs").verdict == "refuted"


def test_searches_that_are_no_single_question_are_not_proved_again() -> None:
    found = altsel.most_different(PROBLEM, Dice(0.2), 1, RelativeLoss(0.3))
    claims = audit(found, PROBLEM, prove="highs")
    assert claims.verdict == "not settled"
    assert "only checks its conditions" in str(claims)


def test_near_optimal_sets_are_proved_again_and_missing_ones_found() -> None:
    found = altsel.near_optimal(PROBLEM, RelativeLoss(0.3))
    assert audit(found, PROBLEM, prove="highs").verdict == "confirmed"
    fewer = replace(found, sets=found.sets[:-1])
    assert audit(fewer, PROBLEM, prove="highs").verdict == "refuted"


@pytest.mark.parametrize("diversity", [Average(Dice(0.5)), Penalised(Dice(0.5), 1.0)])
def test_lenient_diversities(diversity: Any) -> None:
    found = altsel.sequential(PROBLEM, diversity, 2)
    assert audit(found, PROBLEM, prove="highs").verdict == "confirmed"
    assert audit(found, PROBLEM, Dice(1)).verdict == "refuted"


Q: dict[str, float] = {f"x{j}": q for j, q in enumerate([5, 4, 3, 2, 1.5, 0.5])}


def helped(b: Any) -> None:
    b.used = pyo.Var(domain=pyo.Binary)
    b.one = pyo.Constraint(expr=b.x["x0"] + b.x["x1"] <= 2 * b.used)
    b.two = pyo.Constraint(expr=b.used + b.x["x2"] <= 1)


RULES: dict[str, tuple[Any, Callable[[set[str]], bool]]] = {
    "row": (domain.at_most(1, ["x0", "x1"]), lambda s: len(s & {"x0", "x1"}) <= 1),
    "quality": (domain.minimum_quality(6), lambda s: sum(Q[f] for f in s) >= 6),
    "fixed": (lambda b: b.x["x2"].fix(1), lambda s: "x2" in s),
    "bound": (lambda b: b.x["x0"].setub(0), lambda s: "x0" not in s),
    "helper": (helped, lambda s: not ("x2" in s and s & {"x0", "x1"})),
    "panel": (
        domain.budget({"x0": 0.1, "x1": 0.2}, 1.3, fixed=[(1.0, ["x0", "x2"])], other=0),
        lambda s: 0.1 * ("x0" in s) + 0.2 * ("x1" in s) + bool(s & {"x0", "x2"}) <= 1.3 + 1e-12,
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_rules_are_verified_on_a_block_made_for_it(name: str) -> None:
    rule, fits = RULES[name]
    verifier = Verifier(Problem(Univariate([5, 4, 3, 2, 1.5, 0.5]), k=2, subject_to=[rule]))
    for one in ([a, b] for a in Q for b in Q if a < b):
        assert all(check.holds for check in verifier.rules(one)) == fits(set(one))


def test_distances_are_exact_fractions() -> None:
    assert distance(Dice(0.1), ["a", "b", "c"], ["a", "b", "d"]) == pytest.approx(1 / 3)
    assert str(distance(Dice(0.1), ["a", "b", "c"], ["a"])) == "1/2"


def run(*arguments: object) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audit")
    rules = folder / "rules.toml"
    cost = "{ a06 = 4, a08 = 2.5 }"
    rules.write_text(f'forbid = ["a05"]\nbudget = [{{ limit = 10, cost = {cost}, other = 0 }}]\n')
    file = folder / "found.json"
    given = ("--target", "target", "-k", 4, "--alternatives", 2, "--measure", "absolute-pearson")
    claims = run("select", DATA, *given, "--rules", rules, "--format", "json", "--output", file)
    assert claims.exit_code == 0
    rules.unlink()  # the file of solutions alone says what is to be checked
    return file


@pytest.mark.slow
def test_a_file_alone_is_confirmed(solutions: Path) -> None:
    claims = run("audit", solutions, DATA, "--prove", "highs")
    assert (claims.exit_code, "confirmed" in claims.stdout) == (0, True)


@pytest.mark.parametrize(
    "falsify",
    [
        lambda plain: plain["sets"][0]["features"].__setitem__(0, "a05"),
        lambda plain: plain["sets"][1].update(score=2.0, bound=2.0),
        lambda plain: plain["sets"].__setitem__(1, plain["sets"][0]),
        lambda plain: plain["request"].update(k=[5, 5]),
        lambda plain: plain["request"]["command"]["options"].update(k="5"),
        lambda plain: plain["request"]["diversity"].update(tau=0.9),
        lambda plain: plain.update(stop="infeasible"),
        lambda plain: plain["sets"].pop(0),
        lambda plain: plain["sets"][0].update(gap=0.25),
        lambda plain: plain["request"]["command"]["options"].update(measure="absolute-spearman"),
    ],
)
def test_a_falsified_file_is_refuted(
    falsify: Callable[[dict[str, Any]], object], solutions: Path, tmp_path: Path
) -> None:
    plain = json.loads(solutions.read_text())
    falsify(plain)
    false = tmp_path / "false.json"
    false.write_text(json.dumps(plain))
    claims = run("audit", false, DATA, "--prove", "highs")
    assert claims.exit_code == 3
    assert "WRONG" in claims.stdout


def test_another_table_is_refuted(solutions: Path, tmp_path: Path) -> None:
    table = pd.read_csv(DATA)
    table["a03"] = table["a03"].to_numpy() + 0.25
    other = tmp_path / "other.csv"
    table.to_csv(other, index=False)
    claims = run("audit", solutions, other)
    assert claims.exit_code == 3
    assert "fingerprint" in claims.stdout


def test_what_cannot_be_audited_says_so(tmp_path: Path) -> None:
    file = tmp_path / "python.json"
    file.write_text(FOUND.to_json())
    assert "does not say which command" in str(run("audit", file, DATA).exception)
    file.write_text("[1")
    assert "not JSON" in str(run("audit", file, DATA).exception)


@pytest.mark.parametrize(
    ("change", "claims"),
    [
        (lambda plain: plain["sets"][0].update(score=None), r"sets\[0\]\.score"),
        (lambda plain: plain["sets"][0].update(score="2"), r"sets\[0\]\.score"),
        (lambda plain: plain["sets"][0].update(features="ab"), r"sets\[0\]\.features"),
        (lambda plain: plain["sets"][0]["features"].extend(plain["universe"]), "comes twice"),
        (lambda plain: plain["sets"][0]["features"].append("zz"), "universe has no 'zz'"),
        (lambda plain: plain.update(request=[1]), "request"),
        (lambda plain: plain["request"].update(known=7), "known"),
        (lambda plain: plain["request"].update(alternatives="two"), "alternatives"),
        (lambda plain: plain["request"].update(rules=5), "rules"),
        (lambda plain: plain["request"].update(command="select"), "which command|command"),
        (lambda plain: plain["request"]["command"].update(name="bench"), "names the command 'bench'"),
        (lambda plain: plain["request"]["command"]["options"].update(k=None), "'k' = None"),
        (lambda plain: plain["request"]["command"]["options"].update(foo=1), "option 'foo'"),
        (lambda plain: plain["request"]["command"]["options"].update(objective="foo"), "'foo'"),
        (lambda plain: plain["request"]["command"]["options"].pop("target"), "which command"),
        (lambda plain: plain.update(stop="ended"), "stop"),
        (lambda plain: plain.update(more=1), "more"),
    ],
)
def test_nonsense_is_named(
    change: Callable[[dict[str, Any]], object], claims: str, solutions: Path, tmp_path: Path
) -> None:
    plain = json.loads(solutions.read_text())
    change(plain)
    file = tmp_path / "nonsense.json"
    file.write_text(json.dumps(plain))
    fault = run("audit", file, DATA, "--prove", "highs").exception
    assert isinstance(fault, altsel.AltselError)
    assert re.search(claims, str(fault))


def test_text_nested_too_deep_is_no_json(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    assert "not JSON" in str(run("audit", file, DATA).exception)


def test_options_that_contradict_the_request_are_refuted(solutions: Path, tmp_path: Path) -> None:
    for name, value in (("tau", 0.1), ("alternatives", 7), ("tau", "half")):
        plain = json.loads(solutions.read_text())
        plain["request"]["command"]["options"][name] = value
        file = tmp_path / "false.json"
        file.write_text(json.dumps(plain))
        assert run("audit", file, DATA).exit_code == 3


@pytest.mark.slow
def test_fronts_are_proved_by_another_solver_under_their_rules(tmp_path: Path) -> None:
    file, rules = tmp_path / "front.json", tmp_path / "rules.toml"
    rules.write_text('forbid = ["a05"]\n')
    given = ("--target", "target", "-k", 2, "--measure", "absolute-pearson", "--rules", rules)
    assert run("front", DATA, *given, "--format", "json", "--output", file).exit_code == 0
    rules.unlink()
    assert run("audit", file, DATA, "--prove", "highs").exit_code == 0
    plain = json.loads(file.read_text())
    plain["points"][0]["quality"] *= 0.99
    file.write_text(json.dumps(plain))
    assert run("audit", file, DATA, "--prove", "highs").exit_code == 3
    plain["points"][0]["quality"] = "much"
    file.write_text(json.dumps(plain))
    assert "points[0].quality" in str(run("audit", file, DATA).exception)
    assert run("audit", file, DATA, "--prove", "nobody").exit_code != 0


def test_what_ended_early_is_confirmed_as_far_as_it_came(tmp_path: Path) -> None:
    file = tmp_path / "front.json"
    given = ("--target", "target", "-k", 3, "--measure", "absolute-pearson")
    assert run("front", DATA, *given, "--format", "json", "--output", file).exit_code == 0
    plain = json.loads(file.read_text())
    plain["points"].pop()
    plain["stop"] = "interrupt"
    file.write_text(json.dumps(plain))
    claims = run("audit", file, DATA)
    assert (claims.exit_code, "WRONG" in claims.stdout) == (4, False)


@pytest.mark.slow
def test_rankings_and_fronts_are_run_again(tmp_path: Path) -> None:
    for command in (("rank", "--method", "mim", "-k", 3), ("front", "-k", 3)):
        file = tmp_path / f"{command[0]}.json"
        claims = run(
            command[0], DATA, "--target", "target", *command[1:], "--format", "json", "--output", file
        )
        assert claims.exit_code == 0
        assert run("audit", file, DATA).exit_code == 0
        plain = json.loads(file.read_text())
        (plain.get("points") or plain["sets"]).pop()
        file.write_text(json.dumps(plain))
        assert run("audit", file, DATA).exit_code == 3


def test_fingerprints_are_of_values_not_of_files(table: pd.DataFrame) -> None:
    first = altsel.Dataset(table, np.array([0, 1, 0, 1, 1, 0])).fingerprint
    assert altsel.Dataset(table.copy(), [0, 1, 0, 1, 1, 0]).fingerprint == first
    assert altsel.Dataset(table.assign(count=range(6)), [0, 1, 0, 1, 1, 0]).fingerprint != first


def test_a_diversity_without_its_number_is_told() -> None:
    with pytest.raises(altsel.DataError, match="lacks 'tau'"):
        diversity_of({"kind": "each", "measure": "Dice"})


def interrupted(*_: Any) -> Iterator[Check]:
    yield Check("set 0 is optimal", True)
    raise KeyboardInterrupt


def test_an_audit_that_is_interrupted_keeps_what_it_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(Univariate([5, 4, 2, 1]), k=2)
    found = altsel.sequential(problem, Dice(0.5), alternatives=1)
    monkeypatch.setattr("altsel.auditing.audit.proofs", interrupted)
    made = audit(found, problem, prove="highs")
    assert (made.verdict, len(made.open)) == ("not settled", 1)
    assert "interrupted; not, or in part: proofs by another solver" in str(made)
    assert "set 0 is optimal" in [check.claim for check in made.checks]
    monkeypatch.setattr(Case, "sets", interrupted)
    (one,) = audit(found, problem, prove="highs").open
    assert "each set; not: what holds between sets, how the search ended, proofs by another" in one.found


@pytest.mark.parametrize("where", ["altsel.auditing.audit.Case.between", "altsel.cli.audit.table_of"])
def test_the_command_says_what_it_looked_at(
    where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table, file = tmp_path / "t.csv", tmp_path / "found.json"
    table.write_text("a,b,y\n" + "".join(f"{j % 7},{j % 5},{j % 3}\n" for j in range(40)))
    asked = ["select", str(table), "--target", "y", "-k", "1", "--output", str(file), "--quiet"]
    assert CliRunner().invoke(app, asked).exit_code == 0

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, stop if "table_of" in where else interrupted)
    told = CliRunner().invoke(app, ["audit", str(file), str(table), "--quiet", "--verbose"])
    assert told.exit_code == 130
    if "table_of" in where:
        assert "everything looked at: interrupted" in told.stdout
    else:
        assert "ok    set 0: features in the order of the data" in told.stdout
    assert told.stdout.startswith("not settled: ")
    asked = ["rank", str(table), "--target", "y", "-k", "1", "--output", str(file), "--quiet"]
    assert CliRunner().invoke(app, asked).exit_code == 0
    monkeypatch.setattr("altsel.cli.rank.RankOptions.ranked", stop)  # in the command that is run again
    assert CliRunner().invoke(app, ["audit", str(file), str(table), "--quiet"]).exit_code == 130
    assert "interrupted; this is what was looked at until then" in told.stderr
