"""The explorer in a browser: one page and its answers, on this machine alone, for one reader."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from altsel.exploring.guard import MOST_BYTES, MOST_WAITING, Guard, Refusal
from altsel.exploring.page import HEADERS, page
from altsel.exploring.process import Process
from altsel.runtime.on_demand import OnDemand

responses: Any = OnDemand("starlette.responses")
routing: Any = OnDemand("starlette.routing")
applications: Any = OnDemand("starlette.applications")

LONGEST_TICKET = 64
"""Characters of what names a message."""
Answer = Callable[[Any], Awaitable[Any]]


class Explorer:
    """What the server answers, request by request.

    Parameters
    ----------
    process
        Answers messages.
    guard
        Says who may send them.
    title
        Title of the page.
    """

    def __init__(self, process: Process, guard: Guard, title: str) -> None:
        self._process, self._guard = process, guard
        self._page = page(title)
        self._tickets: dict[str, int] = {}
        self._events: dict[str, asyncio.Queue[dict[str, Any]]] = {}
        self.last = time.monotonic()

    def app(self) -> Any:
        """Build the application: four addresses, and nothing else."""
        return applications.Starlette(
            routes=[
                routing.Route("/", self._guarded(self._shown), methods=["GET"]),
                routing.Route("/answer", self._guarded(self._message(self._answer)), methods=["POST"]),
                routing.Route("/stop", self._guarded(self._message(self._stop)), methods=["POST"]),
                routing.Route("/here", self._guarded(self._message(self._here)), methods=["POST"]),
            ],
            exception_handlers={404: self._missing, 405: self._missing},
        )

    def _guarded(self, answer: Answer) -> Answer:
        async def guarded(request: Any) -> Any:
            refusal = self._guard.refusal_of_address(request.headers)
            return _refused(refusal) if refusal is not None else await answer(request)

        return guarded

    def _message(self, answer: Callable[[dict[str, Any]], Awaitable[Any]]) -> Answer:
        """Check a message before it is read, and read no more of it than it may have."""

        async def checked(request: Any) -> Any:
            refusal = self._guard.refusal_of_message(request.headers)
            if refusal is not None:
                return _refused(refusal)
            self.last = time.monotonic()
            text = bytearray()
            async for part in request.stream():
                text += part
                if len(text) > MOST_BYTES:
                    return _refused(Refusal(413, "the message is too long"))
            try:
                given = json.loads(bytes(text))
            except (ValueError, RecursionError):
                return _refused(Refusal(400, "the message is no JSON"))
            if not isinstance(given, dict):
                return _refused(Refusal(400, "a message is a table of names and values"))
            return await answer(given)

        return checked

    async def _missing(self, request: Any, fault: Any) -> Any:
        del fault
        refusal = self._guard.refusal_of_address(request.headers)
        return _refused(refusal or Refusal(404, "there is no such page"))

    async def _shown(self, request: Any) -> Any:
        del request
        return responses.HTMLResponse(self._page, headers=HEADERS)

    async def _here(self, given: dict[str, Any]) -> Any:
        del given
        return responses.Response(status_code=204, headers=HEADERS)

    async def _stop(self, given: dict[str, Any]) -> Any:
        number = self._tickets.get(str(given.get("ticket")))
        if number is not None:
            await asyncio.to_thread(self._process.stop, number)
        return responses.Response(status_code=204, headers=HEADERS)

    async def _answer(self, given: dict[str, Any]) -> Any:
        ticket = given.get("ticket")
        if not isinstance(ticket, str) or len(ticket) > LONGEST_TICKET or ticket in self._tickets:
            return _refused(Refusal(400, "a message needs a ticket of its own"))
        if len(self._tickets) >= MOST_WAITING:
            return _refused(Refusal(429, "too many messages wait for an answer"))
        loop, events = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any]]()

        def received(event: dict[str, Any]) -> None:
            if "said" not in event:
                self._tickets.pop(ticket, None)
                self.last = time.monotonic()
            events.put_nowait(event)

        def receive(event: dict[str, Any]) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(received, event)

        self._events[ticket] = events
        number = self._tickets[ticket] = self._process.number()
        await asyncio.to_thread(self._process.send, given.get("message"), receive, number)
        lines = self._lines(ticket, events)
        return responses.StreamingResponse(lines, media_type="application/x-ndjson", headers=HEADERS)

    def end(self) -> None:
        """Answer all who wait that the explorer ends."""
        for events in self._events.values():
            events.put_nowait({"fault": {"kind": "ended", "message": "the explorer has ended"}})

    async def _lines(self, ticket: str, events: asyncio.Queue[dict[str, Any]]) -> AsyncIterator[str]:
        """Yield what is said, a line of JSON each, and the answer last; stop it if the reader has gone."""
        try:
            while "said" in (event := await events.get()):
                yield f"{json.dumps(event)}\n"
            yield f"{json.dumps(event)}\n"
        finally:
            self._events.pop(ticket, None)
            number = self._tickets.get(ticket)
            if number is not None:  # there is no answer yet
                self._process.stop(number)


def _refused(refusal: Refusal) -> Any:
    return responses.PlainTextResponse(f"{refusal.why}\n", refusal.status, headers=HEADERS)
