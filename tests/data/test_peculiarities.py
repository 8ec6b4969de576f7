"""What is odd about a table, and can be lived with."""

from __future__ import annotations

import numpy as np
import pytest

import altsel


def test_missing_integers_of_r_are_warned_of() -> None:
    age = np.resize(np.array([3, 1, 4, 1, 5, 9, 2], dtype=np.int32), 40)
    dose = np.sin(np.arange(40))
    with pytest.warns(altsel.errors.DataWarning, match="missing integer of R; use as.numeric.* there: 'age'"):
        altsel.Dataset({"age": np.where(age == 9, -(2**31), age), "dose": dose}, np.arange(40) % 2)
    altsel.Dataset({"age": age, "dose": dose}, np.arange(40) % 2)  # a warning would be an error
