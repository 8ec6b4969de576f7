"""An empty path on the command line: what an unset variable of a shell leaves, and no working folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args, get_type_hints

from altsel.errors import ArgumentError


def refuse_empty_paths(command: Any, function: Callable[..., Any], arguments: Sequence[str]) -> None:
    """Raise an ArgumentError if a path is empty, which Python would take for the working folder.

    Parameters
    ----------
    command
        The command.
    function
        What it calls, whose annotations say what is a path.
    arguments
        As they were typed.
    """
    hints = get_type_hints(function)
    options = {name: one for one in command.params for name in (*one.opts, *one.secondary_opts)}
    before = None
    for typed in arguments:
        name = before if typed == "" else typed.removesuffix("=") if typed.endswith("=") else None
        option = options.get(name or "")
        of_a_path = option is not None and _is_path(hints.get(str(option.name)))
        if of_a_path or (typed == "" and option is None):
            raise ArgumentError(f"{name or 'an argument'} is empty; name a file")
        before = typed if typed.startswith("-") else None


def _is_path(hint: Any) -> bool:
    return hint is Path or any(_is_path(part) for part in get_args(hint))
