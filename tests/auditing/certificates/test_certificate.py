from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import (
    CFS,
    FCBF,
    MRMR,
    AbsoluteLoss,
    BlackBox,
    Dataset,
    Dice,
    Jaccard,
    LinearFit,
    ModelFit,
    Problem,
    Solutions,
    Univariate,
    domain,
    near_optimal,
    satisfying,
    sequential,
    simultaneous,
)
from altsel.tools import check_certificate
from tests.pairs import paired

ROOT = Path(__file__).parents[3]
checker: Any = check_certificate


def table(seed: int, columns: int = 9, rows: int = 80, kind: str = "numbers") -> Dataset:
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 4)) @ random.normal(size=(4, columns)) + random.normal(size=(rows, columns))
    y = X[:, : columns // 2].sum(axis=1) + 3 * random.normal(size=rows)
    y = {"classes": lambda: (y > 0).astype(int), "counts": lambda: random.poisson(np.exp(y / 12))}.get(
        kind, lambda: y
    )()
    return Dataset({f"x{j}": X[:, j] for j in range(columns)}, y)


def with_categories(seed: int) -> Dataset:
    """Return a table in which two of the features have several levels."""
    data = table(seed)
    X = {name: data.X[name].to_numpy() for name in data.features}
    quarters = np.array(list("abcd"))[np.digitize(X["x1"], np.quantile(X["x1"], [0.25, 0.5, 0.75]))]
    return Dataset(X | {"x1": quarters, "x5": np.where(X["x5"] > 0, "yes", "no")}, data.y)


CRITERIA: dict[str, Any] = {
    "univariate": lambda seed: Univariate(table(seed)),
    "fcbf": lambda seed: FCBF(table(seed)),
    "mrmr": lambda seed: MRMR(table(seed)),
    "mrmr k^2": lambda seed: MRMR(table(seed), denominator="k^2"),
    "cfs": lambda seed: CFS(table(seed)),
    "linear fit": lambda seed: LinearFit(table(seed)),
    "linear fit, ridge": lambda seed: LinearFit(table(seed), ridge=0.1),
    "linear fit, bic": lambda seed: LinearFit(table(seed), penalty="bic"),
    "linear fit, adjusted": lambda seed: LinearFit(table(seed), penalty="adjusted"),
    "linear fit, categories": lambda seed: LinearFit(with_categories(seed)),
    "logistic": lambda seed: ModelFit(table(seed, kind="classes")),
    "poisson, bic": lambda seed: ModelFit(table(seed, kind="counts"), "poisson", penalty="bic"),
}


def verdict(path: Path) -> tuple[int, list[str]]:
    told: list[str] = []
    return checker.check(path, told.append), told


def verified(found: Solutions | altsel.Front, path: Path, *given: Any) -> list[str]:
    """Write the certificate and check it; return what the checker says."""
    written = found.certificate(path, *given)
    code, told = verdict(path)
    assert code == (3 if written.not_covered else 0)
    assert sum(line.startswith("verified: ") for line in told) == len(written.claims)
    return told


@pytest.mark.parametrize(("seed", "name"), paired(range(2), [*CRITERIA]))
def test_sets_one_after_another_are_proved(name: str, seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    objective = CRITERIA[name](seed)
    costs = {f: float(random.choice([0.1, 0.2, 0.3])) for f in objective.features}
    rules = [domain.budget(costs, 0.6), domain.require("x0")] if seed else []
    k: Any = (1, 2) if name == "fcbf" else (2, 3) if seed else 3
    found = sequential(Problem(objective, k, rules), Jaccard(0.5) if seed else Dice(0.5), 2)
    told = verified(found, tmp_path / "one.proof.json")
    assert sum("is optimal" in line for line in told) == len(found) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CRITERIA)
def test_a_list_is_proved_complete(name: str, tmp_path: Path) -> None:
    objective = CRITERIA[name](3)
    problem = Problem(objective, 2 if name == "fcbf" else 3)
    best = sequential(problem, Dice(0), 0)
    found = near_optimal(problem, AbsoluteLoss(0.1 * abs(best[0].score)))
    told = verified(found, tmp_path / "list.proof.json.gz")
    assert any(f"{len(found)} sets are listed" in line for line in told) or len(found) == 1


@pytest.mark.parametrize("rules", [[], [domain.forbid("x1")]], ids=["plain", "ruled"])
@pytest.mark.parametrize("total", ["sum", "min"])
def test_sets_at_once_are_proved(total: str, rules: list[Any], tmp_path: Path) -> None:
    found = simultaneous(Problem(Univariate(table(5)), 3, rules), Dice(0.5), 1, total)
    told = verified(found, tmp_path / "together.proof.json")
    assert sum("sets together are optimal" in line for line in told) == 1


def test_sets_at_once_may_be_the_same(tmp_path: Path) -> None:
    found = simultaneous(Problem(MRMR(table(5)), 3), Dice(0), 1)
    told = verified(found, tmp_path / "same.proof.json")
    assert sum("sets together are optimal" in line for line in told) == 1


@pytest.mark.parametrize("name", ["univariate", "mrmr", "cfs"])
@pytest.mark.parametrize("ruled", [False, True], ids=["plain", "ruled"])
def test_too_many_sets_for_the_features_are_ruled_out_by_counting(
    name: str, ruled: bool, tmp_path: Path
) -> None:
    """Of 9 features no 4 sets of 4 share one pairwise, of 7 no 3: 7 are in two of them, 5 of these."""
    rules = [domain.forbid("x1"), domain.forbid("x2")] if ruled else []
    found = simultaneous(Problem(CRITERIA[name](5), 4, rules), Dice(0.75), 2 if ruled else 3)
    assert found.stop is altsel.Stop.INFEASIBLE
    path = tmp_path / "none.json"
    assert "there are no" in verified(found, path)[0]
    lines = path.read_text("utf-8")
    path.write_text(lines.replace('"common":1', '"common":4'), "utf-8")
    with pytest.raises(checker.RefutedError, match="there may be such sets"):
        verdict(path)


def test_the_sum_of_sets_at_once_is_bound_by_prices_of_rules_too(tmp_path: Path) -> None:
    rules = [domain.forbid("x1"), domain.budget({f"x{j}": 1 + j % 2 for j in range(9)}, 4, other=0)]
    found = simultaneous(Problem(Univariate(table(5)), 3, rules), Dice(0.6), 2)
    told = verified(found, tmp_path / "ruled.json")
    assert "(rows kept: 3), of which two share at most 1 features, have a sum above" in told[0]


@pytest.mark.slow
def test_families_that_take_long_to_look_at_are_not_covered(tmp_path: Path) -> None:
    """Of 84 sets, no 14 differ enough, which counting does not tell: a list would be looked at for ever."""
    weights = {f"x{j}": float(10 - j) for j in range(10)}
    problem = Problem(Univariate(weights), 3, [domain.forbid("x0")])
    found = simultaneous(problem, Dice(0.6), 13)
    assert found.stop is altsel.Stop.INFEASIBLE
    written = found.certificate(tmp_path / "long.json")
    assert "would take too long to look at" in written.not_covered[0]


def test_the_certificate_that_the_page_reads_by_hand(tmp_path: Path) -> None:
    page, path = (ROOT / "docs" / "certificates.md").read_text("utf-8"), tmp_path / "hand.json"
    lines = page.split("## A certificate read by hand")[1].split("```\n")[1]
    for text in (lines, lines.split('["branch"')[0] + '["bound", [], {"budget": 2}]\n'):
        path.write_text(text, "utf-8")
        assert verdict(path)[0] == 0
    path.write_text(text.replace('"budget": 2', '"budget": 1'), "utf-8")
    with pytest.raises(checker.RefutedError, match="too weak"):
        verdict(path)


def test_of_columns_that_depend_on_each_other_scores_are_listed(tmp_path: Path) -> None:
    x = np.arange(8.0)
    data = Dataset({"a": x, "b": x**2, "c": x + x**2}, np.sin(x))
    found = sequential(Problem(LinearFit(data), 2), Dice(0), 0)
    assert "is optimal" in verified(found, tmp_path / "copies.json")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["univariate", "fcbf", "mrmr", "cfs", "linear fit"])
def test_the_most_different_sets_and_fronts_are_proved(name: str, tmp_path: Path) -> None:
    objective = CRITERIA[name](4)
    problem = Problem(objective, 2 if name == "fcbf" else 3)
    best = sequential(problem, Dice(0), 0)[0].score
    for measure in (Dice(0), altsel.Average(Jaccard(0.1))):
        found = altsel.most_different(problem, measure, 2, AbsoluteLoss(0.3 * abs(best)))
        told = verified(found, tmp_path / "different.json")
        assert sum("best of those that are as different" in line for line in told) == len(found) - 1
        front = altsel.pareto_front(problem, measure)
        if not front.points:  # of FCBF no other set may be left
            continue
        told = verified(front, tmp_path / "front.json")
        assert sum("set 0 is optimal" in line for line in told) == len(front)
        assert front[-1].dissimilarity == 1 or "no sets are more different" in told[-2]


@pytest.mark.slow
@pytest.mark.parametrize("total", ["sum", "min"])
def test_fronts_of_sets_at_once_are_proved(total: str, tmp_path: Path) -> None:
    front = altsel.pareto_front(
        Problem(MRMR(table(6)), 5), Dice(0), together=True, alternatives=1, total=total
    )
    told = verified(front, tmp_path / "front.json")
    assert sum("sets together are optimal" in line for line in told) == len(front) > 2
    assert "no sets are more different" in told[-2]


@pytest.mark.slow
def test_a_more_different_set_is_not_hidden(tmp_path: Path) -> None:
    problem, path = Problem(MRMR(table(7)), 4), tmp_path / "hidden.json"
    front = altsel.pareto_front(problem, Dice(0))
    with pytest.raises(altsel.SolverError, match="the checker refutes it"):
        replace(front, points=front.points[:-1]).certificate(path, problem)
    found = altsel.most_different(problem, Dice(0), 1, AbsoluteLoss(0.9 * front[0].quality))
    assert not found.certificate(path).not_covered
    with pytest.raises(altsel.SolverError, match="the checker refutes it"):
        replace(found, sets=(found.sets[0], front[1].found[0])).certificate(path, problem)


@pytest.mark.parametrize("near", [5e-5, 1e-4, 1e-3])
def test_scores_of_near_copies_are_those_of_the_file(near: float, tmp_path: Path) -> None:
    """Rounding of the products put them further off than the proof allows."""
    for seed in range(4):
        random = np.random.default_rng(seed)
        x, z, noise = random.normal(size=(3, 40))
        data = Dataset({"x": x, "copy": x + near * z, "noise": noise}, z + 0.1 * noise)
        found = sequential(Problem(LinearFit(data), 2), Dice(0.5), 2)
        assert sum("is optimal" in line for line in verified(found, tmp_path / "near.json")) == len(found)


def test_what_does_not_exist_is_proved(tmp_path: Path) -> None:
    objective = Univariate({"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.5})
    contradiction = [domain.require("a"), domain.forbid("a")]
    infeasible = sequential(Problem(objective, 2, contradiction), Dice(0.5), 1)
    assert "there is no set of 2" in verified(infeasible, tmp_path / "none.json")[0]
    apart = sequential(Problem(objective, 2), Dice(1), 3)
    assert "there is no further set" in verified(apart, tmp_path / "apart.json")[2]
    good = satisfying(Problem(objective, 2), Dice(0.5), 9, least=3.4)
    assert "no further set is good enough" in verified(good, tmp_path / "good.json")[-2]
    without_a = [domain.at_most(1, ["a", other]) for other in "bcd"]  # of which counting knows nothing
    pairs = simultaneous(Problem(objective, 2, without_a), Dice(1), 1)
    assert len(pairs) == 0
    told = verified(pairs, tmp_path / "pairs.json")
    assert "no 2 sets of 2 (rows kept: 3), as different as is said, exist" in told[0]


def test_a_floor_that_a_set_reaches_but_for_rounding(tmp_path: Path) -> None:
    objective = LinearFit(table(1))
    problem = Problem(objective, 1, [domain.forbid("x0")])
    best = sequential(problem, Dice(0), 0)[0].score
    found = satisfying(problem, Dice(0.5), 0, least=float(np.nextafter(best, 1.0)))
    assert not found.sets
    verified(found, tmp_path / "floor.json")


def test_a_family_of_blankets_is_proved(tmp_path: Path) -> None:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + noise)
    found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data), 0.01)
    path = tmp_path / "blankets.proof.json"
    told = verified(found, path)
    assert "the 2 sets are all minimal ones with a feature of each of 2 others" in told[0]
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines[-1]["sets"].pop()
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with pytest.raises(checker.RefutedError, match="and none of the sets"):
        checker.check(path)


def forged(lines: list[Any]) -> list[tuple[str, list[Any]]]:
    """Forge a certificate of one claim in every way that a proof must not survive."""
    text = json.dumps(lines)

    def changed(change: Any) -> list[Any]:
        copy = json.loads(text)
        change(copy)
        return list(copy)

    claim = next(i for i, line in enumerate(lines) if "claim" in line)
    row = next((i for i, line in enumerate(lines) if "row" in line), None)
    digest = next(i for i, line in enumerate(lines) if "question" in line)
    leaf = next(i for i, line in enumerate(lines) if isinstance(line, list) and line[0] != "branch")
    result = [
        ("a leaf is dropped", changed(lambda copy: copy.pop(leaf))),
        (
            "the limit is lower than the best score",
            changed(lambda copy: copy[claim].update({"at most": "0x0p+0"})),
        ),
        ("the score is higher", changed(lambda copy: copy[claim]["sets"][0].update({"at least": "0x1p+9"}))),
        ("a number is another", changed(lambda copy: copy[1].update({"kind": "no such"}))),
        ("the digest is another", changed(lambda copy: copy[digest].update({"question": "0"}))),
    ]
    if row is not None:
        result.append(("a rule is weaker", changed(lambda copy: copy[row].update({"at most": "0x1p+9"}))))
    return result


@pytest.mark.parametrize("name", ["univariate", "mrmr", "cfs", "linear fit", "logistic"])
def test_forged_certificates_are_refused(name: str, tmp_path: Path) -> None:
    objective, path = CRITERIA[name](1), tmp_path / "forged.json"
    costs = {f: 0.1 * (1 + j % 3) for j, f in enumerate(objective.features)}
    sequential(Problem(objective, 3, [domain.budget(costs, 0.5)]), Dice(0), 0).certificate(path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for words, forgery in forged(lines):
        path.write_text("\n".join(map(json.dumps, forgery)), "utf-8")
        assert checker.main([str(path)]) == 1, words
    reordered = [dict(reversed(line.items())) if isinstance(line, dict) else line for line in lines]
    path.write_text("\n".join(map(json.dumps, reordered)), "utf-8")
    assert checker.main([str(path)]) == 0


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent / "forged").iterdir()), ids=lambda path: path.stem
)
def test_files_that_once_passed_for_more_than_they_prove(path: Path) -> None:
    assert checker.main([str(path)]) == 1


def test_models_of_integer_columns_have_certificates(tmp_path: Path) -> None:
    """Units of columns and masses together were coarser than those of logarithms."""
    x = np.tile([1.0, 1.0, -1.0, -1.0], 10)  # standardised columns are 1 and -1
    y = [1, 0, 0, 0] * 9 + [1, 1, 0, 1]
    data = Dataset({"a": x, "b": np.tile([1.0, -1.0, 1.0, -1.0], 10)}, y)
    verified(sequential(Problem(ModelFit(data), 1), Dice(0), 0), tmp_path / "whole.json")


@pytest.mark.parametrize("name", ["univariate", "mrmr", "cfs"])
def test_a_better_set_is_not_hidden(name: str, tmp_path: Path) -> None:
    objective, path = CRITERIA[name](2), tmp_path / "hidden.json"
    found = sequential(Problem(objective, 3), Dice(0.5), 1)
    worse = altsel.results.Solutions(
        found.sets[1:], found.stop, found.universe, found.criterion, request=found.request
    )
    with pytest.raises(altsel.SolverError, match="the checker refutes it"):
        worse.certificate(path, Problem(objective, 3), Dice(0.5))
    assert not path.exists()


@pytest.mark.slow
def test_the_checker_needs_no_altsel(tmp_path: Path) -> None:
    path = tmp_path / "alone.proof.json.gz"
    sequential(Problem(MRMR(table(4)), 3), Dice(0.5), 1).certificate(path)
    command = [sys.executable, "-I", "-S", str(ROOT / "tools" / "check_certificate.py")]
    ended = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert ended.stdout.endswith("2 verified, 0 not covered\n")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        whole = file.read()
    (tmp_path / "cut.json").write_text(whole[: len(whole) // 2], "utf-8")
    for name, code in (("cut.json", 2), ("nowhere.json", 2)):
        assert (
            subprocess.run([*command, str(tmp_path / name)], capture_output=True, check=False).returncode
            == code
        )
    assert len((ROOT / "tools" / "check_certificate.py").read_text("utf-8").splitlines()) <= 600


def test_logarithms_and_exponentials_are_enclosed() -> None:
    unit = Fraction(1, 1 << checker.FINE)
    for above, below in [(1, 3), (7, 7), (10**20 + 1, 10**20), (3, 10**30)]:
        low, high = checker.log_range(above, below)
        assert float(low * unit) - 1e-12 <= log(above) - log(below) <= float(high * unit) + 1e-12
        assert 0 < (high - low) * unit < 1e-20
    for u in (Fraction(0), Fraction(1, 3), Fraction(100)):
        low, high = checker.exp_range(u)
        assert float(low * unit) <= exp(u) * (1 + 1e-15)
        assert float(high * unit) >= exp(u) * (1 - 1e-15)


def test_what_is_not_covered_is_named(tmp_path: Path) -> None:
    names = [f"x{j}" for j in range(26)]
    box = BlackBox(lambda chosen: float("x0" in chosen) + 1e-3 * sum(int(f[1:]) for f in chosen), names)
    ended = sequential(Problem(box, 4), Dice(0), 0)
    told = ended.certificate(tmp_path / "box.json").not_covered[0]
    assert "not known by its numbers, and there are more than 5,000 sets" in told
    assert verdict(tmp_path / "box.json")[0] == 3
    across = [domain.in_at_most(1, ["x0"])]
    found = simultaneous(Problem(Univariate(dict.fromkeys(names, 1.0)), 2, across=across), Dice(0.5), 1)
    assert "rules across them" in found.certificate(tmp_path / "across.json").not_covered[0]


def test_a_part_of_an_answer_claims_nothing(tmp_path: Path) -> None:
    problem = Problem(Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), 2)
    part = sequential(problem, Dice(0.5), 2).without(["b"])
    written = part.certificate(tmp_path / "part.json", problem)
    assert (written.claims, written.not_covered) == ((), ("a part of the sets that sequential found",))


def test_the_problem_is_that_of_the_search(tmp_path: Path) -> None:
    problem = Problem(Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), 2)
    found = sequential(problem, Dice(0.5), 1)
    read = Solutions.from_json(found.to_json())
    with pytest.raises(altsel.ArgumentError, match="give the problem"):
        read.certificate(tmp_path / "read.json")
    assert read.certificate(tmp_path / "read.json", problem).claims == (
        "set 0 is optimal",
        "set 1 is optimal",
    )
    other = Problem(Univariate({"a": 3.0, "b": 2.0}), 1)
    with pytest.raises(altsel.ArgumentError, match="its features are not those"):
        found.certificate(tmp_path / "other.json", other)


@pytest.mark.parametrize("seed", range(3))
def test_the_scores_are_those_of_brute_force(seed: int, tmp_path: Path) -> None:
    """What the checker calls the most is the most of all sets by the formula."""
    objective, path = CFS(table(seed, 7)), tmp_path / "cfs.json"
    sequential(Problem(objective, 3), Dice(0), 0).certificate(path)
    masks = [np.isin(np.arange(7), one) for one in combinations(range(7), 3)]
    most = max(objective.score(mask) for mask in masks)
    claim = next(line for line in map(json.loads, path.read_text("utf-8").splitlines()) if "claim" in line)
    assert float.fromhex(claim["sets"][0]["at least"]) <= most <= float.fromhex(claim["at most"])
    assert float.fromhex(claim["at most"]) - most < 1e-9


def test_an_audit_ties_data_file_and_answer(tmp_path: Path) -> None:
    data = table(6)
    found = sequential(Problem(MRMR(data), 3), Dice(0.5), 1)
    path = tmp_path / "audit.proof.json"
    found.certificate(path)
    fine = altsel.audit(found, Problem(MRMR(data), 3), certificate=path)
    assert fine.verdict == "confirmed"
    assert sum("the certificate proves" in one.claim for one in fine.checks) == 2
    wrong = altsel.audit(found, Problem(MRMR(table(7)), 3), certificate=path)
    assert any("of these numbers" in one.claim for one in wrong.refuted)


def test_an_audit_refuses_the_certificate_of_another_answer(tmp_path: Path) -> None:
    """Of the same numbers, but of other sizes, with a higher limit, or with nothing of other sets."""
    objective, path = MRMR(table(3)), tmp_path / "other.json"
    problem = Problem(objective, 3)
    found = sequential(problem, Dice(0.3), 1)
    sequential(Problem(objective, 2), Dice(0.3), 1).certificate(path)
    assert altsel.audit(found, problem, certificate=path).verdict == "refuted"
    univariate = Univariate(table(3))
    problem, other = Problem(univariate, 3), Problem(univariate, 4)
    sequential(other, Dice(0), 0).certificate(path)
    audit = altsel.audit(sequential(problem, Dice(0), 0), problem, certificate=path)
    assert "of sets of other sizes" in str(audit)
    found = sequential(problem, Dice(0), 0)
    found.certificate(path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert altsel.audit(found, problem, certificate=path).verdict == "confirmed"
    for change, words in (
        ({"at most": "0x1p+9"}, "may score up to 512"),
        ({"of": "none"}, "and not of 'all'"),
    ):
        weak = [{**line, **change} if "claim" in line else line for line in lines]
        weak = weak if "at most" in change else [line for line in weak if isinstance(line, dict)]
        path.write_text("\n".join(map(json.dumps, weak)), "utf-8")
        assert checker.main([str(path)]) == 0
        audit = altsel.audit(found, problem, certificate=path)
        assert audit.verdict == "refuted"
        assert words in str(audit)


@pytest.mark.parametrize("rules", [[], [domain.forbid("x1")]], ids=["by counts", "by a list"])
@pytest.mark.parametrize("total", ["sum", "min"])
def test_an_audit_refuses_a_higher_limit_of_sets_at_once(
    total: str, rules: list[Any], tmp_path: Path
) -> None:
    problem, path = Problem(Univariate(table(5)), 3, rules), tmp_path / "together.json"
    found = simultaneous(problem, Dice(0.5), 1, total)
    found.certificate(path)
    assert altsel.audit(found, problem, certificate=path).verdict == "confirmed"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    claim = next(line for line in lines if "claim" in line)
    name = "at most together" if "at most together" in claim else "at most"
    claim[name] = (1.5 * float.fromhex(claim[name])).hex()
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert checker.main([str(path)]) == 0
    assert altsel.audit(found, problem, certificate=path).verdict == "refuted"


@pytest.mark.parametrize(("better", "fine"), [(9e-10, True), (1.2e-9, False)])
def test_optimal_is_proved_to_the_share_that_optimal_means(better: float, fine: bool, tmp_path: Path) -> None:
    problem = Problem(Univariate([2.0, 1.0, 1.0 + 3 * better]), k=2)
    found = altsel.sequential(problem, Dice(0.5), 0)
    beside = altsel.sequential(Problem(problem.objective, 2, [altsel.domain.forbid("x2")]), Dice(0.5), 0)
    answer = replace(found, sets=(replace(beside[0], bound=3.0),))
    if fine:
        assert answer.certificate(tmp_path / "x.json", problem).claims == ("set 0 is optimal",)
        return
    with pytest.raises(altsel.errors.SolverError, match="the checker refutes it"):
        answer.certificate(tmp_path / "x.json", problem)


def test_a_compressed_certificate_is_the_same_bytes_under_any_name(tmp_path: Path) -> None:
    """The name of a file, which is another while it is written, was in the head of the compressed one."""
    found = sequential(Problem(Univariate([3, 2, 1]), 2), Dice(0.5), 1)
    one, two = tmp_path / "one.json.gz", tmp_path / "another.json.gz"
    found.certificate(one)
    found.certificate(two)
    assert one.read_bytes() == two.read_bytes()


SOFT: dict[str, Any] = {
    "penalised": altsel.Penalised(Dice(0.9), 0.2),
    "penalised jaccard": altsel.Penalised(Jaccard(1), 0.05),
    "average": altsel.Average(Dice(0.4)),
    "average jaccard": altsel.Average(Jaccard(0.5)),
}


@pytest.mark.slow
@pytest.mark.parametrize(("soft", "name"), paired([*SOFT], [*CRITERIA]))
def test_sets_may_be_similar_at_a_price_or_on_average(soft: str, name: str, tmp_path: Path) -> None:
    objective = CRITERIA[name](6)
    found = sequential(Problem(objective, (1, 2) if name == "fcbf" else (2, 3)), SOFT[soft], 2)
    told = verified(found, tmp_path / "soft.proof.json")
    assert sum("is optimal" in line for line in told) == len(found) > 1
    assert any("less penalties" in line for line in told) == soft.startswith("penalised")


@pytest.mark.slow
@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("total", ["sum", "min"])
def test_sets_at_once_may_be_similar(total: str, soft: str, tmp_path: Path) -> None:
    for objective in (CRITERIA["univariate"](6), CRITERIA["logistic"](6)):
        found = simultaneous(Problem(objective, (1, 2)), SOFT[soft], 1, total)
        told = verified(found, tmp_path / "soft.proof.json")
        assert "the sets together are optimal" in told[0]
        assert ("less penalties" in told[0]) == soft.startswith("penalised")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["univariate", "mrmr", "cfs", "linear fit", "linear fit, bic", "logistic"])
def test_sets_at_once_of_several_sizes_are_proved(name: str, tmp_path: Path) -> None:
    found = simultaneous(Problem(CRITERIA[name](5), (1, 3)), Dice(0.6), 1)
    assert "sets of 1 or 2 or 3" in verified(found, tmp_path / "sizes.proof.json")[0]


def test_sets_at_once_that_are_good_or_most_different_are_proved(tmp_path: Path) -> None:
    problem, path = Problem(CRITERIA["mrmr"](5), (2, 3)), tmp_path / "different.proof.json"
    best = sequential(problem, Dice(0), 0)[0].score
    for measure in (Dice(0), altsel.Average(Jaccard(0.1))):
        found = altsel.most_different(problem, measure, 1, AbsoluteLoss(0.1 * abs(best)), together=True)
        told = verified(found, path)
        assert "the sets are the best of those that are as different" in told[0]
        assert "no sets together that are more different are good enough" in told[1]
    none = satisfying(problem, Dice(1), 1, least=best - 1e-6 * abs(best), together=True)
    assert "no sets together are good enough" in verified(none, path)[0]


def test_more_different_sets_at_once_are_not_hidden(tmp_path: Path) -> None:
    problem, path = Problem(CRITERIA["univariate"](5), 2), tmp_path / "hidden.json"
    found = altsel.most_different(problem, Dice(0), 1, AbsoluteLoss(10.0), together=True)
    similar = simultaneous(problem, Dice(0.5), 1, "min")
    assert sum(len({*one} & {*two}) for one in found[:1] for two in found[1:]) == 0
    for sets in (similar.sets, (found[0], similar[1])):
        with pytest.raises(altsel.SolverError, match="the checker refutes it"):
            replace(found, sets=sets).certificate(path, problem)


def test_criteria_and_rules_that_are_no_numbers_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "listed.proof.json"
    names = [f"x{j}" for j in range(7)]
    box = BlackBox(lambda chosen: float(sum(int(f[1]) ** 2 for f in chosen) % 13), names)
    told = verified(sequential(Problem(box, 3), Dice(0.5), 2), path)
    assert sum("is optimal" in line for line in told) == 3
    assert any('"kind":"table"' in line for line in path.read_text("utf-8").splitlines())

    def middling(block: Any) -> Any:
        return block.quality <= 0.6

    mrmr = MRMR(table(5))
    for rule in (middling, domain.criterion(CFS(table(5)), at_most=0.4)):
        found = near_optimal(Problem(mrmr, 2, [rule]), AbsoluteLoss(0.3))
        verified(found, path)
        assert len(found) > 1
        assert any('"kept by"' in line for line in path.read_text("utf-8").splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("family", ["multinomial", "cox", "ordinal"])
def test_models_that_are_not_bounded_are_listed(family: str, tmp_path: Path) -> None:
    data = table(5, columns=6)
    y = np.digitize(data.y, np.quantile(data.y, [0.3, 0.6]))
    response, event = (np.exp(data.y / 5), data.y > 0) if family == "cox" else (y, None)
    objective = ModelFit(Dataset(data.X, response), family, event=event)
    found = sequential(Problem(objective, 2), Dice(0.5), 1)
    assert sum("is optimal" in line for line in verified(found, tmp_path / "models.json")) == 2


def test_wide_tables_are_proved_by_all_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(altsel.models.pair_criterion, "WIDE", 5)
    data = table(5, columns=12)
    for objective in (MRMR(data), CFS(data), FCBF(data)):
        found = sequential(Problem(objective, 2), Dice(0.5), 1)
        assert sum("is optimal" in line for line in verified(found, tmp_path / "wide.json")) == len(found)


def test_rules_across_sets_hold_for_the_next_one(tmp_path: Path) -> None:
    objective = Univariate(table(5))
    problem = Problem(objective, 2, across=[domain.in_at_most(1, objective.features[:4])])
    found = sequential(problem, Dice(0.5), 2)
    assert all(sum(name in one for one in found) <= 1 for name in objective.features[:4])
    assert sum("is optimal" in line for line in verified(found, tmp_path / "across.json")) == 3


def test_where_no_set_keeps_the_rules_none_are_good_together(tmp_path: Path) -> None:
    rules = [domain.require("x0"), domain.forbid("x0")]
    none = satisfying(Problem(Univariate(table(5)), 2, rules), Dice(0.5), 1, least=0.1, together=True)
    assert "no sets together are good enough" in verified(none, tmp_path / "none.json")[0]
