"""Making a library: files and optima of its questions, one after another, and its archive."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, checked_integer
from altsel.exact.interchange.question_files import question_of
from altsel.library.archive import archived
from altsel.library.files import path_of, write
from altsel.library.numbers import of_products, question, stated
from altsel.library.optimum import find
from altsel.library.records import record_path, records, save
from altsel.library.templates import Template, of_given, seeded
from altsel.stats.dependence import dependence

log = logging.getLogger("altsel.library")
QUESTIONS = 500
"""Number of questions of a library."""
SECONDS = 60.0
"""Limit of a search, and of its confirmation."""


@dataclass(frozen=True)
class Made:
    """What was made.

    Attributes
    ----------
    archive
        The archive; None while questions are missing.
    checksum
        Its SHA-256.
    questions, left
        Number of questions that are there, and of those left to do.
    """

    archive: Path | None
    checksum: str
    questions: int
    left: int


def make(
    folder: str | Path,
    number: int = QUESTIONS,
    seconds: float = SECONDS,
    tables: Sequence[str | Path] = (),
    most: int | None = None,
) -> Made:
    """Write a library of questions with their optima into a folder; what is there is not made again.

    Nothing but the package is needed: tables are drawn by seeds. Each question is rounded numbers in a JSON
    file; the other files, and the searches, are of what is read from it. Its optimum is found by `auto`, and
    confirmed by a certificate that its checker verified, else by a solver of models. Several sets are found
    together.

    Parameters
    ----------
    folder
        Where everything goes; made if need be.
    number
        Number of drawn questions: each kind with seed 1, then with seed 2, and so on.
    seconds
        Limit of each search, and of each confirmation.
    tables
        Further tables (CSV, Parquet) with a column ``target``, such as those of PMLB: four questions each.
    most
        Questions that this call makes at most; None: all.

    Returns
    -------
    Made
        The archive, once all questions are there.

    Raises
    ------
    ArgumentError
        If a number is out of its range.
    SolverError
        If two proofs contradict each other.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     make(folder, number=1, most=0)
    Made(archive=None, checksum='', questions=0, left=1)
    """
    checked_integer("number", number, 0)
    if not seconds > 0:
        raise ArgumentError(f"seconds={seconds!r}; use seconds above 0")
    into = Path(folder)
    wanted: list[tuple[str, Callable[[], dict[str, Any]]]] = [
        (template.name(seed), partial(question, template, seed)) for template, seed in seeded(number)
    ]
    for path in tables:
        wanted += list(_about(Path(path)))
    left = [(name, numbers) for name, numbers in wanted if not record_path(into, name).exists()]
    for position, (name, numbers) in enumerate(left[:most]):
        _one(name, numbers(), into, seconds)
        log.info("%d of %d: %s", position + 1, len(left), name)
    missing = len(left) - len(left[:most])
    if missing:
        return Made(None, "", len(wanted) - missing, missing)
    names = [name for name, _ in wanted]
    path, checksum = archived(into, [one for one in records(into) if one["name"] in set(names)])
    return Made(path, checksum, len(wanted), 0)


def _one(name: str, plain: dict[str, Any], into: Path, seconds: float) -> None:
    """Make all of a question; its record comes last."""
    asked = question_of(json.loads(json.dumps(plain)))
    missing = write(asked, plain, into)
    began = time.process_time()
    known = find(asked, seconds, into / "proofs")
    spent = time.process_time() - began
    values = {form: known.in_file(asked, form) for form in ("json", "lp", "mps", "qubo", "bqm")}
    values = {form: value for form, value in values.items() if path_of(into, form, name).exists()}
    forms = {form: value for form, value in values.items() if form not in missing}
    save(into, name, known, {"files": forms, "missing": missing, "limit": seconds, "cpu": round(spent, 2)})


def _about(path: Path) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield the questions about a table that is given, by association of columns of any kinds."""
    data = Dataset(path, "target", missing="drop rows", rows_lost=1)
    stem = path.name.partition(".")[0]
    for template in of_given(stem, len(data.features)):
        name = template.name(None)
        yield name, partial(_of_table, data, template, name)


def _of_table(data: Dataset, template: Template, name: str) -> dict[str, Any]:
    """State a question about a table that is given."""
    given = dependence(data)
    table = np.zeros((template.features + 1, template.features + 1))
    table[:-1, :-1] = given.redundancy.to_numpy()
    table[-1, :-1] = given.relevance.to_numpy()
    names = [*map(str, given.relevance.index)]
    return stated(template, name, names, of_products(template.criterion, table), 0)
