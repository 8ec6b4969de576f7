"""What a search that was cut short may say of features: none is rejected, and no role contradicts its p."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import log

from altsel.results.feature_set import FeatureSet, Role, Verdict


def undecided(
    one: FeatureSet, alpha: float, candidates: Iterable[str] = (), forced: Collection[str] = ()
) -> FeatureSet:
    """Return what a search that was cut short had, with roles that it had come to only.

    What it had rejected, what it had not tested yet, members by an estimate of p alone, and members that a
    last test found independent are not decided; p and what was given stay.

    Parameters
    ----------
    one
        The features that were selected, with the last word on each feature.
    alpha
        Level of the tests.
    candidates
        All that could have been selected, in the order of the data; those without a word get one.
    forced
        Members without any test.
    """
    known = {verdict.feature: verdict for verdict in one.verdicts}
    words = [known.get(name) or Verdict(name, Role.UNDECIDED, None) for name in candidates]
    named = {verdict.feature for verdict in words}
    words += [verdict for verdict in one.verdicts if verdict.feature not in named]
    return replace(
        one, verdicts=tuple(_left_open(verdict, alpha, verdict.feature in forced) for verdict in words)
    )


def _left_open(verdict: Verdict, alpha: float, forced: bool) -> Verdict:
    untested = verdict.log_p is None and not forced
    independent = verdict.log_p is not None and verdict.log_p > log(alpha)
    if verdict.role is Role.REJECTED or independent or untested:
        return replace(verdict, role=Role.UNDECIDED)
    return verdict
