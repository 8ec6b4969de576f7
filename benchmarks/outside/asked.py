"""What is there in the process of a question: names, peers, and words for how a search ended.

``python -m benchmarks.outside.asked`` reads lines of Python from its input, runs them, and prints what they
took.
"""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

import numpy as np
import pandas as pd

import altsel
from benchmarks.outside.questions import LIMIT


def said(found: Any) -> str:
    """Say what a search found: the sum of its scores, and what is not proved."""
    total = f"{sum(one.score for one in found):.9g}"
    if found.stop is altsel.Stop.INFEASIBLE:
        return f"{total}, no further"
    return total if found.proved else f"{total}, open"


def by_alfese(q: Any, k: int, tau: float, a: int) -> str:
    """Search with alfese, as it is shipped (SCIP, a relative gap of 1e-4)."""
    import alfese  # noqa: PLC0415

    selector = alfese.ManualQualityUnivariateSelector()
    selector.set_data(q_train=q.tolist())
    found = selector.search_sequentially(k=k, num_alternatives=a, tau=tau)
    return f"{found['train_objective'].sum():.9g}"


def by_leaps(X: Any, y: Any, k: int) -> str:
    """Search with leaps; its CPU seconds are those of a child."""
    from benchmarks.linear_fit_peers import by_leaps as leaps  # noqa: PLC0415

    found = leaps(pd.DataFrame(X).assign(y=y), k, 1, LIMIT * 2)
    return f"{max((r2 for size, r2, _ in found['sets'] if size == k), default=np.nan):.9g}"


def by_abess(X: Any, y: Any, k: int) -> str:
    """Fit with abess, a heuristic."""
    import abess  # type: ignore[import-not-found]  # noqa: PLC0415

    chosen = abess.LinearRegression(support_size=k, thread=1).fit(X, y).coef_.nonzero()[0]
    table = np.column_stack([np.ones(len(y)), X[:, chosen]])
    rest = y - table @ np.linalg.lstsq(table, y, rcond=None)[0]
    return f"{1 - rest @ rest / ((y - y.mean()) @ (y - y.mean())):.9g}"


def by_entropies(X: Any) -> str:
    """Sum symmetric uncertainties by scikit-learn, pair by pair."""
    from scipy.stats import entropy  # noqa: PLC0415
    from sklearn.metrics import mutual_info_score  # noqa: PLC0415

    of = [entropy(np.bincount(column)) for column in X.T]
    pairs = [(i, j) for i in range(len(of)) for j in range(i)]
    shared = (2 * mutual_info_score(X[:, i], X[:, j]) / (of[i] + of[j]) for i, j in pairs)
    return f"{len(of) + 2 * sum(shared):.9g}"


def by_neighbours(X: Any, y: Any) -> str:
    """Sum what each column tells of the target by scikit-learn."""
    from sklearn.feature_selection import mutual_info_regression  # noqa: PLC0415

    return f"{mutual_info_regression(X, y, discrete_features=False, random_state=0).sum():.9g}"


def used() -> float:
    """Return the CPU seconds of this process and its children."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def main() -> None:
    """Make the data, ask twice, and print what it took."""
    asked = json.loads(sys.stdin.read())
    names: dict[str, Any] = {name: getattr(altsel, name) for name in altsel.__all__}
    from altsel.report.page import page  # noqa: PLC0415

    names |= globals() | {"page": page, "rng": np.random.default_rng(asked["seed"])}
    imports = used()
    exec(asked["data"], names)
    times, answer = [], ""
    for _ in range(asked["times"]):
        began = used()
        answer = str(eval(asked["ask"], names))
        times.append(used() - began)
        if times[-1] > asked["enough"]:
            break
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"imports": imports, "times": times, "answer": answer, "peak": peak}))


if __name__ == "__main__":
    main()
