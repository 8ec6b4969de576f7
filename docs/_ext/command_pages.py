"""The reference of the command line, one page a command, from the functions that Typer makes commands of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from sphinx.application import Sphinx
from typer.models import ArgumentInfo, OptionInfo

from altsel.cli import app as command_line
from altsel.cli.panels import PLACES


@dataclass(frozen=True)
class Parameter:
    """An argument or option of a command, in words."""

    names: str
    panel: str
    choices: tuple[str, ...]
    default: str
    help: str


def parameters(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Read the arguments and options of a command."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *extra = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        info = next((one for one in extra if isinstance(one, ArgumentInfo | OptionInfo)), None)
        if info is None or info.hidden:
            continue
        panel = "Arguments" if isinstance(info, ArgumentInfo) else PLACES[name][0]
        yield Parameter(
            spelt(name, kind, info, parameter.default is True),
            panel,
            choices(kind),
            default(parameter),
            info.help or "",
        )


def spelt(name: str, kind: Any, info: Any, on: bool) -> str:
    """Write the ways to spell a parameter, with what follows it."""
    if isinstance(info, ArgumentInfo):
        return f"`{info.metavar or name.upper()}`"
    dashed = name.replace("_", "-")
    given = [one for one in (info.default, *(info.param_decls or ())) if isinstance(one, str)]
    ways = [way for one in given for way in one.split("/") if way.startswith("-")]
    if not ways:
        ways = [f"--{dashed}", f"--no-{dashed}"] if kind is bool and on else [f"--{dashed}"]
    value = "" if kind is bool else f" {PLACES[name][1]}"
    return ", ".join(f"`{way}{value}`" for way in ways)


def choices(kind: Any) -> tuple[str, ...]:
    """Return the words that a parameter takes, if it takes words of a list."""
    kinds = [kind, *get_args(kind), *(inner for outer in get_args(kind) for inner in get_args(outer))]
    enums = [one for one in kinds if inspect.isclass(one) and issubclass(one, Enum)]
    return tuple(str(member.value) for one in enums for member in one)


def default(parameter: inspect.Parameter) -> str:
    """Write the default; empty if there is none to speak of."""
    if parameter.default is parameter.empty:
        return "required"
    value = parameter.default.value if isinstance(parameter.default, Enum) else parameter.default
    return "" if value is None or isinstance(value, bool) or value in ([], ()) else str(value)


def in_markdown(words: str) -> str:
    """Escape what Markdown takes for itself, and set options as code: no dash becomes another."""
    escaped = re.sub(r"([<>*_\[\]])", r"\\\1", words)
    return re.sub(r"(?<![\w`-])(--?[a-z][a-z-]*)", r"`\1`", escaped)


def page(name: str) -> str:
    """Write the page of a command."""
    module, _ = command_line.COMMANDS[name]
    function = getattr(import_module(f"altsel.cli.{module}"), name.replace("-", "_"))
    prose = re.sub(
        r"^(Example[^:]*): (altsel .*)$", r"```\n\2\n```", inspect.getdoc(function) or "", flags=re.M
    )
    lines = [f"# altsel {name}", "", prose.replace("\b", ""), ""]
    listed = list(parameters(function))
    for panel in dict.fromkeys(one.panel for one in listed):
        lines += [f"## {panel}", ""]
        for one in (each for each in listed if each.panel == panel):
            words = [f"One of {', '.join(f'`{word}`' for word in one.choices)}."] if one.choices else []
            words += ["Required." if one.default == "required" else f"Default: `{one.default}`."] * bool(
                one.default
            )
            text = " ".join([in_markdown(one.help), *words])
            lines += [one.names, f": {text}", ""]
    return "\n".join(lines)


def write(app: Sphinx) -> None:
    """Write all pages, and the page that lists them."""
    folder = Path(app.srcdir) / "reference" / "commands"
    folder.mkdir(parents=True, exist_ok=True)
    commands = command_line.COMMANDS
    for name in commands:
        put(folder / f"{name}.md", page(name))
    rows = [f"| [`altsel {name}`]({name}.md) | {short} |" for name, (_, short) in commands.items()]
    head = [
        "# Command line",
        "",
        inspect.getdoc(command_line) or "",
        "",
        "| command | what it does |",
        "|---|---|",
    ]
    put(
        folder / "index.md",
        "\n".join([*head, *rows, "", "```{toctree}", ":hidden:", "", *commands, "```", ""]),
    )


def put(path: Path, text: str) -> None:
    """Write a page, unless it is there as it is: what is older need not be read again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before any is read."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
