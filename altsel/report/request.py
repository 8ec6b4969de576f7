"""What was requested of the search, and how anyone checks the answer."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from altsel.errors import printable
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.text import json_text

LONGEST = 2000
"""Characters of one value that are shown; the JSON holds all."""
OF_THE_PROBLEM = {"criterion", "data", "k", "rules", "across"}
SHORT_OPTIONS = {"k": "-k"}


def requested(found: Solutions, *, front: bool) -> dict[str, Any]:
    """Return what was requested, line by line, the command if one was given, and how to audit its answer.

    Parameters
    ----------
    found
        The solutions.
    front
        Whether they are the points of a front, which is audited by its command only.
    """
    request = dict(found.request)
    command = request.pop("command", None)
    if front:  # of a search on the way, whose known sets and tau mean nothing here
        request = {key: value for key, value in request.items() if key in OF_THE_PROBLEM}
    return {
        "asked": [
            [printable(str(key)), _shown(value)] for key, value in sorted(request.items()) if _said(value)
        ],
        "command": command_line(command),
        "audit": _audit(found, command, front),
    }


ON_BY_DEFAULT = {"group_copies", "or_nodes", "prune"}
"""Switches of commands that are on unless ``--no-…`` turns them off; the others have no such form."""


def command_line(command: Any) -> str | None:
    """Write a command that a request records as it was typed; None if it records none.

    Examples
    --------
    >>> command_line({"name": "select", "options": {"target": "my y", "k": "5", "normalize": True}})
    "altsel select DATA --target 'my y' -k 5 --normalize"
    """
    name = command.get("name") if isinstance(command, Mapping) else None
    options = command.get("options") if isinstance(command, Mapping) else None
    if not isinstance(name, str) or not isinstance(options, Mapping):
        return None
    words = ["altsel", name, "DATA"]
    for option, value in options.items():
        dashed = str(option).replace("_", "-")
        flag = SHORT_OPTIONS.get(dashed, f"--{dashed}")
        if isinstance(value, bool):
            words += [flag] if value else [flag.replace("--", "--no-", 1)] if option in ON_BY_DEFAULT else []
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [flag, str(one)]
    words += ["--rules", "RULES"] if "rules" in command else []
    words += ["--best", "COSTS"] if "costs" in command else []
    return printable(shlex.join(words))


def _audit(found: Solutions, command: Any, front: bool) -> str:
    if command_line(command) is not None:
        return "altsel audit FILE DATA"
    if front:
        return "altsel.pareto_front(problem, measure, solver=another)  # the same points, by another solver"
    if found.dual is not None:
        asked = "altsel.auditing.BlanketProblem(test, alpha)"
        return f"altsel.audit(altsel.Solutions.from_json(text), {asked})"
    if all(one.proof is Proof.TESTED for one in found):
        return "# the same search of the same data finds the same sets again"
    return "altsel.audit(altsel.Solutions.from_json(text), problem, diversity)"


def _said(value: Any) -> bool:
    return value is not None and value not in ([], (), {}, "")


def _shown(value: Any) -> str:
    """Write a value as JSON on one line, texts as they are, numbers rounded."""
    text = printable(value) if isinstance(value, str) else json_text(_rounded(value))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _rounded(value: Any) -> Any:
    """Round the floats in plain data to six digits."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, Mapping):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
