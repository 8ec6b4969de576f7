"""The certificate of an answer on its page: what the checker said, and the file, to check it again there."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from altsel.auditing.certificates.belonging import proof_of
from altsel.errors import ArgumentError, checked_path
from altsel.report.parts import Parts
from altsel.results.front import Front
from altsel.results.solutions import Solutions

EMBEDDED = 2_000_000
"""Bytes, compressed, up to which a page holds the file; a larger one is opened by whoever reads the page."""
SHOWN = 200
"""Lines of the checker that a page holds."""


def proved(found: Solutions | Front, parts: Parts) -> dict[str, Any] | None:
    """Check the certificate of an answer; what a page shows of it, None without one.

    Raises
    ------
    ArgumentError
        If it is of another answer, or the answer is a front.
    DataError
        If it cannot be read, or is refuted.
    """
    if parts.certificate is None:
        return None
    if isinstance(found, Front):
        raise ArgumentError("certificate: of a front none is shown; check it by check_certificate.py")
    path = checked_path("certificate", parts.certificate)
    proof = proof_of(path, found, parts.problem)
    whole = path.read_bytes()
    packed = whole if path.suffix == ".gz" else gzip.compress(whole, mtime=0)
    *lines, last = proof.lines
    verified = sum(line.startswith("verified: ") for line in lines)
    return {
        "file": path.name,
        "size": len(whole),
        "sha256": sha256(whole).hexdigest(),
        "lines": lines[:SHOWN],
        "more": max(len(lines) - SHOWN, 0),
        "last": last,
        "verified": verified,
        "open": len(lines) - verified,
        "numbers": proof.numbers,
        "packed": b64encode(packed).decode() if len(packed) <= EMBEDDED else None,
    }


def checker() -> str:
    """Return what the page's script runs to check it again, as JSON."""
    return json.dumps(files("altsel.tools").joinpath("check_certificate.js").read_text("utf-8"))
