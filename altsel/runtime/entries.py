"""Tables of entries: what a name of the command line stands for, altsel's own or another package's.

An entry names what it stands for as ``"module:attribute"``, which is imported when it is first used. Another
package adds to a table by an entry point of the table's group. Entry points are read when a name is not
altsel's own, or when names are listed; one that is broken is an error where it is used, and nowhere else.
Where a table takes objects of one's own, ``"module:attribute"`` is a name, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from altsel.errors import AltselError, ArgumentError, ConfigurationError, PluginWarning, did_you_mean, listing
from altsel.runtime.caller import warn_caller
from altsel.runtime.clock import OutOfTimeError
from altsel.runtime.on_demand import load

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PASS = (AltselError, OutOfTimeError, MemoryError)
"""What code of another package may raise on purpose."""
OWN = "your own"
"""Where an entry comes from that the user names: what it raises is an error that names it."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A name, and what it stands for.

    Parameters
    ----------
    name
        As on the command line.
    target
        ``"module:attribute"``, or the object itself.
    options
        Arguments that `make` calls it with, by name.
    page
        Its page in ``docs/``, without ending; default: that of its table.
    package
        The package that added it, and its version; empty: altsel itself.

    Examples
    --------
    >>> short = Entry("short", "textwrap:shorten", {"width": 12})
    >>> short.make("one two three"), short.takes("width"), short.takes("tau")
    ('one [...]', True, False)
    """

    name: str
    target: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    page: str = ""
    package: str = ""

    def load(self) -> Any:
        """Return what it stands for.

        Raises
        ------
        ConfigurationError
            If another package added it, and cannot be imported.
        """
        if not isinstance(self.target, str):
            return self.target
        module, _, attributes = self.target.partition(":")
        if self.package != OWN:
            return self.run(_attribute, module, attributes)
        with _from_here():
            return self.run(_attribute, module, attributes)

    def make(self, *given: Any, **more: Any) -> Any:
        """Call what it stands for with arguments and its options.

        Raises
        ------
        ConfigurationError
            If another package added it, and it fails.
        """
        return self.run(self.load(), *given, **{**self.options, **more})

    def run(self, function: Callable[..., Any], *given: Any, **more: Any) -> Any:
        """Call a function of it; what that of another package raises becomes an error that names it."""
        if not self.package:
            return function(*given, **more)
        try:
            return function(*given, **more)
        except PASS:
            raise
        except (Exception, SystemExit) as fault:
            raise ConfigurationError(f"{self} fails: {type(fault).__name__}: {fault}") from fault

    def takes(self, argument: str) -> bool:
        """Return whether what it stands for has an argument of that name."""
        return argument in self._arguments

    @cached_property
    def _arguments(self) -> frozenset[str]:
        try:
            known = signature(self.load()).parameters.values()
        except (TypeError, ValueError):  # an object that is not called, or tells nothing of its arguments
            return frozenset()
        kinds = {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}
        return frozenset(one.name for one in known if one.kind in kinds)

    def refused(self, why: str) -> ConfigurationError:
        """Return the error of an entry that is not what its table holds."""
        return ConfigurationError(f"{self}: {why}")

    def __str__(self) -> str:
        if self.package == OWN:
            return f"{self.name!r}, {OWN},"
        return f"{self.name!r} of package {self.package}" if self.package else repr(self.name)


AnyEntry = TypeVar("AnyEntry", bound=Entry)


class Table(Generic[AnyEntry]):
    """The entries of one kind: altsel's own, and those that other packages add.

    Parameters
    ----------
    kind
        What they are, in words.
    group
        Group of the entry points of other packages.
    entries
        altsel's own, in the order in which they are listed.
    page
        The page of entries without one of their own.
    taken
        Further names that no other package may add.
    objects
        Whether ``"module:attribute"`` is a name, of an object of one's own: its module is on the path, or in
        the working directory.

    Examples
    --------
    >>> roots = Table("root", "altsel.no_such_group", [Entry("square", "math:isqrt")])
    >>> roots["square"].make(9), "cube" in roots, list(roots)
    (3, False, ['square'])
    >>> roots["sqare"]
    Traceback (most recent call last):
    altsel.errors.ArgumentError: root 'sqare' is not one of 'square'; did you mean 'square'?
    """

    def __init__(
        self,
        kind: str,
        group: str,
        entries: Sequence[AnyEntry],
        page: str = "",
        taken: Sequence[str] = (),
        *,
        objects: bool = False,
    ) -> None:
        self.kind, self.group, self.page, self.objects = kind, group, page, objects
        self.own: dict[str, AnyEntry] = {entry.name: entry for entry in entries}
        self.taken = {*self.own, *taken}
        self._class = type(entries[0])  # what another package adds is an entry of this class

    def __getitem__(self, name: str) -> AnyEntry:
        """Return the entry of a name.

        Raises
        ------
        ArgumentError
            If there is none.
        ConfigurationError
            If several packages add it.
        """
        if not isinstance(name, str):
            raise ArgumentError(self.unknown(name))
        if name in self.own:
            return self.own[name]
        if self.objects and ":" in name:
            return self._class(name, name, package=OWN)
        points = self._added().get(name, [])
        if not points:
            raise ArgumentError(self.unknown(name))
        if len(points) > 1:
            packages = listing(sorted(map(_package, points)))
            raise ConfigurationError(
                f"several packages add the {self.kind} {name!r} ({self.group}): {packages}; "
                "uninstall all but one"
            )
        target = points[0].value.partition("[")[0].strip()  # older packages name extras behind it
        return self._class(name, target, package=_package(points[0]))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        return name in self.own or (self.objects and ":" in name) or name in self._added()

    def __iter__(self) -> Iterator[str]:
        """List all names, altsel's own first."""
        return iter([*self.own, *sorted(self._added())])

    def unknown(self, name: object) -> str:
        """Report that there is no such entry, and which there are."""
        return f"{self.kind} {name!r} is not one of {listing(self, 40)}{did_you_mean(str(name), self)}"

    def page_of(self, entry: AnyEntry) -> str:
        """Return the page of an entry in ``docs/``."""
        return entry.page or self.page

    def part(self, keep: Callable[[AnyEntry], bool]) -> Table[AnyEntry]:
        """Return the table with some of altsel's own entries only; other packages add to it as well."""
        kept = [entry for entry in self.own.values() if keep(entry)]
        return Table(self.kind, self.group, kept, self.page, [*self.taken], objects=self.objects)

    def _added(self) -> dict[str, list[EntryPoint]]:
        """Return what other packages add; of names that are taken, warn instead."""
        added = {}
        for name, points in entry_points(self.group).items():
            if name not in self.taken:
                added[name] = points
                continue
            for point in points:
                warn_caller(
                    f"package {_package(point)} adds the {self.kind} {name!r} ({self.group}), a name that "
                    "altsel has itself: altsel's own is used",
                    PluginWarning,
                )
        return added


@cache
def entry_points(group: str) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group by their names; all that is installed is looked through, once."""
    from importlib import metadata  # noqa: PLC0415  (a hundredth of a second, seldom needed)

    found: dict[str, list[EntryPoint]] = {}
    for point in metadata.entry_points(group=group):
        found.setdefault(point.name, []).append(point)
    return found


def _package(point: EntryPoint) -> str:
    return "unknown" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _attribute(module: str, attributes: str) -> Any:
    found = load(module)
    for name in attributes.split("."):
        found = getattr(found, name)
    return found


@contextmanager
def _from_here() -> Iterator[None]:
    """Look for modules in the working directory, too, after all others."""
    here = os.getcwd()  # noqa: PTH109  (an entry of sys.path is a text)
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)
