"""Models read from LP and MPS files, for solvers of every kind."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np

from altsel.errors import DataError
from altsel.pyomo_on_demand import expressions, pyo
from altsel.solvers.highs import highspy, silent
from altsel.solvers.rows import Rows
from altsel.solvers.standard_form import to_rows

ENDINGS = (".lp", ".mps")
"""What HiGHS reads; each may end in ``.gz`` besides."""


@dataclass(frozen=True)
class ReadModel:
    """A linear model of a file.

    Attributes
    ----------
    pyomo
        As a model of Pyomo's, with the names of the file.
    variables
        Its variables, in the order of the file's columns.
    """

    pyomo: Any
    variables: list[Any]

    @cached_property
    def rows(self) -> Rows:
        """The same as sparse rows."""
        return to_rows(self.pyomo)


def read_model(path: str | Path) -> ReadModel:
    r"""Read an LP or MPS file, also one compressed by gzip.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    DataError
        If it cannot be read, or is not linear with continuous and integer variables.

    Examples
    --------
    >>> import tempfile
    >>> text = "\n".join(["max", "obj: 2 x + y", "st", "c: x + y <= 1", "binary", "x y", "end"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (file := Path(folder) / "small.lp").write_text(text)
    ...     read = read_model(file)
    >>> [x.name for x in read.variables], read.rows.maximise
    (['columns[x]', 'columns[y]'], True)
    """
    with _unpacked(Path(path)) as plain:
        engine = silent()
        # an error, or only a warning where terms below 1e-9 are left out
        if engine.readModel(str(plain)) == highspy.HighsStatus.kError:
            raise DataError(f"{path} cannot be read as a model; it must be an LP or MPS file")
        hessian = engine.getModel().hessian_
        lp = engine.getLp()
    if hessian.dim_:
        raise DataError(f"{path} has a quadratic objective; only linear models are solved")
    return _as_pyomo(lp, Path(path))


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """Return the file, or a copy that is not compressed: HiGHS of pip reads no ``.gz``."""
    if path.suffix.lower() != ".gz":
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / path.stem
        try:
            with gzip.open(path, "rb") as source, plain.open("wb") as target:
                shutil.copyfileobj(source, target)
        except (OSError, EOFError, zlib.error) as fault:
            raise DataError(f"{path} is no whole gzip file: {fault}") from fault
        yield plain


def _as_pyomo(lp: Any, path: Path) -> ReadModel:
    """Build the model: one variable a column, one constraint a row, and the objective."""
    kinds = highspy.HighsVarType
    integrality = list(lp.integrality_) or [kinds.kContinuous] * lp.num_col_
    if {*integrality} - {kinds.kContinuous, kinds.kInteger}:
        raise DataError(f"{path} has semi-continuous variables; only continuous and integer ones are solved")
    model = pyo.ConcreteModel()
    names = list(lp.col_names_) or [f"c{j}" for j in range(lp.num_col_)]
    model.columns = pyo.Var(names)
    variables = [model.columns[name] for name in names]
    for x, low, high, kind in zip(variables, lp.col_lower_, lp.col_upper_, integrality, strict=True):
        x.setlb(_finite(low))
        x.setub(_finite(high))
        if kind == kinds.kInteger:
            x.domain = pyo.Binary if (low, high) == (0, 1) else pyo.Integers
    _add_rows(model, lp, variables)
    cost = [(c, x) for c, x in zip(lp.col_cost_, variables, strict=True) if c]
    sense = pyo.maximize if lp.sense_ == highspy.ObjSense.kMaximize else pyo.minimize
    model.total = pyo.Objective(expr=_sum(cost) + lp.offset_, sense=sense)
    return ReadModel(model, variables)


def _add_rows(model: Any, lp: Any, variables: list[Any]) -> None:
    """Add the rows of the file, by their numbers."""
    matrix = lp.a_matrix_
    starts, indices, values = (np.asarray(x) for x in (matrix.start_, matrix.index_, matrix.value_))
    terms: list[list[tuple[float, Any]]] = [[] for _ in range(lp.num_row_)]
    for j, x in enumerate(variables):  # HiGHS keeps what it reads by columns
        for i in range(starts[j], starts[j + 1]):
            terms[indices[i]].append((float(values[i]), x))
    model.rows = rows = pyo.ConstraintList()
    for row, low, high in zip(terms, lp.row_lower_, lp.row_upper_, strict=True):
        if row and not (isinf(low) and isinf(high)):
            rows.add((_finite(low), _sum(row), _finite(high)) if low < high else _sum(row) == low)
        elif not row and not low <= 0 <= high:
            rows.add(pyo.Constraint.Infeasible)


def _sum(terms: list[tuple[float, Any]]) -> Any:
    return expressions.LinearExpression(
        constant=0.0, linear_coefs=[c for c, _ in terms], linear_vars=[x for _, x in terms]
    )


def _finite(bound: float) -> float | None:
    return None if isinf(bound) else float(bound)
