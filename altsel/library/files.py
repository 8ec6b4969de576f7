"""The files of a question: MPS, LP, QUBO, BQM and plain numbers, compressed, the same bytes each time."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from math import comb
from pathlib import Path
from typing import Any

from altsel.errors import AltselError
from altsel.exact.interchange.qubo import qubo
from altsel.exact.interchange.qubo_files import bqm, qubo_text
from altsel.exact.interchange.question_files import ReadQuestion
from altsel.models.cfs import CFS
from altsel.models.formulation import formulate
from altsel.models.linear_fit import LinearFit
from altsel.models.model_fit import ModelFit
from altsel.runtime.files import replacing
from altsel.solvers.model_files import write_model

FORMS = ("json", "lp", "mps", "qubo", "bqm")
"""Folders of the library, and what the names of their files end in."""
MOST_PAIRS = 25_000
"""Pairs of features up to which a model with a product for each is written."""
MOST_SETS = 5_000
"""Sets up to which a model with a row for each is written."""


def path_of(folder: Path, form: str, name: str) -> Path:
    """Return where a file of a question is."""
    return folder / form / f"{name}.{form}.gz"


def packed(text: bytes) -> bytes:
    """Compress bytes, the same each time."""
    held = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=held, mtime=0) as file:
        file.write(text)
    return held.getvalue()


def without_model(question: ReadQuestion) -> str:
    """Return why a question has no LP and MPS files; empty if it has."""
    problem, (low, high) = question.problem, question.problem.sizes
    n = len(problem.objective.features)
    if isinstance(problem.objective, (LinearFit, ModelFit)):
        sets = sum(comb(n, k) for k in range(low, high + 1))
        return "" if sets <= MOST_SETS else f"a linear model would hold a row for each of {sets} sets"
    if isinstance(problem.objective, CFS) and question.alternatives:
        return "the square of a ratio is linear, a sum of ratios is not"
    pairs = comb(n, 2) * (question.alternatives + 1)
    plain = problem.objective.as_sum is not None or not hasattr(problem.objective, "redundancy")
    return "" if plain or pairs <= MOST_PAIRS else f"a linear model would hold {pairs} products"


def without_qubo(question: ReadQuestion) -> str:
    """Return why a question has no QUBO; empty if it has."""
    if question.alternatives:
        return "a QUBO is of one set"
    try:
        qubo(question.problem)
    except AltselError as fault:
        return str(fault)
    return ""


def model_of(question: ReadQuestion) -> Any:
    """Return the model whose optimum is the question's own: of CFS, the square of its score.

    A ratio's linearised model bounds its score from above, by tangents of a root; its square is exact.
    """
    model = formulate(question.problem, question.dissimilarity, question.alternatives, total=question.total)
    block = model.sets[0]
    if isinstance(question.problem.objective, CFS) and block.component("ratio") is not None:
        block.below.deactivate()
        model.total.set_value(block.most**2 * block.square)
    return model


def write(question: ReadQuestion, plain: dict[str, Any], folder: Path) -> dict[str, str]:
    """Write all files that a question has, and return why it has no others."""
    missing: dict[str, str] = {}
    texts = {"json": f"{json.dumps(plain)}\n".encode()}
    if why := without_model(question):
        missing |= dict.fromkeys(("lp", "mps"), why)
    else:
        texts |= _models(question)
    if why := without_qubo(question):
        missing |= dict.fromkeys(("qubo", "bqm"), why)
    else:
        made = qubo(question.problem)
        texts |= {"qubo": qubo_text(made).encode(), "bqm": f"{json.dumps(bqm(made))}\n".encode()}
    for form, text in texts.items():
        target = path_of(folder, form, question.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as part:
            part.write_bytes(packed(text))
    return missing


def _models(question: ReadQuestion) -> dict[str, bytes]:
    """Return LP and MPS as bytes."""
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for form in ("lp", "mps"):
            path = Path(folder) / f"{question.name}.{form}"
            write_model(model_of(question), path, question.problem.objective.features)
            texts[form] = path.read_bytes().replace(b"\r\n", b"\n")  # as Windows ends lines
    return texts
