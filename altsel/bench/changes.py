"""Whether a file changed after a benchmark began."""

from __future__ import annotations

import hashlib
from pathlib import Path

from altsel.errors import DataError


def digest_of(path: str | Path) -> str:
    """Hash the bytes of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def refuse_changed(path: str | Path, digest: str) -> None:
    """Raise a DataError if a file has another digest now."""
    if digest_of(path) != digest:
        raise DataError(f"{path} changed after the benchmark began; run it again")
