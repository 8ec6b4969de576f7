"""A whole study in one call, step by step; finished steps are on disk, so that it goes on where it was."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from altsel import catalogue
from altsel._types import FloatArray
from altsel.analysis.discoveries import discoveries
from altsel.analysis.equivalence import default_tests, equivalence
from altsel.analysis.performance import performance
from altsel.analysis.repeated_search import search_rows
from altsel.analysis.stability import stability
from altsel.auditing.certificates.certificate import certificate
from altsel.catalogue import EstimatorName
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.dealing import joined
from altsel.errors import ArgumentError, DataError, SolverError
from altsel.looking.look import look
from altsel.looking.result import Look
from altsel.parallel import checked_jobs, run
from altsel.report.page import write
from altsel.report.parts import Parts
from altsel.report.proof import proved
from altsel.results.discoveries import Discoveries
from altsel.results.performance import Performance
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.results.study import Study, TriedTau
from altsel.runtime.store import Kept
from altsel.runtime.versions import versions_of
from altsel.stats.row_losses import LOSSES
from altsel.studying.claims import claims
from altsel.studying.folder import Folder, folder_for
from altsel.studying.grid import Configuration, configurations
from altsel.studying.plan import Plan, read_plan, refuse_data
from altsel.studying.selections import ByCriterion, Repeated, Rows, Searching
from altsel.studying.tuning import Tuned, choose_tau, largest_tau, mean_estimate
from altsel.studying.within_folds import DifferentInFold, Judges, TriedInFold, folds_of

log = logging.getLogger("altsel.study")
LEAVES = 1e5
"""Leaves of a tree after which its claim stays without proof."""
CERTIFICATE, PAGE, RESULT, PLAN = "found.proof.json.gz", "report.html", "study.json", "plan.toml"


def study(
    data: Dataset,
    output: str | Path | None = None,
    plan: Plan | Mapping[str, Any] | str | Path | None = None,
    n_jobs: int | None = None,
) -> Study:
    r"""Do all that a careful analyst would do with a table, by a plan, and say what was shown.

    Rows are kept apart. In folds of the others every configuration of the plan selects features, fits a model
    and is judged on rows that neither has seen: criterion, measure, size, level of tests and model are
    chosen by these losses, then how different alternatives are. The least loss of many is too small; it is
    corrected by bootstrap bias-corrected cross-validation, ``mean_b L_{outside b}(argmin_c L_b(c))``. The
    chosen search is then made in all rows learned from: alternatives, models judged on the rows kept
    apart, tests of equivalence, stability, discoveries, a certificate and one page.

    Rows are taken for independent. Times to an event, ordered classes, counts as such, weights, and rows
    that belong together are not taken.

    Parameters
    ----------
    data
        The rows.
    output
        A folder, new or of the same study, which then goes on where it was: `report.html`, `study.json`, and
        a file a step. Default: nothing is written.
    plan
        A TOML file as ``altsel study --write-plan`` writes it, or its keys; what is not there is as usual.
    n_jobs
        Workers; default: those of ``joblib.parallel_config``, else 1.

    Returns
    -------
    Study
        `claims`, what was tried, the corrected loss, the sets and all that was measured of them. The same
        data, plan and versions give the same bytes.

    Raises
    ------
    ArgumentError
        If the data are of a kind that is not taken, have too few rows, or the folder holds something else.
    ConfigurationError
        If the plan has an unknown key, name or value.

    References
    ----------
    Tsamardinos, Greasidou and Borboudakis, Machine Learning 107 (2018): the correction. Varma and Simon, BMC
    Bioinformatics 7 (2006): why all that sees the target is within the folds.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(120, 6))
    >>> data = altsel.Dataset(x, x[:, 0] - x[:, 1] + rng.normal(size=120))
    >>> plan = {"models": ["linear"], "folds": 3, "sizes": [2], "criteria": ["mrmr"], "learners": []}
    >>> done = altsel.study(data, plan=plan | {"alternatives": 0, "stability": 0, "level": 0.0})
    >>> done.found[0].features, done.gain.low > 0
    (('x0', 'x1'), True)
    """
    checked_dataset("study", data)
    return study_of(data, output, read_plan(plan), n_jobs)


def study_of(
    data: Dataset, output: str | Path | None, plan: Plan, n_jobs: int | None, looked: Look | None = None
) -> Study:
    """Do a study; `looked` is what was seen in the file of the data, if they are of one. See `study`."""
    checked_jobs(n_jobs)
    refuse_data(data, plan)
    plan = plan.for_data(data)
    versions = versions_of("scikit-learn", "numpy", "pandas")
    of = {"data": data.fingerprint, "plan": plan.model_dump(), "versions": versions}
    with folder_for(output, of) as folder:
        folder.kept(PLAN, plan.text)
        return _Steps(data, plan, folder, n_jobs, output is not None).study(looked, versions)


@dataclass(frozen=True, eq=False)
class _Steps:
    """The steps, each of which reads the results of those before it."""

    data: Dataset
    plan: Plan
    folder: Folder
    n_jobs: int | None
    kept: bool
    undone: list[str] = field(default_factory=list)
    """What could not be done, and why: sentences."""

    def study(self, looked: Look | None, versions: Mapping[str, str]) -> Study:
        """Take all steps in turn."""
        plan, folder = self.plan, self.folder
        # 1. Look.
        seen = looked or look(pd.concat([self.data.X, self.data.y], axis=1), self.data.target)
        folder.kept("look.json", seen.to_json)
        folder.kept("table.toml", lambda: seen.table.text("How the table was read; for --table."))
        # 2. Keep rows apart.
        train, held = self.data.split(plan.holdout, plan.seed) if plan.holdout else (self.data, None)
        # 3. Tune within folds, and correct the best.
        tuned = self.tune(train)
        chosen = tuned.configurations[tuned.shown]
        # 4. How different alternatives are.
        taus = self.differ(train, tuned, chosen)
        tau = largest_tau(taus)[0] if taus else None
        # 5. The search in all rows learned from, and what is measured of its sets.
        search = Repeated(_searching(chosen), plan.seed, plan.alternatives, 0.5 if tau is None else tau)
        found = folder.kept("found.json", lambda: _found(search, train).to_json(), Solutions.from_json)
        scored = self.perform(found, train, held, chosen, search)
        tests = default_tests(train, held, random_state=plan.seed)
        compared = equivalence(found, tests) if len(found) > 1 else None
        if compared is not None:
            folder.kept("equivalence.json", compared.to_json)
        repeated = self.repeat(search, train)
        discovered = self.discover(train)
        # 6. What is proved, what is claimed, and the page.
        problem = (
            search.selection.problem(Rows(train, plan.seed))
            if isinstance(search.selection, ByCriterion)
            else None
        )
        proof = self.prove(found, problem)
        made = Study(
            target=train.target,
            rows=len(train.y),
            holdout=0 if held is None else len(held.y),
            loss=LOSSES[plan.loss_name],
            **tuned.summary(),
            **self.judged(train, held, tuned, found),
            tau=tau,
            taus=taus,
            claims=(),
            looked=tuple(one.message for one in seen.findings),
            found=found,
            performance=scored,
            equivalence=compared,
            stability=repeated,
            discoveries=discovered,
            plan=plan.model_dump(),
            data=self.data.fingerprint,
            versions=versions,
            seed=plan.seed,
        )
        parts = Parts(train, scored, repeated, holdout=held, certificate=proof, problem=problem, dated=False)
        certified = proved(found, parts)
        made = replace(made, claims=(*claims(made, plan, certified), *self.undone))
        parts = replace(parts, study=made, audit=problem is not None)
        if self.kept:
            folder.file(PAGE, lambda path: write(found, path, parts, title=f"Study of {train.target}"))
            folder.kept(RESULT, made.to_json)
        return made

    def tune(self, train: Dataset) -> Tuned:
        """Try every configuration within the folds."""
        return tune(train, self.plan, self.folder.steps("folds"), self.n_jobs)

    def differ(self, train: Dataset, tuned: Tuned, chosen: Configuration) -> tuple[TriedTau, ...]:
        """Try every tau within the folds; none of a blanket, whose alternatives differ as they do."""
        if not self.plan.alternatives or not isinstance(chosen.selection, ByCriterion):
            return ()
        folds, model = folds_of(train, self.plan), str(chosen.model)
        task = DifferentInFold(train, self.plan, chosen.selection, model, folds)
        tasks = {f"fold {number}": number for number in range(len(folds))}
        parts = run(task, tasks, self.folder.steps("taus"), self.n_jobs, "fold")
        return choose_tau(self.plan, tuned.chosen_by[:, tuned.shown], folds, list(parts.values()))

    def perform(
        self, found: Solutions, train: Dataset, held: Dataset | None, chosen: Configuration, search: Repeated
    ) -> Performance:
        """Judge models of all sets: on the rows kept apart, else in folds with the search repeated."""
        estimator = catalogue.predictor(EstimatorName(str(chosen.model)), train, self.plan.seed)
        seed = self.plan.seed
        with self.folder.working("performance") as store:

            def made() -> str:
                if held is not None:
                    return performance(found, train, estimator, random_state=seed, holdout=held).to_json()
                again: dict[str, Any] = {
                    "search": search,
                    "nested": True,
                    "store": store,
                    "n_jobs": self.n_jobs,
                }
                return performance(
                    found, train, estimator, cv=self.plan.folds, random_state=seed, **again
                ).to_json()

            return self.folder.kept("performance.json", made, Performance.from_json)

    def repeat(self, search: Repeated, train: Dataset) -> Stability | None:
        """Repeat the search in halves of the rows."""
        if not self.plan.stability:
            return None
        with self.folder.working("stability") as store:
            given: dict[str, Any] = {"random_state": self.plan.seed, "n_jobs": self.n_jobs, "store": store}
            return self.folder.kept(
                "stability.json",
                lambda: stability(search, train, self.plan.stability, **given).to_json(),
                Stability.from_json,
            )

    def discover(self, train: Dataset) -> Discoveries | None:
        """Look for discoveries by knockoffs."""
        if not self.plan.level:
            return None
        with self.folder.working("discoveries") as store:
            given: dict[str, Any] = {"random_state": self.plan.seed, "n_jobs": self.n_jobs, "store": store}
            try:
                return self.folder.kept(
                    "discoveries.json",
                    lambda: discoveries(train, self.plan.level, draws=self.plan.draws, **given).to_json(),
                    Discoveries.from_json,
                )
            except (ArgumentError, DataError) as fault:  # not worth all that was done before
                self.undone.append(f"Discoveries could not be looked for: {fault}.")
                return None

    def prove(self, found: Solutions, problem: Any) -> Path | None:
        """Write the certificate; None where the plan wants none, or there is none of such sets."""
        if not self.plan.certificate or not found.sets:
            return None
        try:
            return self.folder.file(
                CERTIFICATE, lambda path: certificate(found, path, problem, most_leaves=LEAVES)
            )
        except (ArgumentError, SolverError) as fault:
            self.undone.append(f"No certificate could be written of these sets: {fault}.")
            return None

    def judged(self, train: Dataset, held: Dataset | None, tuned: Tuned, found: Solutions) -> dict[str, Any]:
        """Judge the best configuration, and set 0, once on the rows kept apart."""
        if held is None:
            return {"judged": None, "judged_shown": None}
        best, shown = tuned.configurations[tuned.best], tuned.configurations[tuned.shown]
        first = found[0].features if found.sets else ()
        names = first if best is shown else train.features if best.selection.name == "all features" else ()
        losses = held_losses(train, held, [(names, best.model), (first, shown.model)], self.plan)
        estimates = [mean_estimate(column, self.plan.confidence) for column in losses.T]
        return dict(zip(("judged", "judged_shown"), estimates, strict=True))


def tune(train: Dataset, plan: Plan, store: Kept | None = None, n_jobs: int | None = None) -> Tuned:
    """Try every configuration of a plan within the folds of some rows."""
    folds, tried = folds_of(train, plan), configurations(plan)
    log.info("%d configurations within %d folds", len(tried), len(folds))
    task = TriedInFold(train, plan, tried, folds)
    tasks = {f"fold {number}": number for number in range(len(folds))}
    parts = run(task, tasks, store, n_jobs, "fold")
    return Tuned.of(plan, tried, folds, list(parts.values()), len(train.y))


def held_losses(
    train: Dataset, held: Dataset, pairs: Sequence[tuple[tuple[str, ...], str | None]], plan: Plan
) -> FloatArray:
    """Return losses of rows kept apart by models fitted to the others; shape (rows, pairs)."""
    table, fitted, judged = joined(train, held), len(train.y), len(held.y)
    split = pd.RangeIndex(fitted).to_numpy(), pd.RangeIndex(fitted, fitted + judged).to_numpy()
    return Judges(table, split, plan.seed).losses(pairs)[plan.loss_name]


def _searching(chosen: Configuration) -> Searching:
    """Return what the best configuration that selects features searches by."""
    selection = chosen.selection
    assert selection.searches
    return selection  # type: ignore[return-value]  # the others search for nothing


def _found(search: Repeated, train: Dataset) -> Solutions:
    """Search all rows learned from; times are left out, as they are never the same."""
    found = search_rows(search, train)
    assert isinstance(found, Solutions)
    return replace(found, effort=replace(found.effort, seconds=0.0, peak_memory=None))
