"""Problems as files for other software: LP, MPS, QUBO, BQM and plain numbers."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from altsel.errors import ArgumentError, checked_path, listing
from altsel.exact.interchange.qubo import qubo
from altsel.exact.interchange.qubo_files import bqm, qubo_text
from altsel.exact.interchange.question_files import ReadQuestion, question_in_numbers
from altsel.exact.run import checked_question
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.formulation import formulate
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem
from altsel.runtime.files import replacing
from altsel.solvers.model_files import write_model

FORMS = ("lp", "mps", "qubo", "bqm", "json")
"""Forms of a question, by what files of them end in."""


def export(
    problem: Problem,
    path: str | Path,
    dissimilarity: Dissimilarity | None = None,
    alternatives: int = 0,
    total: str = "sum",
    known: Sequence[Collection[str]] = (),
    form: str | None = None,
) -> Path:
    """Write a problem for other software: for one set, for the next one, or for several at once.

    Parameters
    ----------
    problem
        What is wanted of every set.
    path
        The file; its ending tells the form, as ``.lp``, ``.mps``, ``.qubo``, ``.bqm`` or ``.json``.
    dissimilarity
        Measure and threshold between the sets; default: `Dice` of 0.5.
    alternatives
        Number of further sets in the model.
    total
        ``"sum"`` or ``"min"`` of the sets' qualities.
    known
        Sets that are there already: the model is that of the next set.
    form
        The form, whatever the ending: ``"lp"``, ``"mps"``; ``"qubo"``, as qbsolv reads it; ``"bqm"``, JSON of
        dimod; ``"json"``, the question in plain numbers (`altsel.interchange.read_question`). A QUBO is of
        one set; see `altsel.interchange.qubo` for its penalties.

    Returns
    -------
    pathlib.Path
        The file. Its binary variables are named ``set1_x_`` and the feature's name. CFS is
        written in its linearised form, whose objective is a bound on the quality; the best set
        is the same for one set and for the minimum. Of a linear fit it holds a row for every set.

    Raises
    ------
    ArgumentError
        If an argument is wrong, the file cannot be written, or a linear fit has too many sets.

    Examples
    --------
    >>> import tempfile
    >>> from altsel import Problem, Univariate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = export(Problem(Univariate([0.5, 0.25]), k=1), f"{folder}/model.lp").read_text()
    >>> "set1_x_x0" in text
    True
    """
    diversity = Dice(0.5) if dissimilarity is None else dissimilarity
    checked_question(problem, diversity)
    target = checked_path("path", path)
    form = target.suffix.lower().removeprefix(".") if form is None else form
    if form not in FORMS:
        raise ArgumentError(f"{path}: {form!r} is no form of a question; use one of {listing(FORMS)}")
    if form in {"qubo", "bqm", "json"}:
        text = _text(form, ReadQuestion(problem, diversity, alternatives, total, known, target.stem))
        with replacing(target) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
        return target
    model = formulate(problem, diversity, alternatives, given_sets("known", known, problem), total)
    return write_model(model, path, problem.objective.features, form)


def _text(form: str, question: ReadQuestion) -> str:
    """Return a question as text."""
    if form == "json":
        return json.dumps(question_in_numbers(question)) + "\n"
    if question.alternatives:
        raise ArgumentError(
            f"a {form} is of one set: leave alternatives out, and give the sets found so far as known"
        )
    made = qubo(question.problem, question.dissimilarity, question.known)
    return qubo_text(made) if form == "qubo" else json.dumps(bqm(made)) + "\n"
