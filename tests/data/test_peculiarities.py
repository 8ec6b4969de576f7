"""What is odd about a table, and can be lived with."""

from __future__ import annotations

import numpy as np
import pytest

import altsel


def test_missing_integers_of_r_are_warned_of() -> None:
    age = np.arange(40, dtype=np.int32)
    dose = np.sin(np.arange(40))
    with pytest.warns(altsel.errors.DataWarning, match="missing integer of R; use as.numeric.* there: 'age'"):
        altsel.Dataset({"age": np.where(age == 3, -(2**31), age), "dose": dose}, age % 2)
    altsel.Dataset({"age": age, "dose": dose}, age % 2)  # a warning would be an error
