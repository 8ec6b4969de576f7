"""Find the best feature sets, alternatives to them and all Markov blankets, each with what was proved.

Results go to stdout, notes and progress to stderr. Exit codes: 0 done and proved; 1 failure;
2 wrong usage or configuration; 3 proved infeasible; 4 a limit was reached, with what was found
until then; 130 interrupted, 143 terminated.

Tables fit the width of a terminal; files and pipes get whole lines. NO_COLOR turns colour off.
altsel --install-completion makes the Tab key complete commands, options and their values (bash, zsh,
fish, PowerShell), from the next shell on; --show-completion prints the script instead.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from altsel._version import __version__
from altsel.cli.empty_paths import refuse_empty_paths
from altsel.cli.messages import announce, note
from altsel.cli.panels import COMMAND_PANELS, LOOK, PanelCommand, arranged, joined, narrowed, stacked
from altsel.errors import AltselError, DataWarning, FalseDiscoveryWarning, PluginWarning, did_you_mean
from altsel.runtime import console
from altsel.runtime.clock import OutOfTimeError
from altsel.runtime.phases import Account, accounted

YOUNG = 20_000
"""New objects after which garbage is looked for: imports alone make 200,000, which stay, and each look at
them takes longer."""
COMMANDS = {
    "look": (
        "look",
        "Look at a table before a search: all that is odd about it, with the options that fix it.",
    ),
    "explore": (
        "explore",
        "Change the question by clicks, and see the best sets with proofs at once, in a browser.",
    ),
    "study": (
        "study",
        "Make a whole study of a table: look, tune within folds, correct the best, compare, and report.",
    ),
    "select": ("select", "Find the best feature set and its best alternatives, with proofs."),
    "near-optimal": (
        "tradeoffs",
        "List all sets that are nearly as good as the best, with the proof that there are no others.",
    ),
    "front": (
        "tradeoffs",
        "Show what it costs an alternative to differ from the best set: the exact front, point by point.",
    ),
    "blanket": (
        "blanket",
        "Find the Markov blanket of the target: the features that make all others superfluous.",
    ),
    "blankets": (
        "blankets",
        "Find all Markov blankets of the target: the sets that explain it as well as each other.",
    ),
    "rank": ("rank", "Rank features by a greedy criterion: relevance, less redundancy."),
    "discoveries": (
        "discoveries",
        "Select features of which at most a share is false, with e- and q-values, by knockoffs.",
    ),
    "score-card": (
        "score_card",
        "Give integer points to a few features, whose sum tells the risk; proved, or with a bound.",
    ),
    "equivalence": (
        "analyse",
        "Test which solutions are equivalent: as good in prediction, and as informative.",
    ),
    "taxonomy": (
        "analyse",
        "Show which features are indispensable, replaceable (and by what), redundant or irrelevant.",
    ),
    "importance-range": (
        "importance_range",
        "Show in how many near-optimal sets each feature is, and what it costs to give it up.",
    ),
    "performance": (
        "performance",
        "Score models by every set on the same folds or other rows, beside all features and chance.",
    ),
    "stability": (
        "stability",
        "Repeat the search of a file on resampled rows, and measure how much of what it selects stays.",
    ),
    "graph": (
        "analyse",
        "Draw all solutions as one compact graph; every path from start to target is a solution.",
    ),
    "report": (
        "report",
        "Write one page that shows the sets and all that is known of them, for any browser.",
    ),
    "audit": ("audit", "Check what a file of solutions claims, without trusting how it was found."),
    "certificate-checker": (
        "certified",
        "Print the program that checks certificates: one file, which needs nothing but its language.",
    ),
    "export": (
        "export",
        "Write a question for other software (LP, MPS, QUBO, plain numbers), or judge the answer to it.",
    ),
    "bench": (
        "bench",
        "Benchmark solvers, searches and criteria on your data: every combination of what is listed.",
    ),
    "library": (
        "library",
        "Make questions with proved optima for developers of solvers, and compare answers with them.",
    ),
    "solvers": (
        "solvers",
        "List every solver profile: found or not, version, limits and what it can do.",
    ),
    "example": ("example", "Print the path of a table that comes with altsel, to try commands on."),
}
"""Module and first line of each command: help is shown without importing them."""


class Command(TyperCommand):
    """A command whose module is imported when it is called."""

    @property
    def function(self) -> Any:
        """What it calls; imports the module."""
        name = str(self.name)
        return getattr(import_module(f"altsel.cli.{COMMANDS[name][0]}"), name.replace("-", "_"))

    def real(self) -> Any:
        """Build the command of its function."""
        name, function = str(self.name), self.function
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name, cls=PanelCommand)(function)
        return arranged(typer.main.get_command(alone), function)

    def make_context(self, info_name: Any, args: Any, *given: Any, **more: Any) -> Any:
        """Parse the arguments of the real command."""
        made = self.real()
        refuse_empty_paths(made, self.function, args)
        return made.make_context(info_name, args, *given, **more)


class Commands(TyperGroup):
    """The commands of `COMMANDS`."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write help in panels, or one command below the other on a narrow terminal."""
        narrowed(self, formatter)
        super().format_help(ctx, formatter)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options, all of them switches, whose value needs no name."""
        params: list[Any] = super().get_params(ctx)
        for param in params:
            param.metavar = ""
        return params

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write what each command does, whole, as it is done without rich."""
        del ctx
        with formatter.section("Commands"):
            stacked([(name, help_) for name, (_, help_) in COMMANDS.items()], formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command, or refuse an unknown one with the nearest there is."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Call the command; say that it was interrupted, of which typer makes an exit code without a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            announce("interrupted")
            raise typer.Exit(130) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, in the order in which they are shown."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, not yet imported."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        panel = COMMAND_PANELS.get(cmd_name, LOOK)
        return Command(cmd_name, help=COMMANDS[cmd_name][1], rich_help_panel=panel)


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False, help=joined(__doc__))


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"altsel {__version__}")
        raise typer.Exit


class _Notes:
    """Prints warnings as notes, each once: searches are repeated, as for other sizes."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def __call__(self, message: Any, *_: Any, **__: Any) -> None:
        if str(message) not in self.said:
            self.said.add(str(message))
            note(message)


STOPPING = ("SIGTERM", "SIGBREAK")
"""Signals that end the command, of which Windows sends the second: Ctrl-Break, a console that is closed."""


class _Terminated:
    """Takes SIGTERM for Ctrl-C, and remembers that it came: what was found is kept, the exit code is 143."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.came = True
        raise KeyboardInterrupt


def main() -> None:
    """Run the command line; every error of altsel is one line on stderr."""
    gc.set_threshold(YOUNG)
    # Arrow's own allocator begins with a gigabyte of addresses, which a limit on these (ulimit -v) counts.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    terminated = _Terminated()
    console.prepare()
    with suppress(ValueError):  # only the main thread takes signals
        for name in STOPPING:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), terminated)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        warnings.simplefilter("always", FalseDiscoveryWarning)
        warnings.simplefilter("always", PluginWarning)
        warnings.filterwarnings("always", ".* will not be in altsel", FutureWarning)
        warnings.showwarning = _Notes()
        try:
            with accounted(Account.of_process()):
                app()
        except AltselError as fault:
            announce(f"altsel: {fault}")
            sys.exit(fault.exit_code)
        except OutOfTimeError:
            announce("altsel: time was up before anything was found; raise --time-limit")
            sys.exit(1)
        except KeyboardInterrupt:
            announce("interrupted")
            sys.exit(143 if terminated.came else 130)
        except SystemExit as ended:
            if terminated.came and ended.code not in {0, None}:
                sys.exit(143)
            raise
        except OSError as fault:
            if not console.is_closed_pipe(fault):
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
