"""A linear model as sparse rows: what every engine gets, and how far its answers may be off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.errors import SolverError, listing
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")

BOUND_ERROR = 4e-12
"""How far an engine's bound may be off, relative to the objective's largest term.

Costs are scaled so that the largest is 512 or more, and engines work to 1e-9.
"""
ROW_TOLERANCE = 1e-6
"""Violation of a row that is put down to rounding, relative to the row's largest term."""
NEGLIGIBLE_TERM = 1e-6
"""Terms, relative to the largest one, below which an engine's bound says nothing of them."""
LOST_TERM = 1e-8
"""Terms below this share of the largest one of their row are lost in an engine's arithmetic."""


@dataclass(frozen=True, eq=False)
class Rows:
    """``minimise cost @ x + offset`` subject to ``low <= matrix @ x <= high``, ``lower <= x <= upper``.

    A maximisation is lowered with its cost negated. Rows and cost with fractions are scaled
    by powers of two, which is exact, so that an engine's absolute tolerances become small
    relative ones; `unscaled` takes an objective back.

    Attributes
    ----------
    integer
        Which variables must be integers.
    implied
        Variables declared continuous that are integer in some optimum.
    start
        Values on the model's variables, NaN where there is none.
    imprecision
        By how much a model says that it magnifies an engine's tolerance.
    extent
        Smallest and largest of the rows' (and the objective's) largest coefficients, before scaling.
    constraints
        The constraints that the rows are of.
    """

    cost: FloatArray
    offset: float
    maximise: bool
    matrix: sp.csr_array[Any]
    low: FloatArray
    high: FloatArray
    lower: FloatArray
    upper: FloatArray
    integer: BoolArray
    implied: BoolArray
    start: FloatArray
    scale: float
    variables: list[Any]
    imprecision: float = 1.0
    extent: tuple[float, float] = (1.0, 1.0)
    constraints: Sequence[Any] = ()

    def unscaled(self, objective: float) -> float:
        """Turn a value of ``cost @ x`` into one of the model's objective."""
        value = objective / self.scale
        return (-value if self.maximise else value) + self.offset

    @property
    def _terms(self) -> FloatArray:
        """What each variable can bring to ``-cost @ x`` at most, with its sign, where bounded."""
        reach = np.maximum(np.abs(self.lower), np.abs(self.upper))
        used = (self.cost != 0) & np.isfinite(reach)
        return np.asarray(-self.cost[used] * reach[used] / self.scale)

    @property
    def largest_term(self) -> float:
        """Largest absolute value one variable can bring to the objective, where bounded."""
        return float(np.abs(self._terms).max(initial=0.0))

    def too_wide(self, value: float, share: float) -> bool:
        """Return whether terms hide others: a loss far above every gain, or a term far above the value."""
        terms = self._terms
        if not len(terms):
            return False
        size, losses = np.abs(terms), -terms[terms < 0]
        usual = float(np.median(losses)) if len(losses) else 0.0
        gain = max(float(terms.max(initial=0.0)), usual)
        hidden = max(abs(value), float(np.median(size))) < share * size.max()
        hidden = hidden or any(
            max(abs(value), float(np.median(held))) < share * held.max() for held in self._held
        )
        return bool(hidden or (len(losses) and gain < share * losses.max()))

    @property
    def _held(self) -> Iterator[FloatArray]:
        """What the variables of each row can bring to a continuous variable of the objective, in its unit."""
        wanted = np.flatnonzero((self.cost != 0) & ~self.integer & ~self.implied)
        if not len(wanted):
            return
        columns = self.matrix.tocsc()
        reach = np.maximum(np.abs(self.lower), np.abs(self.upper))
        for j in wanted:
            indices = slice(columns.indptr[j], columns.indptr[j + 1])
            for i, own in zip(columns.indices[indices], columns.data[indices], strict=True):
                row = slice(self.matrix.indptr[i], self.matrix.indptr[i + 1])
                others = self.matrix.indices[row] != j
                sizes = np.abs(self.matrix.data[row][others] / own * self.cost[j] / self.scale)
                sizes = sizes * reach[self.matrix.indices[row][others]]
                sizes = sizes[(sizes > 0) & np.isfinite(sizes)]
                if len(sizes):
                    yield sizes

    @property
    def _row_sizes(self) -> Iterator[FloatArray]:
        """The absolute coefficients of every row, but for zeros."""
        for data in np.split(np.abs(self.matrix.data), self.matrix.indptr[1:-1]):
            sizes = data[data > 0]
            if len(sizes):
                yield sizes

    def narrower(self, share: float) -> bool:
        """Return whether a row has a term below a share of the row's largest."""
        return self._ranges(share) and any(sizes.min() < share * sizes.max() for sizes in self._row_sizes)

    def hides(self, share: float) -> bool:
        """Return whether a row has a term beside which most of its others are below a share."""
        return self._ranges(share) and any(
            np.median(sizes) < share * sizes.max() for sizes in self._row_sizes
        )

    def _ranges(self, share: float) -> bool:
        """Return whether any term is below a share of any other: most models need no look at their rows."""
        everything = np.abs(self.matrix.data[self.matrix.data != 0])
        return bool(len(everything) and everything.min() < share * everything.max())

    @property
    def unbelievable(self) -> bool:
        """Whether numbers range too widely to believe an engine that calls the model infeasible."""
        return self.too_wide(inf, NEGLIGIBLE_TERM) or self.hides(LOST_TERM)

    @property
    def error(self) -> float:
        """How far an engine's bound on the objective may be off."""
        return BOUND_ERROR * self.largest_term * self.imprecision

    @property
    def step(self) -> float:
        """Number that all values of the objective are multiples of, but for the offset; 0 if there is none.

        Numbers of few decimals have one: then a bound can be rounded to the next value there is.
        """
        used = self.cost != 0
        if not (self.integer | self.implied)[used].all():
            return 0.0
        numbers = self.cost[used] / self.scale
        for step in (1.0, 1e-3, 1e-6):
            multiples = numbers / step
            if (np.abs(multiples - np.round(multiples)) <= 1e-12 * np.abs(multiples)).all():
                return step if step > 1e4 * self.error else 0.0
        return 0.0

    def rounded_and_checked(self, values: FloatArray) -> FloatArray:
        """Round the integer variables and check bounds and rows.

        Raises
        ------
        SolverError
            If the rounded point is not feasible: the engine's tolerances hid a violation; or if a
            value is no number.
        """
        if not np.isfinite(values).all():
            raise SolverError("the solver's answer holds values that are no numbers")
        point = np.where(self.integer, np.round(values), values)
        magnitude = np.maximum(abs(self.matrix) @ np.abs(point), 1.0)
        activity = self.matrix @ point
        excess = np.maximum(activity - self.high, self.low - activity) / magnitude
        outside = np.maximum(point - self.upper, self.lower - point)
        if max(excess.max(initial=0.0), outside.max(initial=0.0)) > ROW_TOLERANCE:
            raise SolverError("the solver's answer violates a constraint once its variables are rounded")
        return point

    def own_terms(self, point: FloatArray) -> float:
        """Sum the absolute terms of the objective at a point."""
        return float(np.abs(self.cost * point).sum() / self.scale)

    def load(self, point: FloatArray) -> None:
        """Set the model's variables to a point."""
        for variable, value, integer in zip(
            self.variables, point.tolist(), self.integer.tolist(), strict=True
        ):
            variable.set_value(round(value) if integer else value, skip_validation=True)

    @property
    def any_start(self) -> bool:
        """Whether some integer variable has a start value."""
        return bool(np.isfinite(self.start[self.integer]).any())

    @property
    def complete_start(self) -> bool:
        """Whether every integer variable has a start value."""
        return bool(np.isfinite(self.start[self.integer]).all()) and bool(self.integer.any())


@dataclass
class Binary:
    """A 0/1 variable of rows that no model states.

    Attributes
    ----------
    name
        What messages call it.
    value
        Its value in the incumbent.
    """

    name: str
    value: float | None = None
    fixed: bool = False

    def set_value(self, value: float, skip_validation: bool = False) -> None:
        """Take a value of an incumbent."""
        del skip_validation
        self.value = value


def binary_rows(names: Sequence[str]) -> Rows:
    """Return rows over 0/1 variables that no row binds, as no model needs to be lowered for them.

    Examples
    --------
    >>> rows = binary_rows(["a", "b"])
    >>> rows.matrix.shape, [variable.name for variable in rows.variables]
    ((0, 2), ['a', 'b'])
    """
    number, every, none = len(names), np.ones(len(names), dtype=bool), np.zeros(0)
    return Rows(
        cost=np.zeros(number),
        offset=0.0,
        maximise=False,
        matrix=sp.csr_array((0, number)),
        low=none,
        high=none,
        lower=np.zeros(number),
        upper=np.ones(number),
        integer=every,
        implied=~every,
        start=np.full(number, np.nan),
        scale=1.0,
        variables=[Binary(name) for name in names],
    )


def unbounded(rows: Rows) -> SolverError:
    """Return the error that a model is unbounded, which an engine may not tell from infeasible."""
    free = unbounded_variables(rows)
    return SolverError(f"the model is unbounded or infeasible; give bounds to {free or 'its variables'}")


def unbounded_variables(rows: Rows) -> str:
    """Name the variables without a lower or an upper bound, for a message; empty if there are none."""
    both = np.isfinite(rows.lower) & np.isfinite(rows.upper)
    return listing((rows.variables[j].name for j in np.flatnonzero(~both)), 3)
