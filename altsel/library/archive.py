"""The archive of a library: the same bytes each time, with what a stranger needs to use and to cite it."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import tarfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from altsel.library.files import FORMS, path_of
from altsel.runtime.files import replacing

VERSION = "2026.12"
"""Of the library: another question, number or optimum is another version."""
NAME = f"library-{VERSION}"
LICENCE = """The questions, numbers, optima and texts of this library are dedicated to the public domain
(CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/). check_answer.py is under altsel's licence, MIT.
"""
CITATION = f"""cff-version: 1.2.0
message: If you use this library of questions, please cite it as below.
title: "Feature sets with known optima: a library of questions for solvers"
version: "{VERSION}"
type: dataset
license: CC0-1.0
authors:
  - name: The altsel developers
"""
README = f"""# Feature sets with known optima, version {VERSION}

{{questions}} questions: which features make the best set, or the best sets that differ? {{opt}} have a proved
optimum, {{inf}} are proved infeasible, of {{best}} a good answer is known, and of {{unkn}} none.

- `json/`: each question in plain numbers; `check_answer.py` says by its code what they mean.
- `lp/` (maximise), `mps/` (minimise): the same as a linear model, where it has one of a moderate size. The
  model of CFS has the square of the score as its objective.
- `qubo/` (qbsolv's format), `bqm/` (JSON of dimod): minimise; the penalties are proved large enough.
- `json.solu`, `lp.solu`, `mps.solu`, `qubo.solu`, `bqm.solu`: the optimum of each file in the file's own
  sense, as in MIPLIB: `=opt= NAME VALUE` (proved), `=best=` (best known), `=inf=` (proved infeasible) and
  `=unkn=`.
- `optima.csv`: scores, sets, who proved it. `certificate`: a checker in exact arithmetic verified a proof.
- `check_answer.py`: `python check_answer.py json/NAME.json.gz ANSWER optima.csv` judges an answer; it needs
  Python's standard library only.
- `SHA256SUMS`: checksums of all files.
"""


def archived(folder: Path, known: Sequence[Mapping[str, Any]]) -> tuple[Path, str]:
    """Write the archive, and return its path and its SHA-256.

    Parameters
    ----------
    folder
        Of the library: the files of its questions are in it.
    known
        Records of the questions.
    """
    members = {**_texts(known), **_of_questions(folder, known)}
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(members.items()))
    members["SHA256SUMS"] = sums.encode()
    data = _packed(members)
    path = folder / f"{NAME}.tar.gz"
    with replacing(path) as part:
        part.write_bytes(data)
    checksum = hashlib.sha256(data).hexdigest()
    with replacing(folder / f"{NAME}.tar.gz.sha256") as part:
        part.write_text(f"{checksum}  {path.name}\n", encoding="utf-8", newline="\n")
    return path, checksum


def _texts(known: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return what is written about the questions."""
    count = {
        status: sum(one["status"] == status for one in known) for status in ("opt", "inf", "best", "unkn")
    }
    texts = {
        "README.md": README.format(questions=len(known), **count),
        "LICENSE": LICENCE,
        "CITATION.cff": CITATION,
        "optima.csv": optima(known),
        "check_answer.py": files("altsel.tools").joinpath("check_answer.py").read_text("utf-8"),
        **{f"{form}.solu": solu(known, form) for form in FORMS},
    }
    return {name: text.encode() for name, text in texts.items()}


def _of_questions(folder: Path, known: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the files of the questions."""
    return {
        f"{form}/{one['name']}.{form}.gz": path_of(folder, form, one["name"]).read_bytes()
        for one in known
        for form in one["files"]
    }


def solu(known: Sequence[Mapping[str, Any]], form: str) -> str:
    r"""Return the optima of the files of one form, as MIPLIB's ``.solu``.

    Examples
    --------
    >>> solu([{"name": "a", "status": "opt", "files": {"mps": -0.5}}, {"name": "b", "status": "inf",
    ...     "files": {"mps": None}}], "mps")
    '=opt= a -0.5\n=inf= b\n'
    """
    lines = []
    for one in known:
        if form in one["files"]:
            value = one["files"][form]
            lines.append(f"={one['status']}= {one['name']}" + ("" if value is None else f" {value:.15g}"))
    return "".join(f"{line}\n" for line in lines)


def optima(known: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of scores and sets: features with spaces between them, sets with a bar."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["name", "status", "score", "proved_by", "sets"])
    for one in known:
        score = "" if one["score"] is None else f"{one['score']:.15g}"
        sets = " | ".join(" ".join(each) for each in one["sets"])
        table.writerow([one["name"], one["status"], score, "; ".join(one["proved"]), sets])
    return text.getvalue()


def _packed(members: Mapping[str, bytes]) -> bytes:
    """Pack files: sorted, without times, owners and whatever else differs from one making to the next."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in sorted(members.items()):
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), 0o644, 0
            tar.addfile(entry, io.BytesIO(data))
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as file:
        file.write(held.getvalue())
    return packed.getvalue()
