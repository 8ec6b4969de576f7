"""Options whose words are the names of a table of entries: altsel's own, and those of other packages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import typer

from altsel.errors import AltselError, PluginWarning, listing
from altsel.runtime.entries import Table


class EntryName:
    """Reads the name of an entry, completes it, and lists all of them for help."""

    __name__ = "NAME"

    def __init__(self, table: Table[Any]) -> None:
        self.table = table

    def __call__(self, text: str) -> str:
        """Return a name of the table; other packages are looked for only if it is not altsel's own."""
        try:
            return str(self.table[text].name)
        except AltselError as fault:
            raise typer.BadParameter(str(fault)) from fault

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def complete(self, incomplete: str) -> list[str]:
        """Return the names that begin so, for the Tab key."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PluginWarning)
            return [name for name in self if name.startswith(incomplete)]


def entry_option(table: Table[Any], *flags: str, text: str) -> Any:
    """Declare an option that takes names of a table."""
    name = EntryName(table)
    return typer.Option(*flags, help=text, parser=name, autocompletion=name.complete)


class CriterionName(EntryName):
    """Reads the name of a criterion, or one of the user's own as ``module:object``, imported later."""

    def __call__(self, text: str) -> str:
        """Return a name of the table, or the text itself where it names an object."""
        return text if ":" in text else super().__call__(text)


def criterion_option(table: Table[Any], text: str) -> Any:
    """Declare an option that takes names of criteria, and ``module:object``."""
    name = CriterionName(table)
    return typer.Option(help=text, parser=name, autocompletion=name.complete)


class Word:
    """Reads a word of a list, or an object of the user's own as ``module:object``, imported later."""

    __name__ = "NAME"

    def __init__(self, words: type[StrEnum]) -> None:
        self.words = words

    def __call__(self, text: str) -> str:
        """Return a word of the list, or the text itself where it names an object."""
        if ":" in text or text in list(self.words):
            return text
        known = listing(self.words)
        raise typer.BadParameter(f"{text!r} is not one of {known}, and no module:object")

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def complete(self, incomplete: str) -> list[str]:
        """Return the words that begin so, for the Tab key."""
        return [word for word in self if word.startswith(incomplete)]


def words_option(words: type[StrEnum], text: str) -> Any:
    """Declare an option that takes words of a list, and ``module:object``."""
    word = Word(words)
    return typer.Option(help=text, parser=word, autocompletion=word.complete)
