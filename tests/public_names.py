"""What altsel offers by name, at the top level and in its namespaces."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import altsel


def public() -> Iterator[tuple[str, Any]]:
    """Give every public thing once, by the first name that it has."""
    spaces = [name for name in altsel.__all__ if inspect.ismodule(getattr(altsel, name))]
    seen = set()
    for space in ["altsel", *(f"altsel.{name}" for name in spaces)]:
        module = importlib.import_module(space)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if not inspect.ismodule(thing) and id(thing) not in seen:
                seen.add(id(thing))
                yield f"{space}.{name}", thing


PUBLIC = dict(public())
