"""Which sets could be an unknown blanket: those that keep the rules and meet every failed removal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import SolverError
from altsel.exact.verification.verifier import Verifier
from altsel.models.removal import admissible
from altsel.models.rule import Rule
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.runtime.on_demand import OnDemand
from altsel.solvers import Outcome
from altsel.solvers.named import row_solver
from altsel.solvers.rows import Binary, Rows, binary_rows
from altsel.solvers.standard_form import InfeasibleRowError, priced, to_rows

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")

Sets = Collection[frozenset[str]]


@dataclass(frozen=True)
class Within:
    """Which sets are meant: those without some features, with others, that meet some sets and contain none.

    Parameters
    ----------
    absent, present
        Features that are out, and in.
    met
        Sets of which one feature each is in, such as failed removals.
    avoided
        Sets that are not in whole, such as known blankets.
    """

    absent: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    met: Sets = ()
    avoided: Sets = ()

    def holds(self, names: frozenset[str]) -> bool:
        """Return whether a set is one of them."""
        return (
            not names & self.absent
            and self.present <= names
            and all(names & one for one in self.met)
            and not any(one <= names for one in self.avoided)
        )


@dataclass(frozen=True)
class Excess:
    """By how much the leading digits of a cost are above their least value: an integer, and small.

    ``h = sum_j d_j x_j + f g - value``, where g is the excess of the digits before these, times the factor f
    of the one before.

    Parameters
    ----------
    digits
        Of each feature.
    value
        Their least value.
    most
        The largest excess that is meant.
    factor
        How many units of the next digits one unit of these is.
    """

    digits: Mapping[str, int]
    value: int
    most: int
    factor: int = 1


class Admission:
    """The rules of a domain, lowered to rows once, and asked for sets again and again.

    Parameters
    ----------
    features
        Names of all features.
    rules
        Domain constraints.

    Attributes
    ----------
    solves
        How often the solver was called.
    """

    def __init__(self, features: Sequence[str], rules: Sequence[Rule] = ()) -> None:
        self.features, self.rules, self.solves = features, rules, 0
        self._solver = row_solver()
        self._found: list[frozenset[str]] = []
        if rules:
            self._model  # noqa: B018  (a rule that is none is refused before the search)

    @cached_property
    def _model(self) -> Any:
        """The rules as a model; without any there are rows alone, and Pyomo is not loaded."""
        return admissible(self.features, self.rules)

    @cached_property
    def _rows(self) -> Rows | None:
        """Rows of the rules over features and helper variables; None if they exclude every set."""
        if not self.rules:
            return binary_rows(self.features)
        try:
            return to_rows(self._model)
        except InfeasibleRowError:
            return None

    @cached_property
    def _x(self) -> Mapping[str, Any]:
        """The variable of each feature."""
        if self.rules:
            return dict(self._model.blanket.x.items())
        assert self._rows is not None
        return dict(zip(self.features, self._rows.variables, strict=True))

    @cached_property
    def _columns(self) -> Mapping[str, int]:
        """Column of each feature that no rule fixes."""
        assert self._rows is not None
        index = {id(variable): j for j, variable in enumerate(self._rows.variables)}
        return {name: index[id(x)] for name, x in self._x.items() if id(x) in index}

    @cached_property
    def _fixed(self) -> frozenset[str]:
        """Features that a rule fixes to be in."""
        return frozenset(name for name, x in self._x.items() if x.fixed and x.value > 0.5)

    @cached_property
    def _verifier(self) -> Verifier | None:
        """What evaluates rules that say more than rows; None if there are none."""
        if not self.rules or not any(self._model.blanket.evaluated):
            return None
        return Verifier.of_rules(self.features, self.rules)

    def keeps(self, blanket: Collection[str]) -> bool:
        """Return whether a blanket keeps the rules."""
        if not self.rules:
            return True
        inside = frozenset(blanket)
        if self.find(Within(frozenset(self.features) - inside, inside)) is None:
            return False
        return self._verifier is None or all(check.holds for check in self._verifier.rules(list(blanket)))

    def is_feasible(self, within: Within) -> bool:
        """Return whether there is such a set that keeps the rules; one found before may be."""
        if any(within.holds(names) for names in self._found):
            return True
        found = self.find(within)
        self._found += [] if found is None else [found]
        return found is not None

    def find(self, within: Within) -> frozenset[str] | None:
        """Return such a set that keeps the rules, or None if there is none.

        Raises
        ------
        OutOfTimeError
            If the clock ends the solve.
        SolverError
            If the solver has neither an answer nor a proof that there is none.
        """
        found = self.cheapest(within, {})
        return None if found is None else found[0]

    @property
    def solver(self) -> str:
        """Name of the solver."""
        return self._solver.name

    def cheapest(
        self, within: Within, costs: Mapping[str, int], known: Sequence[Excess] = ()
    ) -> tuple[frozenset[str], Outcome] | None:
        """Return such a set that keeps the rules and costs least, and the outcome; None if there is none.

        Parameters
        ----------
        within
            Which sets are meant.
        costs
            Cost of each feature, integers that a solver takes exactly.
        known
            What is known of leading digits: the cost is that of the next, and of the last excess times its
            factor.
        """
        rows = self._restricted(within)
        if rows is None:
            return None
        paid = sum(costs.get(name, 0) for name in self._fixed)
        if not rows.variables:  # the rules fix every feature
            return (self._fixed, Outcome.optimal(float(paid))) if within.holds(self._fixed) else None
        cost = self._costs(costs)
        if known:
            rows = self._with_excess(rows, known)
            cost = np.append(cost, [*[0.0] * (len(known) - 1), float(known[-1].factor)])
        outcome = self._solved(priced(rows, cost, float(paid)))
        names = self._fixed.union(name for name in self._columns if (self._x[name].value or 0.0) > 0.5)
        return None if outcome.value is None else (names, outcome)

    def never_and_always(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the features that no set that keeps the rules has, and those that all of them have."""
        rows = self._rows
        if not self.rules or rows is None:
            return frozenset(), self._fixed if rows is not None else frozenset()
        counts = np.diff(rows.matrix.tocsc().indptr)
        ruled = {name for name, j in self._columns.items() if counts[j] > 1}  # one row names every feature
        some, others = set(ruled), set(ruled)  # not seen in a set yet, and not seen out of one
        for name in sorted(ruled):
            if name in some and (found := self.find(Within(present=frozenset({name})))) is not None:
                some -= found
                others &= found
        for name in sorted(others):
            if name in others and (found := self.find(Within(frozenset({name})))) is not None:
                others &= found
        fixed_out = frozenset(self.features).difference(self._columns, self._fixed)
        return fixed_out | some, self._fixed | others

    def _restricted(self, within: Within) -> Rows | None:
        """Return the rows with some features in and out, and rows of sets; None if no set is left."""
        rows = self._rows
        if rows is None or self._fixed & within.absent:
            return None
        if any(name not in self._columns and name not in self._fixed for name in within.present):
            return None
        lower, upper = rows.lower.copy(), rows.upper.copy()
        upper[self._indices(within.absent)] = 0.0
        lower[self._indices(within.present)] = 1.0
        more = [(one, 1.0, np.inf) for one in within.met if not one & self._fixed]
        more += [(one, -np.inf, len(one) - 1.0) for one in within.avoided if self._may_contain(one)]
        blocks, low, high = [rows.matrix], [rows.low], [rows.high]
        if more:
            blocks.append(self._sums([one for one, _, _ in more]))
            low.append(np.array([side for _, side, _ in more]))
            high.append(np.array([side - len(one & self._fixed) for one, _, side in more]))
        matrix = sp.csr_array(sp.vstack(blocks, format="csr"))
        sides = (np.concatenate(low), np.concatenate(high))
        return replace(rows, matrix=matrix, lower=lower, upper=upper, low=sides[0], high=sides[1])

    def _with_excess(self, rows: Rows, known: Sequence[Excess]) -> Rows:
        """Add a variable for each excess, and the row that defines it."""
        number, most = len(known), [float(one.most) for one in known]
        features = sp.csr_array(np.array([self._costs(one.digits) for one in known]))
        own = -np.eye(number)
        own[range(1, number), range(number - 1)] = [one.factor for one in known[:-1]]
        paid = [sum(one.digits.get(name, 0) for name in self._fixed) for one in known]
        sides = np.array([float(one.value - fixed) for one, fixed in zip(known, paid, strict=True)])
        blocks: Any = [[rows.matrix, None], [features, sp.csr_array(own)]]
        return replace(
            rows,
            matrix=sp.csr_array(sp.block_array(blocks)),
            low=np.append(rows.low, sides),
            high=np.append(rows.high, sides),
            lower=np.append(rows.lower, np.zeros(number)),
            upper=np.append(rows.upper, most),
            integer=np.append(rows.integer, np.ones(number, dtype=bool)),
            implied=np.append(rows.implied, np.zeros(number, dtype=bool)),
            start=np.append(rows.start, np.full(number, np.nan)),
            variables=[*rows.variables, *(Binary(f"excess {i}") for i in range(number))],
        )

    def _costs(self, costs: Mapping[str, int]) -> FloatArray:
        """Return the cost of every variable."""
        assert self._rows is not None
        cost = np.zeros(len(self._rows.variables))
        cost[self._indices(costs)] = [value for name, value in costs.items() if name in self._columns]
        return cost

    def _may_contain(self, names: frozenset[str]) -> bool:
        return all(name in self._columns or name in self._fixed for name in names)

    def _indices(self, names: Collection[str]) -> list[int]:
        return [self._columns[name] for name in names if name in self._columns]

    def _sums(self, sets: Sequence[frozenset[str]]) -> Any:
        """Return a row of ones over each set."""
        places = [self._indices(one) for one in sets]
        ends = np.cumsum([0, *map(len, places)])
        columns = np.array([j for row in places for j in row], dtype=np.int64)
        assert self._rows is not None
        return sp.csr_array(
            (np.ones(len(columns)), columns, ends), shape=(len(sets), len(self._rows.variables))
        )

    def _solved(self, rows: Rows) -> Outcome:
        self.solves += 1
        outcome = self._solver.solve(rows)
        if outcome.stop is Stop.INTERRUPT:
            raise KeyboardInterrupt
        if outcome.value is None and outcome.stop is Stop.TIME:
            raise OutOfTimeError
        if outcome.value is None and outcome.stop is not Stop.INFEASIBLE:
            raise SolverError(
                f"{self._solver.name} has neither an answer nor a proof that there is none: {outcome.stop}"
            )
        return outcome
