"""What a library holds, whether it is made twice alike, and whether its own checker agrees with it.

``python -m benchmarks.library_made LIBRARY --anew 17``; LIBRARY is a folder that ``altsel library make``
filled. The archive is packed again, so many questions are made anew from nothing, and ``check_answer.py`` of
the unpacked archive judges all sets that the archive names.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from altsel.exact.interchange.question_files import read_question
from altsel.library.archive import NAME, archived
from altsel.library.files import FORMS, path_of
from altsel.library.make import QUESTIONS, make
from altsel.library.records import records
from benchmarks.command import folder_of, in_one_line, stamped, whole

RESULTS = Path(__file__).parent / "results"
CRITERIA = ("sum", "fcbf", "mrmr", "cfs", "linear-fit", "logistic-fit")
HEAD = """# Questions with known optima

`altsel library make LIBRARY`, then `python -m benchmarks.library_made LIBRARY --anew {anew}`. Tables are
drawn by seeds; each search and each confirmation had {limit:.0f} s of wall time. Of the {all} questions that
the command draws, {number} had been made.

Proved is an optimum, or that there is no answer. *By certificate*: its checker verified it; *by a solver*:
HiGHS or CP-SAT proved the same, where no certificate could be written; *once*: proved by altsel alone; *best
known*: not proved. Seconds are CPU seconds of search and confirmation.
"""


def criterion_of(name: str) -> str:
    """Return the criterion in the name of a question."""
    rest = name.split("-", 3)[3]
    return next(one for one in CRITERIA if rest.startswith(f"{one}-"))


def proof_of(one: dict[str, Any]) -> str:
    """Return how well a question is proved."""
    if one["status"] not in {"opt", "inf"}:
        return "best known" if one["status"] == "best" else "nothing known"
    second = [by for by in one["proved"] if by != "auto"]
    return "once" if not second else "by certificate" if "certificate" in second else "by a solver"


def table(known: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table: one a criterion, and one for all."""
    heads = ("by certificate", "by a solver", "once", "best known", "nothing known")
    yield "| criterion | questions | no answer | " + " | ".join(heads) + " | CPU s, median | largest | all |"
    yield "| --- |" + " --- |" * (len(heads) + 5)
    for name in (*CRITERIA, "all"):
        own = [one for one in known if name in {"all", criterion_of(one["name"])}]
        counts = Counter(map(proof_of, own))
        cpu = sorted(one["cpu"] for one in own)
        numbers = [len(own), sum(one["status"] == "inf" for one in own), *(counts[head] for head in heads)]
        times = [f"{cpu[len(cpu) // 2]:.1f}", f"{cpu[-1]:.1f}", f"{sum(cpu):.0f}"] if cpu else [""] * 3
        yield f"| {name} | {' | '.join(map(str, numbers))} | {' | '.join(times)} |"


def differing(folder: Path, number: int) -> tuple[int, list[str]]:
    """Make so many questions anew; return how many files there are, and which are not the same bytes."""
    with tempfile.TemporaryDirectory() as here:
        make(here, number)
        made = [*records(Path(here))]
        pairs = [
            (path_of(folder, form, one["name"]), path_of(Path(here), form, one["name"]))
            for one in made
            for form in one["files"]
        ]
        wrong = [str(old.relative_to(folder)) for old, new in pairs if old.read_bytes() != new.read_bytes()]
        before = {one["name"]: one for one in records(folder)}
        for one in made:
            old = before[one["name"]]
            wrong += [
                f"{key} of {one['name']}" for key in ("status", "score", "sets") if one[key] != old[key]
            ]
    return len(pairs), wrong


def judged(folder: Path, known: list[dict[str, Any]]) -> Counter[str]:
    """Let the archive's own checker judge the sets that it names; return how often it said what."""
    said: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as here:
        with tarfile.open(folder / f"{NAME}.tar.gz") as archive:
            archive.extractall(here, filter="data")
        root = Path(here) / NAME
        for one in known:
            if not one["sets"]:
                continue
            (answer := Path(here) / "answer.json").write_text(json.dumps(one["sets"]), encoding="utf-8")
            arguments = [str(root / "json" / f"{one['name']}.json.gz"), str(answer), str(root / "optima.csv")]
            command = [sys.executable, "-I", str(root / "check_answer.py"), *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said[f"exit code {done.returncode}"] += 1
            if done.returncode:
                print(one["name"], done.stdout, done.stderr)
    return said


def sizes(folder: Path, known: list[dict[str, Any]]) -> tuple[int, int]:
    """Return the smallest and largest number of features."""
    paths = [path_of(folder, "json", one["name"]) for one in known]
    numbers = [len(read_question(path).problem.objective.features) for path in paths]
    return min(numbers), max(numbers)


def page(folder: Path, anew: int) -> str:
    """Write the page."""
    known = [*records(folder)]
    lines = [
        HEAD.format(number=len(known), all=QUESTIONS, anew=anew, limit=known[0]["limit"]),
        *table(known),
    ]
    least, most = sizes(folder, known)
    forms = ", ".join(f"{sum(form in one['files'] for one in known)} {form}" for form in FORMS)
    archive = folder / f"{NAME}.tar.gz"
    _, first = archived(folder, known)
    _, second = archived(folder, [*records(folder)])
    files, wrong = differing(folder, anew)
    said = ", ".join(f"{what}: {count}" for what, count in sorted(judged(folder, known).items()))
    lines += [
        "",
        f"- Questions have {least} to {most} features. Files: {forms}.",
        f"- The archive has {archive.stat().st_size / 1e6:.1f} MB, sha256 `{first}`; packed again from the "
        f"records it is {'the same' if first == second else 'another'}.",
        f"- The first {anew} questions were made anew from nothing: {files} files. Other bytes, optima or "
        f"sets than before: {', '.join(wrong) or 'none'}.",
        f"- `check_answer.py` of the archive, by a Python without altsel, on all sets that it names: {said}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the arguments and do it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.library_made", description=__doc__)
    parser.add_argument("library", type=folder_of("records"), help="made by 'altsel library make'")
    parser.add_argument("--anew", type=whole(0), default=17, help="questions that are made anew")
    arguments = parser.parse_args()
    with in_one_line(parser):
        text = page(arguments.library, arguments.anew)
        (RESULTS / "library_made.md").write_text(stamped(text), encoding="utf-8")


if __name__ == "__main__":
    main()
