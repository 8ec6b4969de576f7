"""Whether a blanket keeps the rules of the domain, and whether any could that avoids some features."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import pandas as pd

from altsel.errors import SolverError
from altsel.exact.auto_solver import automatic
from altsel.exact.verification.verifier import Verifier
from altsel.models.problem import Problem, chosen
from altsel.models.removal import admissible
from altsel.models.rule import Rule
from altsel.models.univariate import Univariate
from altsel.results.stop import Stop
from altsel.solvers import Outcome, Solver

Sets = Collection[frozenset[str]]


class Admission:
    """The rules of a domain, checked by feasibility solves.

    Parameters
    ----------
    features
        Names of all features.
    rules
        Domain constraints; without any, everything is admitted and no solver is called.
    solver
        The solver; default: that of ``solvers.toml``.

    Attributes
    ----------
    solves
        How often the solver was called.
    """

    def __init__(self, features: Sequence[str], rules: Sequence[Rule], solver: Solver | None = None) -> None:
        self.features, self.rules, self.solves = features, rules, 0
        self._solver = (solver or automatic()) if rules else None
        self._witnesses: list[frozenset[str]] = []

    @cached_property
    def _verifier(self) -> Verifier | None:
        """What evaluates rules that say more than rows; None if there are none."""
        if not any(admissible(self.features, self.rules).blanket.evaluated):
            return None
        nothing = Univariate(pd.Series(0.0, index=list(self.features)))
        return Verifier(Problem(nothing, (1, len(self.features)), self.rules))

    def keeps(self, blanket: Collection[str]) -> bool:
        """Return whether a blanket keeps the rules."""
        if self._solver is None:
            return True
        others = [name for name in self.features if name not in blanket]
        if self._find(admissible(self.features, self.rules), blanket, others) is None:
            return False
        return self._verifier is None or all(check.holds for check in self._verifier.rules(list(blanket)))

    def is_feasible(
        self, excluded: Collection[str], present: Collection[str], met: Sets, known: Sets
    ) -> bool:
        """Return whether there may be an admissible blanket without excluded features, with those present.

        It has a feature of each set that is to be met (removals that failed), and contains no known blanket.
        """
        if self._solver is None:
            return True
        out, inside = frozenset(excluded), frozenset(present)
        for witness in self._witnesses:
            fits = not witness & out and inside <= witness and all(witness & failed for failed in met)
            if fits and not any(blanket <= witness for blanket in known):
                return True
        found = self._find(admissible(self.features, self.rules, met, known), inside, out)
        if found is not None:
            self._witnesses.append(found)
        return found is not None

    def _find(self, model: Any, present: Collection[str], absent: Collection[str]) -> frozenset[str] | None:
        """Solve a model with some features in and some out."""
        assert self._solver is not None
        for names, value in ((absent, 0), (present, 1)):
            for name in names:
                x = model.blanket.x[name]
                if x.fixed and x.value != value:
                    return None  # a rule has fixed it
                x.fix(value)
        self.solves += 1
        return None if solved(self._solver, model) is None else chosen(model.blanket)


def solved(solver: Solver, model: Any) -> Outcome | None:
    """Solve a model; give the outcome with an answer on its variables, or None: it is infeasible.

    Raises
    ------
    SolverError
        If the solver reached its limit with neither.
    """
    outcome = solver(model)
    if outcome.stop is Stop.INTERRUPT:
        raise KeyboardInterrupt
    if outcome.value is None and outcome.stop is not Stop.INFEASIBLE:
        raise SolverError(
            f"{solver.name} has neither an answer nor a proof that there is none: {outcome.stop}"
        )
    return None if outcome.value is None else outcome
