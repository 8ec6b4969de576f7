"""The experiments of the unified view: ALARM with HR as the target, and ten real data sets.

Run: python -m benchmarks.unified_view [FOLDER] [--sets alarm sizes mushroom … lung] [--models linear knn nbc]
       [--bins 2]
What was run is kept in ``results/unified_view_*.csv``; the page is written of all that is kept, and without
sets (``--sets``) of that alone. Real data need a folder; an earlier run of theirs is replaced.
"""

from __future__ import annotations

import argparse
import warnings

from .command import folder_of, in_one_line
from .unified_view_alarm import SIZE_SEEDS, alarm, sizes
from .unified_view_models import MODELS
from .unified_view_page import write
from .unified_view_paper_sets import ACCURACY
from .unified_view_sets import BINS, SECONDS, WITHIN_SECONDS, real_data


def main() -> None:
    """Run what is wanted, keep it, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=folder_of("*.csv.gz"), nargs="?", help="holds real data as .csv.gz")
    choices = ["alarm", "sizes", *ACCURACY]
    parser.add_argument("--sets", nargs="*", choices=choices, help="default: all that there are data of")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=["linear", "knn", "nbc"])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds of a search")
    parser.add_argument("--bins", type=int, choices=(2, BINS), default=BINS, help="of numbers, for selection")
    parser.add_argument("--within-seconds", type=float, default=WITHIN_SECONDS)
    given = parser.parse_args()
    if given.sets is None:
        given.sets = choices if given.folder is not None else choices[:2]
    real = [name for name in given.sets if name in ACCURACY]
    if real and given.folder is None:
        parser.error(f"--sets {' '.join(real)}: name the folder of these data sets too")
    warnings.simplefilter("ignore")
    with in_one_line(parser):
        if "alarm" in given.sets:
            alarm()
        if "sizes" in given.sets:
            sizes(SIZE_SEEDS)
        if real:
            real_data(given.folder, real, given.models, (given.seconds, given.within_seconds), given.bins)
        write()


if __name__ == "__main__":
    main()
