"""What tells one function from another in any process, so that stored results are those of the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from types import CodeType, FunctionType, MethodType
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def identity(*things: Any) -> str:
    """Return a digest of functions and their settings; the same for the same code and values in any process.

    A function counts by its name, its code, its defaults and what it has enclosed; an object with a
    ``fingerprint`` by that, any other by what it prints. Global variables that a function uses do not count.

    Examples
    --------
    >>> def made(k):
    ...     return lambda rows: rows[:k]
    >>> identity(made(1)) == identity(made(1)), identity(made(1)) == identity(made(2))
    (True, False)
    """
    return sha256("\n".join(map(_text, things)).encode()).hexdigest()[:32]


def _text(thing: Any) -> str:
    if isinstance(thing, partial):
        return f"partial({_text(thing.func)}, {_text(thing.args)}, {_text(thing.keywords)})"
    if isinstance(thing, MethodType):
        return f"{_text(thing.__self__)}.{_text(thing.__func__)}"
    if isinstance(thing, FunctionType):
        held = [cell.cell_contents for cell in thing.__closure__ or ()]
        values = _text([thing.__defaults__, thing.__kwdefaults__, held])
        return f"{thing.__module__}.{thing.__qualname__}({_code(thing.__code__)}, {values})"
    if not isinstance(thing, type) and hasattr(thing, "fingerprint"):
        return f"{type(thing).__name__} {thing.fingerprint}"
    return _value(thing)


def _value(thing: Any) -> str:
    if isinstance(thing, (list, tuple)):
        return f"[{', '.join(map(_text, thing))}]"
    if isinstance(thing, Mapping):
        return f"{{{', '.join(f'{key!r}: {_text(value)}' for key, value in thing.items())}}}"
    return ADDRESS.sub("", repr(thing))


def _code(code: CodeType) -> str:
    constants = [_code(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return f"{sha256(code.co_code).hexdigest()} {constants} {code.co_names}"
