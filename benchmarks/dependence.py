"""Compare all-pairs mutual information of discrete columns with scikit-learn's, pair by pair.

python -m benchmarks.dependence
"""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
from sklearn.metrics import mutual_info_score

import altsel

COLUMNS, ROWS, PAIRS = 500, 2000, 500


def main() -> None:
    """Time both; scikit-learn on a sample of pairs, scaled to all."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 4, (ROWS, COLUMNS))).rename(columns=lambda j: f"x{j}")
    data = altsel.Dataset(table, rng.integers(0, 2, ROWS))
    began = time.process_time()
    redundancy = altsel.dependence(data, altsel.measures.mutual_information).redundancy
    ours = time.process_time() - began
    pairs = rng.integers(0, COLUMNS, (PAIRS, 2))
    columns = table.to_numpy().T
    began = time.process_time()
    scores = [mutual_info_score(columns[i], columns[j]) for i, j in pairs]
    peer = (time.process_time() - began) / PAIRS * COLUMNS * (COLUMNS + 1) / 2
    ours_of = redundancy.to_numpy()
    worst = max(abs(ours_of[i, j] - s) for (i, j), s in zip(pairs, scores, strict=True))
    print(
        f"p={COLUMNS}, n={ROWS}: altsel {ours:.2f} s CPU, scikit-learn {peer:.0f} s, ratio {peer / ours:.0f}"
    )
    print(f"largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
