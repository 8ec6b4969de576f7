"""Texts in a file that are not the same but make one number: leading zeros, and integers beyond 2^53."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
UNSEEN = {".zip", ".zst", ".tar"}
CHUNK = 2**24


def differing_by_zeros(path: Path, integers: Sequence[int], form: dict[str, Any]) -> dict[int, list[str]]:
    """Find columns of integers in which two texts, such as 007 and 7, make one number.

    Parameters
    ----------
    path
        A CSV file.
    integers
        Indices of its columns of integers.
    form
        Separator and encoding, as `pandas.read_csv` takes them, and whether blank lines are skipped.

    Returns
    -------
    dict
        Two such texts by the index of the column.
    """
    if not integers or form["encoding"].lower().startswith(("utf-16", "utf-32", "utf_16", "utf_32")):
        return {}
    if not _any_leading_zero(path, form["sep"]):
        return {}
    found = {}
    texts = _texts(path, integers, form)
    for index, name in zip(sorted(integers), texts, strict=True):
        labels = pd.Series(texts[name].str.strip().unique(), dtype=str)
        labels = labels[labels.str.fullmatch("[0-9]+")]
        numbers = labels.str.lstrip("0")
        same = labels[numbers.duplicated(keep=False)]
        if len(same):
            first = numbers[same.index[0]]
            found[index] = list(labels[numbers == first].iloc[:2])
    return found


def collapsed(path: Path, large: Sequence[int], form: dict[str, Any]) -> list[int]:
    """Find columns of integers of which floats make fewer; arguments as in `differing_by_zeros`."""
    texts = _texts(path, large, form) if large else pd.DataFrame()
    found = []
    for index, name in zip(sorted(large), texts, strict=True):
        labels = texts[name].str.strip()
        exact = set(labels[labels.str.fullmatch(r"[+-]?[0-9]+")].map(int))
        if len({float(number) for number in exact}) < len(exact):
            found.append(index)
    return found


def _texts(path: Path, indices: Sequence[int], form: dict[str, Any]) -> pd.DataFrame:
    texts: pd.DataFrame = pd.read_csv(
        path, header=0, usecols=list(indices), dtype=str, keep_default_na=False, **form
    )
    return texts


def _any_leading_zero(path: Path, separator: str) -> bool:
    """Return whether any field begins with a zero that a digit follows; of compressed files, where it can."""
    if path.suffix.lower() in UNSEEN:
        return False
    before = [ord(sign) for sign in f'{separator}\n\r" ']
    with OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
        last = b"\n"
        while chunk := file.read(CHUNK):
            signs = np.frombuffer(last + chunk, dtype=np.uint8)
            is_digit = (signs >= ord("0")) & (signs <= ord("9"))
            zeros = np.flatnonzero((signs[1:-1] == ord("0")) & is_digit[2:])
            if np.isin(signs[zeros], before).any():
                return True
            last = (last + chunk)[-2:]
    return False
