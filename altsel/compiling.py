"""Loops compiled by numba, where that is installed, and kept on disk until any of their sources changes."""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, wraps
from importlib import util
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

from altsel.runtime.clock import clock
from altsel.runtime.interrupts import hold_interrupts
from altsel.runtime.on_demand import load

PART = 4
"""Loops are compiled, or loaded, where there is so many times the time that it takes."""
LOADING, LOAD = 1.0, 0.4
"""CPU seconds of work after which kept loops are loaded, as what took so long is expected to take as long
again; and CPU seconds that loading takes."""
_compiled: set[str] = set()
"""Names of what was compiled in this process."""
Compile = Callable[..., Any]
"""``compile_(plain, names=None)``: compile a copy of a function, with globals of its own if wanted."""


@dataclass(frozen=True)
class Sources:
    """Modules that compiled loops depend on: their own, those of functions they call, and of constants.

    numba keeps compiled code until the one file changes in which the function stands; called functions and
    constants of other files are compiled into it as they were. So names of what is kept hold a digest of all.

    Attributes
    ----------
    modules
        Names of imported modules.

    Examples
    --------
    >>> Sources(("altsel.errors",)).digest == Sources(("altsel.errors", "altsel.compiling")).digest
    False
    """

    modules: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """Of the texts of all modules."""
        text = "".join(inspect.getsource(sys.modules[name]) for name in self.modules)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def kept(self, plain: Any) -> bool:
        """Return whether there is compiled code of a function: in this process, or where numba keeps it."""
        name = self._name(plain)
        if name in _compiled:
            return True
        kept = f"*.{name}-*.nbc"
        beside = Path(plain.__code__.co_filename).parent / "__pycache__"
        own = os.environ.get("NUMBA_CACHE_DIR")
        return any(beside.glob(kept)) if own is None else any(Path(own).rglob(kept))

    def compiler(self, **how: Any) -> Compile | None:
        """Return what compiles a function, with options of `numba.njit`; None if numba is not installed."""
        numba = _numba()
        if numba is None:
            return None

        def compile_(plain: Any, names: dict[str, Any] | None = None) -> Any:
            globals_ = plain.__globals__ if names is None else names
            copy = FunctionType(plain.__code__, globals_, plain.__name__, plain.__defaults__)
            copy.__module__, copy.__qualname__ = plain.__module__, self._name(plain)
            try:
                loop = numba.njit(cache=True, nogil=True, error_model="numpy", **how)(copy)
            except RuntimeError:  # no folder to keep the compiled code in
                loop = numba.njit(nogil=True, error_model="numpy", **how)(copy)
            loop.compile = _whole(loop, copy.__qualname__)  # what its first call for some types begins with
            return loop

        return compile_

    def _name(self, plain: Any) -> str:
        return f"{plain.__qualname__}_{self.digest}"


K = TypeVar("K")


@dataclass(eq=False)
class Loops(Generic[K]):
    """Loops in two kinds, of which compiled ones are taken only for work that pays for numba.

    Parameters
    ----------
    plain
        As they are.
    sources
        What they depend on.
    last
        The last function to be compiled.
    seconds
        CPU seconds that the compilation takes; after so much work in vain loops are compiled that are not
        kept.
    make
        Makes the compiled ones; None without numba.

    Attributes
    ----------
    spent
        CPU seconds of work by the plain loops, about.
    """

    plain: K
    sources: Sources
    last: Callable[..., Any]
    seconds: float
    make: Callable[[], K | None]
    spent: float = field(default=0.0, init=False)

    def ready(self) -> K:
        """Return the compiled loops if they are loaded, else those that need no loading."""
        return (self.compiled if "compiled" in vars(self) else None) or self.plain

    def after(self, seconds: float) -> K:
        """Return the loops for a piece of work of so many CPU seconds as they are, and count it.

        What all such work of the process has taken tells, with half of what this piece will take: not a
        clock, so that a search repeated in another process does the same.
        """
        found = self.worth(seconds)
        if found is self.plain:
            self.spent += seconds
        return found

    def worth(self, seconds: float) -> K:
        """Return the loops for work of so many CPU seconds, which is counted elsewhere or once."""
        done = self.spent + seconds / 2
        if done < LOADING or not self.to_come() or done < (LOADING if self._kept else self.seconds):
            return self.ready()
        return self.compiled or self.plain

    def to_come(self) -> bool:
        """Return whether more work would load or compile them: they are not, and there is time for it."""
        if "compiled" in vars(self) or not installed():
            return False
        return clock().left > PART * (LOAD if self._kept else self.seconds)

    @cached_property
    def compiled(self) -> K | None:
        """The compiled loops; None without numba."""
        return self.make()

    @cached_property
    def _kept(self) -> bool:
        return self.sources.kept(self.last)


def installed() -> bool:
    """Return whether loops can be compiled, without loading numba; where that has failed, they cannot."""
    if _numba.cache_info().currsize:
        return _numba() is not None
    return util.find_spec("numba") is not None


@cache
def _numba() -> Any:
    """Load numba; None where it is not installed, or does not go with the numpy there is."""
    try:
        return load("numba")
    except ImportError:
        return None


def _whole(loop: Any, name: str) -> Callable[..., Any]:
    """Return how a loop is compiled: interrupts wait until numba's tables are whole.

    A damaged file of what was kept of it is not believed, and a full disk costs only what would be kept.
    """
    compile_ = loop.compile

    def whole(types: Any) -> Any:
        with hold_interrupts():
            try:
                made = compile_(types)
            except Exception:
                if loop.stats.cache_path is None:
                    raise
                with suppress(OSError):
                    for kept in Path(loop.stats.cache_path).glob(f"*.{name}-*"):
                        kept.unlink()
                made = compile_(types)
            _compiled.add(name)
            return made

    return whole


def interruptible(loop: Any) -> Any:
    """Let an interrupt of a compiled function be one, also where numba makes a `SystemError` of it."""

    @wraps(loop)
    def called(*given: Any) -> Any:
        try:
            return loop(*given)
        except SystemError as fault:
            if "exception set" not in str(fault):
                raise
            raise KeyboardInterrupt from fault

    return called
