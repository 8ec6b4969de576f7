"""The server of the explorer: listening on this machine alone, until Ctrl-C or until nobody uses it."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from typing import Any

from altsel.errors import ArgumentError, ConfigurationError
from altsel.exploring.guard import Guard
from altsel.exploring.process import Process
from altsel.exploring.server import Explorer, applications
from altsel.runtime.on_demand import OnDemand

uvicorn: Any = OnDemand("uvicorn")

LOOPBACK = "127.0.0.1"
IDLE = 3600.0
"""Seconds without a request after which the server ends; a page in sight sends one each minute."""
LOOK = 0.1
"""Seconds after which the server looks whether it is to end."""
MOST_CONNECTIONS = 64
"""Connections at a time."""


def serve(
    process: Process,
    title: str,
    *,
    port: int = 0,
    idle: float = IDLE,
    opened: Callable[[str], None] = print,
) -> None:
    """Serve the explorer until Ctrl-C, or until nobody has used it for long.

    Parameters
    ----------
    process
        Answers messages; it is ended with the server.
    title
        Title of the page.
    port
        Port; 0: one that is free.
    idle
        Seconds without a request after which it ends.
    opened
        Called with the address, token included, once the server listens.

    Raises
    ------
    ConfigurationError
        If the packages of the extra ``explore`` are not installed.
    ArgumentError
        If the port is taken, or none.
    """
    require_extra()
    with bound(port) as listening:
        guard = Guard.of(listening.getsockname()[1])
        explorer = Explorer(process, guard, title)
        server = server_of(explorer)
        try:
            asyncio.run(_until_idle(server, listening, explorer, idle, lambda: opened(_address(guard))))
        except KeyboardInterrupt:
            pass
        finally:
            process.close()


def server_of(explorer: Explorer) -> Any:
    """Return uvicorn's server of an explorer; it writes no log, and has few connections at a time."""
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    return uvicorn.Server(
        uvicorn.Config(
            explorer.app(),
            http="h11",
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=1,
        )
    )


async def _until_idle(
    server: Any, listening: socket.socket, explorer: Explorer, idle: float, opened: Callable[[], None]
) -> None:
    async def watch() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        opened()
        while time.monotonic() - explorer.last <= idle and not server.should_exit:
            await asyncio.sleep(min(idle / 4, LOOK))
        server.should_exit = True
        explorer.end()

    watching = asyncio.create_task(watch())
    await server.serve(sockets=[listening])
    watching.cancel()


def _address(guard: Guard) -> str:
    return f"http://{guard.hosts[0]}/#{guard.token}"


def bound(port: int) -> socket.socket:
    """Return a socket of this machine alone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((LOOPBACK, port))
    except (OSError, OverflowError) as fault:
        listening.close()
        raise ArgumentError(f"port {port} cannot be used: {fault}; leave it out for a free one") from fault
    return listening


def require_extra() -> None:
    """Refuse to serve without the packages that this takes.

    Raises
    ------
    ConfigurationError
        If they are not installed.
    """
    try:
        _ = uvicorn.Server, applications.Starlette
    except ImportError as fault:
        raise ConfigurationError(
            f'the explorer needs starlette and uvicorn ({fault}): pip install "altsel[explore]"'
        ) from fault
