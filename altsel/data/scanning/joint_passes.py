"""Passes over the partitions of a scan that count several columns together, or bring their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from altsel._types import IntArray
from altsel.data.scanning.code_files import CodedColumns
from altsel.data.scanning.key_counts import Keys, kernels
from altsel.data.scanning.partitions import Partition
from altsel.data.scanning.passes import results
from altsel.data.scanning.shares import Gathering, refuse_other_rows
from altsel.data.scanning.survey import Arrays


@dataclass(frozen=True, eq=False)
class Joining:
    """A pass that counts some columns together, and each candidate with all of them.

    Attributes
    ----------
    coded
        The codes.
    base, candidates
        Indices of columns; without candidates the base alone is counted.
    """

    coded: CodedColumns
    base: tuple[int, ...]
    candidates: tuple[int, ...]

    def __call__(self, part: Partition) -> Arrays:
        """Count a partition."""
        sizes = [self.coded.layout.columns[j].size for j in (*self.base, *self.candidates)]
        # the last column of the base stands for the candidates where there are none
        known, counted = (self.base, self.candidates) if self.candidates else (self.base[:-1], self.base[-1:])
        cells, widths = prod(sizes[: len(known)]), sizes[len(known) :]
        tables = [np.zeros(cells * width, dtype=np.int64) for width in widths]
        kind: type[np.signedinteger] = np.int32 if cells * max(widths) < 2**31 else np.int64
        for codes in self.coded.blocks(part, (*known, *counted)):
            loops = kernels(len(codes) * len(codes[0]))
            keys: Keys = np.zeros(len(codes[0]), dtype=kind)
            for size, code in zip(sizes, codes[: len(known)], strict=False):
                loops.extend(keys, size, code)
            for table, width, code in zip(tables, widths, codes[len(known) :], strict=True):
                loops.count(table, keys, width, code)
        return {str(j): table for j, table in enumerate(tables)}


@dataclass(frozen=True, eq=False)
class JointPasses:
    """What makes these passes, over all partitions.

    Attributes
    ----------
    coded
        The codes.
    parts, rows
        The partitions, and how many rows they have together.
    n_jobs
        Workers, as of `parallel.run`.
    """

    coded: CodedColumns
    parts: Sequence[Partition]
    rows: int
    n_jobs: int | None

    def tables(self, base: tuple[int, ...], candidates: tuple[int, ...]) -> list[IntArray]:
        """Run a pass and return the tables of `Joining`."""
        joining = Joining(self.coded, base, candidates)
        total: list[IntArray] = []
        for _, found in results(joining, self.parts, None, self.n_jobs):
            tables = [found[str(j)] for j in range(len(found))]
            for whole, table in zip(total, tables, strict=False):
                np.add(whole, table, out=whole)
            total = total or tables
        refuse_other_rows(int(total[0].sum()), self.rows)
        return total

    def rows_of_share(
        self, given: tuple[int, ...], used: tuple[int, ...], share: int, shares: int
    ) -> list[Arrays]:
        """Run a pass and return the results of `Gathering`."""
        gathering = Gathering(self.coded, given, used, share, shares)
        return [found for _, found in results(gathering, self.parts, None, self.n_jobs)]
