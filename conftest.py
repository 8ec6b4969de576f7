"""Linear algebra on one thread, and examples in docstrings whose small tables may have the target as a feature."""

from __future__ import annotations

import os

import pytest

# Workers share the cores: more threads for small matrices only wait for each other. Before numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let examples pass that a warning of such features would end."""
    quiet = pytest.mark.filterwarnings("ignore:features determine the target:UserWarning")
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker(quiet)
