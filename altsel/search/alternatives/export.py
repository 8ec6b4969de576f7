"""Problems as LP or MPS files, for any other solver."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from altsel.errors import checked_path
from altsel.exact.run import checked_question
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.formulation import formulate
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem
from altsel.solvers.model_files import write_model


def export(
    problem: Problem,
    path: str | Path,
    dissimilarity: Dissimilarity | None = None,
    alternatives: int = 0,
    total: str = "sum",
    known: Sequence[Collection[str]] = (),
) -> Path:
    """Write the model of a problem, for one set, for the next one, or for several at once.

    Parameters
    ----------
    problem
        What is wanted of every set.
    path
        A file name that ends in ``.lp`` or ``.mps``.
    dissimilarity
        Measure and threshold between the sets; default: `Dice` of 0.5.
    alternatives
        Number of further sets in the model.
    total
        ``"sum"`` or ``"min"`` of the sets' qualities.
    known
        Sets that are there already: the model is that of the next set.

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
    checked_path("path", path)
    model = formulate(problem, diversity, alternatives, given_sets("known", known, problem), total)
    return write_model(model, path, problem.objective.features)
