"""Names that are cut stay different from those they are shown with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from altsel.display.names import short

DAYS = [
    f"Mean arterial pressure, averaged over the first {j} measurements (mmHg), left arm" for j in range(40)
]
LONG = st.lists(st.text("ab…", min_size=30, max_size=60), min_size=2, max_size=12, unique=True)


@pytest.mark.parametrize("longest", [10, 14, 24, 28, 40, 60])
def test_names_that_differ_in_their_middle_only(longest: int) -> None:
    cut = [short(name, longest, DAYS) for name in DAYS]
    assert len(set(cut)) == len(DAYS) > len({short(name, longest) for name in DAYS})
    assert max(map(len, cut)) <= longest
    assert all(f" {j} " in shown for j, shown in enumerate(cut))


@given(LONG, st.integers(8, 40))
def test_no_two_names_look_alike(names: list[str], longest: int) -> None:
    cut = [short(name, longest, names) for name in names]
    assert len(set(cut)) == len(names)
    assert max(map(len, cut)) <= longest


def test_what_is_short_is_whole() -> None:
    assert short("a…b", 5, ["a…b", "b"]) == "a…b"
