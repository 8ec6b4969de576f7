"""Who may speak to the server: pages of its own address, with its token, a little at a time.

Pages of other sites can make a browser send requests to 127.0.0.1, and by a name of theirs that they point
there (DNS rebinding) even read the answers. So the name in ``Host`` has to be the server's own, ``Origin``
too, and what answers needs a token that no other page knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from secrets import token_urlsafe

MOST_BYTES = 1_000_000
"""Longest message."""
MOST_WAITING = 8
"""Messages that wait for an answer at a time."""
OWN = ("same-origin", "none")
"""What browsers say of requests of the page itself, and of an address that a reader has typed."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused, and its status in HTTP."""

    status: int
    why: str


@dataclass(frozen=True)
class Guard:
    """Checks requests.

    Parameters
    ----------
    port
        Port of the server.
    token
        What the page's address holds behind ``#``, which browsers do not send.
    """

    port: int
    token: str

    @classmethod
    def of(cls, port: int) -> Guard:
        """Build a guard with a token that cannot be guessed."""
        return cls(port, token_urlsafe(32))

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names by which the server may be called."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def refusal_of_address(self, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a request of any kind is refused; None if it is not.

        Examples
        --------
        >>> guard = Guard(8000, "secret")
        >>> guard.refusal_of_address({"host": "localhost:8000"})
        >>> guard.refusal_of_address({"host": "example.org:8000"}).status
        421
        """
        if headers.get("host") not in self.hosts:
            return Refusal(421, "this server has another name")
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.hosts}:
            return Refusal(403, "a page of another address may not speak to this server")
        if headers.get("sec-fetch-site", "none") not in OWN:
            return Refusal(403, "a page of another address may not speak to this server")
        return None

    def refusal_of_message(self, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a message is refused; None if it is not.

        Examples
        --------
        >>> told = {"authorization": "Bearer wrong", "content-type": "application/json"}
        >>> Guard(8000, "secret").refusal_of_message(told).status
        401
        """
        given = headers.get("authorization", "")
        if not compare_digest(given.encode("utf-8", "replace"), f"Bearer {self.token}".encode()):
            return Refusal(401, "open the address that the command has printed: this one lacks its token")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return Refusal(415, "messages are JSON")
        length = headers.get("content-length", "")
        if not length.isascii() or not length.isdigit():
            return Refusal(411, "say how long the message is")
        return Refusal(413, "the message is too long") if int(length[:12]) > MOST_BYTES else None
