"""How help shows options: the panel that each is in, and what its value is called, in every command alike."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from enum import Enum
from inspect import cleandoc, isclass
from textwrap import wrap
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer.core import TyperCommand

from altsel.cli.entry_names import EntryName, Word
from altsel.cli.messages import told

PANELS: dict[str, dict[str, str]] = {
    "Question": {
        "target": "COLUMN",
        "k": "SIZE",
        "alternatives": "N",
        "tau": "SHARE",
        "explain_defaults": "",
        "dissimilarity": "NAME",
        "feature_file": "FILE",
        "alike": "R",
        "objective": "NAME",
        "measure": "NAME",
        "normalize": "",
        "ridge": "NUMBER",
        "given": "COLUMN",
        "expand": "NAME",
        "within": "SHARE",
        "within_absolute": "Q",
        "total": "NAME",
        "average": "",
        "penalty": "Q",
        "limit": "N",
        "best": "FILE",
        "number": "N",
        "dual": "",
        "sides": "",
        "tier": "COLUMNS",
        "hidden_causes": "",
        "beta": "Q",
        "delta": "Q",
        "capped": "",
        "plain": "",
        "points": "N",
        "thresholds": "N",
        "as_is": "COLUMN",
        "per_column": "N",
        "different_from": "FILE",
        "fdr": "SHARE",
        "plan": "FILE",
        "shared": "N",
    },
    "Rules": {
        "rules": "FILE",
        "include": "FEATURE",
        "exclude": "FEATURE",
        "require": "NAME",
        "forbid": "NAME",
        "signs": "NAME=SIGN",
    },
    "Tests and models": {
        "test": "NAME",
        "alpha": "P",
        "correct": "",
        "correction": "NAME",
        "level": "P",
        "sign_flips": "N",
        "margin": "SHARE",
        "all_pairs": "",
        "samples_per_cell": "N",
        "untestable": "NAME",
        "expected_counts": "",
        "estimator": "NAME",
        "scoring": "NAME",
        "cv": "N",
        "division": "NAME",
        "splits": "N",
        "knockoff": "NAME",
        "knockoffs": "NAME",
        "shuffles": "N",
        "flips": "N",
        "loss": "NAME",
    },
    "Search": {
        "start": "FILE",
        "known": "FILE",
        "search": "NAME",
        "method": "NAME",
        "template": "NAME",
        "learner": "NAME",
        "removal": "NAME",
        "pairs": "",
        "prune": "",
        "max_conditioning": "N",
        "max_tests": "N",
        "max_states": "N",
        "max_solutions": "N",
        "folds": "N",
        "part": "NAME",
        "nested": "",
        "permutations": "N",
        "resamples": "N",
        "select": "N",
        "draws": "N",
        "scheme": "NAME",
        "removals": "",
        "repeats": "N",
        "questions": "N",
        "most": "N",
        "library": "FOLDER",
        "retry_errors": "",
        "seed": "N",
        "jobs": "N",
        "store": "FILE",
    },
    "Data": {
        "data": "FILE",
        "answer": "FILE",
        "performance": "FILE",
        "stability": "FILE",
        "front": "FILE",
        "score_card": "FILE",
        "certificate": "FILE",
        "audit": "",
        "claim": "FILE",
        "task": "KIND",
        "table": "FILE",
        "other_data": "",
        "holdout": "SHARE",
        "holdout_data": "FILE",
        "groups": "COLUMN",
        "weights": "COLUMN",
        "offset": "COLUMN",
        "event": "COLUMN",
        "drop": "COLUMN",
        "keep": "COLUMN",
        "drop_missing": "",
        "missing": "NAME",
        "rows_lost": "SHARE",
        "most_missing": "SHARE",
        "unique_rows": "",
        "kind": "COLUMN=KIND",
        "na": "TOKEN",
        "sep": "SIGN",
        "decimal": "SIGN",
        "thousands": "SIGN",
        "skip_rows": "N",
        "sheet": "NAME",
        "encoding": "NAME",
        "bins": "N",
        "scan": "",
        "scan_bins": "N",
    },
    "Copies": {"group_copies": "", "group_above": "R"},
    "Solver": {
        "solver": "NAME",
        "profile": "NAME",
        "threads": "N",
        "tag": "NAME",
        "option": "NAME=VALUE",
        "time_limit": "SECONDS",
        "case_time_limit": "SECONDS",
        "prove": "NAME",
        "retest": "N",
        "file": "FILE",
        "explain": "FILE",
    },
    "Output": {
        "browser": "",
        "port": "N",
        "idle": "MINUTES",
        "format": "NAME",
        "output": "FILE",
        "language": "NAME",
        "write": "FILE",
        "write_plan": "FILE",
        "plot": "FILE",
        "title": "TEXT",
        "or_nodes": "",
        "savings": "",
        "quiet": "",
        "verbose": "",
    },
}
"""Panels in their order, the options in each, and one short word for the value; none for a switch."""
PLACES = {name: (panel, value) for panel, values in PANELS.items() for name, value in values.items()}
COMMAND_PANELS = {
    "look": "Look at a table",
    "study": "All at once",
    **dict.fromkeys(
        (
            "explore",
            "select",
            "near-optimal",
            "front",
            "blanket",
            "blankets",
            "rank",
            "discoveries",
            "score-card",
        ),
        "Search for sets",
    ),
    **dict.fromkeys(("export", "bench", "library", "solvers"), "Solvers"),
    "example": "To try it",
}
"""Panels of commands; the others look at what was found."""
LOOK = "Look at what was found"
WIDE = 72
"""Columns from which panels have room for names and explanations side by side."""


class PanelCommand(TyperCommand):
    """A command whose help groups its options, and stacks them where the terminal is narrow."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return ``--help``, in the last panel."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.rich_help_panel, option.metavar = "Output", ""
        return option

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and say at its end what it has taken, if that is wanted."""
        with told(bool(ctx.params.get("verbose"))):
            return super().invoke(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write help in panels, or one option below the other."""
        narrowed(self, formatter)
        super().format_help(ctx, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options of each panel below its name, as it is done without rich."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                panel = getattr(parameter, "rich_help_panel", None) or "Arguments"
                panels.setdefault(panel, []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                stacked(records, formatter)


def stacked(records: list[tuple[str, str]], formatter: Any) -> None:
    """Write names and what they are, one below the other."""
    for name, text in records:
        for part, spaces in ((name, 2), (text, 6)):
            indent = " " * spaces
            lines = wrap(part, formatter.width - spaces, break_on_hyphens=False)
            formatter.write("".join(f"{indent}{line}\n" for line in lines))


def narrowed(command: Any, formatter: Any) -> None:
    """Let a command write its help without panels where the terminal has no room for them."""
    columns = shutil.get_terminal_size().columns
    if columns < WIDE:
        command.rich_markup_mode = None
        formatter.width = columns


def joined(text: str) -> str:
    """Join each paragraph into one line, which help wraps itself."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))


def arranged(command: Any, function: Callable[..., Any]) -> Any:
    """Sort the options of a command into their panels, and name values and choices."""
    hints = get_type_hints(function, include_extras=True)
    order = {name: position for position, name in enumerate(PLACES, 1)}
    command.help = joined(command.help or "")
    for parameter in command.params:
        if parameter.param_type_name != "option":
            continue
        name = str(parameter.name)
        parameter.rich_help_panel, parameter.metavar = PLACES.get(name, (None, None))
        if words := choices(hints[name]):
            parameter.help = f"{parameter.help} One of {', '.join(words)}."
    command.params.sort(key=lambda one: 0 if one.param_type_name == "argument" else order.get(one.name, 0))
    return command


def choices(kind: Any) -> tuple[str, ...]:
    """Return the words that an option takes, if it takes words of a list."""
    if get_origin(kind) is Annotated:
        kind, declared = get_args(kind)[:2]
        if isinstance(names := getattr(declared, "parser", None), EntryName | Word):
            return tuple(names)
    if isclass(kind) and issubclass(kind, Enum):
        return tuple(str(member.value) for member in kind)
    return next((words for part in get_args(kind) if (words := choices(part))), ())
