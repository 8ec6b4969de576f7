"""The questions, from easy to open: which tables, criteria, sizes and numbers of sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import SimpleNamespace

from altsel.bench.grid import BenchSearch, Case, Grid
from benchmarks.library.tables import made

SMALL = ("wine", "wdbc", "ionosphere", "independent-15-1", "factors-15-1", "collinear-15-1")
MIDDLE = ("sonar", "spambase", "digits", "independent-60-1", "factors-60-1", "collinear-60-1")
LARGE = (
    *("independent-100-1", "factors-100-1", "factors-100-2"),
    *("independent-200-1", "factors-200-1", "collinear-200-1"),
)
HUGE = ("independent-1000-1", "factors-1000-1")
ONE, SUM, MIN = BenchSearch.SEQUENTIAL, BenchSearch.SUM, BenchSearch.MIN
QUADRATIC = ("mrmr", "cfs")
ALL = ("univariate", "fcbf", *QUADRATIC)


@dataclass(frozen=True)
class Block:
    """Questions of one kind: every table by every criterion, of `k` features, with so many further sets."""

    tables: Sequence[str]
    criteria: Sequence[str]
    k: Sequence[str]
    sets: Sequence[tuple[BenchSearch, int]]
    tau: Sequence[float] = (0.5,)


BLOCKS = (
    Block(SMALL, ALL, ("5",), ((ONE, 0), (SUM, 2), (MIN, 2))),
    Block(SMALL[:3], ALL, ("3:7",), ((ONE, 0),)),
    Block(MIDDLE, ALL, ("10",), ((ONE, 0), (SUM, 2))),
    Block(MIDDLE[:3], ("univariate",), ("10",), ((SUM, 5), (SUM, 9), (MIN, 5)), (0.2, 0.5)),
    Block(MIDDLE, QUADRATIC, ("10",), ((SUM, 1), (MIN, 1))),
    Block(LARGE, QUADRATIC, ("10",), ((ONE, 0),)),
    Block(("factors-100-1",), QUADRATIC, ("5", "20"), ((ONE, 0),)),
    Block(LARGE[:1], ("univariate",), ("10",), ((SUM, 9), (SUM, 12), (MIN, 5)), (0.2, 0.5, 0.8)),
    Block(HUGE, ("univariate",), ("10",), ((ONE, 0), (SUM, 3))),
)


def grids(folder: Path, out: Path, solvers: Sequence[str], seconds: float) -> Iterator[Grid]:
    """Yield every block, one criterion and number of sets at a time, as what `altsel.bench` runs."""
    for block in BLOCKS:
        paths = [made(name, folder, out / "tables") for name in block.tables]
        for criterion, (search, alternatives) in product(block.criteria, block.sets):
            yield Grid(
                data=paths,
                target="target",
                measures=["correlation-ratio-plain"],
                objectives=[criterion],
                k=block.k,
                tau=block.tau if alternatives else block.tau[:1],
                alternatives=[alternatives],
                searches=[search],
                solvers=solvers,
                time_limit=seconds,
            )


def name_of(case: Case | SimpleNamespace) -> str:
    """Name the question of a case or its record, such as ``wdbc-mrmr-k5-sum3-t50`` (three sets, tau .5)."""
    parts = [Path(case.data).stem, case.objective, f"k{case.k.replace(':', 'to')}"]
    if case.alternatives:
        parts += [f"{case.search}{case.alternatives + 1}", f"t{round(100 * case.tau)}"]
    return "-".join(parts)
