"""What is asked: kinds of questions from easy to open, each drawn with many seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Template:
    """A kind of question.

    Attributes
    ----------
    table
        Kind of the table; of a table that is given, its name.
    features
        Number of its columns.
    criterion
        As question files call it.
    k
        Smallest and largest number of features of a set.
    sets, total, tau
        Number of sets found together, what is maximised of their scores, and least dissimilarity by Dice.
    rules
        ``"budget"``: costs, groups, and what needs what; ``"impossible"``: costs that no set keeps; or none.
    """

    table: str
    features: int
    criterion: str
    k: tuple[int, int]
    sets: int = 1
    total: str = "sum"
    tau: float = 0.5
    rules: str = ""

    def name(self, seed: int | None) -> str:
        """Name a question, such as ``factors-20-1-mrmr-k5`` or, of three sets, ``…-k5-sum3-t50``."""
        low, high = self.k
        parts = [self.table, str(self.features), *([] if seed is None else [str(seed)])]
        parts += [self.criterion.replace(" ", "-"), f"k{low}" if low == high else f"k{low}to{high}"]
        if self.sets > 1:
            parts += [f"{self.total}{self.sets}", f"t{round(100 * self.tau)}"]
        return "-".join([*parts, *([self.rules] if self.rules else [])])


def _of(
    table: str, features: int, criterion: str, k: int, sets: int = 1, total: str = "sum", tau: float = 0.5
) -> Template:
    return Template(table, features, criterion, (k, k), sets, total, tau)


TEMPLATES = (
    _of("independent", 20, "sum", 5),
    _of("factors", 20, "mrmr", 5),
    _of("factors", 20, "cfs", 5),
    _of("factors", 20, "fcbf", 5),
    _of("factors", 15, "linear fit", 3),
    _of("factors", 12, "logistic fit", 3),
    _of("factors", 20, "sum", 5, 3, "sum"),
    _of("factors", 30, "sum", 5, 3, "min"),
    Template("factors", 30, "sum", (5, 5), rules="budget"),
    Template("factors", 30, "mrmr", (5, 5), rules="budget"),
    Template("factors", 30, "cfs", (5, 5), rules="budget"),
    Template("independent", 40, "fcbf", (6, 6), rules="budget"),
    Template("factors", 20, "sum", (5, 5), rules="impossible"),
    Template("factors", 20, "mrmr", (5, 5), rules="impossible"),
    _of("collinear", 15, "fcbf", 8),
    _of("independent", 60, "sum", 10, 6, "sum", 0.2),
    _of("factors", 100, "sum", 10, 10, "sum", 0.5),
    _of("omics", 1000, "sum", 10, 4, "sum"),
    _of("collinear", 30, "fcbf", 5, 3, "sum"),
    _of("spectra", 60, "fcbf", 4),
    _of("independent", 20, "mrmr", 5),
    _of("collinear", 21, "mrmr", 5),
    _of("factors", 40, "mrmr", 8),
    _of("factors", 60, "mrmr", 10),
    _of("spectra", 60, "mrmr", 8),
    _of("spectra", 100, "mrmr", 10),
    _of("factors", 100, "mrmr", 10),
    _of("factors", 100, "mrmr", 20),
    _of("factors", 200, "mrmr", 10),
    _of("independent", 200, "mrmr", 10),
    _of("omics", 300, "mrmr", 10),
    _of("collinear", 60, "mrmr", 10),
    Template("factors", 20, "mrmr", (3, 6)),
    _of("factors", 15, "mrmr", 4, 3, "sum"),
    _of("factors", 30, "mrmr", 5, 2, "min"),
    _of("factors", 60, "mrmr", 10, 2, "sum"),
    _of("factors", 60, "mrmr", 10, 2, "min"),
    Template("factors", 20, "cfs", (3, 7)),
    _of("collinear", 30, "cfs", 5),
    _of("spectra", 60, "cfs", 8),
    _of("factors", 60, "cfs", 10),
    _of("factors", 100, "cfs", 10),
    _of("factors", 200, "cfs", 10),
    _of("omics", 300, "cfs", 8),
    _of("factors", 40, "linear fit", 5),
    _of("collinear", 30, "linear fit", 5),
    _of("spectra", 40, "linear fit", 4),
    _of("independent", 60, "linear fit", 6),
    _of("factors", 30, "logistic fit", 4),
    _of("independent", 40, "logistic fit", 5),
)
"""Kinds of questions; the first of each seed are the small ones."""
GIVEN = ("sum", "mrmr", "cfs", "fcbf")
"""Criteria of a table that is given."""


def seeded(number: int) -> Iterator[tuple[Template, int]]:
    """Yield so many questions: every template with seed 1, then with seed 2, and so on.

    Examples
    --------
    >>> [template.name(seed) for template, seed in seeded(2)]
    ['independent-20-1-sum-k5', 'factors-20-1-mrmr-k5']
    """
    for position in range(number):
        yield TEMPLATES[position % len(TEMPLATES)], 1 + position // len(TEMPLATES)


def of_given(name: str, features: int) -> Iterator[Template]:
    """Yield the questions about a table that is given: a third of its columns, at most ten."""
    k = max(1, min(10, features // 3))
    for criterion in GIVEN:
        yield Template(name, features, criterion, (k, k))
