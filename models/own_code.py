"""What the user's own functions give: an error names them, and what is no number is refused."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from altsel.errors import AltselError, ArgumentError
from altsel.runtime.clock import OutOfTimeError

NO_NUMBERS = (str, bytes, bytearray, complex, np.complexfloating)
"""What Python, or numpy with a warning, would make a number of."""


def call_own(function: Callable[..., Any], given: tuple[Any, ...], title: Callable[[], str]) -> Any:
    """Return what a function of the user's own gives; what it raises becomes an error that names it.

    Parameters
    ----------
    function, given
        The function and its arguments.
    title
        Gives its name in words, and what it was called for.

    Raises
    ------
    ArgumentError
        If it fails; altsel's own errors, and what ends a search, pass.

    Examples
    --------
    >>> call_own(lambda names: 1 / 0, ("a",), lambda: "quality of 'a'")
    Traceback (most recent call last):
    altsel.errors.ArgumentError: quality of 'a' fails: ZeroDivisionError: division by zero
    """
    try:
        return function(*given)
    except (AltselError, OutOfTimeError, MemoryError):
        raise
    except Exception as fault:
        raise ArgumentError(f"{title()} fails: {type(fault).__name__}: {fault}") from fault


def number_of(value: Any, title: Callable[[], str], error: type[AltselError] = ArgumentError) -> float:
    """Return a value as a float, missing or infinite too; refuse what is no single number.

    Raises
    ------
    ArgumentError
        Or `error`; says what came.

    Examples
    --------
    >>> number_of(np.float32(0.5), lambda: "distance")
    0.5
    >>> number_of("0.5", lambda: "distance")
    Traceback (most recent call last):
    altsel.errors.ArgumentError: distance gives '0.5'; it must be a finite number
    """
    if type(value) is float:
        return value
    if not isinstance(value, NO_NUMBERS) and getattr(value, "ndim", 0) == 0:
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise error(f"{title()} gives {value!r:.60}; it must be a finite number")


def finite_number_of(value: Any, title: Callable[[], str]) -> float:
    """Return a value as a float; refuse what is no finite number.

    Raises
    ------
    ArgumentError
        Says what came.
    """
    number = number_of(value, title)
    if not isfinite(number):
        raise ArgumentError(f"{title()} gives {value!r:.60}; it must be a finite number")
    return number


def check_array(name: str, what: str, array: Any, shape: tuple[int, ...], kinds: str, wanted: str) -> None:
    """Refuse what is no numpy array of a shape, or of other kinds of numbers (``dtype.kind``).

    Raises
    ------
    ArgumentError
        Says what came, and what is wanted.
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind not in kinds:
        of = f" of {array.dtype}" if isinstance(array, np.ndarray) else ""
        raise ArgumentError(f"{name}: {what} is a {type(array).__name__}{of}; give a numpy array, {wanted}")
    if array.shape != shape:
        raise ArgumentError(f"{name}: {what} has shape {array.shape}, and not {shape}; give {wanted}")
