"""Mutations of bytes, words and lines."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

WORDS = (
    b"NaN", b"-inf", b"1e999", b"-1", b"0", b"1e-320", b"9" * 40, b"null", b"true", b'""', b'"', b"'",
    b"[", b"]", b"{", b"}", b"(", b")", b",", b";", b"=", b"\n", b"\r", b"\t", b"\x00", b"\x1b[31m",
    b"\xe2\x80\xae", b"\xff\xfe", b"=1+1", b"<script>", b"../x", b"\\", b"#", b"//", b"/*", b"*/",
    b"[" * 600, b"{" * 600, b"(" * 600, b"a" * 5000, b" ", b":", b"|", b"?", b"NA", b"\xc3\x28",
    b"\xef\xbb\xbf",
)  # fmt: skip
"""What to put in: numbers at the edges, marks, other encodings, escapes, deep nesting."""


def mutated(rng: Random, data: bytes) -> bytes:
    """Change bytes, words or lines, in one to four places."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        data = rng.choice(MUTATIONS)(rng, data)
    return data


def _spot(rng: Random, data: bytes) -> int:
    return rng.randrange(len(data) + 1)


def _flip(rng: Random, data: bytes) -> bytes:
    if not data:
        return data
    spot = rng.randrange(len(data))
    return data[:spot] + bytes([data[spot] ^ (1 << rng.randrange(8))]) + data[spot + 1 :]


def _byte(rng: Random, data: bytes) -> bytes:
    spot = _spot(rng, data)
    return data[:spot] + bytes([rng.randrange(256)]) + data[spot + 1 :]


def _insert(rng: Random, data: bytes) -> bytes:
    spot = _spot(rng, data)
    return data[:spot] + rng.choice(WORDS) + data[spot:]


def _replace(rng: Random, data: bytes) -> bytes:
    """Put a word in the place of some bytes."""
    spot = _spot(rng, data)
    return data[:spot] + rng.choice(WORDS) + data[spot + rng.randrange(1, 12) :]


def _delete(rng: Random, data: bytes) -> bytes:
    spot = _spot(rng, data)
    return data[:spot] + data[spot + rng.choice([1, 2, 8, 50]) :]


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: _spot(rng, data)]


def _repeat(rng: Random, data: bytes) -> bytes:
    start = _spot(rng, data)
    part = data[start : start + rng.randrange(1, 60)]
    spot = _spot(rng, data)
    return data[:spot] + part * rng.choice([1, 2, 30]) + data[spot:]


def _line(rng: Random, data: bytes) -> bytes:
    """Drop, repeat or move a line."""
    lines = data.split(b"\n")
    one = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice([0, 1, 2])):
        lines.insert(rng.randrange(len(lines) + 1), one)
    return b"\n".join(lines)


def _digit(rng: Random, data: bytes) -> bytes:
    """Change a digit, so that the file stays well formed and means something else."""
    spots = [spot for spot, byte in enumerate(data) if 48 <= byte <= 57]
    if not spots:
        return data
    spot = rng.choice(spots)
    return data[:spot] + str(rng.randrange(10)).encode() + data[spot + 1 :]


MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (
    _flip, _byte, _insert, _replace, _delete, _cut, _repeat, _line, _line, _digit,
)  # fmt: skip
