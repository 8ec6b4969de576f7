"""One page a paper in ``docs/studies``, made of what the benchmarks have stored.

Run: python -m benchmarks.studies.pages
Texts are in ``texts``, and so are the reasons for differences; figures and tables come from ``results``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.studies import afs_study, ppfs_study, tmfbs_study, unified_view_study

FOLDER = Path(__file__).parents[2] / "docs" / "studies"
STUDIES = (afs_study, unified_view_study, tmfbs_study, ppfs_study)


def pages() -> dict[str, str]:
    """Return the pages by their names."""
    return {study.PAGE: study.page() for study in STUDIES}


def main() -> None:
    """Write all pages."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name, text in pages().items():
        (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
        print(FOLDER / f"{name}.md")


if __name__ == "__main__":
    main()
