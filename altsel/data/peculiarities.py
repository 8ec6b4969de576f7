"""What is odd about a table but can be lived with, and what a user did not mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import FEW_LEVELS, codes
from altsel.data.intake.checks import equal_columns
from altsel.errors import DataError, listing

MOSTLY, SEVERAL, FEW_WORDS = 0.8, 3, 3
"""Share of the cells that are numbers, how many different ones, and how many words besides are few."""


def peculiarities(table: pd.DataFrame, constant: list[str], from_file: bool = False) -> list[str]:
    """Return what is odd but can be lived with: constant columns, copies, categories that name the rows."""
    copies = [f"{name} = {first}" for name, first in equal_columns(table)]
    nominal = table.select_dtypes("category")
    levels = {str(name): len(nominal[name].cat.categories) for name in nominal}
    names = [name for name, count in levels.items() if count > max(FEW_LEVELS, len(table) // 2)]
    found = {str(name): _figures(nominal[name]) for name in nominal}
    figures = [
        name
        for name, (share, _, plain) in found.items()
        if share == 1 and (from_file or not plain or levels[name] > FEW_LEVELS)
    ]
    mostly = {name: rest for name, (share, rest, _) in found.items() if MOSTLY <= share < 1}
    blanks = [str(name) for name in nominal if differ_by_blanks(nominal[name])]
    message = {
        "constant columns are left out and never selected": constant,
        "columns are copies of others; data.grouped() makes one feature of each": copies,
        "columns hold numbers as text, taken for categories; convert them, or name the file's decimal sign "
        "(--decimal ,); marks between thousands must go": figures,
        "columns are taken for categories, as a few of their cells are no numbers; if these mean a missing "
        "value, name them (--na TOKEN)": [f"{name}: {rest}" for name, rest in mostly.items()],
        "categories differ in most rows, so any dependence on them is spurious; drop": [
            name for name in names if name not in figures and name not in mostly
        ],
        "labels differ by blanks, capitals or type alone, and count as different": blanks,
    }
    return [f"{what}: {listing(which)}" for what, which in message.items() if which]


def leaks(table: pd.DataFrame, target: pd.Series[Any]) -> list[str]:
    """Name the features that determine the target: recoded copies of it, or what it was made from.

    A feature does if its values, each of which occurs four times on average at the least, go with one
    value of the target each; or if the target is a straight line of it.
    """
    wanted = codes(target)
    found = []
    for name in table:
        column = table[name]
        if column.nunique() * 4 <= len(column):
            own = codes(column)
            pairs = len(np.unique(own * (int(wanted.max()) + 1) + wanted))
            determines = pairs == int(own.max()) + 1
        else:
            determines = _on_a_line(column, target)
        if determines:
            found.append(str(name))
    return found


def differ_by_blanks(column: pd.Series[Any]) -> list[str]:
    """Return labels of a column that are the same but for blanks, capitals or type; none if all differ."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return []
    same: dict[str, list[str]] = {}
    for label in column.cat.categories:
        same.setdefault(" ".join(str(label).split()).casefold(), []).append(str(label))
    return next((group for group in same.values() if len(group) > 1), [])


def _figures(column: pd.Series[Any]) -> tuple[float, str, bool]:
    """Compare the labels of a column with numbers.

    Returns
    -------
    tuple
        The share of the cells that are numbers written as text, or 0.8 if more are but the rest are a
        few words, and 0 if there are hardly any numbers; a cell that is none; whether all are plain,
        without decimal commas and marks between thousands.
    """
    labels = [str(label) for label in column.cat.categories]
    if sum(any(map(str.isdigit, label)) or "inf" in label.lower() for label in labels) < SEVERAL:
        return 0.0, "", True
    text = pd.Series(labels).str.strip()
    bare = text.str.replace(r"(?<=\d)[.' ](?=\d{3}(\D|$))", "", regex=True).str.replace(",", ".", n=1)
    bare = bare.str.replace(r"(?<=\d)\.(?=\d{3}\.)", "", regex=True)
    is_number = pd.to_numeric(bare, errors="coerce").notna().to_numpy()
    if is_number.sum() < SEVERAL:
        return 0.0, "", True
    counts = np.bincount(column.cat.codes.to_numpy(), minlength=len(text))
    share = float(counts[is_number].sum() / counts.sum())
    words = int((~is_number).sum())
    if 0 < words <= FEW_WORDS and is_number.sum() > FEW_LEVELS:
        share = max(share, MOSTLY)
    plain = bool(pd.to_numeric(text[is_number], errors="coerce").notna().all())
    return share, next(iter(text[~is_number]), ""), plain


def _on_a_line(column: pd.Series[Any], target: pd.Series[Any]) -> bool:
    if isinstance(column.dtype, pd.CategoricalDtype) or isinstance(target.dtype, pd.CategoricalDtype):
        return False
    x, y = (values.to_numpy(dtype=float) for values in (column, target))
    x, y = (values / max(float(np.abs(values).max()), 1e-300) for values in (x, y))
    x, y = x - x.mean(), y - y.mean()
    off = y - x * (x @ y) / max(float(x @ x), 1e-300)
    return len(x) > FEW_LEVELS and float(off @ off) <= 1e-20 * float(y @ y)


def odd_classes(target: pd.Series[Any]) -> list[str]:
    """Note a target of text whose values are numbers but for a few.

    Raises
    ------
    DataError
        If these would be more than 20 classes.
    """
    if not isinstance(target.dtype, pd.CategoricalDtype):
        return []
    share, rest, _ = _figures(target)
    levels = target.nunique()
    if share < MOSTLY or (levels <= FEW_LEVELS and not rest):
        return []
    why = f"all but a few of its values, such as {rest!r}, are numbers" if rest else "its values are numbers"
    if levels <= FEW_LEVELS:
        return [f"the target {target.name!r} is taken for categories, yet {why}"]
    fix = "name what stands for a missing value (--na TOKEN)" if rest else "name the decimal sign (--decimal)"
    raise DataError(
        f"the target {target.name!r} would have {levels} classes, as it is text, but {why}; {fix}, "
        "turn it into numbers, or say that these are classes: task='multiclass' (--task multiclass)"
    )
