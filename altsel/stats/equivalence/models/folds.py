"""Folds of a cross-validation: by their number, a splitter, or as they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from numbers import Integral
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, DataWarning, checked_integer
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import OnDemand

selection: Any = OnDemand("sklearn.model_selection")


def kept_folds(cv: Any) -> Any:
    """Return a rule of folds that can be asked more than once: of an iterator of folds their list."""
    if isinstance(cv, Integral) or hasattr(cv, "split"):
        return cv
    folds = list(cv) if isinstance(cv, Iterable) else []
    if not all(isinstance(fold, Sized) and len(fold) == 2 for fold in folds):
        folds = []
    if not folds:
        raise ArgumentError(f"cv has no folds, {cv!r:.60}; give their number, a splitter, or pairs of rows")
    return folds


def splitter_of(cv: Any, strata: Any, alike: bool, groups: Any, seed: int) -> Any:
    """Return what splits rows into folds.

    Parameters
    ----------
    cv
        Number of folds, or what `kept_folds` returned.
    strata
        Class of each row, or a number.
    alike
        Whether folds hold these alike, as classes.
    groups
        Of each row; None: there are none.
    seed
        Of what is shuffled.
    """
    if not isinstance(cv, int):
        return selection.check_cv(cv, strata, classifier=alike)
    folds = checked_integer("cv", cv, 2)
    if groups is not None:
        if not alike:
            return selection.GroupKFold(folds)
        return selection.StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    kind = selection.StratifiedKFold if alike else selection.KFold
    return kind(folds, shuffle=True, random_state=seed)


def warn_of_small_classes(cv: Any, classes: Any, target: str) -> None:
    """Warn where a class has fewer rows than there are folds."""
    if isinstance(cv, int):
        least = int(np.bincount(classes).min())
        if least < cv:
            message = f"a class of the target {target!r} has {least} rows: not every one of the "
            warn_caller(f"{message}{cv} folds judges it", DataWarning)
