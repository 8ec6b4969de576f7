"""What goes wrong, and whose turn it is to fix it."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from math import isfinite
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any


def printable(name: str) -> str:
    r"""Show control characters (a newline, an escape) as ``\n``, ``\x1b``; the rest as it is.

    Examples
    --------
    >>> printable("two" + chr(10) + "lines") == r"two\nlines"
    True
    """
    return "".join(c.encode("unicode_escape").decode() if hidden(c) else c for c in name)


def hidden(character: str) -> bool:
    """Return whether a terminal obeys a character instead of showing it: control, direction, end of line."""
    kind = unicodedata.category(character)
    return kind[0] == "C" or kind in {"Zl", "Zp"}


class AltselError(Exception):
    """Base of every error altsel raises on purpose.

    ``exit_code`` is what the command line returns for it: 2 when the call or the
    configuration is wrong, 1 when the call was right but could not be carried out. The message is one
    line that a terminal may show, whatever another library reports or a column is called.

    Examples
    --------
    >>> from altsel import Univariate, Problem
    >>> try:
    ...     Problem(Univariate([0.5, 0.4]), k=3)
    ... except AltselError as fault:
    ...     print(fault, fault.exit_code)
    k=3, but there are only 2 features to choose from 2
    """

    exit_code = 1

    def __init__(self, message: object = "") -> None:
        super().__init__(printable(re.sub(r"\s*\n\s*", " ", str(message)).strip()))


class ArgumentError(AltselError, ValueError):
    """An argument is out of its range or names nothing: k, tau, a column, a file.

    Examples
    --------
    >>> from altsel import Dice
    >>> Dice(1.5)
    Traceback (most recent call last):
    altsel.errors.ArgumentError: tau=1.5; use a number from 0 (may be the same) to 1 (no common feature)
    """

    exit_code = 2


class ConfigurationError(AltselError, ValueError):
    """``solvers.toml`` is malformed, or a profile or engine is unknown or not installed.

    Examples
    --------
    >>> from altsel import solver
    >>> try:
    ...     solver("cplx")
    ... except ConfigurationError as fault:
    ...     print(str(fault)[:24])
    no solver profile 'cplx'
    """

    exit_code = 2


class NotInstalledError(ConfigurationError):
    """A solver that a profile names is not there; the message says how to get it."""


class DataError(AltselError, ValueError):
    """The table or target cannot be used as it is: missing values, one class, duplicate names.

    Examples
    --------
    >>> from altsel import Univariate
    >>> Univariate([0.5, float("nan")])
    Traceback (most recent call last):
    altsel.errors.DataError: relevances are missing or infinite: 'x1'
    """


class SolverError(AltselError, RuntimeError):
    """A solver refused the model, failed, or answered something that does not hold.

    Examples
    --------
    >>> issubclass(SolverError, AltselError), SolverError.exit_code
    (True, 1)
    """


class RangeError(SolverError):
    """Numbers of one model range so widely that no solver tells the small ones apart."""


class WorkerError(AltselError, RuntimeError):
    """Processes that work in parallel were killed again and again."""


class DataWarning(UserWarning):
    """Something in the data that altsel copes with but the user should know.

    Examples
    --------
    >>> import warnings
    >>> from altsel import Dataset
    >>> with warnings.catch_warnings(record=True) as noted:
    ...     warnings.simplefilter("always")
    ...     data = Dataset({"a": [1, 2, 3, 4], "b": [7, 7, 7, 7]}, [0, 1, 0, 1])
    >>> noted[0].category.__name__, list(data.X.columns)
    ('DataWarning', ['a'])
    """


class RuleWarning(UserWarning):
    """A rule says the same of every set, which may be a comparison that Python decided and not Pyomo.

    Examples
    --------
    >>> import warnings
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate({"a": 2, "b": 1}), k=1, subject_to=[lambda b: b.x["a"] == True])
    >>> with warnings.catch_warnings(record=True) as noted:
    ...     warnings.simplefilter("always")
    ...     found = sequential(problem, Dice(0.5), 0)
    >>> len(found), noted[0].category.__name__
    (0, 'RuleWarning')
    """


class PluginWarning(UserWarning):
    """Another package adds a name that altsel has itself: altsel's own is used."""


class FalseDiscoveryWarning(UserWarning):
    """A search makes so many tests at its level that some features will be selected by chance.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", FalseDiscoveryWarning)  # in a study of false discoveries, say
    ...     warnings.warn("among 1,000 candidates 10 are expected by chance", FalseDiscoveryWarning)
    """


def checked_integer(name: str, value: object, least: int) -> int:
    """Return an integer of at least some value, or raise an ArgumentError that names it."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ArgumentError(f"{name}={value!r}; use an integer of at least {least}")
    return int(value)


def no_negative(name: str, value: object) -> None:
    """Raise an ArgumentError unless a value is a finite number of at least 0."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not isfinite(value) or value < 0:  # type: ignore[arg-type, operator]
        raise ArgumentError(f"{name}={value!r}; use a finite number of at least 0")


def level(name: str, value: object) -> None:
    """Raise an ArgumentError unless a value is a level of significance: between 0 and 1."""
    if not isinstance(value, (int, float)) or not 0 < value < 1:
        raise ArgumentError(f"{name}={value!r}; use a number between 0 and 1, such as 0.05")


def of_kind(name: str, value: object, kind: Any, such_as: str) -> None:
    """Raise an ArgumentError unless an argument is of a kind: a class, ``Callable``, or a union of them.

    Examples
    --------
    >>> of_kind("corrected", "yes", bool, "True or False")
    Traceback (most recent call last):
    altsel.errors.ArgumentError: corrected='yes'; give True or False
    """
    if not isinstance(value, kind):
        shown = repr(value)
        given = f"{name}={shown}" if len(shown) <= SHORT else f"{name} is a {type(value).__name__}"
        raise ArgumentError(f"{given}; give {such_as}")


SHORT, LINE = 60, 120
"""Characters up to which a wrong argument is shown, and from which on a name is cut to so many."""


def flags(**given: object) -> None:
    """Raise an ArgumentError unless all of some arguments are True or False, or such of numpy."""
    for name, value in given.items():
        if type(value).__name__ != "bool" and not (type(value) is int and value in (0, 1)):
            of_kind(name, value, bool, "True or False")


def list_of_names(name: str, given: object) -> tuple[str, ...]:
    """Return names as a tuple; refuse what is none, and a text, which would be taken letter by letter.

    Examples
    --------
    >>> list_of_names("drop", ["age", "dose"])
    ('age', 'dose')
    >>> list_of_names("drop", "age")
    Traceback (most recent call last):
    altsel.errors.ArgumentError: drop='age' is one name; give a list of names: ['age']
    """
    if isinstance(given, str):
        raise ArgumentError(f"{name}={given!r} is one name; give a list of names: [{given!r}]")
    of_kind(name, given, Iterable, "a list of names: ['age', 'dose']")
    names = tuple(given)  # type: ignore[arg-type, var-annotated]
    for one in names:
        if not isinstance(one, str):
            raise ArgumentError(f"{name}: {one!r} is no name; names are texts: ['age', 'dose']")
    return names


def checked_path(name: str, path: object) -> Path:
    """Return a path; refuse what is none, and an empty one, which would be the working folder."""
    of_kind(name, path, str | PathLike, "the path of a file")
    if not str(path):
        raise ArgumentError(f"{name} is empty; give the path of a file")
    return Path(str(path))


def listing(names: Iterable[object], limit: int = 5) -> str:
    """Quote the first few names for a message: ``'a', 'b' and 3 more``; one longer than a line is cut.

    Examples
    --------
    >>> listing(["a", "b", "c"], 2)
    "'a', 'b' and 1 more"
    """
    texts = (str(name) for name in names)
    quoted = [repr(text if len(text) <= LINE else f"{text[:SHORT]}…") for text in texts]
    if len(quoted) <= limit:
        return ", ".join(quoted)
    return f"{', '.join(quoted[:limit])} and {len(quoted) - limit} more"


def did_you_mean(name: str, names: Iterable[object]) -> str:
    """Hint at the name nearest to one that is not there, whatever its capitals and blanks; empty if none is.

    Examples
    --------
    >>> did_you_mean("crp", ["age", "CRP [mg/l]"])
    "; did you mean 'CRP [mg/l]'?"
    """
    known = {_bare(str(name)): str(name) for name in names}
    wanted = _bare(name)
    near = get_close_matches(wanted, known, 1)
    if not near and len(wanted) >= SHORTEST:
        near = [one for one in known if one.startswith(wanted) or wanted.startswith(one)][:1]
    return f"; did you mean {known[near[0]]!r}?" if near else ""


def _bare(name: str) -> str:
    return " ".join(name.casefold().split())


def absence(name: str, known: Iterable[object], absent: Mapping[str, str]) -> str:
    """Report why a name is none of those known: what became of its column, or which one is near.

    Parameters
    ----------
    name
        The name.
    known
        Those that there are.
    absent
        Why columns are no features, by name; see ``Dataset.absent``.

    Examples
    --------
    >>> absence("id", ["age"], {"id": "it was left out (names of rows)"})
    ': it was left out (names of rows)'
    >>> absence("aeg", ["age"], {})
    "; did you mean 'age'?"
    """
    return f": {absent[name]}" if name in absent else did_you_mean(name, known)


SHORTEST = 3
"""Characters of a name from which on it may stand for a longer one that begins so."""
