"""Whatever is given for an argument, what comes of it is an answer or one clear error of altsel's own.

Each public name is called with valid arguments, then with one of them exchanged for something else.
"""

from __future__ import annotations

import inspect
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import altsel
from altsel import (
    blankets,
    comparison,
    data,
    domain,
    greedy,
    imputation,
    independence,
    knockoffs,
    measures,
    models,
    ranking,
    results,
    solvers,
)
from tests.public_names import PUBLIC

Call = tuple[Callable[..., Any], dict[str, Any]]


class Made:
    """Objects that calls take, each made once."""

    @staticmethod
    @cache
    def table() -> pd.DataFrame:
        random = np.random.default_rng(0)
        frame = pd.DataFrame({f"x{j}": random.normal(size=40) for j in range(4)})
        return frame.assign(c=random.integers(0, 3, 40))

    @staticmethod
    @cache
    def numbers() -> altsel.Dataset:
        random, table = np.random.default_rng(1), Made.table()
        target = table.x0 + table.x1 + random.normal(size=40)
        return altsel.Dataset(table, target.rename("y"))

    @staticmethod
    @cache
    def halves() -> altsel.results.Stability:
        def search(rows: altsel.Dataset) -> list[tuple[str, ...]]:
            return [rows.features[:2]]

        return altsel.stability(search, Made.numbers(), 4, "complementary-pairs")

    @staticmethod
    @cache
    def classes() -> altsel.Dataset:
        return altsel.Dataset(Made.table(), (Made.numbers().y > 0).astype(int))

    @staticmethod
    @cache
    def discrete() -> altsel.Dataset:
        return altsel.Dataset(Made.table()[["c"]], Made.classes().y)

    @staticmethod
    @cache
    def folder() -> Path:
        return Path(tempfile.mkdtemp())

    @staticmethod
    @cache
    def file() -> str:
        path = Made.folder() / "table.csv"
        Made.table().assign(y=Made.classes().y).to_csv(path, index=False)
        return str(path)

    @staticmethod
    @cache
    def scan() -> data.Scan:
        return altsel.Dataset.scan(Made.file(), "y", bins=3)

    @staticmethod
    @cache
    def dependence() -> altsel.Dependence:
        return altsel.dependence(Made.numbers(), measures.absolute_pearson)

    @staticmethod
    @cache
    def problem() -> altsel.Problem:
        return altsel.Problem(altsel.Univariate(Made.dependence()), 2)

    @staticmethod
    @cache
    def solved() -> Any:
        model = altsel.formulate(Made.problem())
        altsel.solver("highs")(model)
        return model

    @staticmethod
    @cache
    def found() -> altsel.Solutions:
        return altsel.sequential(Made.problem(), HALF, 1)

    @staticmethod
    @cache
    def near() -> altsel.Solutions:
        return altsel.near_optimal(Made.problem(), altsel.AbsoluteLoss(0))

    @staticmethod
    @cache
    def front() -> altsel.Front:
        return altsel.pareto_front(Made.problem(), altsel.Dice(0))

    @staticmethod
    @cache
    def test() -> Any:
        return independence.PartialCorrelation(Made.numbers())

    @staticmethod
    @cache
    def glm() -> comparison.GLMModels:
        return comparison.GLMModels(Made.numbers())

    @staticmethod
    @cache
    def aggregated() -> altsel.Solutions:
        return blankets.aggregated(Made.numbers(), independence.PartialCorrelation, folds=2)

    @staticmethod
    @cache
    def of_classes() -> altsel.Solutions:
        given = altsel.dependence(Made.classes(), measures.absolute_pearson)
        return altsel.sequential(altsel.Problem(altsel.Univariate(given), 2), HALF, 1)


HALF = altsel.Dice(0.5)


def search(rows: altsel.Dataset) -> altsel.Solutions:
    given = altsel.dependence(rows, measures.absolute_pearson)
    return altsel.sequential(altsel.Problem(altsel.Univariate(given), 2), HALF, 1)


def good_sets(rows: altsel.Dataset) -> altsel.Solutions:
    return altsel.near_optimal(altsel.Problem(altsel.LinearFit(rows), 2), altsel.RelativeLoss(0.5), 5)


def path(name: str) -> str:
    return str(Made.folder() / name)


def statistics_file() -> str:
    Made.scan().statistics().save(path("kept.npz"))
    return path("kept.npz")


def network() -> str:
    text = "network u {}\nvariable a { type discrete [2] {yes, no}; }\nprobability (a) { table .5, .5; }\n"
    Path(path("network.bif")).write_text(text)
    return path("network.bif")


def tree(**given: Any) -> Any:
    return altsel.AlternativeTreeClassifier(**given).fit(Made.table(), Made.classes().y)


M = Made
QUESTION = ("problem", "dissimilarity", "alternatives")


def of_problem(function: Callable[..., Any], /, **more: Any) -> Callable[[], Call]:
    return lambda: (function, {"problem": M.problem(), "dissimilarity": HALF, "alternatives": 1, **more})


def of_data(function: Callable[..., Any], of: Callable[[], Any], /, **more: Any) -> Callable[[], Call]:
    return lambda: (function, {"data": of(), **more})


def of_test(function: Callable[..., Any], /, **more: Any) -> Callable[[], Call]:
    return lambda: (function, {"test": M.test(), **more})


def of_models(function: Callable[..., Any], /, **more: Any) -> Callable[[], Call]:
    return lambda: (function, {"models": M.glm(), **more})


def plain(function: Callable[..., Any], /, **given: Any) -> Callable[[], Call]:
    return lambda: (function, given)


PHASES = {
    "alpha": 0.05,
    "order_variables": blankets.dependent_by_p,
    "backward_phase": blankets.remove_least_dependent,
    "limits": None,
}
NEAR = {"alpha": 0.05, "max_conditioning": 3, "limits": None}
COUNTED = {
    "corrected": None,
    "samples_per_cell": None,
    "untestable": "skipped",
    "adjusted": True,
    "permutations": None,
    "expected_counts": None,
    "fallback": None,
    "weights": None,
    "groups": None,
}
TIMES = {"solver": None, "time_limit": None}
FEW = comparison.SignFlips(9)
CALLS: dict[str, Callable[[], Call]] = {
    # tables
    "Dataset": lambda: (
        altsel.Dataset,
        {"X": M.table(), "y": M.classes().y, "task": None, "missing": "error", "kinds": None, "drop": ()},
    ),
    "Dataset of a file": lambda: (altsel.Dataset, {"X": M.file(), "y": "y", "reading": None}),
    "Dataset.from_table": lambda: (altsel.Dataset.from_table, {"X": M.file(), "y": "y", "table": {}}),
    "look": lambda: (altsel.look, {"X": M.file(), "y": "y", "table": None}),
    "look at a frame": lambda: (altsel.look, {"X": M.table(), "y": "c", "table": {"drop": ["x0"]}}),
    "Dataset.scan": lambda: (
        altsel.Dataset.scan,
        {
            "source": M.file(),
            "target": "y",
            "task": None,
            "bins": 3,
            "missing": "error",
            "kinds": None,
            "drop": (),
            "reading": None,
            "like": None,
            "store": None,
            "n_jobs": None,
        },
    ),
    "Dataset.grouped": lambda: (M.classes().grouped, {"bound": 1.0, "costs": None}),
    "Dataset.with_members": lambda: (M.classes().with_members, {"members": {}}),
    "Dataset.split": lambda: (M.numbers().split, {"share": 0.3, "random_state": 0, "groups": None}),
    "Dataset.holdout": lambda: (M.classes().holdout, {"X": M.table(), "y": M.classes().y}),
    "Reading": plain(data.Reading, separator=None, encoding="utf-8", decimal=".", missing=("NA",)),
    "binned": of_data(data.binned, M.numbers, bins=3, keep=()),
    "Scan": lambda: (M.scan().sample, {"n": 10, "random_state": 0}),
    "Scan.statistics": lambda: (M.scan().statistics, {"pairs": True, "by_level": False}),
    "Scan.with_bins": lambda: (M.scan().with_bins, {"bins": 3}),
    "Statistics.load": lambda: (data.Statistics.load, {"path": statistics_file()}),
    "Statistics": lambda: (M.scan().statistics().save, {"path": path("other.npz")}),
    "Statistics.table": lambda: (M.scan().statistics().table, {"first": "x0", "second": "y"}),
    "BayesianNetwork": plain(
        data.BayesianNetwork,
        states={"a": ("y", "n")},
        parents={"a": ()},
        tables={"a": np.array([0.5, 0.5])},
    ),
    "ConditionalGaussian": plain(data.ConditionalGaussian, intercept=1.0, coefficients=(), deviation=2.0),
    "BayesianNetwork.from_graph": plain(
        data.BayesianNetwork.from_graph,
        graph=nx.DiGraph([("a", "b")]),
        tables={"a": [1.0], "b": [[1.0]]},
        states=None,
    ),
    "BayesianNetwork.sample": lambda: (
        altsel.read_network(network()).sample,
        {"rows": 5, "random_state": 0, "do": None, "missing": 0.0, "noise": 0.0},
    ),
    "BayesianNetwork.to_model_string": lambda: (
        altsel.read_network(network()).to_model_string,
        {"form": "bnlearn"},
    ),
    "read_network": lambda: (altsel.read_network, {"path": network()}),
    "Background": plain(blankets.Background, tiers=[["a"]], forbidden=(), required=()),
    "orientation": lambda: (
        blankets.orientation,
        {
            "found": blankets.iamb(independence.PartialCorrelation(M.numbers())),
            "test": independence.PartialCorrelation(M.numbers()),
            "alpha": 0.05,
            "background": None,
            "hidden": False,
            "around": None,
        },
    ),
    "with_orientation": lambda: (
        blankets.with_orientation,
        {
            "found": blankets.iamb(independence.PartialCorrelation(M.numbers())),
            "test": independence.PartialCorrelation(M.numbers()),
            "alpha": 0.05,
            "background": None,
            "hidden": False,
            "around": None,
        },
    ),
    "Around": plain(blankets.Around, most=5, max_conditioning=3),
    # measures
    "dependence": of_data(altsel.dependence, M.classes, measure=None, criterion=None),
    "Dependence": plain(
        altsel.Dependence,
        relevance=[0.5, 0.4],
        redundancy=None,
        measure="m",
        target=None,
        seed=None,
        fingerprint=None,
        caveats=None,
    ),
    "Association": plain(measures.Association, squared=True),
    "CorrelationRatio": plain(measures.CorrelationRatio, debiased=True),
    "SymmetricUncertainty": plain(measures.SymmetricUncertainty, bins=10, debiased=True),
    "Relief": plain(measures.Relief, neighbours=3, samples=10, random_state=0, debiased=True),
    "MutualInformation": plain(
        measures.MutualInformation, neighbors=3, random_state=0, discrete=True, n_jobs=None, debiased=True
    ),
    "importances": plain(measures.importances, estimator=None, random_state=0, debiased=True),
    "permutation_importance": plain(
        measures.permutation_importance, estimator=None, scoring=None, random_state=0, folds=5
    ),
    **{
        name: plain(getattr(measures, name), a=[1.0, 2.0, 3.0], b=[1.0, 3.0, 2.0])
        for name in (
            "absolute_pearson",
            "absolute_spearman",
            "association",
            "correlation_ratio",
            "gaussian_copula_information",
            "mutual_information",
            "symmetric_uncertainty",
        )
    },
    # objectives, problems
    "Univariate": plain(altsel.Univariate, relevance=[1.0, 2], normalised=False),
    "MRMR": lambda: (altsel.MRMR, {"dependence": M.dependence(), "denominator": "k^2"}),
    "CFS": lambda: (altsel.CFS, {"dependence": M.dependence(), "encoding": "linearised"}),
    "FCBF": lambda: (altsel.FCBF, {"dependence": M.classes()}),
    "LinearFit": of_data(altsel.LinearFit, M.numbers, ridge=0.0, penalty=None, weights=None, given=()),
    "BlackBox": plain(altsel.BlackBox, quality=len, features=["a", "b"], n_jobs=None),
    "CrossValidated": of_data(
        altsel.CrossValidated,
        M.numbers,
        estimator=LinearRegression(),
        scoring=None,
        cv=3,
        groups=None,
        n_jobs=None,
    ),
    "Dice": plain(altsel.Dice, tau=0.5),
    "Jaccard": plain(altsel.Jaccard, tau=0.5),
    "Hamming": plain(altsel.Hamming, tau=0.5, features=4),
    "Overlap": plain(altsel.Overlap, tau=0.5),
    "WeightedDice": plain(altsel.WeightedDice, tau=0.5, weights={"x0": 1.0, "x1": 2.0}),
    "WeightedJaccard": plain(altsel.WeightedJaccard, tau=0.5, weights={"x0": 1.0, "x1": 2.0}),
    "GroupDice": plain(altsel.GroupDice, tau=0.5, groups={"x0": "a", "x1": "a"}),
    "CorrelationAware": lambda: (
        altsel.CorrelationAware,
        {"base": HALF, "correlation": M.numbers(), "r": 0.5, "alike": None, "tau": None},
    ),
    "CorrelationAware of pairs": plain(altsel.CorrelationAware, base=HALF, alike=[("x0", "x1")]),
    "Average": plain(altsel.Average, distance=HALF),
    "Penalised": plain(altsel.Penalised, distance=HALF, penalty=1.0),
    "Problem": lambda: (
        altsel.Problem,
        {"objective": M.problem().objective, "k": 2, "subject_to": (), "across": ()},
    ),
    "formulate": of_problem(altsel.formulate, known=(), total="sum"),
    "read_sets": lambda: (models.read_sets, {"model": M.solved()}),
    "check_objective": lambda: (
        models.check_objective,
        {"objective": M.problem().objective, "k": 2, "solvers": ["highs"], "random_state": 0},
    ),
    # searches
    "sequential": of_problem(altsel.sequential, known=(), start=(), **TIMES),
    "simultaneous": of_problem(altsel.simultaneous, total="sum", start=(), **TIMES),
    "near_optimal": lambda: (
        altsel.near_optimal,
        {
            "problem": M.problem(),
            "within": altsel.RelativeLoss(0.5),
            "limit": 5,
            "dissimilarity": None,
            "start": (),
            **TIMES,
        },
    ),
    "score_card": lambda: (
        altsel.score_card,
        {
            "data": M.classes(),
            "k": 2,
            "points": 2,
            "thresholds": 2,
            "as_is": ["c"],
            "require": ["x0"],
            "forbid": ["x1"],
            "signs": {"x0": 1},
            "per_column": 1,
            "different_from": (),
            "shared": 0,
            "ridge": 1.0,
            "weights": None,
            "time_limit": 60.0,
        },
    ),
    "pareto_front": of_problem(altsel.pareto_front, known=(), start=(), together=False, total="sum", **TIMES),
    "pareto_front together": of_problem(altsel.pareto_front, together=True, total="sum"),
    "most_different": of_problem(
        altsel.most_different, within=altsel.RelativeLoss(0.5), start=(), together=False, **TIMES
    ),
    "satisfying": of_problem(altsel.satisfying, least=0.1, start=(), together=False, **TIMES),
    "choose_tau": lambda: (
        altsel.choose_tau,
        {
            "problem": M.problem(),
            "measure": altsel.Dice,
            "alternatives": 1,
            "within": altsel.RelativeLoss(0.5),
        },
    ),
    "choose_size": lambda: (
        altsel.choose_size,
        {"objective": altsel.Univariate(M.numbers()), "data": M.numbers(), "measure": None, "most": 3},
    ),
    "noise_level": lambda: (
        altsel.noise_level,
        {
            "problem": altsel.Problem(altsel.Univariate(M.numbers()), k=1),
            "data": M.numbers(),
            "measure": None,
            "targets": 2,
            "random_state": 0,
        },
    ),
    "check_dissimilarity": lambda: (
        models.check_dissimilarity,
        {"measure": HALF, "problem": M.problem(), "pairs": 9, "random_state": 0},
    ),
    "sweep": lambda: (
        altsel.sweep,
        {
            "problem": M.problem(),
            "dissimilarities": [HALF],
            "alternatives": 1,
            "ks": [1, 2],
            "together": False,
        }
        | {"total": "sum", "start": (), **TIMES},
    ),
    "explain": of_problem(altsel.explain, found=None, together=False, **TIMES),
    "export": of_problem(altsel.export, path=Path("unused.lp"), total="sum"),
    "enumerate_valid": lambda: (
        altsel.enumerate_valid,
        {"problem": M.problem(), "dissimilarity": None, "known": (), **TIMES},
    ),
    "sample_valid": lambda: (
        altsel.sample_valid,
        {
            "problem": M.problem(),
            "number": 2,
            "dissimilarity": None,
            "known": (),
            "random_state": 0,
            "time_limit": None,
        },
    ),
    "wrapper": of_problem(altsel.wrapper, climb=altsel.HillClimbing(3), together=False, total="sum", **TIMES),
    "HillClimbing": plain(altsel.HillClimbing, max_iters=3, pairs=None, restarts=0, start=(), random_state=0),
    "OrderedFlips": plain(altsel.OrderedFlips, max_iters=3),
    "AbsoluteLoss": plain(altsel.AbsoluteLoss, amount=0.1),
    "RelativeLoss": plain(altsel.RelativeLoss, share=0.1),
    "balancing": of_problem(greedy.balancing),
    "replacement": of_problem(greedy.replacement),
    "AlternativeTreeClassifier": plain(tree, k=2, dissimilarity=HALF, earlier=(), tree=None, subject_to=()),
    # what is done with results
    "audit": lambda: (
        altsel.audit,
        {
            "solutions": M.found(),
            "problem": M.problem(),
            "diversity": None,
            "prove": None,
            "time_limit": None,
            "retest": None,
        },
    ),
    "BlanketProblem": of_test(
        altsel.auditing.BlanketProblem, alpha=0.05, equivalent=None, learner=None, limits=None, costs=None
    ),
    "equivalence": lambda: (
        altsel.equivalence,
        {
            "found": M.found(),
            "tests": [comparison.JTest(M.glm())],
            "against": 0,
            "alpha": 0.05,
            "correct": True,
            "other_data": False,
        },
    ),
    "msg": lambda: (altsel.msg, {"found": M.found(), "or_nodes": True}),
    "performance": lambda: (
        altsel.performance,
        {
            "found": M.found(),
            "data": M.numbers(),
            "estimator": None,
            "scoring": None,
            "cv": 2,
            "groups": None,
            "search": None,
            "nested": False,
            "permutations": 0,
            "random_state": 0,
            "n_jobs": None,
            "store": None,
            "other_data": False,
            "holdout": None,
        },
    ),
    "stability": of_data(
        altsel.stability,
        M.numbers,
        search=search,
        resamples=2,
        scheme="bootstrap",
        random_state=0,
        n_jobs=None,
        store=None,
    ),
    "shadow": of_data(
        altsel.shadow,
        M.numbers,
        measure=measures.absolute_pearson,
        repeats=20,
        level=0.05,
        search=None,
        random_state=0,
        n_jobs=None,
        store=None,
    ),
    "discoveries": of_data(
        altsel.discoveries,
        M.numbers,
        level=0.5,
        statistic=measures.absolute_pearson,
        knockoffs="gaussian",
        draws=2,
        run_level=0.25,
        random_state=0,
        n_jobs=None,
        store=None,
    ),
    "study": of_data(
        altsel.study,
        M.numbers,
        output=None,
        plan={"folds": 2, "models": ["linear"], "measures": ["absolute-pearson"], "sizes": [1]}
        | {"learners": [], "stability": 0, "level": 0.0, "certificate": False, "alternatives": 0},
        n_jobs=None,
    ),
    "stable_selection": lambda: (
        altsel.stable_selection,
        {"stability": M.halves(), "errors": 1.0, "threshold": None, "assumption": "none", "of": "any set"},
    ),
    "qubo": lambda: (
        altsel.interchange.qubo,
        {"problem": M.problem(), "dissimilarity": altsel.Dice(0.5), "known": ()},
    ),
    "tagged": plain(altsel.solvers.tagged, tag="open", file=None),
    "Gaussian": plain(knockoffs.Gaussian, covariance="likelihood", construction="auto", scores=True),
    "Sequential": plain(knockoffs.Sequential, random_state=0),
    "LassoCoefficients": plain(knockoffs.LassoCoefficients, share=0.5),
    "substitutions": lambda: (altsel.substitutions, {"found": M.found(), "compare": None}),
    "importance_range": lambda: (
        altsel.importance_range,
        {"found": M.near(), "problem": M.problem(), "stability": None, "solver": None, "time_limit": None},
    ),
    "importance_distribution": lambda: (
        altsel.importance_distribution,
        {
            "search": good_sets,
            "data": M.numbers(),
            "resamples": 2,
            "scheme": "bootstrap",
            "level": 0.9,
            "random_state": 0,
            "n_jobs": None,
            "store": None,
        },
    ),
    "impute": plain(
        imputation.impute,
        X=np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 1.5]]),
        y=[1.0, 2.0, 3.5],
        imputer=None,
        number=2,
        random_state=0,
    ),
    "of_tables": lambda: (
        imputation.of_tables,
        {"tables": [M.numbers().X, M.numbers().X], "y": M.numbers().y.to_numpy()},
    ),
    "Imputations": lambda: (imputation.Imputations, {"datasets": (M.numbers(), M.numbers()), "missing": {}}),
    "Pooled": lambda: (imputation.Pooled, {"tests": [M.test(), M.test()]}),
    "AvailableCases": lambda: (
        imputation.AvailableCases,
        {"X": M.numbers().X, "y": M.numbers().y.to_numpy()},
    ),
    "CompleteRows": lambda: (
        imputation.CompleteRows,
        {"X": M.numbers().X, "y": M.numbers().y.to_numpy(), "make": altsel.independence.PartialCorrelation},
    ),
    "taxonomy": lambda: (
        altsel.taxonomy,
        {"found": M.found(), "test": None, "alpha": 0.01, "correction": "holm", "equivalent": None},
    ),
    "Solutions": lambda: (altsel.Solutions.from_json, {"text": M.found().to_json()}),
    "Front": lambda: (altsel.Front.from_json, {"text": M.front().to_json()}),
    "Solutions.to_json": lambda: (M.found().to_json, {"indent": 2}),
    "Solutions.draw": lambda: (M.found().draw, {"path": path("picture.svg")}),
    "Solutions.cheapest": lambda: (M.found().cheapest, {"costs": {"x0": 1.0}}),
    "Solutions.without": lambda: (M.found().without, {"features": ["x0"]}),
    "Solutions.dissimilarities": lambda: (M.found().dissimilarities, {"distance": HALF}),
    # solvers
    "solver": plain(altsel.solver, name="highs", time_limit=None, gap=None, log=None, file=None),
    "profiles": plain(altsel.profiles, file=None),
    "SolveLimits": plain(solvers.SolveLimits, time_limit=None, gap=0.0, threads=1, options={}, log=None),
    # rules
    **{
        name: plain(getattr(domain, name), number=1, group=["x0", "x1"])
        for name in ("at_least", "at_most", "exactly")
    },
    "all_or_none": plain(domain.all_or_none, group=["x0", "x1"]),
    "mutually_exclusive": plain(domain.mutually_exclusive, group=["x0", "x1"]),
    "budget": plain(domain.budget, costs={"x0": 1.0}, limit=1.0, fixed=()),
    "in_at_most": plain(domain.in_at_most, number=1, features=["x0"]),
    "minimum_quality": plain(domain.minimum_quality, least=0.1),
    "predicate": plain(domain.predicate, function=len, name="some", monotone="up"),
    "predicts_as_well": plain(domain.predicts_as_well, reference=["x0"], criterion=len, monotone="up"),
    "criterion": lambda: (
        domain.criterion,
        {"objective": M.problem().objective, "at_least": 0.0, "at_most": None},
    ),
    "proxy_limit": plain(domain.proxy_limit, dependence={"x0": 0.5}, limit=0.4),
    "forbid": plain(lambda one: domain.forbid("x1", one), one="x0"),
    "require": plain(lambda one: domain.require("x1", one), one="x0"),
    "implies": plain(lambda first, then: domain.implies(first, "x2", then), first="x0", then="x1"),
    # rankings
    **{
        name: of_data(getattr(ranking, name), M.classes, k=2, bins=3, debiased=True, **more)
        for name, more in dict[str, dict[str, Any]](
            {
                "cife": {},
                "cmim": {"capped": False},
                "disr": {},
                "icap": {},
                "jmi": {},
                "jmim": {"normalised": False},
                "miq": {"measure": None},
                "mifs": {"beta": 1.0, "measure": None},
                "mim": {"measure": None},
                "mrmr": {"measure": None},
                "relax_mrmr": {"normalised": False},
            }
        ).items()
    },
    "gomp": of_data(ranking.gomp, M.numbers, alpha=0.05, max_features=2, family=None),
    "fcbf": of_data(ranking.fcbf, M.classes, delta=0.0, normalised=True, bins=3, debiased=True),
    # tests of independence
    "BenjaminiHochberg": of_test(independence.BenjaminiHochberg),
    "check_test": plain(
        independence.check_test,
        make=independence.PartialCorrelation,
        columns="numbers",
        rows=20,
        repeats=10,
        random_state=0,
        raises=False,
    ),
    "Counted": of_test(independence.Counted, remembered=5),
    "CoxRatio": of_data(independence.CoxRatio, M.classes, event=np.ones(40), weights=None, groups=None),
    "CoxScore": of_data(
        independence.CoxScore,
        M.classes,
        event=np.ones(40),
        groups=np.arange(40) // 2,
        weights=None,
        samples=10,
    ),
    "GSquare": of_data(independence.GSquare, M.scan, **COUNTED),
    "ChiSquare": of_data(independence.ChiSquare, M.scan, **COUNTED),
    "Custom": of_data(independence.Custom, M.numbers, function=lambda *_: 0.5, name="", seed=None),
    "DSeparation": plain(independence.DSeparation, graph=nx.DiGraph([("a", "y")]), target="y"),
    "JointTable": plain(
        independence.JointTable,
        table=pd.Series([0.25] * 4, pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["a", "y"])),
        target="y",
    ),
    "LikelihoodRatio": of_data(
        independence.LikelihoodRatio,
        M.numbers,
        family=None,
        screen=5,
        samples_per_parameter=5,
        bartlett=True,
        weights=None,
        groups=None,
    ),
    "NegativeBinomial": plain(independence.NegativeBinomial, dispersion=None),
    "PartialCorrelation": of_data(
        independence.PartialCorrelation, M.numbers, ranks=False, fisher=False, weights=None, groups=None
    ),
    "GeneralisedCovariance": of_data(
        independence.GeneralisedCovariance,
        M.numbers,
        learner="linear",
        weighting="none",
        functions=3,
        random_state=0,
    ),
    "ProjectedCovariance": of_data(
        independence.ProjectedCovariance,
        M.numbers,
        learner="linear",
        divisions=1,
        estimate_variance=False,
        random_state=0,
    ),
    "Permutations": plain(independence.Permutations, number=9, random_state=0),
    "PredictivePermutation": of_data(
        independence.PredictivePermutation,
        M.numbers,
        estimator="tree",
        scheme="folds",
        splits=3,
        test_size=None,
        knockoff="conditional",
        shuffles=None,
        loss=None,
        event=None,
        stratify=True,
        permutations=9,
        random_state=0,
        n_jobs=None,
    ),
    "Conditional": plain(independence.Conditional, number=None, category=None),
    "RobustScore": of_data(
        independence.RobustScore, M.numbers, groups=np.arange(40) // 2, family=None, samples=10, weights=None
    ),
    "Trend": of_data(independence.Trend, M.discrete, samples=10, weights=None, groups=None),
    "auto": of_data(independence.auto, M.numbers, weights=None, groups=None, event=None),
    # tests of equivalence
    "TOST": of_models(comparison.TOST, margin=0.1, relative=False),
    "NonInferiority": of_models(comparison.NonInferiority, margin=0.1, relative=False),
    "ByIndependence": of_test(comparison.ByIndependence),
    "Comprehensive": of_models(comparison.Comprehensive, samples_per_parameter=5),
    "Criterion": lambda: (comparison.Criterion, {"tests": [comparison.JTest(M.glm())], "alpha": 0.05}),
    "CrossValidatedModels": of_data(
        comparison.CrossValidatedModels,
        M.numbers,
        estimator=None,
        scoring=None,
        cv=3,
        groups=None,
        random_state=0,
    ),
    "HeldOutModels": lambda: (
        comparison.HeldOutModels,
        {
            **dict(zip(("data", "holdout"), M.numbers().split(0.3), strict=True)),
            "estimator": None,
            "scoring": None,
            "resamples": 5,
            "random_state": 0,
            "confidence": 0.9,
        },
    ),
    "FrequencyModels": of_data(comparison.FrequencyModels, M.discrete),
    "GLMModels": of_data(comparison.GLMModels, M.numbers, family=None),
    "GLMModels.losses": lambda: (M.glm().losses, {"features": ["x0"]}),
    "JTest": of_models(comparison.JTest),
    "Vuong": of_models(comparison.Vuong),
    "PairedT": of_models(comparison.PairedT, definition="PEQ"),
    "Wilcoxon": of_models(comparison.Wilcoxon, definition="MEQ"),
    "PermutedAUC": of_models(comparison.PermutedAUC, signs=FEW),
    "PermutedMean": of_models(comparison.PermutedMean, signs=FEW),
    "PermutedVariance": of_models(comparison.PermutedVariance, signs=FEW),
    "ResampledT": lambda: (comparison.ResampledT, {"models": comparison.CrossValidatedModels(M.numbers())}),
    "SignFlips": plain(comparison.SignFlips, number=9, random_state=0),
    "SklearnModels": of_data(comparison.SklearnModels, M.numbers, estimator=None, holdout=None),
    "default_tests": of_data(comparison.default_tests, M.numbers, holdout=None, margin=None, random_state=0),
    "recommended_criterion": of_test(comparison.recommended_criterion, alpha=0.05, signs=None),
    # blankets
    **{
        name: of_test(getattr(blankets, name), **PHASES)
        for name in ("fast_iamb", "forward_backward", "iamb", "inter_iamb")
    },
    **{
        name: of_test(getattr(blankets, name), symmetric=True, **NEAR)
        for name in ("hiton_mb", "hiton_pc", "mmmb", "mmpc", "pc_simple")
    },
    **{name: of_test(getattr(blankets, name), **NEAR) for name in ("bamb", "eemb", "ipcmb", "pcmb", "stmb")},
    "kiamb": of_test(blankets.kiamb, alpha=0.05, share=0.5, random_state=0, limits=None),
    "ses": of_test(blankets.ses, number=9, **NEAR),
    "forward_backward_early_dropping": of_test(
        blankets.forward_backward_early_dropping, alpha=0.05, extra_runs=0, limits=None
    ),
    "grow_shrink": of_test(blankets.grow_shrink, alpha=0.05, candidate_order=None, limits=None),
    "ppfs": of_test(blankets.ppfs, alpha=0.05, limits=None),
    "tie_star": of_test(
        blankets.tie_star,
        alpha=0.05,
        learner=blankets.forward_backward,
        removal="igs",
        equivalent=None,
        reuse=None,
        limits=None,
    ),
    "best": of_test(
        blankets.best, costs=None, alpha=0.05, number=1, equivalent=None, template=None, limits=None
    ),
    "dual": of_test(blankets.dual, alpha=0.05, equivalent=None, template=None, draws=299, limits=None),
    "Blankets": lambda: (blankets.Blankets, {"found": _family(), "most_nodes": 1000}),
    "Blankets.cheapest": lambda: (blankets.Blankets(_family()).cheapest, {"costs": {"x0": 1.0, "x1": 1.0}}),
    "Blankets.sample": lambda: (blankets.Blankets(_family()).sample, {"number": 1, "random_state": 0}),
    "explain of blankets": lambda: (
        blankets.explain,
        {
            "found": _family(domain.forbid("x0")),
            "subject_to": [domain.forbid("x0")],
            "time_limit": None,
        },
    ),
    "removal_stability": of_data(
        blankets.removal_stability,
        M.numbers,
        removals=[["x0"]],
        problem_of=independence.PartialCorrelation,
        resamples=2,
        scheme="bootstrap",
        random_state=0,
        n_jobs=None,
        store=None,
    ),
    "blanket_of": of_test(domain.blanket_of, alpha=0.05, equivalent=None, template=None, minimal=False),
    "tmfbs": of_test(blankets.tmfbs, alpha=0.05, equivalent=None, template=None, prune=None, limits=None),
    "aggregated": of_data(
        blankets.aggregated,
        M.numbers,
        test=independence.PartialCorrelation,
        alpha=0.05,
        learner=blankets.iamb,
        folds=2,
        limits=None,
        n_jobs=None,
    ),
    "frequencies": lambda: (blankets.frequencies, {"found": M.aggregated()}),
    "error_bounds": of_data(blankets.error_bounds, M.classes, features=["x0"], bins=2),
    "with_error_bounds": of_data(blankets.with_error_bounds, M.classes, found=None, bins=5),
    "EarlyDropping": plain(blankets.EarlyDropping, extra_runs=0),
    "Folds": plain(blankets.Folds, number=5, part="rest", random_state=0),
    "Limits": plain(
        blankets.Limits,
        include=(),
        exclude=(),
        max_tests=None,
        max_seconds=None,
        max_solutions=5,
        max_states=None,
        subject_to=(),
    ),
    "Pruning": plain(blankets.Pruning, rule_1=True, rule_2=True, rule_3=True),
    "Reuse": plain(blankets.Reuse, blankets=True, answers=0),
    "Template": plain(
        blankets.Template,
        order_variables=blankets.dependent_in_turn,
        backward_phase=blankets.remove_least_dependent,
        name="",
        confirm=None,
    ),
    "hiton_pc_template": plain(blankets.hiton_pc_template, max_conditioning=3),
    "mmpc_template": plain(blankets.mmpc_template, max_conditioning=3),
    "information_template": plain(blankets.information_template, criterion="jmi", stopping="none_dependent"),
}
OF_A_SEARCH = {
    "confirmed",
    "dependent_by_association",
    "dependent_by_information",
    "dependent_by_p",
    "dependent_in_pairs",
    "dependent_in_turn",
    "remove_least_dependent",
    "shrink",
}
"""Phases of searches for blankets, which are given the state of one."""
OTHERS = {
    "Answer": "a result",
    "BinaryQuadratic": "a result",
    "ReadQuestion": "a result",
    "judged": "of a question that was read: tests/exact/interchange",
    "read_answer": "of a question, and a file: tests/exact/interchange",
    "read_qubo": "of a file: tests/exact/interchange",
    "read_question": "of a file: tests/exact/interchange",
    "AlternativeTreeRegressor": "as its classifier",
    "Found": "a result",
    "Outcome": "a result",
    "Poisson": "no arguments",
    "Profile": "a table of a file",
    "ProportionalOdds": "no arguments",
    "TestResults": "a result",
    "example": "no arguments",
    "explore": "serves until nobody uses it: tests/exploring/test_explore.py",
    "greedy": "takes a criterion of one's own",
    "kernel": "needs an extra",
}
"""What is not called here, and why; so are results, errors, protocols, choices and estimators."""


def test_everything_public_is_called() -> None:
    spaces = (results, altsel.errors, models, altsel.sklearn)
    aside = {name for space in spaces for name in getattr(space, "__all__", dir(space))} - CALLS.keys()
    kinds = {
        name.split(".")[-1]
        for name, one in PUBLIC.items()
        if callable(one) and not (inspect.isclass(one) and (hasattr(one, "__members__") or _is_protocol(one)))
    }
    known = {name.partition(" ")[0].partition(".")[0] for name in CALLS} | OF_A_SEARCH | OTHERS.keys() | aside
    assert kinds - known <= {"Audit", "MSG"}  # results, too


def _family(*rules: Any) -> altsel.Solutions:
    limits = blankets.Limits(subject_to=rules)
    return blankets.tmfbs(independence.PartialCorrelation(M.numbers()), limits=limits)


def _is_protocol(one: Any) -> bool:
    return bool(getattr(one, "_is_protocol", False))


WRONG = {"object": object(), "list": [object()], "number": 5, "texts": "ab"}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)  # a name such as "ab" may be a file
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_refused_by_an_error_of_altsel(name: str) -> None:
    function, valid = CALLS[name]()
    if name == "with_error_bounds":
        valid["found"] = M.of_classes()
    if name == "PermutedAUC":
        valid["models"] = comparison.GLMModels(M.classes())
    _done(function, valid)
    kinds = _annotations(function)
    for argument in valid:
        for wrong, given in WRONG.items():
            if (argument, wrong) == ("n_jobs", "number"):
                continue  # it would start five processes
            try:
                _done(function, {**valid, argument: given})
            except altsel.AltselError as fault:
                assert str(fault)  # noqa: PT017 (what else is raised is the failure)
                continue
            accepted = f"{name}({argument}={given!r}) is accepted"
            assert wrong in {"number", "texts"}, accepted
            assert wrong == "number" or not _lists_texts(kinds.get(argument, "")), accepted


@pytest.mark.parametrize("name", sorted(OF_A_SEARCH))
def test_a_phase_is_given_a_search(name: str) -> None:
    phase: Any = getattr(blankets, name)
    for wrong in (*WRONG.values(), M.found()):
        with pytest.raises(altsel.ArgumentError, match="search"):
            _done(phase, {"search": wrong, **({"missing": ()} if name == "confirmed" else {})})


def _done(function: Callable[..., Any], given: dict[str, Any]) -> None:
    made = function(**given)
    if hasattr(made, "__next__"):
        list(made)


def _annotations(function: Callable[..., Any]) -> dict[str, str]:
    try:
        return {name: str(one.annotation) for name, one in inspect.signature(function).parameters.items()}
    except ValueError:
        return {}


def _lists_texts(annotation: str) -> bool:
    """Return whether an argument is a list of names, and no text: that would be taken letter by letter."""
    listed = re.search(r"(Collection|Sequence|Iterable|tuple|list)\[", annotation)
    return bool(listed) and not re.search(r"\bstr \||\| str\b|ArrayLike|Models", annotation)
