"""What goes wrong in a rule, as one error that names the rule and says what to write instead."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from altsel.errors import AltselError, ArgumentError, absence, did_you_mean
from altsel.models.predicate import Condition
from altsel.models.rule import absent_of
from altsel.runtime.clock import OutOfTimeError

SHORT = 200
"""Characters of another library's message that are shown."""


@dataclass(frozen=True)
class Called:
    """What a rule is called with, in words, and how it names two features.

    Attributes
    ----------
    given
        Its arguments in words.
    a, b
        Two features, as the rule writes them.
    fix
        What to give in its place.
    """

    given: str
    a: str
    b: str
    fix: str

    @property
    def instead(self) -> str:
        """What to write in place of Python that decides."""
        return (
            f"no if, and, or, in, max, %, round, math functions or comparison of arrays; if-then is "
            f"{self.a} <= {self.b}, either-or a Disjunction, several rows a list, a root pyo.sqrt"
        )


OF_A_SET = Called(
    "the block of a set",
    "b.x['a']",
    "b.x['b']",
    "give functions of one block, as def cheap(b): return …, or rules of altsel.domain",
)
ACROSS = Called(
    "a block and the sets",
    "sets[0]['a']",
    "sets[1]['b']",
    "give functions of a block and the sets, as def apart(b, sets): return …",
)
OF_A_PAIR = Called(
    "a block and two sets",
    "first['a']",
    "second['b']",
    "define def rows(self, block, first, second): return …",
)
PREDICATE = "; anything else is altsel.domain.predicate(f), with f of the names in a set"


def called_with(rule: Any, arguments: int) -> Called:
    """Return what a rule is called with, by the number of arguments besides its block."""
    said: Called = getattr(rule, "called", (OF_A_SET, ACROSS, OF_A_PAIR)[arguments])
    return said


def refuse_condition_across(rule: Any, title: str, called: Called) -> None:
    """Refuse a rule that is evaluated on one set where rules across sets are given."""
    if isinstance(rule, Condition) and called is not OF_A_SET:
        raise ArgumentError(
            f"rule {title!r} is evaluated on one set, and cannot hold across sets; give it in subject_to"
        )


@contextmanager
def named_faults(title: str, block: Any, called: Called) -> Iterator[None]:
    """Turn what goes wrong in a rule into one error that names it; what Pyomo logs of it is kept back.

    Parameters
    ----------
    title, block
        The rule's name, and its block.
    called
        What it is called with.
    """
    from pyomo.common.log import LoggingIntercept  # noqa: PLC0415  (with the first model)

    try:
        with LoggingIntercept(io.StringIO(), "pyomo", logging.ERROR):
            yield
    except (AltselError, OutOfTimeError):
        raise
    except Exception as fault:
        raise _error(title, block, called, fault) from fault


def _error(title: str, block: Any, called: Called, fault: Exception) -> ArgumentError:
    if isinstance(fault, KeyError):
        return _unknown_name(title, block, called, fault)
    if isinstance(fault, AttributeError):
        return _unknown_attribute(title, block, called, fault)
    if isinstance(fault, IndexError) and called is ACROSS:
        return ArgumentError(
            f"rule {title!r} fails: IndexError: {_first_line(fault)}; a rule across sets is called with one "
            "set, two, and so on: write it for len(sets) of any size, as with itertools.combinations(sets, 2)"
        )
    return ArgumentError(_message(title, called, fault))


def _message(title: str, called: Called, fault: Exception) -> str:
    """Return what Python or Pyomo could not do, and what to write instead."""
    text, predicate = str(fault), PREDICATE if called is OF_A_SET else ""
    if "strict inequality" in text:
        return (
            f"rule {title!r} has a strict comparison, which solvers do not know; features are 0 or 1: write "
            f"<= or >=, such as {called.a} + {called.b} <= 0 for … < 1"
        )
    if type(fault).__name__ == "MouseTrap" or "non-constant Pyomo" in text:
        return (
            f"rule {title!r} decides by a comparison of variables, and is called before any set is known: "
            f"{called.instead}{predicate}"
        )
    said = f"rule {title!r} fails: {type(fault).__name__}: {_first_line(fault)}"
    if "trivial Boolean" in text:
        hint = "return the comparison instead of putting it into a Constraint: True and False are taken"
    elif isinstance(fault, (TypeError, ValueError)) or "Pyomo" in type(fault).__name__:
        hint = f"a rule is called with variables in place of numbers: {called.instead}{predicate}"
    else:
        return said
    return f"{said}; {hint}"


def _unknown_name(title: str, block: Any, called: Called, fault: KeyError) -> ArgumentError:
    """Return the error of a name that a rule looked up, among features or in a dictionary of its own."""
    by_pyomo = "is not valid for indexed component" in str(fault)
    if not by_pyomo and called is OF_A_SET:
        return ArgumentError(
            f"rule {title!r} fails: KeyError: {_first_line(fault)}; a dictionary of the rule has no such name"
        )
    name = str(fault.args[0]).removeprefix("Index '").partition("' is not valid")[0]
    own = "" if by_pyomo else "; or a dictionary of the rule has no such name"
    x = getattr(block, "x", {})
    if name in absent_of(x):
        why = absence(name, x, absent_of(x))
        return ArgumentError(f"rule {title!r}: {name!r} is no feature that could be chosen{why}{own}")
    return ArgumentError(
        f"rule {title!r}: {name!r} is no feature that could be chosen; constant columns are out, those "
        "given to a LinearFit always in, its weights no feature, and of grouped data a function names "
        f"the column of each group (the rules of altsel.domain any){own}"
        f"{did_you_mean(name, x)}"
    )


def _unknown_attribute(title: str, block: Any, called: Called, fault: AttributeError) -> ArgumentError:
    offered = [f"b.{name}" for name in ("x", "size", "quality") if name in block.__dict__]
    features = f"the features of {called.given.removeprefix('a block and ')}, as {called.a}"
    return ArgumentError(
        f"rule {title!r} fails: {_first_line(fault)}; it may name {', '.join(offered) or features}, and what "
        "it adds"
    )


def _first_line(fault: Exception) -> str:
    text = " ".join(str(fault).split())
    for comment in (" For example", " This error is"):
        text = text.partition(comment)[0]
    return shorten(text, SHORT, placeholder=" …")
