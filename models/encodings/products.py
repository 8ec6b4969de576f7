"""Rows with products of 0/1 variables, also with one bounded variable, as linear rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from altsel.models.encodings.convex_rows import Curve, add_curve, curve_of
from altsel.models.encodings.polynomials import Monomial, NoPolynomialError, Polynomial, Polynomials
from altsel.models.pair_products import PER_PAIR
from altsel.models.rule import unique_name
from altsel.pyomo_on_demand import expressions, pyo
from altsel.runtime.clock import clock
from altsel.runtime.memory import require


@dataclass(frozen=True, eq=False)
class Rest:
    """A constraint that cannot be written as linear rows, and why.

    Attributes
    ----------
    row
        The constraint; it is switched off.
    why
        What is in it.
    curve
        Its tangents, if it is convex: rows that hold wherever it does.
    """

    row: Any
    why: str
    curve: Curve | None = None


def products_to_rows(block: Any, title: str) -> list[Rest]:
    """Write the rows of a block with products as linear ones, exactly; return those that cannot be.

    ``t = prod_i x_i`` of 0/1 variables: ``t <= x_i`` and ``t >= sum_i x_i - (n - 1)``. ``w = t u`` for L <= u
    <= U: ``L t <= w <= U t`` and ``u - U (1 - t) <= w <= u - L (1 - t)`` (McCormick 1976, exact as t is 0 or
    1).

    Parameters
    ----------
    block
        A rule's own block, without disjunctions; changed in place.
    title
        The rule in words, for errors.

    Returns
    -------
    list of Rest
        Constraints with another function, such as a root, with products of variables that are not 0/1, or
        with one that has no bounds; they are switched off. Convex ones have tangents in their place.
    """
    known = Polynomials()
    products: _Products | None = None
    others = []
    for row in list(block.component_data_objects(pyo.Constraint, active=True, descend_into=True)):
        if _is_linear(row.body):
            continue
        products = products or _Products(block, known, title)
        row.deactivate()
        try:
            polynomial = known.expand(row.body)
            if products.has_squares(polynomial):
                others.append(Rest(row, "it is curved", products.curve(polynomial, row)))
            else:
                products.rows.add(_between(row.lb, products.linear(polynomial), row.ub))
        except NoPolynomialError as fault:
            others.append(Rest(row, str(fault)))
    return others


def linear_form(block: Any, expression: Any, title: str) -> Any:
    """Write an expression with products as a linear one, with rows on a block for them.

    Raises
    ------
    NoPolynomialError
        If it is none of products of 0/1 variables and one that has bounds.
    """
    if _is_linear(expression):
        return expression
    known = Polynomials()
    return _Products(block, known, title).linear(known.expand(expression))


def _is_linear(body: Any) -> bool:
    """Return whether an expression is linear as it stands, whatever is fixed or cancels out."""
    if any(v.fixed for v in expressions.identify_variables(body, include_fixed=True)):
        return False
    return _is_written_linear(body)


def _is_written_linear(body: Any) -> bool:
    """Return whether an expression multiplies no two that have variables, not even by 0 in the end."""
    if not hasattr(body, "args") or not body.is_potentially_variable():
        return True
    held = [arg for arg in body.args if hasattr(arg, "is_expression_type") and arg.is_potentially_variable()]
    kinds = (expressions.SumExpression, expressions.NegationExpression)
    if isinstance(body, kinds) or body.is_named_expression_type():
        return all(map(_is_written_linear, held))
    if isinstance(body, expressions.ProductExpression):
        return len(held) < 2 and all(map(_is_written_linear, held))
    if isinstance(body, expressions.DivisionExpression):
        return not any(arg is body.args[1] for arg in held) and all(map(_is_written_linear, held))
    return False


def _between(low: Any, body: Any, high: Any) -> Any:
    """State a row whose body may have become a number, as ``x (1 - x)`` does."""
    if hasattr(body, "is_expression_type"):
        return pyo.inequality(low, body, high)
    good = (low is None or pyo.value(low) <= body) and (high is None or body <= pyo.value(high))
    return pyo.Constraint.Feasible if good else pyo.Constraint.Infeasible


class _Products:
    """The products of a block, each with one variable."""

    def __init__(self, block: Any, known: Polynomials, title: str) -> None:
        self.known, self.title = known, title
        self.block = pyo.Block()
        block.add_component(unique_name(block, "products"), self.block)
        self.block.t = pyo.Var(pyo.Any, dense=False)
        self.block.definition = pyo.ConstraintList()
        self.block.row = pyo.ConstraintList()
        self.rows = self.block.row

    def linear(self, polynomial: Polynomial) -> Any:
        """Write a polynomial with a variable for every product.

        Raises
        ------
        NoPolynomialError
            If it has a product of variables that are not 0/1, or of one that has no bounds.
        """
        terms = {monomial: c for monomial, c in polynomial.items() if c}
        for monomial in terms:
            self._check(monomial)
        new = sum(len(monomial) > 1 for monomial in terms)
        require(PER_PAIR * new, f"rule {self.title!r}: {new:,} products", "choose among fewer features first")
        return pyo.quicksum(c * self._factor(monomial) for monomial, c in terms.items())

    def has_squares(self, polynomial: Polynomial) -> bool:
        """Return whether it multiplies two variables that are not 0/1, and nothing of a higher degree."""
        own = {monomial: self._own(monomial) for monomial, c in polynomial.items() if c}
        return max(own.values(), default=0) == 2 and all(len(m) == 2 for m, n in own.items() if n == 2)

    def _own(self, monomial: Monomial) -> int:
        return sum(not self.known.binary[j] for j in monomial)

    def curve(self, polynomial: Polynomial, row: Any) -> Curve:
        """Write a convex row by tangents.

        Raises
        ------
        NoPolynomialError
            If it is not convex.
        """
        rest, form = curve_of(polynomial, row.lb, row.ub, self.known.binary)
        return add_curve(self.block, self.linear(rest), form, self.known.variables)

    def _check(self, monomial: Monomial) -> None:
        own = [self.known.variables[j] for j in monomial if not self.known.binary[j]]
        if len(own) > 1:
            names = " and ".join(dict.fromkeys(repr(u.local_name) for u in own))
            raise NoPolynomialError(f"it multiplies {names}, which are not 0/1")
        if len(monomial) > 1 and own and (own[0].lb is None or own[0].ub is None):
            raise NoPolynomialError(f"it multiplies {own[0].local_name!r}, which has no bounds")

    def _factor(self, monomial: Monomial) -> Any:
        """Return the variable of a product; 1 if it is empty."""
        clock().check()
        if len(monomial) <= 1:
            return self.known.variables[monomial[0]] if monomial else 1.0
        if monomial not in self.block.t:
            own = [j for j in monomial if not self.known.binary[j]]
            binaries = tuple(j for j in monomial if self.known.binary[j])
            if own:
                self._times(monomial, self._factor(binaries), self.known.variables[own[0]])
            else:
                self._all_of(monomial)
        return self.block.t[monomial]

    def _all_of(self, monomial: Monomial) -> None:
        factors = [self.known.variables[j] for j in monomial]
        t = self.block.t[monomial]
        t.setlb(0)
        t.setub(1)
        for x in factors:
            self.block.definition.add(t <= x)
        self.block.definition.add(t >= pyo.quicksum(factors) - (len(factors) - 1))
        self._imply(t)

    def _times(self, monomial: Monomial, t: Any, u: Any) -> None:
        """Multiply a product of 0/1 variables by a bounded variable."""
        low, high = float(u.lb), float(u.ub)
        w = self.block.t[monomial]
        w.setlb(min(low, 0.0))
        w.setub(max(high, 0.0))
        add = self.block.definition.add
        add(w >= low * t)
        add(w <= high * t)
        add(w >= u - high * (1 - t))
        add(w <= u - low * (1 - t))
        if u.is_integer():
            self._imply(w)

    def _imply(self, variable: Any) -> None:
        """Note that a continuous variable is an integer wherever the others are."""
        implied = self.block.model().component("implied")
        if implied is not None:
            implied[variable] = 1
