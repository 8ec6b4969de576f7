"""``altsel example``: where a table is that comes with the package."""

from __future__ import annotations

from typing import Annotated

import typer

import altsel


def example(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which table.")] = "ionosphere",
) -> None:
    """Print the path of a table that comes with altsel, to try commands on.

    Example: altsel select "$(altsel example heart)" --target disease
    """
    typer.echo(altsel.example(name))
