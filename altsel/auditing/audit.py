"""Audit of solutions: everything that can be computed again is, and claims can be proved a second time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altsel.auditing.blankets.audit import audit_blankets
from altsel.auditing.blankets.problem import BlanketProblem
from altsel.auditing.certificates.verdict import certificate_checks
from altsel.auditing.looked_at import looked_at
from altsel.auditing.recomputation import Case, short
from altsel.auditing.reproof import claims, proofs
from altsel.auditing.stated_diversity import diversity_of
from altsel.display.html import Table, page, text
from altsel.errors import ArgumentError, ConfigurationError, checked_integer
from altsel.exact.auto_solver import SolverLike
from altsel.exact.verification.verifier import Check
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.request import read_request
from altsel.results.solutions import Solutions
from altsel.runtime.clock import limited, opened
from altsel.solvers import solver

PROOFS = "proofs by another solver"


@dataclass(frozen=True)
class Audit:
    """What an audit looked at, and what it found.

    Attributes
    ----------
    checks
        Every check, with what was found.
    unproved
        Claims that nothing was done about: without a solver to prove them again all of optimality.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([3, 2, 1]), k=2)
    >>> found = sequential(problem, Dice(0.5), alternatives=1)
    >>> result = audit(found, problem, Dice(0.5), prove="highs")
    >>> len(result.checks) > 5, result.refuted, result.unproved
    (True, (), ())
    """

    checks: tuple[Check, ...]
    unproved: tuple[str, ...] = ()

    @property
    def refuted(self) -> tuple[Check, ...]:
        """The claims that do not hold."""
        return tuple(check for check in self.checks if check.holds is False)

    @property
    def open(self) -> tuple[Check, ...]:
        """The claims that could not be settled."""
        return tuple(check for check in self.checks if check.holds is None)

    @property
    def verdict(self) -> str:
        """``"refuted"``, ``"not settled"`` or ``"confirmed"``."""
        return "refuted" if self.refuted else "not settled" if self.open else "confirmed"

    def __repr__(self) -> str:
        return f"<Audit: {self.verdict}, {self._counts()}>"

    def _repr_html_(self) -> str:
        order = sorted(self.checks, key=lambda check: (check.holds is True, check.holds is None))
        marks = {True: "ok", False: "WRONG", None: "open"}
        rows = ([text(one.claim, 200), marks[one.holds], text(one.found, 200)] for one in order)
        head, left = ["claim", "holds", "found"], {0, 1, 2}
        table = Table("Checks, what does not hold first", head, rows, len(order), "check", left)
        rest = [f"not proved again: {'; '.join(self.unproved)}"] if self.unproved else []
        return page(f"{self.verdict}: {self._counts()}", [table, *rest])

    def _counts(self) -> str:
        return f"{len(self.checks)} checks, {len(self.refuted)} refuted, {len(self.open)} not settled"

    def summary(self) -> str:
        """Report the verdict first, then what does not hold, is open, or was not proved again."""
        rest = [f"not proved again: {'; '.join(self.unproved)}"] if self.unproved else []
        return "\n".join([f"{self.verdict}: {self._counts()}", *map(str, (*self.refuted, *self.open)), *rest])

    def __str__(self) -> str:
        held = (str(check) for check in self.checks if check.holds)
        return "\n".join([self.summary(), *held])


def audit(
    solutions: Solutions,
    problem: Problem | BlanketProblem,
    diversity: Any = None,
    *,
    prove: SolverLike = None,
    time_limit: float | None = None,
    retest: int | None = None,
    certificate: str | Path | None = None,
) -> Audit:
    """Check solutions against what was wanted of them, without trusting how they were found.

    Sizes, rules (each on a block made for the purpose), rules across sets, dissimilarities as exact
    fractions, scores by the formula, order, bounds and gaps are computed again.

    Of a search for all Markov blankets, or the best, also: that sets and failed removals fit; that the latter
    prove that there is no other blanket, or none that costs less (without any solver if no rules are given:
    blankets are exactly the minimal sets that have a feature of each failed removal); and the tests, on the
    data: each set is judged again by the reference, the search inside it keeps all of it, and without each
    failed removal there is no blanket.

    Parameters
    ----------
    solutions
        The answer of any search by optimisation, or for all blankets.
    problem
        What was wanted of every set: a `Problem`, or an `auditing.BlanketProblem`.
    diversity
        `Dice`, `Jaccard`, `Average` or `Penalised`; default: what the solutions say was requested.
    prove
        A solver or a profile's name: prove optimality and "no further set" again by it. Choose another
        than the one that answered. Of blankets, what it needs a solver for is always proved again: default,
        another installed solver than that of the search.
    time_limit
        Seconds for these proofs; of blankets for the whole audit.
    retest
        Of blankets: how many of them, and of the failed removals, are tested again, drawn at random. Default:
        all.
    certificate
        A file of `Solutions.certificate`: check it too, that its numbers are those of the problem, and that
        it proves the claims of these solutions, with their sizes, sets and scores.

    Returns
    -------
    Audit
        ``str()`` tells every check in words. If it is interrupted, or time is up: what was looked at until
        then, and a check left open that names the rest. Without `prove`, and a certificate that covers all,
        ``"confirmed"`` says nothing of what was called optimal, bounded, infeasible or exhausted: `unproved`
        lists these claims.

    Raises
    ------
    ArgumentError, ConfigurationError
        If an argument is wrong.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([5, 4, 2, 1]), k=2)
    >>> found = sequential(problem, Dice(0.5), alternatives=1)
    >>> audit(found, problem, Dice(0.5), prove="highs").verdict
    'confirmed'
    >>> better = replace(found[1], features=("x0", "x3"))
    >>> print(*audit(replace(found, sets=(found[0], better)), problem, Dice(0.5)).refuted)
    WRONG set 1: score 7: the formula gives 6.0
    """
    _check_arguments(solutions, problem, diversity, retest)
    opened(time_limit)
    if isinstance(problem, BlanketProblem):
        with limited(time_limit):
            engine = None if prove is None else prover(prove)
            made, aside = audit_blankets(solutions, problem, engine, retest)
        if certificate is not None:
            made = [*made, *certificate_checks(certificate, solutions, None)]
        return Audit(tuple(made), tuple(aside))
    request = read_request(solutions.request)
    if diversity is None:
        diversity = diversity_of(request.get("diversity"))
    case = Case(solutions, problem, diversity, request)
    parts = {
        "what was asked": case.question(),
        "each set": case.sets(),
        "what holds between sets": case.between(),
        "how the search ended": case.ends(),
    }
    if certificate is not None:
        parts["the certificate"] = certificate_checks(certificate, solutions, problem, diversity)
    checks, whole = looked_at(parts, [] if prove is None else [PROOFS])
    aside = ["hold-out scores"] if any(subset.holdout is not None for subset in solutions) else []
    aside += ["p of the null level"] if any(subset.p_null is not None for subset in solutions) else []
    if prove is None:
        by_file = [check.holds for check in checks if check.claim.startswith("the certificate")]
        proved = whole and bool(by_file) and all(by_file)
        return Audit(tuple(checks), (*(() if proved else claims(solutions)), *aside))
    engine = prover(prove)
    if whole and not any(check.holds is False for check in checks):
        with limited(time_limit):
            checks += looked_at({PROOFS: proofs(solutions, problem, diversity, engine)})[0]
    return Audit(tuple(checks), tuple(aside))


def prover(prove: SolverLike) -> SolverLike:
    """Return the solver that is to prove claims again.

    Raises
    ------
    ConfigurationError
        If there is no such solver, or it is no other than what answers by default.
    """
    if isinstance(prove, str) and prove in {"", "auto"}:
        raise ConfigurationError(f"prove={prove!r} may be what answered: name a solver, such as 'highs'")
    return solver(prove) if isinstance(prove, str) else prove


def _check_arguments(solutions: Any, problem: Any, diversity: Any, retest: Any) -> None:
    if not isinstance(solutions, Solutions):
        raise ArgumentError(f"an audit is of Solutions, as a search returns them; not of {short(solutions)}")
    if isinstance(problem, BlanketProblem):
        if diversity is not None:
            raise ArgumentError(f"diversity={diversity!r}: blankets need not differ; leave it out")
        if retest is not None:
            checked_integer("retest", retest, 1)
        return
    if not isinstance(problem, Problem):
        raise ArgumentError(
            f"problem={short(problem)}; give the Problem of the search, or of one for blankets "
            "altsel.auditing.BlanketProblem(test, alpha)"
        )
    if retest is not None:
        raise ArgumentError("retest: only blankets rest on tests; leave it out")
    if diversity is not None and not callable(diversity) and not isinstance(diversity, SoftDiversity):
        raise ArgumentError(
            f"diversity={diversity!r}; use Dice(tau) or another dissimilarity, Average or Penalised"
        )
