"""Expressions as polynomials: sums of products of variables, in which a 0/1 variable is its own square."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from altsel.pyomo_on_demand import expressions, pyo

Monomial = tuple[int, ...]
"""Sorted indices of the variables of a product, a variable that is not 0/1 as often as its power."""
Polynomial = dict[Monomial, float]
"""The coefficient of each product."""
MOST_TERMS = 50_000
"""Terms above which an expression is not expanded."""
MOST_POWER = 6
SHORT = 60
"""Characters of an expression that a message shows."""


class NoPolynomialError(Exception):
    """An expression is no polynomial, or one of too many terms."""


class Polynomials:
    """Expands expressions; holds the variables that stand in them by index.

    Examples
    --------
    >>> import pyomo.environ as pyo
    >>> model = pyo.ConcreteModel()
    >>> model.x = pyo.Var(["a", "b"], domain=pyo.Binary)
    >>> Polynomials().expand((model.x["a"] + 2 * model.x["b"]) ** 2)
    {(0,): 1.0, (0, 1): 4.0, (1,): 4.0}
    """

    def __init__(self) -> None:
        self.variables: list[Any] = []
        self.binary: list[bool] = []
        self._index: dict[int, int] = {}

    def expand(self, expression: Any) -> Polynomial:
        """Return the coefficient of each product of variables; the empty product is the constant.

        Raises
        ------
        NoPolynomialError
            If it is none.
        """
        if not hasattr(expression, "is_expression_type") or not expression.is_potentially_variable():
            return {(): float(pyo.value(expression))}
        if expression.is_variable_type():
            return {(): float(expression.value)} if expression.fixed else {(self._known(expression),): 1.0}
        if expression.is_named_expression_type():
            return self.expand(expression.expr)
        for kind, combine in self._combined().items():
            if isinstance(expression, kind):
                return combine(*expression.args)
        raise NoPolynomialError(f"it holds {_short(expression)}, which is no polynomial")

    def _combined(self) -> dict[Any, Callable[..., Polynomial]]:
        """Return how the arguments of an expression are combined, by its class."""
        kinds = expressions.numeric_expr
        return {
            kinds.SumExpression: self._sum,  # linear expressions too
            kinds.NegationExpression: lambda one: self._times(self.expand(one), {(): -1.0}),
            kinds.ProductExpression: lambda one, other: self._times(self.expand(one), self.expand(other)),
            kinds.DivisionExpression: lambda one, other: self._divided(self.expand(one), self.expand(other)),
            kinds.PowExpression: lambda one, other: self._power(self.expand(one), self.expand(other)),
        }

    def _known(self, variable: Any) -> int:
        if id(variable) not in self._index:
            self._index[id(variable)] = len(self.variables)
            self.variables.append(variable)
            self.binary.append(variable.is_integer() and variable.bounds == (0, 1))
        return self._index[id(variable)]

    def _sum(self, *arguments: Any) -> Polynomial:
        total: Polynomial = {}
        for argument in arguments:
            for monomial, coefficient in self.expand(argument).items():
                total[monomial] = total.get(monomial, 0.0) + coefficient
        return total

    def _times(self, one: Polynomial, other: Polynomial) -> Polynomial:
        if len(one) * len(other) > MOST_TERMS:
            raise NoPolynomialError(f"it has more than {MOST_TERMS:,} terms")
        total: Polynomial = {}
        for a, factor in one.items():
            for b, coefficient in other.items():
                monomial = self._product(a, b)
                total[monomial] = total.get(monomial, 0.0) + factor * coefficient
        return total

    def _product(self, one: Monomial, other: Monomial) -> Monomial:
        """Multiply two products; the square of a 0/1 variable is the variable."""
        return tuple(sorted([*one, *(j for j in other if not (self.binary[j] and j in one))]))

    def _divided(self, above: Polynomial, below: Polynomial) -> Polynomial:
        divisor = below.get((), 0.0)
        if set(below) - {()} or not divisor:
            raise NoPolynomialError("it divides by what the set decides")
        return self._times(above, {(): 1 / divisor})

    def _power(self, base: Polynomial, exponent: Polynomial) -> Polynomial:
        power = exponent.get((), 0.0)
        if set(exponent) - {()} or power != int(power) or not 0 <= power <= MOST_POWER:
            raise NoPolynomialError("it holds a power that is no polynomial")
        total: Polynomial = {(): 1.0}
        for _ in range(int(power)):
            total = self._times(total, base)
        return total


def _short(expression: Any) -> str:
    text = " ".join(str(expression).split())
    return text if len(text) <= SHORT else f"{text[:SHORT]} …"
