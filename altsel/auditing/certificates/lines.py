"""Lines of a certificate: JSON, numbers as hexadecimal floats, so that none is rounded."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any, TextIO

import numpy as np

from altsel._types import FloatArray

FORMAT, VERSION = "certificate of feature sets", 1
POINT = 50
"""Points of tangents are integers in units of 2^-POINT."""


def hexadecimal(numbers: Iterable[float]) -> list[str]:
    """Write floats exactly.

    Examples
    --------
    >>> hexadecimal([0.5, 3])
    ['0x1.0000000000000p-1', '0x1.8000000000000p+1']
    """
    return [float(number).hex() for number in numbers]


def integer(share: float) -> int:
    """Write a part of a point as an integer in units of 2^-POINT."""
    return round(share * (1 << POINT))


def rounded(shares: FloatArray) -> FloatArray:
    """Round parts of a point to what `integer` makes of them."""
    return np.asarray(np.round(shares * (1 << POINT)) / (1 << POINT))


def point(shares: dict[int, float]) -> list[int]:
    """Write where a tangent is: index and part in turn, those that are not 0.

    Examples
    --------
    >>> point({3: 0.5, 4: 1e-16})
    [3, 562949953421312]
    """
    parts = {j: integer(share) for j, share in shares.items()}
    return [number for j, part in parts.items() if part for number in (int(j), part)]


@dataclass(eq=False)
class Writer:
    """Writes lines, and keeps the digest of those that state the question.

    Attributes
    ----------
    file
        Where to.
    stated
        What the digest is of.
    digest
        SHA-256 of the question, once it is written.
    """

    file: TextIO
    stated: list[str] = field(default_factory=list)
    digest: str = ""

    def begin(self, features: Iterable[str], header: dict[str, Any]) -> None:
        """Write the first line."""
        names = list(features)
        self.stated.append(json.dumps(names))
        self.write({"format": FORMAT, "version": VERSION, "features": names, **header})

    def write(self, line: Any) -> None:
        """Write a line."""
        self.file.write(json.dumps(line, separators=(",", ":")) + "\n")

    def state(self, line: dict[str, Any]) -> None:
        """Write a line of the question."""
        self.stated.append(json.dumps(line, sort_keys=True))
        self.write(line)

    def append(self, part: TextIO) -> None:
        """Write what another writer wrote to a file."""
        part.seek(0)
        copyfileobj(part, self.file)

    def settle(self) -> None:
        """End the question by its digest."""
        self.digest = hashlib.sha256("\n".join(sorted(self.stated)).encode()).hexdigest()
        self.write({"question": self.digest})


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """Open a file to write, compressed if its name ends in .gz; without name and time, which differ."""
    if str(path).endswith(".gz"):
        with (
            path.open("wb") as plain,
            gzip.GzipFile("", "wb", fileobj=plain, mtime=0) as packed,
            TextIOWrapper(packed, "utf-8", newline="\n") as file,
        ):
            yield file
    else:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file


def spooled() -> Any:
    """Open a part of a file, in memory while it is small."""
    return SpooledTemporaryFile(2**24, "w+", encoding="utf-8", newline="\n")
