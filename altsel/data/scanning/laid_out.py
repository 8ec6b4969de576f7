"""What a scan and its statistics say of their columns alike: it is in their layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altsel._types import BoolArray
from altsel.data.findings.telling import reasons
from altsel.data.scanning.layout import Layout
from altsel.data.schema import Kind, Task


class LaidOut:
    """Names, kinds and levels of the columns, of whatever has a ``layout``."""

    layout: Layout

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return self.layout.names[:-1]

    @property
    def target(self) -> str:
        """Name of the target."""
        return self.layout.target

    @property
    def kinds(self) -> dict[str, Kind]:
        """Kinds of the features."""
        return {one.name: one.kind for one in self.layout.columns[:-1]}

    @property
    def target_kind(self) -> Kind:
        """Kind of the target."""
        return self.layout.target_kind

    @property
    def task(self) -> Task:
        """The task."""
        return self.layout.task

    @property
    def discrete_target(self) -> bool:
        """Whether the target holds classes."""
        return self.task is not Task.REGRESSION

    @property
    def classes(self) -> tuple[Any, ...]:
        """Classes of the target; none if it is a number."""
        return self.layout.columns[-1].levels or () if self.discrete_target else ()

    @property
    def constant(self) -> tuple[str, ...]:
        """Names of constant columns, which are left out."""
        return self.layout.constant

    @property
    def absent(self) -> Mapping[str, str]:
        """Why other columns are no features, by name."""
        return reasons((), (), self.constant)

    @property
    def bins(self) -> int | None:
        """Bins of equal frequency that numbers are cut into for counts; None: they are not."""
        return self.layout.bins

    def discrete(self) -> BoolArray:
        """Return which features have counts: discrete ones, and numbers that are cut into bins."""
        return np.asarray(self.layout.sizes[:-1] > 0)
