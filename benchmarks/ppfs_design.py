"""Which rows of PPFS's tables are run, and where features are selected."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One row of a table of the paper: its settings and figures."""

    table: int
    data: str
    model: str
    splits: int
    folds: int
    everything: float
    ppfs: float
    features: int
    cv: int = 5

    @property
    def key(self) -> tuple[int, str, str]:
        """What tells it from others."""
        return self.table, self.data, self.model


ROWS = (
    Row(2, "statlog-heart", "tree", 30, 5, 0.711, 0.837, 3),
    Row(2, "ionosphere", "tree", 10, 0, 0.880, 0.923, 14),
    Row(2, "sonar", "tree", 10, 5, 0.716, 0.784, 7),
    Row(2, "wdbc", "tree", 50, 0, 0.933, 0.949, 9),
    Row(2, "credit-approval", "tree", 50, 0, 0.831, 0.864, 2),
    Row(2, "ecoli", "tree", 10, 0, 0.807, 0.822, 6),
    Row(3, "statlog-heart", "SVM", 30, 5, 0.833, 0.844, 3),
    Row(3, "ionosphere", "SVM", 50, 0, 0.940, 0.946, 14),
    Row(3, "sonar", "SVM", 30, 5, 0.851, 0.856, 7),
    Row(3, "wdbc", "SVM", 50, 0, 0.971, 0.979, 9),
    Row(3, "credit-approval", "SVM", 50, 0, 0.860, 0.867, 2),
    Row(3, "ecoli", "SVM", 30, 0, 0.863, 0.875, 6),
    Row(4, "arcene", "SVM", 10, 5, 0.180, 0.153, 304, 10),
    Row(4, "madelon", "SVM", 5, 0, 0.351, 0.131, 12, 10),
    Row(5, "desharnais", "SVR", 50, 5, 3917, 2732, 4),
    Row(5, "maxwell", "SVR", 35, 5, 7624, 5387, 3),
)
WIDE = 100
"""Features up to which every method selects in the folds; the slow ones select once, on all rows, above."""
PLACES = ("in fold", "all rows")
