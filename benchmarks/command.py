"""What command lines of the programs here share: checked arguments, and one line for what is wrong."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from altsel.errors import AltselError


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number from `least` to `most`."""
    words = f"a whole number from {least}" + (" on" if most is None else f" to {most}")

    def read(text: str) -> int:
        if not text.lstrip("-").isdigit() or int(text) < least or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"{text}: use {words}")
        return int(text)

    return read


def share_of_all(text: str) -> float:
    """Read a number above 0 and up to 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text}: use a number above 0 and up to 1")
    return value


def folder_of(pattern: str) -> Callable[[str], Path]:
    """Return what reads a folder in which there are such files."""

    def read(text: str) -> Path:
        path = Path(text)
        if not path.is_dir():
            raise argparse.ArgumentTypeError(f"{text}: no such folder")
        if not any(path.glob(pattern)):
            raise argparse.ArgumentTypeError(f"{text}: no {pattern} in it")
        return path

    return read


@contextmanager
def in_one_line(parser: argparse.ArgumentParser) -> Iterator[None]:
    """End with one line where an argument, a file or what a file holds is wrong."""
    try:
        yield
    except (AltselError, OSError, ModuleNotFoundError) as fault:
        parser.error(str(fault))
