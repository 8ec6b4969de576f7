"""What sets cost by budgets: in the table, in the frame, and in the file."""

from __future__ import annotations

import json

import pytest

from altsel import DataError, Dataset, Dice, Problem, Solutions, Univariate, domain, sequential
from altsel.results.spending import spent


def found(*rules: object) -> Solutions:
    return sequential(Problem(Univariate([50, 40, 31, 20, 10]), 2, rules), Dice(0.5), 2)  # type: ignore[arg-type]


def test_each_budget_has_a_column() -> None:
    fixed = domain.budget({"x0": 3, "x1": 1}, 9, [(2.5, ["x2", "x3"])], other=0.25)
    result = found(fixed, domain.budget(dict.fromkeys([f"x{j}" for j in range(5)], 2), 4))
    frame = result.to_frame()
    assert frame["features"].tolist() == [("x0", "x1"), ("x0", "x2"), ("x1", "x2")]  # 90, 81, 71
    assert frame["cost"].tolist() == [4.0, 5.5, 3.5]
    assert frame["cost 2"].tolist() == [4.0, 4.0, 4.0]
    assert str(result).splitlines()[1].split()[:4] == ["set", "features", "cost", "cost"]


def test_the_file_says_what_sets_cost_and_is_read_again() -> None:
    result = found(domain.budget({"x0": 3}, 9, other=1))
    assert [one["spent"] for one in json.loads(result.to_json())["sets"]] == [[4.0], [4.0], [2.0]]
    again = Solutions.from_json(result.to_json())
    assert again == result
    assert [one.spent for one in again] == [(4.0,), (4.0,), (2.0,)]


def test_without_a_budget_nothing_is_said_of_costs() -> None:
    result = found(domain.forbid("x0"))
    assert "spent" not in result.to_json()
    assert "cost" not in result.to_frame()
    assert "cost" not in str(result)


def test_of_several_names_the_cheapest_counts() -> None:
    data = Dataset({"a": [1.0, 2, 3, 4], "a2": [2.0, 4, 6, 8], "b": [1, 0, 0, 1.5]}, [0, 1, 0, 1]).grouped()
    rule = domain.budget({"a": 3, "a2": 2, "b": 1}, 2)
    result = sequential(Problem(Univariate(data), 1, [rule]), Dice(0.5), 1)
    assert {one.features: one.spent for one in result} == {("a",): (2.0,), ("b",): (1.0,)}


@pytest.mark.parametrize(
    "rule",
    [
        {"budget": [{"cost": {"a": "much"}, "limit": 3}]},
        {"budget": [{"cost": [1], "limit": 3}]},
        {"budget": [{"fixed": [{"of": "a"}]}]},
        {"budget": {"cost": {"a": 1}}},
        {"forbid": ["a"]},
        {"function": "f"},
        "budget",
    ],
)
def test_what_is_no_budget_costs_nothing(rule: object) -> None:
    assert spent(["a"], [rule], {}) == ()


def test_a_file_may_not_say_another_cost() -> None:
    plain = json.loads(found(domain.budget({"x0": 3}, 9, other=1)).to_json())
    plain["sets"][0]["spent"] = [0.0]
    assert Solutions.from_json(json.dumps(plain))[0].spent == (4.0,)
    plain["sets"][0]["spent"] = ["dear"]
    with pytest.raises(DataError, match="spent"):
        Solutions.from_json(json.dumps(plain))
