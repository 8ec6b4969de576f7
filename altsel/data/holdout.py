"""Other rows of the same table: the features, kinds, levels and task of those to learn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from altsel.data.cleaning import Cleaning
from altsel.data.columns import kind_of, refuse_infinite
from altsel.data.dataset import Dataset, with_attributes
from altsel.data.frames import as_frame, raw_table
from altsel.data.kinds import levels_as_in
from altsel.data.preparation import Intake
from altsel.data.schema import Kind
from altsel.errors import DataError, listing


def alike(data: Dataset, X: Any, y: Any, missing: str) -> Dataset:
    """Return other rows as those of `data` are; see `altsel.Dataset.holdout`."""
    made = _features(data, X, y, missing).split_target().choose_rows().normalise()
    refuse_infinite(made.table)
    table = pd.DataFrame(
        {name: levels_as_in(made.table[name], data.X[name], data.kinds[name]) for name in data.features}
    )
    target = levels_as_in(made.target, data.y, data.target_kind)
    for one, known in ((target, data.y), *((table[name], data.X[name]) for name in data.features)):
        if (one.dtype == "category") != (known.dtype == "category"):
            raise DataError(
                f"{known.name!r} holds {_examples(one)} here and {_examples(known)} in the rows to learn from"
            )
    if data.discrete_target:
        unseen = sorted(set(target.unique()) - set(data.y.unique()), key=str)
        if unseen:
            raise DataError(
                f"the hold-out target {data.target!r} has classes never seen: {listing(unseen)}; the rows to "
                f"learn from have {listing(data.y.unique())}"
            )
    two = [name for name, kind in data.kinds.items() if kind is Kind.BINARY]
    more = {name: kind_of(table[name]) for name in two if table[name].nunique() > 2}
    kinds, none = {**data.kinds, **more}, {"constant": (), "findings": (), "_origins": ()}
    return with_attributes(data, X=table, y=target, kinds=kinds, dropped=made.dropped, **none)


def _features(data: Dataset, X: Any, y: Any, missing: str) -> Intake:
    """Take the features of `data` from another table, whose text is read as it was there."""
    raw = raw_table(as_frame(X) if isinstance(X, Mapping) else X, data.reading)
    absent = [name for name in data.features if name not in raw.frame]
    if absent:
        raise DataError(f"the hold-out data lack the features {listing(absent)}")
    wanted = [*data.features, *([y] if isinstance(y, str) and y in raw.frame else [])]
    cleaning = Cleaning(missing, wanted, data.rows_lost)
    raw = replace(raw, frame=raw.frame[wanted], unnamed=(), tokens={})
    levels = data._missing_levels or {}
    return Intake(X, y, data.conversions, cleaning, data.reading, raw, levels=levels).choose_columns()


def _examples(column: pd.Series[Any]) -> str:
    kind = "categories" if column.dtype == "category" else "numbers"
    return f"{kind} ({listing(column.unique(), 3)})"
