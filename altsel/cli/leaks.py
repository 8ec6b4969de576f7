"""Features of sets that all but give the target away: one note for all commands that answer from data."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from altsel.cli.messages import note
from altsel.data.dataset import Dataset
from altsel.errors import listing
from altsel.looking.relations import nearly_told_by

MOST = 200
"""Features that are looked at, those of the first sets."""


def note_leaks(sets: Iterable[Iterable[str]], table: Any, data: Path) -> None:
    """Note which features of sets all but give the target away; those that determine it are told on reading.

    Parameters
    ----------
    sets
        What a command found, or is given: names of features.
    table
        The table; a scan, or several tables, have no rows to look at.
    data
        Its file.
    """
    if not isinstance(table, Dataset):
        return
    used = dict.fromkeys(name for one in sets for name in one)
    names = nearly_told_by(table, islice(used, MOST))
    if names:
        target = table.target or ""
        look = f"altsel look {shlex.quote(str(data))} --target {shlex.quote(target)}"
        which = "gives" if len(names) == 1 else "give"
        known = "is it known before" if len(names) == 1 else "are they known before"
        note(f"{listing(names)} all but {which} {target!r} away: {known} {target!r} is? See: {look}")
