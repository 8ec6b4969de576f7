"""The explorer in a cell of a notebook: the same script, whose messages a kernel carries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

from altsel.errors import ConfigurationError
from altsel.exploring.guard import MOST_WAITING
from altsel.exploring.page import script, style
from altsel.exploring.process import Process
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject
from altsel.runtime.on_demand import OnDemand

anywidget: Any = OnDemand("anywidget")


class Messages:
    """Carries messages of a widget to a process, and what comes back.

    Parameters
    ----------
    process
        Answers messages.
    send
        Sends plain data to the page.
    """

    def __init__(self, process: Process, send: Any) -> None:
        self._process, self._send = process, send
        self._numbers: dict[str, int] = {}

    def receive(self, widget: object, content: Any, buffers: object) -> None:
        """Take what the page sends: a message with a ticket, or a ticket that is to be stopped."""
        del widget, buffers
        if not isinstance(content, Mapping):
            return
        if "stop" in content:
            number = self._numbers.get(str(content["stop"]))
            if number is not None:
                self._process.stop(number)
            return
        ticket = str(content.get("ticket"))
        if len(self._numbers) >= MOST_WAITING or ticket in self._numbers:
            fault = {"kind": "host", "message": "too many messages wait for an answer"}
            self._send({"ticket": ticket, "event": {"fault": fault}})
            return
        number = self._numbers[ticket] = self._process.number()
        self._process.send(content.get("message"), partial(self._answered, ticket), number)

    def _answered(self, ticket: str, event: dict[str, Any]) -> None:
        if "said" not in event:
            self._numbers.pop(ticket, None)
        self._send({"ticket": ticket, "event": event})


def module() -> str:
    """Return the script as a module whose default export renders a widget.

    Examples
    --------
    >>> "export default" in module()
    True
    """
    host = (files("altsel.exploring") / "script" / "widget.js").read_text(encoding="utf-8")
    return f"{script()}const STYLE = {json.dumps(style())};\n{host}"


@cache
def _widget_class() -> Any:
    try:
        base: Any = anywidget.AnyWidget
    except ImportError as fault:
        raise ConfigurationError(
            f'the explorer of a notebook needs anywidget ({fault}): pip install "altsel[notebook]"'
        ) from fault

    class Explorer(base):  # type: ignore[misc]
        """The explorer of one subject; its process ends with it."""

        _esm = module()

        def __init__(self, subject: Subject) -> None:
            super().__init__()
            self.process = Process(partial(Session, subject))
            self.messages = Messages(self.process, self.send)
            self.on_msg(self.messages.receive)

        def close(self) -> None:
            """End the process, and take the widget away."""
            self.process.close()
            super().close()

    return Explorer


def widget(subject: Subject) -> Any:
    """Return the widget of a subject.

    Raises
    ------
    ConfigurationError
        If anywidget is not installed.
    """
    return _widget_class()(subject)
