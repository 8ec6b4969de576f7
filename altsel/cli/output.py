"""Results on stdout or in a file, in the form that is wanted; `altsel.cli.messages` writes the rest."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from altsel.catalogue import SearchName
from altsel.cli.messages import announce, columns_of
from altsel.errors import ArgumentError
from altsel.results.feature_set import Proof
from altsel.results.fitting import fit_tables, folded
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import csv_text, json_text
from altsel.runtime.files import followed, replacing, stands_for
from altsel.runtime.phases import WRITING, phase

if TYPE_CHECKING:
    import pandas as pd


class Format(StrEnum):
    """Forms of the result."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def laid_out(text: Callable[[], str], output: Path | None = None) -> str:
    """Lay out a text for the terminal it is printed on; lines of a file or a pipe stay whole."""
    columns = columns_of(sys.stdout) if output is None else None
    with fit_tables(columns):
        made = text()
    return made if columns is None else folded(made, columns)


def explained_exit(
    found: Solutions, wanted: int, search: SearchName, explanation: Callable[[], object]
) -> int:
    """Print on stderr why a search ended early, and return the exit code.

    `explanation` tells why there is no further set; it is called only if that is proved.
    """
    if found.stop is Stop.INTERRUPT:
        announce("interrupted; these are the sets found until then")
        return 130
    if found.stop is Stop.INFEASIBLE:
        announce(f"proved infeasible: {len(found)} of {wanted} sets found")
        announce(explanation())
        return 3
    if search in {SearchName.REPLACEMENT, SearchName.BALANCING}:
        if len(found) < wanted:
            message = f"the heuristic found {len(found)} of {wanted} sets; there may be more"
            announce(f"{message}: try --search sequential")
        return 0 if len(found) == wanted else 4 if found.sets else 1
    if not found.sets:
        announce("nothing was found within the limits; raise --time-limit or try another solver")
        return 1
    limited = found.stop in {Stop.TIME, Stop.LIMIT} or any(subset.proof is Proof.FEASIBLE for subset in found)
    if limited:
        announce("a limit was reached: not every set requested was found and proved optimal")
    return 4 if limited else 0


def check_output(output: Path | None, option: str = "--output", *inputs: Path | None) -> None:
    """Refuse a file that cannot be written, or that the command reads, before the work is done."""
    if output is None or stands_for(output) is not None:
        return
    try:
        real = followed(output)
        if real.is_dir() or not real.parent.is_dir():
            raise ArgumentError(f"{option} {output} cannot be written: no such folder, or it is one")
        if real.exists() and not os.access(real, os.W_OK):
            raise ArgumentError(f"{option} {output} cannot be written: it is read-only")
        if (real.is_file() or not real.exists()) and not os.access(real.parent, os.W_OK):
            raise ArgumentError(f"{option} {output} cannot be written: the folder may not be written to")
        reads = any(source is not None and followed(source) == real for source in inputs)
    except OSError as fault:
        raise ArgumentError(f"{option} {output} cannot be written: {fault}") from fault
    if reads:
        raise ArgumentError(f"{option} {output} is read by the command; write to another file")


def form_for(form: Format | None, output: Path | None, *inputs: Path | None) -> Format:
    """Choose the form of a result by its file's ending, and refuse what cannot be written as requested.

    Raises
    ------
    ArgumentError
        If ending and form contradict each other, or the file cannot be written.
    """
    check_output(output, "--output", *inputs)
    ending = "" if output is None else output.suffix.lower()
    meant = {".json": Format.JSON, ".csv": Format.CSV, ".txt": Format.TABLE}.get(ending)
    if meant is None and ending and form is None:
        raise ArgumentError(f"--output {output}: end its name in .json, .csv or .txt, or give --format")
    if form is not None and meant is not None and form is not meant:
        raise ArgumentError(
            f"--output {output} ends in {ending}, yet --format {form.value}; change one of them"
        )
    return form or meant or Format.TABLE


@dataclass(frozen=True)
class Forms:
    """How a result is written: as text, as a table, as JSON; only what is requested is made."""

    text: Callable[[], str]
    table: Callable[[], pd.DataFrame]
    json: Callable[[], str]
    index: str | None = None
    """Name of the table's index in CSV; None: it is left out."""

    @classmethod
    def of(cls, found: Solutions) -> Forms:
        """Return the forms of solutions; in CSV the features are a JSON list, as names may hold anything."""

        def table() -> pd.DataFrame:
            return found.to_frame().assign(features=[json_text(list(subset)) for subset in found])

        return cls(lambda: str(found), table, found.to_json, "set")

    @phase(WRITING)
    def deliver(self, form: Format, output: Path | None, then: str | None = None) -> None:
        """Print the result in a form, or write it to a file and print a table, unless nothing is to be said.

        See `deliver`.
        """
        if output is not None and then is not None:
            deliver(laid_out(self.text).rstrip("\n") + "\n", None)
        if form is Format.TABLE:
            deliver(laid_out(self.text, output).rstrip("\n") + "\n", output, then)
        elif form is Format.CSV:
            deliver(csv_text(self.table(), self.index), output, then)
        else:
            deliver(self.json() + "\n", output, then)


@phase(WRITING)
def deliver(text: str, output: Path | None, then: str | None = None) -> None:
    """Print the result, or write it whole or not at all, and say where it is.

    Parameters
    ----------
    text
        The result.
    output
        The file; None: stdout.
    then
        A command that takes the file, without ``altsel``, as ``"taxonomy {} heart.csv"``; empty: none does.
        None: say nothing.
    """
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with replacing(output) as part:
        part.write_text(text, encoding="utf-8", newline="")
    if then is None:
        return
    further = f"; next: altsel {then.format(shlex.quote(str(output)))}" if then else ""
    announce(f"written: {output}{further}")
