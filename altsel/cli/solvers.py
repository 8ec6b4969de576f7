"""``altsel solvers``: which solvers there are, and what they can do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import altsel
from altsel.results.text import text_table
from altsel.solvers.profile_files import find


def solvers(
    file: Annotated[Path | None, typer.Option(help="A solvers.toml; default: the one in force.")] = None,
) -> None:
    """List every solver profile: found or not, version, limits and what it can do."""
    rows = []
    for one in altsel.profiles(file):
        profile = one.profile
        runs = f"pyomo: {profile.solver}" if profile.solver else profile.engine
        limit = "none" if profile.time_limit is None else f"{profile.time_limit:g} s"
        can = ", ".join(sorted(one.abilities))
        found = one.version or "not installed"
        rows.append([one.name, runs, found, limit, f"{profile.gap:g}", str(profile.threads), can])
    head = ["profile", "engine", "version", "time limit", "gap", "threads", "can do besides solving"]
    typer.echo("\n".join(text_table(head, rows, right={3, 4, 5})))
    typer.echo(f"file: {find(file).label}", err=True)
