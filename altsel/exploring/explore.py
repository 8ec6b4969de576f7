"""The explorer, in the host that there is: a notebook's cell, or a browser."""

from __future__ import annotations

import sys
import webbrowser
from functools import partial
from typing import Any

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, no_negative, of_kind
from altsel.exploring.process import Process
from altsel.exploring.serving import IDLE, serve
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject
from altsel.models.problem import Problem

HOSTS = ("auto", "notebook", "browser")


def explore(
    subject: Dataset | Problem,
    *,
    data: Dataset | None = None,
    holdout: Dataset | None = None,
    host: str = "auto",
    open_browser: bool = True,
    idle: float = IDLE,
) -> Any:
    """Show the explorer: change the question by clicks, and see the best sets with proofs at once.

    Criterion, sizes, how different sets must be, rules and budgets are set in a page; `sequential`,
    `near_optimal`, `pareto_front`, `explain`, `performance` and `equivalence` answer, in a process of its
    own, which can be stopped. What is shown can be copied as Python or saved.

    Parameters
    ----------
    subject
        The rows; or a problem, whose criterion and rules then are given.
    data
        Rows of a problem, shape (rows, features), to judge its sets by.
    holdout
        Rows that no search sees: scores on them stand beside the others.
    host
        ``"notebook"``: return a widget, for Jupyter, VS Code and marimo; ``"browser"``: serve a page on this
        machine until Ctrl-C, or until it is not used; ``"auto"``: whichever there is.
    open_browser
        Whether a browser is opened; the address is printed in any case. It holds a secret: who has it may use
        the explorer.
    idle
        Seconds without use after which the server ends.

    Returns
    -------
    widget or None
        The widget of a notebook; None once the server has ended.

    Raises
    ------
    ArgumentError
        If an argument is of another kind, or what is explored cannot be sent to another process.
    ConfigurationError
        If what the host takes is not installed: ``pip install "altsel[explore]"`` or ``"altsel[notebook]"``.

    Examples
    --------
    >>> from altsel import Problem, Univariate, explore
    >>> problem = Problem(Univariate([3, 2, 1]), k=2)
    >>> explore(problem, host="terminal")
    Traceback (most recent call last):
    altsel.errors.ArgumentError: host='terminal'; use 'auto', 'notebook' or 'browser'
    """
    of_kind("subject", subject, Dataset | Problem, "an altsel.Dataset or an altsel.Problem")
    of_kind("data", data, Dataset | None, "an altsel.Dataset, or None")
    of_kind("holdout", holdout, Dataset | None, "an altsel.Dataset, or None")
    no_negative("idle", idle)
    if host not in HOSTS:
        raise ArgumentError(f"host={host!r}; use 'auto', 'notebook' or 'browser'")
    if isinstance(subject, Dataset):
        if data is not None:
            raise ArgumentError("data= goes with a problem: the rows are given already")
        explored = Subject(subject, held=holdout)
    else:
        explored = Subject(data, subject, holdout)
    if host == "notebook" or (host == "auto" and _in_notebook()):
        from altsel.exploring.widget import widget  # noqa: PLC0415  (anywidget is an extra)

        return widget(explored)
    shown = partial(_opened, open_browser=open_browser)
    serve(Process(partial(Session, explored)), title_of(explored), idle=idle, opened=shown)
    return None


def title_of(subject: Subject) -> str:
    """Return the title of a page.

    Examples
    --------
    >>> from altsel import Problem, Univariate
    >>> title_of(Subject(problem=Problem(Univariate([3, 2, 1]), k=2)))
    'Feature sets'
    """
    return "Feature sets" + (f" for {subject.target}" if subject.target else "")


def _opened(address: str, open_browser: bool) -> None:
    print(f"{address}\nCtrl-C ends it.", flush=True)
    if open_browser:
        webbrowser.open(address)


def _in_notebook() -> bool:
    """Return whether a kernel of Jupyter, or marimo, runs this."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    if running is not None and type(running).__name__ == "ZMQInteractiveShell":
        return True
    marimo = sys.modules.get("marimo")
    return bool(marimo is not None and marimo.running_in_notebook())
