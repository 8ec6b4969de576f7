"""Certificates on the command line: written beside a result, and the program that checks them."""

from __future__ import annotations

from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from altsel.cli.messages import announce
from altsel.errors import listing
from altsel.results.front import Front
from altsel.results.solutions import Solutions
from altsel.results.text import number_of


def certify(found: Solutions | Front, path: Path | None, problem: Any = None) -> None:
    """Write the certificate of solutions, if a file is named, and say what is in it."""
    if path is None:
        return
    written = found.certificate(path, problem)
    announce(
        f"written: {path}, {number_of(len(written.claims), 'claim')} proved; check it by "
        "'altsel certificate-checker > check_certificate.py; python check_certificate.py "
        f"{path}'"
    )
    if written.not_covered:
        announce(f"not covered by the certificate: {listing(written.not_covered, 5)}")


class Language(StrEnum):
    """Languages that a checker is written in."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"


def certificate_checker(
    *,
    language: Annotated[
        Language, typer.Option(help="What it is written in: python, or javascript for node and browsers.")
    ] = Language.PYTHON,
) -> None:
    """Print the program that checks certificates: one file, which needs nothing but its language.

    Example: altsel certificate-checker > check_certificate.py
    """
    name = {"python": "check_certificate.py", "javascript": "check_certificate.js"}[language]
    typer.echo(files("altsel.tools").joinpath(name).read_text("utf-8"), nl=False)
