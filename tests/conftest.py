"""Shared inputs: a shipped real data set, small known numbers, and the solver profiles found here."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, settings

import altsel

ROOT = Path(__file__).parents[1]
IONOSPHERE = ROOT / "examples" / "data" / "ionosphere.csv.gz"

# Solves take milliseconds, but a loaded machine may stretch any one of them, and the making of examples.
UNTIMED: Any = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("altsel", **UNTIMED, derandomize=True, max_examples=30)  # nox -s fresh: 100
settings.register_profile(
    "fresh", **UNTIMED, print_blob=True, phases=set(Phase) - {Phase.explain}
)  # nox -s fresh: other examples each time
settings.load_profile("altsel")

FOUND = [profile for profile in altsel.profiles(ROOT / "solvers.toml") if profile.version]
"""Profiles whose solver is installed; HiGHS always is."""


def pytest_collection_finish() -> None:
    """Look for garbage less often: ten thousand tests, and what they import, are there to stay."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "profile" in metafunc.fixturenames:
        metafunc.parametrize("profile", FOUND, ids=[one.name for one in FOUND])


@pytest.fixture
def let_pass(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let seconds pass at once for the clocks of searches, so that no test waits for a limit."""
    passed = [0.0]

    def more(seconds: float) -> None:
        passed[0] += seconds

    times = SimpleNamespace(
        perf_counter=lambda: time.perf_counter() + passed[0], process_time=time.process_time
    )
    monkeypatch.setattr("altsel.runtime.clock.time", times)
    return more


@pytest.fixture(scope="session")
def ionosphere() -> altsel.Dataset:
    with pytest.warns(altsel.DataWarning, match="'a02'"):
        return altsel.Dataset(IONOSPHERE, "target")


@pytest.fixture
def table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "size": [1.5, 2.25, 3.75, 4.5, 5.25, 6.125],
            "count": [1, 2, 3, 4, 5, 6],
            "colour": ["red", "blue", "red", "green", "blue", "red"],
            "smokes": [True, False, True, True, False, False],
        }
    )


@pytest.fixture
def mixed() -> altsel.Dataset:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = pd.DataFrame(
        {
            "noisy": y + rng.normal(size=200),
            "count": rng.integers(0, 4, 200) + y,
            "colour": np.where(rng.random(200) < 0.7, y, 1 - y).astype(str),
            "noise": rng.normal(size=200),
        }
    )
    return altsel.Dataset(X, y)
