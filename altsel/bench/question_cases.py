"""Question files as cases of a benchmark."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from altsel.bench.changes import refuse_changed
from altsel.errors import DataError
from altsel.exact.interchange.question_files import ReadQuestion, read_question
from altsel.models.problem import Problem


def describe_question(path: Path) -> dict[str, Any]:
    """Return what a question asks, as the columns of a benchmark's table have it.

    A file that is none is described by nothing: what is wrong with it is told when the case is run.
    """
    nothing = {"target": "", "measure": "", "k": "", "tau": 0.0, "dissimilarity": "", "alternatives": 0}
    try:
        question = read_question(path)
    except DataError:
        return {**nothing, "objective": "question", "search": ""}
    low, high = question.problem.sizes
    apart = question.dissimilarity
    return {
        **nothing,
        "objective": question.criterion,
        "k": str(low) if low == high else f"{low}:{high}",
        "tau": 0.5 if apart is None else float(apart.tau),
        "dissimilarity": "dice" if apart is None else type(apart).__name__.lower(),
        "alternatives": question.alternatives,
        "search": question.total if question.alternatives else "sequential",
    }


def problem_in_file(path: str, digest: str) -> Problem:
    """Return the problem of a question file.

    Raises
    ------
    DataError
        If it cannot be read, changed since the benchmark began, or asks for the next set after known ones.
    """
    question = _read(path, digest)
    if question.known:
        raise DataError(f"{path} has known sets: benchmarks are of whole questions")
    return question.problem


@lru_cache(maxsize=4)
def _read(path: str, digest: str) -> ReadQuestion:
    refuse_changed(path, digest)
    return read_question(path)
