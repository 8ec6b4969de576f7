"""Questions in plain numbers, as JSON: all that is needed to judge an answer without altsel."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import AltselError, ArgumentError, DataError, checked_path
from altsel.exact.interchange.integer_rows import rows_of_rules
from altsel.models.cfs import CFS
from altsel.models.dissimilarity import Dice, Dissimilarity, Jaccard
from altsel.models.fcbf import FCBF
from altsel.models.given_rows import GivenRows
from altsel.models.given_sets import given_sets
from altsel.models.linear_fit import LinearFit
from altsel.models.model_fit import ModelFit
from altsel.models.mrmr import MRMR
from altsel.models.objective import Objective
from altsel.models.problem import Problem, checked_problem
from altsel.models.univariate import Univariate
from altsel.stats.dependence import Dependence

FORMAT, VERSION = "altsel question", 1
DISTANCES: Mapping[str, type[Dice | Jaccard]] = {"dice": Dice, "jaccard": Jaccard}
"""Dissimilarities of a question file, by name."""
LOGISTIC = "logistic"
CLEAR = 1e-13
"""Share of the largest eigenvalue of products below which one is 0."""


@dataclass(frozen=True)
class ReadQuestion:
    """A question, as a file states it.

    Attributes
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        How different sets must be; None: one set, and none is known.
    alternatives
        Number of further sets, found together.
    total
        ``"sum"`` or ``"min"`` of the scores.
    known
        Sets that are there already.
    name
        Of the question; empty if it has none.
    criterion
        What its file calls the criterion, such as ``"mrmr"``; empty if it is of no file.

    Examples
    --------
    >>> ReadQuestion(Problem(Univariate([3, 2, 1]), k=2), Dice(0.5), alternatives=1).total
    'sum'
    """

    problem: Problem
    dissimilarity: Dissimilarity | None = None
    alternatives: int = 0
    total: str = "sum"
    known: Sequence[Collection[str]] = field(default=())
    name: str = ""
    criterion: str = ""


def question_in_numbers(question: ReadQuestion) -> dict[str, Any]:
    """Return a question as plain data for JSON.

    ``format``, ``version``, ``name``; ``features``; ``sizes`` (least, most); ``criterion``, see below;
    ``rules``: each ``{"features": {name: coefficient}, "at_least", "at_most"}``; ``sets`` and ``total``;
    ``known``; ``dissimilarity``: name and tau. Numbers are written so that reading gives the same doubles.

    ======================  ===========================================================================
    ``criterion["kind"]``   score of a set S of k features
    ======================  ===========================================================================
    ``sum``                 ``sum_{i in S} relevance_i``
    ``fcbf``                the same; no pair of S with ``redundancy_ij >= min(relevance_i, relevance_j)``
    ``mrmr``                ``sum_{i in S} relevance_i / k - sum_{i != j in S} redundancy_ij / (k (k - 1))``;
                            with denominator ``k^2`` i = j is in the sum, which is over k^2
    ``cfs``                 ``N / sqrt(k + sum_{i != j in S} redundancy_ij)``, N the sum of relevances, >= 0
    ``linear fit``          ``b' G^-1 b`` of the rows and columns of S, G the ``products`` (ridge included)
                            and b ``along``: R2 of least squares
    ``logistic fit``        ``1 - F(S) / F(nothing)``, F the least of minus the log-likelihood of the
                            ``target`` and ``ridge / 2 |b|^2``, by a constant and the ``columns`` of S,
                            brought to mean 0 and variance 1
    ======================  ===========================================================================

    ``redundancy`` is the lower triangle without the diagonal, row i of i numbers; with it for ``k^2``, and so
    are ``products``.

    Raises
    ------
    ArgumentError
        If the criterion, a rule or the dissimilarity is none of these.

    Examples
    --------
    >>> question = ReadQuestion(Problem(Univariate({"a": 0.5, "b": 0.25}), k=1), name="small")
    >>> question_in_numbers(question)["criterion"]
    {'kind': 'sum', 'relevance': [0.5, 0.25]}
    """
    problem = question.problem
    checked_problem(problem)
    known = given_sets("known", question.known, problem)
    rows = rows_of_rules(problem)
    if rows is None or problem.across:
        raise ArgumentError("a rule is more than a linear row over the features: a question file has rows")
    plain: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": question.name,
        "features": [*problem.objective.features],
        "sizes": [*problem.sizes],
        "criterion": _criterion(problem.objective),
        "rules": [_rule(problem, *row) for row in rows],
        "sets": question.alternatives + 1,
        "total": question.total,
    }
    if known:
        plain["known"] = [[*problem.ordered(one)] for one in known]
    if known or question.alternatives:
        plain["dissimilarity"] = _distance(question.dissimilarity)
    return plain


def _distance(measure: Any) -> dict[str, Any]:
    for name, kind in DISTANCES.items():
        if type(measure) is kind:
            return {"name": name, "tau": float(measure.tau)}
    raise ArgumentError(f"{measure!r}: a question file has dice or jaccard, one of the two")


def _rule(problem: Problem, row: FloatArray, low: float, high: float) -> dict[str, Any]:
    """Write a row; its numbers may be multiples of the user's by a power of two."""
    names = problem.objective.features
    plain: dict[str, Any] = {"features": {names[j]: float(row[j]) for j in np.flatnonzero(row).tolist()}}
    if low > -inf:
        plain["at_least"] = low
    if high < inf:
        plain["at_most"] = high
    return plain


def _criterion(objective: Objective) -> dict[str, Any]:
    if type(objective) is Univariate:
        return {"kind": "sum", "relevance": objective.relevance.tolist()}
    if isinstance(objective, (FCBF, MRMR, CFS)) and not objective.wide:
        plain = {"kind": type(objective).__name__.lower(), "relevance": objective.relevance.tolist()}
        whole = isinstance(objective, MRMR) and objective.denominator == "k^2"
        plain["redundancy"] = [row[: i + whole].tolist() for i, row in enumerate(objective.redundancy)]
        return plain | ({"denominator": objective.denominator} if isinstance(objective, MRMR) else {})
    if isinstance(objective, LinearFit) and objective.settings.keys() <= {"ridge"}:
        return {"kind": "linear fit", **_products(objective), "ridge": objective.ridge}
    plain_fit = isinstance(objective, ModelFit) and objective.settings.keys() <= {"family", "ridge"}
    if plain_fit and objective.family == LOGISTIC:  # type: ignore[attr-defined]
        fit: Any = objective
        return {"kind": "logistic fit", **_rows_of(fit), "ridge": float(fit.ridge)}
    raise ArgumentError(f"{objective.name} is not known to question files; write it as .lp or .mps")


def _products(objective: LinearFit) -> dict[str, Any]:
    """Return the products of the columns, ridge included, with each other and with the target."""
    design = objective.design
    _refuse_categories(objective, design.owner)
    products, along = design.products
    return {
        "products": [row[: i + 1].tolist() for i, row in enumerate(products)],
        "along": along.tolist(),
    }


def _rows_of(objective: ModelFit) -> dict[str, Any]:
    """Return the columns, of mean 0 and variance 1, and the classes."""
    model: Any = objective.model_fit.model
    _refuse_categories(objective, model.owner)
    return {
        "columns": [column.tolist() for column in model.columns[:-1]],
        "target": [int(one) for one in model.family.response],
    }


def _refuse_categories(objective: Objective, owner: IntArray) -> None:
    if not np.array_equal(owner, np.arange(len(objective.features))):
        raise ArgumentError(f"{objective.name} has categories: a question file has one column a feature")


def read_question(path: str | Path) -> ReadQuestion:
    """Read a question file, also one compressed by gzip.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    DataError
        If it is none, or states what cannot be.

    Examples
    --------
    >>> import tempfile
    >>> question = ReadQuestion(Problem(Univariate({"a": 0.5, "b": 0.25}), k=1), name="small")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (file := Path(folder) / "q.json").write_text(json.dumps(question_in_numbers(question)))
    ...     read_question(file).problem
    <Problem: sum of given numbers, k=1 of 2 features>
    """
    file = checked_path("path", path)
    try:
        packed = file.read_bytes()
        text = gzip.decompress(packed) if str(path).endswith(".gz") else packed
        plain = json.loads(text)
        if plain.get("format") != FORMAT or plain.get("version") != VERSION:
            raise DataError(f"{path} is no question file: its format is not {FORMAT!r}, version {VERSION}")
        return question_of(plain)
    except DataError:
        raise
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise DataError(f"{path} cannot be read as a question: {fault!r}") from fault


def question_of(plain: Mapping[str, Any]) -> ReadQuestion:
    """Return the question that plain data state, as `question_in_numbers` writes them."""
    names = [str(one) for one in plain["features"]]
    low, high = (int(one) for one in plain["sizes"])
    rows = [_row(names, one) for one in plain.get("rules", ())]
    rules = [GivenRows(names, rows, "rules of the file")] if rows else []
    problem = Problem(_objective(names, plain["criterion"]), (low, high), rules)
    stated = plain.get("dissimilarity")
    try:
        measure: Any = None if stated is None else DISTANCES[stated["name"]](stated["tau"])
    except AltselError as fault:
        raise ValueError(str(fault)) from fault
    return ReadQuestion(
        problem,
        measure,
        int(plain.get("sets", 1)) - 1,
        str(plain.get("total", "sum")),
        tuple(tuple(one) for one in plain.get("known", ())),
        str(plain.get("name", "")),
        str(plain["criterion"]["kind"]),
    )


def _row(names: Sequence[str], rule: Mapping[str, Any]) -> tuple[FloatArray, float, float]:
    row = np.zeros(len(names))
    for name, value in rule["features"].items():
        row[names.index(name)] = value
    return row, float(rule.get("at_least", -inf)), float(rule.get("at_most", inf))


def _objective(names: Sequence[str], plain: Mapping[str, Any]) -> Objective:
    kind = plain["kind"]
    if kind == "linear fit":
        return _linear_fit(names, plain)
    if kind == "logistic fit":
        columns = pd.DataFrame(dict(zip(names, plain["columns"], strict=True)))
        return ModelFit(Dataset(columns, plain["target"]), LOGISTIC, float(plain["ridge"]))
    relevance = pd.Series(np.asarray(plain["relevance"], dtype=float), index=list(names))
    if kind == "sum":
        return Univariate(relevance)
    table = np.zeros((len(names), len(names)))
    for i, row in enumerate(plain["redundancy"]):
        table[i, : len(row)] = table[: len(row), i] = row
    given = Dependence(relevance, pd.DataFrame(table, index=list(names), columns=list(names)))
    if kind == "mrmr":
        return MRMR(given, plain["denominator"])
    if kind == "cfs":
        return CFS(given)
    if kind == "fcbf":
        return FCBF(given)
    raise ValueError(f"a criterion {kind!r} is not known")


def _linear_fit(names: Sequence[str], plain: Mapping[str, Any]) -> LinearFit:
    """Build columns and a target that have the products of the file: a root of them, and its mirror image.

    Rows and their negatives, so that means are 0; the target has one more part, that no column explains.
    """
    ridge, n = float(plain["ridge"]), len(names)
    products = np.zeros((n, n))
    for i, row in enumerate(plain["products"]):
        products[i, : i + 1] = products[: i + 1, i] = row
    values, vectors = np.linalg.eigh(products - ridge * np.eye(n))
    root = vectors * np.sqrt(np.maximum(values, 0.0))  # columns of the table are rows of it
    along = np.asarray(plain["along"], dtype=float)
    inside = np.where(values > CLEAR * values[-1], values, np.inf)
    target = (vectors.T @ along) / np.sqrt(inside)
    rest = np.sqrt(max(1.0 - float(target @ target), 0.0))
    half = np.column_stack([root, np.zeros(n)])
    table = np.concatenate([half, -half], axis=1).T
    response = np.concatenate([target, [rest], -target, [-rest]])
    return LinearFit(Dataset(pd.DataFrame(table, columns=list(names)), response, task="regression"), ridge)
