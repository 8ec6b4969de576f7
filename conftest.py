"""Examples in docstrings: their small tables may have a feature that is the target."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let examples pass that a warning of such features would end."""
    quiet = pytest.mark.filterwarnings("ignore:features determine the target:UserWarning")
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker(quiet)
