"""The explorer of a notebook: its messages, and its module in a real browser."""

from __future__ import annotations

import shutil
import threading
from typing import Any

import pytest

import altsel
from altsel.errors import ConfigurationError
from altsel.exploring import widget as cells
from altsel.exploring.guard import MOST_WAITING
from altsel.exploring.session import Session
from altsel.exploring.subject import Subject
from altsel.exploring.widget import Messages, module
from tests.exploring.tables import InThread, data

PAGE = """async ([text, places]) => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const widget = (await import(url)).default;
    for (let k = 0; k < places; k += 1) {
        const listeners = [], place = document.createElement("div");
        document.body.append(place);
        const send = async (content) => {
            if (content.stop) return;
            const event = await window.kernel(content.message);
            listeners.forEach(one => one({ ticket: content.ticket, event }));
        };
        widget.render({ model: { send, on: (_, one) => listeners.push(one), off: () => {} }, el: place });
    }
}"""


class Waiting(InThread):
    """Answers when it is told to."""

    def __init__(self) -> None:
        super().__init__(self._handle_later)
        self.go_on = threading.Event()

    def _handle_later(self, message: Any, tell: Any) -> dict[str, Any]:
        self.go_on.wait(60)
        return {"answer": message}


def test_messages_are_answered_by_their_tickets() -> None:
    process, sent, done = Waiting(), list[Any](), threading.Event()
    carried: Any = process

    def send(content: Any) -> None:
        sent.append(content)
        if len(sent) == MOST_WAITING + 2:
            done.set()

    messages = Messages(carried, send)
    for j in range(MOST_WAITING + 1):
        messages.receive(None, {"ticket": f"t{j}", "message": j}, [])
    messages.receive(None, {"ticket": "t1", "message": "again"}, [])
    messages.receive(None, {"stop": "t1"}, [])
    messages.receive(None, {"stop": "none"}, [])
    messages.receive(None, "nothing", [])
    assert process.stopped == [1]
    assert [one["ticket"] for one in sent] == [f"t{MOST_WAITING}", "t1"]
    process.go_on.set()
    assert done.wait(60)
    answers = {one["ticket"]: one["event"]["answer"] for one in sent if "answer" in one["event"]}
    assert answers == {f"t{j}": j for j in range(MOST_WAITING)}


@pytest.mark.slow
def test_a_notebook_gets_a_widget() -> None:
    pytest.importorskip("anywidget", reason='anywidget: pip install "altsel[notebook]"')
    shown = altsel.explore(data(), host="notebook")
    sent, done = list[Any](), threading.Event()

    def send(content: Any) -> None:
        sent.append(content)
        done.set()

    shown.messages._send = send
    shown.messages.receive(shown, {"ticket": "one", "message": {"do": "start"}}, [])
    assert done.wait(120)
    assert sent[0]["event"]["answer"]["names"] == [*data().features]
    shown.close()
    assert shown.process._program is None


def test_without_anywidget_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    class Absent:
        def __getattr__(self, name: str) -> Any:
            raise ImportError("No module named 'anywidget'")

    monkeypatch.setattr(cells, "anywidget", Absent())
    cells._widget_class.cache_clear()
    with pytest.raises(ConfigurationError, match=r'pip install "altsel\[notebook\]"'):
        altsel.explore(data(), host="notebook")


@pytest.mark.slow
def test_two_widgets_of_a_page_do_not_meet() -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason='pip install "altsel[browser]"')
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium: apt-get install chromium")
    session, said = Session(Subject(data())), list[str]()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=0)
        page = browser.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda fault: said.append(str(fault)))
        page.expose_function("kernel", session.handle)
        page.goto("about:blank")
        page.evaluate(PAGE, [module(), 2])
        page.locator("#explorer[data-ready=yes]").nth(1).wait_for()
        page.locator('[data-key="require 3"]').nth(1).click()
        page.locator("#chips .chip").wait_for()
        assert page.locator("#chips .chip").count() == 1
        assert page.locator("#explorer").nth(0).locator(".chip").count() == 0
        browser.close()
    assert said == []
