"""The tools that are compared: each solves an instance and says what it proved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchmarks.instances import Instance

Answer = dict[str, Any]


def with_altsel(instance: Instance) -> Answer:
    """Scores and what was proved, by altsel."""
    import altsel  # noqa: PLC0415

    problem = altsel.Problem(_objective(instance), k=instance.k)
    apart = altsel.Dice(instance.tau)
    if instance.search == "sequential":
        found = altsel.sequential(problem, apart, instance.alternatives, instance.solver)
    else:
        found = altsel.simultaneous(problem, apart, instance.alternatives, instance.search, instance.solver)
    proved = ["optimal" if subset.proof is altsel.Proof.OPTIMAL else "open" for subset in found]
    if found.stop is altsel.Stop.INFEASIBLE:
        proved.append("infeasible")
    return {"scores": [subset.score for subset in found], "proved": proved}


def with_alfese(instance: Instance) -> Answer:
    """Scores and what was proved, by alfese as shipped."""
    import alfese  # noqa: PLC0415

    selector = _selector(alfese, instance)
    wanted = {"k": instance.k, "num_alternatives": instance.alternatives, "tau": instance.tau}
    if instance.search == "sequential":
        table = selector.search_sequentially(**wanted)
    else:
        table = selector.search_simultaneously(**wanted, objective_agg=instance.search)
    words = {0: "optimal", 2: "infeasible"}
    proved = [words.get(int(status), "open") for status in table["optimization_status"]]
    scores = table["train_objective"].dropna().tolist()
    if instance.criterion == "mrmr":  # the reported ones of a joint search may be too low
        objective = _objective(instance)
        indices = [list(one) for one in table["selected_idxs"] if len(one)]
        scores = [objective.score(np.isin(np.arange(len(instance.quality)), index)) for index in indices]
    return {"scores": scores, "proved": proved}


def _objective(instance: Instance) -> Any:
    import altsel  # noqa: PLC0415

    quality = pd.Series(instance.quality).rename(index=str)
    if instance.criterion == "univariate":
        return altsel.Univariate(quality)
    table = pd.DataFrame(instance.redundancy, index=quality.index, columns=quality.index)
    given = altsel.Dependence(quality, table)
    return altsel.FCBF(given) if instance.criterion == "fcbf" else altsel.MRMR(given, "k(k-1)")


def _selector(alfese: Any, instance: Instance) -> Any:
    """Make alfese's selector work on the given numbers, not on its own estimates."""
    numbers = list(instance.quality)
    if instance.criterion == "univariate":
        selector = alfese.ManualQualityUnivariateSelector()
        selector.set_data(q_train=numbers)
        return selector
    selector = alfese.FCBFSelector() if instance.criterion == "fcbf" else alfese.MRMRSelector()
    table = np.array(instance.redundancy)
    np.fill_diagonal(table, 0.0)
    selector._n = len(numbers)
    selector._q_train = selector._q_test = numbers
    selector._mi_target, selector._mi_features = np.array(numbers), list(table)
    selector._mi_target_train = selector._mi_target_test = np.array(numbers)
    selector._mi_features_train = selector._mi_features_test = list(table)
    return selector


TOOLS = {"altsel": with_altsel, "alfese": with_alfese}
