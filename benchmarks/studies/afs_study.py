"""The page of AFS: the report of its study, or what a run of it does where none has been kept."""

from __future__ import annotations

import re

from benchmarks.studies.comparison import data_sets, filled
from benchmarks.tmfbs_records import RESULTS

PAGE = "afs"


def page() -> str:
    """Return the page; pictures are where the report has put them."""
    report = RESULTS / "afs.md"
    if not report.exists():
        return filled("afs_not_run", {})
    _, _, body = report.read_text("utf-8").partition("\n")
    return filled(
        PAGE,
        {
            "data": data_sets(PAGE),
            "report": re.sub(r"\]\((afs_\d+\.svg)\)", r"](../../benchmarks/results/\1)", body.strip()),
        },
    )
