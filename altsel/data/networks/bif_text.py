"""Words and marks of a text in the Bayesian Interchange Format (BIF)."""

from __future__ import annotations

import re

from altsel.errors import DataError

_TOKEN = re.compile(
    r'(?P<string>"[^"\n]*")|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<open>/\*)'
    r'|(?P<word>[{}()\[\];,|]|(?:(?!//|/\*)[^\s{}()\[\];,|"])+|\S)',
    re.DOTALL,
)
_MARKS = frozenset("{}()[];,|")


class Tokens:
    """Goes through the words and marks of a text once, and knows the line of each."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, int]] = []
        line, seen = 1, 0
        for found in _TOKEN.finditer(text):
            line, seen = line + text.count("\n", seen, found.start()), found.start()
            if found["open"]:
                raise DataError(f"line {line}: a comment /* is not closed")
            if not found["comment"]:
                self.tokens.append((found.group(), line))
        self.position = 0

    def names(self, end: str) -> tuple[str, ...]:
        """Read words, with or without commas, up to a mark."""
        found: list[str] = []
        while not self.taken(end):
            if found:
                self.taken(",")
            found.append(self.word())
        if not found:
            raise self.fault("a name or number is missing", back=1)
        return tuple(found)

    def word(self) -> str:
        """Read a name or number, without its quotes."""
        token = self.next()
        if token in _MARKS or token == '"':
            raise self.fault(f"a name or number is needed, not {token!r}", back=1)
        if not token.strip('"'):
            raise self.fault("a name is empty", back=1)
        return token.strip('"')

    def take(self, mark: str) -> None:
        """Go past a mark that must be there."""
        if self.next() != mark:
            raise self.fault(f"{mark!r} is needed", back=1)

    def taken(self, mark: str) -> bool:
        """Go past a mark if it is there."""
        there = self.position < len(self.tokens) and self.tokens[self.position][0] == mark
        self.position += there
        return there

    def skip_to(self, mark: str) -> None:
        """Go past everything up to a mark."""
        while (token := self.next()) != mark:
            if token in {"{", "}"}:
                raise self.fault(f"{mark!r} is missing before {token!r}", back=1)

    def next(self) -> str:
        """Read a word or mark."""
        if self.position == len(self.tokens):
            raise DataError("the file ends too early")
        self.position += 1
        return self.tokens[self.position - 1][0]

    def fault(self, what: str, back: int = 0) -> DataError:
        """Describe what is wrong, and in which line."""
        position = min(max(self.position - back, 0), len(self.tokens) - 1)
        return DataError(f"line {self.tokens[position][1]}: {what}")
