"""Peers of `benchmarks.model_fit`, in an environment of their own: abess, and FasterRisk's beam search.

``PYTHON benchmarks/model_fit_peers.py TABLE.npz K`` prints the sets of columns that they find, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np


def _by_abess(columns: Any, target: Any, k: int) -> list[int]:
    import abess  # type: ignore[import-not-found]  # noqa: PLC0415

    model = abess.LogisticRegression(support_size=k, thread=1)
    model.fit(columns, target)
    return [int(j) for j in model.coef_.nonzero()[0]]


def _by_fasterrisk(columns: Any, target: Any, k: int) -> list[int]:
    from fasterrisk.sparseBeamSearch import (  # type: ignore[import-not-found]  # noqa: PLC0415
        sparseLogRegModel,
    )

    whole = np.column_stack([np.ones(len(target)), columns])
    model = sparseLogRegModel(whole, 2 * target - 1, original_lb=-1e6, original_ub=1e6)
    model.get_sparse_sol_via_OMP(k=k)
    _, coefficients, _ = model.get_beta0_betas_ExpyXB()
    return [int(j) - 1 for j in np.flatnonzero(np.asarray(coefficients).ravel()) if j]


def _main() -> None:
    with np.load(sys.argv[1]) as table:
        columns, target = table["columns"], table["target"].astype(float)
    found: dict[str, Any] = {}
    for name, search in (("abess", _by_abess), ("fasterrisk", _by_fasterrisk)):
        began = time.process_time()
        try:
            chosen = search(columns, target, int(sys.argv[2]))
        except Exception as fault:  # whatever it is, it goes into the table
            found[name] = {"failed": f"{type(fault).__name__}: {fault}"[:80]}
        else:
            found[name] = {"seconds": time.process_time() - began, "set": chosen}
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
