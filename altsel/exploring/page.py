"""The page: one file with its script and style, which may speak to its own server and nobody else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from altsel._version import __version__
from altsel.display.document import digest, document, joined_scripts

SCRIPTS = (
    "state",
    "talk",
    "feature",
    "controls",
    "rules",
    "sets",
    "why",
    "compare",
    "front",
    "near",
    "copy",
    "explorer",
)
"""Files of the script, in their order: the body of one function of a root and a host."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What the server says of all that it sends."""


@cache
def script() -> str:
    """Return the script: a function ``explorer(root, host)``, which shows the explorer in an element.

    Examples
    --------
    >>> script().startswith("function explorer(root, host) {")
    True
    """
    body = joined_scripts("altsel.exploring", SCRIPTS)
    return f'function explorer(root, host) {{\n"use strict";\n{body}\n}}\n'


@cache
def style() -> str:
    """Return the style."""
    return (files("altsel.exploring") / "explorer.css").read_text(encoding="utf-8")


def page(title: str) -> str:
    """Return the page of a server.

    Examples
    --------
    >>> page("<b>").split("<title>")[1].split("</title>")[0]
    '&lt;b&gt;'
    """
    host = (files("altsel.exploring") / "script" / "server.js").read_text(encoding="utf-8")
    whole = f'"use strict";\n(() => {{\n{script()}{host}}})();\n'
    policy = (
        f"default-src 'none'; script-src {digest(whole)}; style-src {digest(style())}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    body = f"""<div id="explorer" class="explorer"><noscript>The explorer is a script: allow scripts of this
address.</noscript></div>
<script>{whole}</script>"""
    return document(title, style(), body, policy, __version__)
