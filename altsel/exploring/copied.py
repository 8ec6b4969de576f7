"""The question as code that gives the same answer, and the answer as files."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altsel.errors import ArgumentError
from altsel.exploring.code import command_text, python_text, rules_text
from altsel.exploring.problems import dissimilarity_of
from altsel.exploring.settings import Settings
from altsel.exploring.tradeoffs import near_found

if TYPE_CHECKING:
    from altsel.exploring.session import Session

FORMS = ("json", "near", "rules", "report", "certificate")
"""What can be saved."""


def copied(session: Session, settings: Settings) -> dict[str, Any]:
    """Return the question as Python, as a command, and its rules as TOML."""
    return {
        "python": python_text(session.subject, settings),
        "command": command_text(session.subject, settings),
        "rules": rules_text(settings),
    }


def saved(session: Session, settings: Settings, message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the name and the text of a file, by its ``form``.

    Raises
    ------
    ArgumentError
        If there is no such form, or nothing to save.
    """
    form = message.get("form")
    if form not in FORMS:
        raise ArgumentError(f"form={form!r:.40}; use one of {', '.join(FORMS)}")
    if form == "rules":
        return {"name": "rules.toml", "text": rules_text(settings), "type": "application/toml"}
    if form == "near":
        return _json("near.json", near_found(session, settings).to_json())
    found = session.found(settings)
    if form == "json":
        return _json("found.json", found.to_json())
    if not found.sets:
        raise ArgumentError("there is no set to save")
    with tempfile.TemporaryDirectory() as folder:
        if form == "report":
            path = found.report(Path(folder) / "report.html", session.subject.data)
            return {"name": "report.html", "text": path.read_text(encoding="utf-8"), "type": "text/html"}
        path = Path(folder) / "found.proof.json"
        problem = session.problems.of(settings).problem
        found.answering(problem, dissimilarity_of(settings)).certificate(path, problem)
        return _json("found.proof.json", path.read_text(encoding="utf-8"))


def _json(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "text": text, "type": "application/json"}
