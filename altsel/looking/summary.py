"""Each column in a line: its kind and why, its values, what it costs, its association with the target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from altsel.data.columns import is_discrete, kind_of, normal
from altsel.data.dataset import Dataset
from altsel.data.findings.finding import Effect, Finding
from altsel.data.schema import FEW_LEVELS, Kind
from altsel.data.table_file import TableFile
from altsel.errors import DataError
from altsel.looking.gaps import Gaps
from altsel.looking.relations import p_of
from altsel.looking.result import ColumnSummary
from altsel.looking.shape import Shape, shape_of

WHY = {
    Kind.CONTINUOUS: "numbers with fractions",
    Kind.INTEGER: "integers",
    Kind.CATEGORICAL: "text",
    Kind.BINARY: "two values",
    Kind.ORDINAL: "ordered",
    Kind.COUNT: "counts",
}


def summaries(
    frame: pd.DataFrame,
    data: Dataset | None,
    gaps: Gaps,
    associated: Mapping[str, float],
    reasons: Mapping[str, str],
) -> Iterator[ColumnSummary]:
    """Yield a line for each column.

    Parameters
    ----------
    frame
        All columns as they are read.
    data
        What of them can be searched; None if nothing can.
    gaps
        Their missing values.
    associated
        Association of features with the target.
    reasons
        Why columns are no features, and by what others have their kind.
    """
    missing = frame.isna().sum()
    for name in map(str, frame.columns):
        absent, alone = int(missing[name]), gaps.alone.get(name, 0)
        if data is None or (name not in data.kinds and name != data.target):
            why = reasons.get(name, "one value in the rows that are left" if data else "")
            out = f"left out: {why}" if why else ""
            yield ColumnSummary(name, "", out, None, absent, alone, shape=_shape_as_it_is(frame[name]))
            continue
        column, kind = (data.y, data.target_kind) if name == data.target else (data.X[name], data.kinds[name])
        few, why = is_discrete(column, kind), reasons.get(name, WHY[kind])
        if kind is Kind.INTEGER and few:
            why = f"{why}, at most {FEW_LEVELS} values: discrete"
        if name == data.target:
            why = f"target, {data.task.value}: {why}"
        value = associated.get(name)
        p = None if value is None else p_of(value, len(data.y))
        levels = column.nunique()
        shape = shape_of(column, few)
        yield ColumnSummary(name, kind.value, why, levels, absent, alone, value, p, shape)


def _shape_as_it_is(column: pd.Series[Any]) -> Shape | None:
    """Return the shape of a column that is no feature, if it has one."""
    try:
        held = normal(column.dropna())
    except DataError:
        return None
    return shape_of(held, is_discrete(held, kind_of(held))) if len(held) else None


def reasons_of(found: Iterable[Finding], stated: TableFile, proposed: TableFile) -> dict[str, str]:
    """Return why columns are left out, and which kinds are as told."""
    reasons = dict.fromkeys(stated.drop, "as told")
    for one in found:
        out = [*one.columns] if one.effect is Effect.LEFT_OUT else []
        fix = one.fix if one.effect is Effect.PROPOSED else ""
        out += [name for name in TableFile().with_options(fix).drop if name in proposed.drop]
        reasons |= {name: one.kind for name in out if name not in reasons}
    for one in found:
        if one.effect is Effect.PROPOSED:
            reasons |= {
                name: one.kind
                for name in one.columns
                if name in proposed.kind and name not in {*reasons, *stated.kind}
            }
    return dict.fromkeys(stated.kind, "as told") | reasons
