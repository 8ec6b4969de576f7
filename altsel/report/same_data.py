"""Whether everything that a page shows is of the same data, as far as results say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions

if TYPE_CHECKING:
    from altsel.report.parts import Parts

MEANT = "if other data are meant, say so: --other-data, or other_data=True"


def refuse_other_data(found: Solutions, parts: Parts) -> None:
    """Refuse a performance, stability or front of other data than the solutions, or than each other.

    The data themselves are compared with the solutions where they are tested.

    Raises
    ------
    ArgumentError
        If a fingerprint or a target is another; it names the part.
    """
    if parts.other_data:
        return
    own = found.request.get("data")
    known = {
        "the solutions": own,
        "the data": parts.data.fingerprint if own is None and parts.data is not None else None,
        **{parts.called(name): one.data for name, one in parts.measured.items()},
    }
    said = [(name, fingerprint) for name, fingerprint in known.items() if fingerprint is not None]
    for name, fingerprint in said[1:]:
        first, expected = said[0]
        if fingerprint != expected:
            raise ArgumentError(f"{name} is of other data than {first} (another fingerprint); {MEANT}")
    for name, one in parts.measured.items():
        target = getattr(one, "target", None)
        if target is not None and found.target not in {None, target}:
            raise ArgumentError(
                f"{parts.called(name)} is for {target!r}, the solutions for {found.target!r}; {MEANT}"
            )
