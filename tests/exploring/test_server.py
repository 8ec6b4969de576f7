"""The server, attacked: other names, pages of other addresses, wrong tokens, paths, lengths, floods."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from altsel.errors import ArgumentError, ConfigurationError
from altsel.exploring import serving
from altsel.exploring.guard import MOST_BYTES, MOST_WAITING, Guard
from altsel.exploring.server import Explorer
from altsel.exploring.serving import bound, require_extra, serve, server_of
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject
from tests.exploring.tables import InThread, data, one_by_one

pytest.importorskip("uvicorn", reason='the extra: pip install "altsel[explore]"')


class Served:
    """A server on this machine, in a thread, and what may be sent to it."""

    def __init__(self, handle: Any) -> None:
        self.process = InThread(handle)
        self.listening = bound(0)
        self.guard = Guard.of(self.listening.getsockname()[1])
        process: Any = self.process
        self.server = server_of(Explorer(process, self.guard, "<b>title"))
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.005)

    def _run(self) -> None:
        asyncio.run(self.server.serve(sockets=[self.listening]))

    def close(self) -> None:
        """End it."""
        self.server.should_exit = True
        self.thread.join(10)
        self.listening.close()

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> tuple[int, str, http.client.HTTPMessage]:
        """Send a request with the headers of the page, but for those given; None leaves one out."""
        own = {
            "Host": self.guard.hosts[0],
            "Origin": f"http://{self.guard.hosts[0]}",
            "Authorization": f"Bearer {self.guard.token}",
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.guard.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in own.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None and "Content_Length" not in headers:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, answer.headers

    def message(self, message: Any, ticket: str = "one", **headers: str | None) -> tuple[int, str]:
        """Send a message of the page."""
        body = json.dumps({"ticket": ticket, "message": message}).encode()
        status, text, _ = self.request("POST", "/answer", body, **headers)
        return status, text


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    made = Served(one_by_one(Session(Subject(data()))))
    yield made
    made.close()


def test_the_page_is_all_that_is_shown_without_a_token(served: Served) -> None:
    status, text, headers = served.request("GET", "/", Authorization=None, Origin=None)
    assert status == 200
    assert "&lt;b&gt;title" in text
    assert "f0" not in re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.DOTALL)
    assert served.guard.token not in text
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "default-src 'none'" in text
    assert "server" not in {name.lower() for name in headers}


def test_a_message_is_answered_by_lines_of_json(served: Served) -> None:
    status, text = served.message({"do": "sets", "settings": {"smallest": 2, "largest": 2}})
    lines = [json.loads(line) for line in text.splitlines()]
    assert status == 200
    assert len(lines[-1]["answer"]["sets"]) == 6
    assert all("said" in line for line in lines[:-1])


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]", "", None])
@pytest.mark.parametrize("path", ["/", "/answer", "/none"])
def test_another_name_is_refused(served: Served, host: str | None, path: str) -> None:
    """A site that points a name of its own to 127.0.0.1 gets nothing, whatever else it knows."""
    method = "GET" if path != "/answer" else "POST"
    body = b"{}" if path == "/answer" else None
    status, text, _ = served.request(method, path, body, Host=host)
    assert status == (400 if host is None else 421)
    assert "explorer" not in text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Origin": None},
    ],
)
@pytest.mark.parametrize("path", ["/", "/answer", "/stop", "/here"])
def test_a_page_of_another_address_is_refused(
    served: Served, headers: dict[str, str | None], path: str
) -> None:
    method, body = ("GET", None) if path == "/" else ("POST", b"{}")
    assert served.request(method, path, body, **headers)[0] == 403


@pytest.mark.parametrize("path", ["/answer", "/stop", "/here"])
@pytest.mark.parametrize(
    "token", [None, "", "Bearer ", "Bearer wrong", "Bearer \xe9", "Basic {token}", "{token}"]
)
def test_a_wrong_token_is_refused(served: Served, path: str, token: str | None) -> None:
    given = None if token is None else token.replace("{token}", served.guard.token)
    status, text, _ = served.request("POST", path, b'{"ticket": "x"}', Authorization=given)
    assert status == 401
    assert "token" in text


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/explorer.js",
        "/script/explorer.js",
        "/static/..\\..\\x",
        "/answer/../",
        "http://example.org/",
        "*",
    ],
)
def test_there_are_no_other_pages(served: Served, path: str) -> None:
    status, text, _ = served.request("GET", path)
    assert status == 404
    assert "root" not in text


def test_forms_of_other_sites_and_other_methods_are_refused(served: Served) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        assert served.request("POST", "/answer", b"{}", Content_Type=kind)[0] == 415
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "TRACE"):
        assert served.request(method, "/answer")[0] == 404
    _, _, headers = served.request("OPTIONS", "/answer", Origin=None)
    assert not [name for name in headers if name.lower().startswith("access-control")]


def test_long_and_broken_messages_are_refused(served: Served) -> None:
    assert served.request("POST", "/answer", b"x" * (MOST_BYTES + 1))[0] == 413
    assert served.request("POST", "/answer", b"{}", Content_Length=None)[0] == 411
    for length in ("-1", "1e9", "9" * 400):
        assert served.request("POST", "/answer", None, Content_Length=length)[0] in {400, 411, 413}
    for body in (b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'"x"'):
        assert served.request("POST", "/answer", body)[0] == 400
    for ticket in (None, 3, "", "x" * 65):
        status, _, _ = served.request("POST", "/answer", json.dumps({"ticket": ticket}).encode())
        assert status == (200 if ticket == "" else 400)
    assert served.message({"do": "start"})[0] == 200


def test_hostile_messages_are_answered_by_a_fault(served: Served) -> None:
    messages: list[Any] = [None, [], "x", {"do": {}}, {"do": "sets", "settings": {"rules": {"budget": "x"}}}]
    for message in messages:
        status, text = served.message(message)
        assert (status, "fault" in json.loads(text.splitlines()[-1])) == (200, True)


def test_a_flood_is_bounded_and_a_reader_who_leaves_stops_the_search() -> None:
    go_on = threading.Event()

    def handle(message: Any, tell: Any) -> dict[str, Any]:
        tell({"message": "searching"})
        go_on.wait(60)
        return {"answer": message}

    served = Served(handle)
    try:
        body = [json.dumps({"ticket": f"t{j}", "message": j}).encode() for j in range(MOST_WAITING + 1)]
        heads = (
            f"POST /answer HTTP/1.1\r\nHost: {served.guard.hosts[0]}\r\nContent-Type: application/json\r\n"
        )
        heads += f"Authorization: Bearer {served.guard.token}\r\nContent-Length: "
        readers = []
        for one in body[:-1]:
            reader = socket.create_connection(("127.0.0.1", served.guard.port), timeout=60)
            reader.sendall(f"{heads}{len(one)}\r\n\r\n".encode() + one)
            text = b""
            while b"searching" not in text:
                text += reader.recv(65536)
            readers.append(reader)
        assert served.request("POST", "/answer", body[-1])[0] == 429
        status, _, _ = served.request("POST", "/stop", b'{"ticket": "t1"}')
        assert (status, served.process.stopped) == (204, [1])
        readers[0].close()
        until = time.monotonic() + 60
        while 0 not in served.process.stopped and time.monotonic() < until:
            time.sleep(0.01)
        assert 0 in served.process.stopped
        go_on.set()
        while served.request("POST", "/answer", body[-1])[0] == 429 and time.monotonic() < until:
            time.sleep(0.01)
        for reader in readers:
            reader.close()
    finally:
        go_on.set()
        served.close()


def test_it_listens_on_this_machine_alone(served: Served) -> None:
    assert served.listening.getsockname()[0] == "127.0.0.1"
    for address in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}:
        if not str(address).startswith("127."):
            with pytest.raises(OSError, match=r".*"):
                socket.create_connection((str(address), served.guard.port), timeout=5)


def test_it_ends_when_nobody_uses_it(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []
    process: Any = InThread(one_by_one(Session(Subject(data()))))
    serve(process, "title", idle=0.05, opened=shown.append)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#[\w-]{43}", shown[0])
    assert capsys.readouterr() == ("", "")


def test_a_port_that_is_taken_is_one_error(served: Served) -> None:
    with pytest.raises(ArgumentError, match="cannot be used"):
        bound(served.guard.port)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    class Absent:
        def __getattr__(self, name: str) -> Any:
            raise ImportError("No module named 'uvicorn'")

    monkeypatch.setattr(serving, "uvicorn", Absent())
    with pytest.raises(ConfigurationError, match=r'pip install "altsel\[explore\]"'):
        require_extra()
