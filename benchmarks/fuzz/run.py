"""Reading of mutated files in children: under a memory limit, each within seconds."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from altsel.errors import AltselError
from benchmarks.fuzz.formats import FORMATS, Format, plain

MEMORY = 4 * 2**30
"""Bytes of address space of a child."""
SECONDS = 10
"""Seconds for one file."""
BATCH = 200
GOOD = ("refused", "accepted", "unchanged")


class _HangError(Exception):
    pass


def drawn(form: Format, seed: str, number: int) -> bytes:
    """Make a mutated file; the same seed and number give the same."""
    rng = Random(f"{seed}:{form.name}:{number}")
    return form.mutate(rng, rng.choice(form.seeds()))


def verdicts(name: str, seed: str, numbers: range) -> Iterator[tuple[int, str]]:
    """Read files in one child after another; a child that dies or hangs is a verdict too."""
    context = get_context("fork")
    left = list(numbers)
    while left:
        mine, its = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(its, name, seed, left[:BATCH]))
        child.start()
        its.close()
        batch = left[:BATCH]
        while batch:
            if not mine.poll(SECONDS + 20):
                child.kill()
                yield batch.pop(0), "hang, not even interrupted"
                break
            try:
                yield mine.recv()
                batch.pop(0)
            except EOFError:
                child.join()
                yield batch.pop(0), f"died with {child.exitcode}"
                break
        child.join()
        left = batch + left[BATCH:]


def _child(pipe: Connection, name: str, seed: str, numbers: list[int]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _hang)
    warnings.simplefilter("ignore")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    form = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            pipe.send((number, _verdict(form, seed, number, Path(folder) / f"mutated{form.ending}")))


def _hang(*_: Any) -> None:
    raise _HangError


def _verdict(form: Format, seed: str, number: int, path: Path) -> str:
    data = drawn(form, seed, number)
    if data in form.seeds():
        return "unchanged"
    path.write_bytes(data)
    signal.alarm(SECONDS)
    try:
        read = form.read(path)
    except AltselError as fault:
        return "refused" if plain(fault) is None else f"message: {plain(fault)}"
    except _HangError:
        return "hang"
    except BaseException as fault:  # what leaks is what is looked for
        spot = traceback.extract_tb(fault.__traceback__)[-1]
        return f"leak: {type(fault).__name__} at {Path(spot.filename).name}:{spot.lineno}"
    finally:
        signal.alarm(0)
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(20_000)  # for the second reading only
        fault_found = form.second(path, read)
    except (ValueError, KeyError, IndexError, TypeError, OSError, EOFError) as fault:
        fault_found = f"no second reading: {type(fault).__name__}: {fault}"
    finally:
        sys.setrecursionlimit(limit)
    return "accepted" if fault_found is None else f"wrong: {fault_found[:150]!r}"
