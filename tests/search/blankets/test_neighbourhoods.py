"""Variables around the target learned by several workers: what is found, and counted, is that of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import joblib
import pandas as pd
import pytest

import altsel
from altsel.blankets import Limits
from altsel.errors import WorkerError
from altsel.search.blankets import neighbourhoods
from tests.conftest import ROOT

LEARNERS: dict[str, Any] = {
    "MMMB": altsel.blankets.mmmb,
    "HITON-MB": altsel.blankets.hiton_mb,
    "PCMB": altsel.blankets.pcmb,
    "IPC-MB": altsel.blankets.ipcmb,
    "MMPC": partial(altsel.blankets.mmpc, symmetric=True),
}


@pytest.fixture(autouse=True)
def learned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let workers begin at once; name the variables that they learn."""
    monkeypatch.setattr(neighbourhoods, "PAYS", 0.0)
    names: list[str] = []
    learning = neighbourhoods._Learn.__call__

    def noted(self: Any, name: str) -> Any:
        names.append(name)
        return learning(self, name)

    monkeypatch.setattr(neighbourhoods._Learn, "__call__", noted)
    return names


@pytest.fixture(scope="module")
def test() -> altsel.independence.GSquare:
    network = altsel.read_network(ROOT / "examples" / "data" / "alarm.bif")
    table = pd.DataFrame(network.sample(1000, random_state=0))
    return altsel.independence.GSquare(altsel.Dataset(table.drop(columns="HR"), table["HR"]))


def untimed(found: altsel.Solutions) -> altsel.Solutions:
    effort = replace(found.effort, seconds=0.0, peak_memory=0)
    return replace(found, effort=effort, sets=tuple(replace(one, seconds=0.0) for one in found))


@pytest.mark.parametrize("name", LEARNERS)
def test_workers_find_what_one_process_finds(name: str, test: Any, learned: list[str]) -> None:
    learn, limits = LEARNERS[name], Limits(include=["CATECHOL"], exclude=["CO"])
    alone = learn(test, 0.01, limits=limits)
    assert not learned
    with joblib.parallel_config("threading", n_jobs=2):
        assert untimed(learn(test, 0.01, limits=limits)) == untimed(alone)
    assert len(learned) > 1
    assert len(set(learned)) == len(learned)


def test_limits_end_it_with_what_it_has(
    test: Any, learned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Limits(max_tests=150)
    alone = altsel.blankets.hiton_mb(test, 0.01, limits=few)
    with joblib.parallel_config("threading", n_jobs=2):
        assert untimed(altsel.blankets.hiton_mb(test, 0.01, limits=few)) == untimed(alone)
        assert not learned  # tests are counted one after another
        monkeypatch.setattr(neighbourhoods._Learn, "__call__", lambda *_: None)
        late = altsel.blankets.hiton_mb(test, 0.01, limits=Limits(max_seconds=1e5))
    assert late.stop is altsel.Stop.TIME
    assert late[0].features


def test_what_lost_workers_had_is_learned_by_this_process(test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = altsel.blankets.mmmb(test, 0.01)

    def lost(*_: Any) -> Iterator[Any]:
        raise WorkerError("killed")
        yield

    monkeypatch.setattr(neighbourhoods, "each", lost)
    with joblib.parallel_config("threading", n_jobs=2):
        assert untimed(altsel.blankets.mmmb(test, 0.01)) == untimed(alone)


@pytest.mark.long
def test_processes_find_the_same(test: Any) -> None:
    with joblib.parallel_config("loky", n_jobs=2):
        both = altsel.blankets.hiton_mb(test, 0.01)
    assert untimed(both) == untimed(altsel.blankets.hiton_mb(test, 0.01))
