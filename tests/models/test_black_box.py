"""Black boxes: what they take as names."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from altsel import BlackBox
from altsel.errors import ArgumentError


@pytest.mark.parametrize("names", [["a", "b"], ("a", "b"), pd.Index(["a", "b"]), np.array(["a", "b"])])
def test_names_may_come_in_any_sequence(names: list[str]) -> None:
    assert BlackBox(len, names).features == ("a", "b")


@pytest.mark.parametrize("names", [None, [], pd.Index([])])
def test_without_names_there_is_nothing_to_choose_from(names: list[str] | None) -> None:
    with pytest.raises(ArgumentError, match="names of all features"):
        BlackBox(len, names)
