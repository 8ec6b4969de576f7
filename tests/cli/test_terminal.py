"""What a terminal shows: width, panels, colour, progress, completion; and which stream gets what."""

from __future__ import annotations

import io
import logging
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli import messages
from altsel.cli.app import COMMANDS, app, main
from altsel.cli.messages import announce, columns_of, progress
from altsel.cli.output import laid_out
from altsel.cli.rendering import blanket_text, family_text, ranking_text, taxonomy_text
from altsel.results.fitting import shown_width
from tests.conftest import IONOSPHERE
from tests.display.shown_objects import everything

ASK = ["select", str(IONOSPHERE), "--target", "target", "-k", "5", "--measure", "absolute-pearson", "--quiet"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal of 40 columns that shows colour, to be stderr."""
    shown = Terminal()
    for name, value in (("COLUMNS", "40"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return shown


def called(monkeypatch: pytest.MonkeyPatch, out: io.StringIO, *arguments: str) -> str:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "argv", ["altsel", *arguments])
        with pytest.raises(SystemExit):
            main()
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_tables_fit_the_terminal_and_pipes_get_whole_lines(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = called(monkeypatch, Terminal(), *ASK, "--alternatives", "1")
    piped = called(monkeypatch, io.StringIO(), *ASK, "--alternatives", "1")
    assert max(len(line) for line in shown.splitlines() if " " in line.strip()) <= columns  # else a path
    assert len(piped.splitlines()) < len(shown.splitlines())  # the closing sentence is long
    letters = ["".join(re.sub(r"\d+\.\d\d s", "", text).split()) for text in (shown, piped)]
    assert sorted(letters[0]) == sorted(letters[1])


def shown_at_the_terminal() -> dict[str, Callable[[], str]]:
    """Return the text of every result of a command that is not searched for again here."""
    names = ["age", "mean fractal dimension", *(f"concentration of protein {j}" for j in range(8))]
    objects = everything(names, 3)
    blanket = replace(objects["Solutions"], sets=(objects["FeatureSet"],))
    ways = altsel.substitutions(objects["Solutions"])
    texts: dict[str, Callable[[], str]] = {
        kind: partial(str, objects[kind])
        for kind in (
            "Solutions",
            "Front",
            "MSG",
            "Equivalence",
            "Audit",
            "Performance",
            "Stability",
            "ImportanceRanges",
        )
    }
    return texts | {
        "taxonomy": partial(taxonomy_text, objects["Taxonomy"], ways),
        "blanket": partial(blanket_text, blanket),
        "blankets": partial(family_text, objects["Solutions"]),
        "rank": partial(ranking_text, blanket),
    }


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_every_result_fits_the_terminal_and_loses_no_letter(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for kind, text in shown_at_the_terminal().items():
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", Terminal())
            shown = laid_out(text)
        assert max(map(shown_width, shown.splitlines())) <= columns, kind
        assert not re.search(r"\bnan\b", shown), kind
        words = set(re.findall(r"\w+", text()))
        assert words <= set(re.findall(r"\w+", shown)), kind


def test_json_is_never_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = called(monkeypatch, Terminal(), *ASK, "--alternatives", "0", "--format", "csv")
    assert shown.startswith("set,features,")
    assert len(shown.splitlines()) == 2


@pytest.mark.slow
def test_results_go_to_stdout_and_all_else_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code, out, err in (
        ([*ASK, "--alternatives", "0"], 0, "set  features", "note: constant columns"),
        ([*ASK[:4], "-k", "0"], 2, "", "altsel: "),
        ([*ASK, "--alternatives", "8", "--tau", "1"], 3, "optimal", "proved infeasible"),
        (["solvers"], 0, "profile", "file: "),
        (["select"], 2, "", "Missing argument"),
    ):
        sys.argv = ["altsel", *arguments]
        with pytest.raises(SystemExit) as ended:
            main()
        streams = capsys.readouterr()
        assert (ended.value.code or 0) == code
        assert out in streams.out
        assert err in streams.err
        assert bool(streams.out) == bool(out)
        assert err not in streams.out


def test_colour_is_for_terminals_without_no_color(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    announce("altsel: no such file: a.csv")
    assert terminal.getvalue() == "\x1b[1;31maltsel:\x1b[0m no such file: a.csv\n"
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            terminal.truncate(terminal.seek(0))
            announce("note: " + "word " * 12)
            assert "\x1b" not in terminal.getvalue()
            assert max(map(len, terminal.getvalue().splitlines())) <= 40
    monkeypatch.setattr(sys, "stderr", piped := io.StringIO())
    announce("note: " + "word " * 12)
    assert piped.getvalue().count("\n") == 1
    assert "\x1b" not in piped.getvalue()


def test_progress_passes_on_a_terminal_and_is_gone_at_the_end(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress(quiet=False, patience=-1.0):
        logging.getLogger("altsel.runtime.progress").info("pairs: %d of 9, 3 a second, about 2 s left", 3)
        logging.getLogger("altsel.search").info("set 1 of 2: 3, optimal")
        logging.getLogger("altsel.runtime.progress").info("pairs: %d of 9, 3 a second", 6)
    first, second, *rest = terminal.getvalue().split(messages.ERASE)[1:]
    assert "pairs: 3 of 9, 3 a second" in first
    assert len(first) < 40
    assert second.endswith("set 1 of 2: 3, optimal\n")
    assert len(rest) == 2
    assert rest[1] == ""


def test_the_width_of_what_is_no_terminal_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    assert columns_of(io.StringIO()) is None
    assert columns_of(Terminal()) is None  # too narrow to be true
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert laid_out(lambda: "a word " * 30) == "a word " * 30


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_and_cuts_nothing(columns: int, name: str) -> None:
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1", "TERMINAL_WIDTH": None, "TERM": "dumb"}
    done = CliRunner().invoke(app, [*([name] if name else []), "--help"], env=environment)
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= columns
    assert "…" not in done.stdout
    assert "..." not in re.sub(r"(?i)\[args\]\.\.\.|\bdata\}?\.\.\.", "", done.stdout)
    assert "<bool>" not in done.stdout
    if name in {"select", "blankets"}:
        text = " ".join(done.stdout.replace("│", " ").split())
        assert "mutual-information, symmetric-uncertainty" in text or name == "blankets"
        assert "COLUMN=ordinal:low,mid,high" in text
        panels = [text.index(panel) for panel in ("Rules", "Search", "Data", "Solver", "Output")]
        assert panels == sorted(panels)


def test_the_tab_key_completes_commands_options_and_values() -> None:
    for words, wanted in (
        ("altsel near", "near-optimal"),
        ("altsel select --diss", "--dissimilarity"),
        ("altsel select --objective fc", "fcbf"),
    ):
        environment = {
            "_ALTSEL_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        }
        done = CliRunner().invoke(app, [], env=environment, prog_name="altsel")
        assert wanted in done.stdout.split(), (words, done.output)


def test_an_unknown_command_is_told_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    sys.argv = ["altsel", "selct"]
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "did you mean 'select'?" in capsys.readouterr().err
