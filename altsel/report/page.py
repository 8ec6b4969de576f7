"""The page as HTML: what was gathered as data, the script that shows it, and what the browser may do."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from altsel.display.document import digest, document, joined_scripts
from altsel.errors import ArgumentError, of_kind, printable
from altsel.report.content import content
from altsel.report.parts import Parts
from altsel.report.proof import checker
from altsel.results.front import Front
from altsel.results.solutions import Solutions
from altsel.results.text import json_text
from altsel.runtime.files import replacing

SCRIPTS = (
    *("dom", "state", "choice", "matrix", "details", "upset", "graph", "tables", "charts"),
    *("columns", "equivalence", "sections", "summary", "proof", "start"),
)
"""Files of the script, in the order in which they are run, after that which the explorer has too."""
MARKS = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
"""What would end a script, or a line of one, as JSON writes it."""
ENDINGS = (".html", ".htm")


@dataclass(frozen=True)
class Text:
    """What a page is made of besides data: its script and its style."""

    script: str
    style: str


def write(
    found: Solutions | Front,
    path: str | Path,
    parts: Parts | None = None,
    *,
    title: str | None = None,
) -> Path:
    """Write the page of some solutions, or of a front, to a file; an earlier one is replaced.

    Parameters
    ----------
    found
        What any search returned.
    path
        The file; its name ends in .html.
    parts
        What else is shown: data, performance, stability, a front.
    title
        The page's title; default: what was found, for which target.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ArgumentError
        If the file cannot be written, or an argument is of the wrong kind or belongs to other sets.
    DataError
        If the data are not those of the search.
    """
    checked_path(path)
    made = page(found, parts, title=title)
    with replacing(path) as part:
        part.write_text(made, encoding="utf-8", newline="")
    return Path(path)


def checked_path(path: str | Path) -> None:
    """Refuse a file that browsers would not take for a page.

    Raises
    ------
    ArgumentError
        If its name does not end in .html.
    """
    of_kind("path", path, str | Path, 'a file, such as "report.html"')
    if Path(path).suffix.lower() not in ENDINGS:
        raise ArgumentError(f"{path} is no page: end its name in .html")


def page(found: Solutions | Front, parts: Parts | None = None, *, title: str | None = None) -> str:
    """Return the page as HTML; arguments and errors as of `write`.

    Names are data of a script, which puts them in as text: nothing in a name is HTML or a program.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=2)
    >>> page(found, title="<b>").split("<title>")[1].split("</title>")[0]
    '&lt;b&gt;'
    """
    of_kind("title", title, str | None, "a text")
    shown, source = content(found, parts or Parts())
    shown["title"] = printable(title if title is not None else shown["title"])
    text, packed = own_text(), embedded(shown["proof"])
    body = f"""<a class="skip" href="#main">Skip to the sets</a>
<header id="head"></header>
<main id="main"><noscript>This page shows its sets by a script of its own: allow scripts.</noscript></main>
<div id="told" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="data">{safe(json_text(shown))}</script>
<script type="application/json" id="found">{safe(source)}</script>{packed}
<script type="application/json" id="choice">null</script>
<script>{text.script}</script>"""
    return document(shown["title"], text.style, body, policy(text, bool(packed)), shown["version"])


def own_text() -> Text:
    """Read the page's script and style, which are files of this package."""
    return Text(
        f'"use strict";\n(() => {{\n{joined_scripts("altsel.report", SCRIPTS)}}})();\n',
        (files("altsel.report") / "report.css").read_text(encoding="utf-8"),
    )


def embedded(proof: dict[str, Any] | None) -> str:
    """Return what checks a certificate, and the file itself where it is small, as data of the script."""
    if proof is None:
        return ""
    packed = proof["packed"]
    proof["packed"] = packed is not None
    file = f'\n<script type="text/plain" id="packed">{packed}</script>' if packed is not None else ""
    return f'\n<script type="application/json" id="checker">{safe(checker())}</script>{file}'


def policy(text: Text, checks: bool = False) -> str:
    """Return what the page may do: run and apply this text, and nothing from anywhere else.

    A page that `checks` a certificate runs the checker in it as a worker.

    Content Security Policy, level 3 (W3C): a script or style is allowed by its SHA-256.
    """
    return (
        f"default-src 'none'; script-src {digest(text.script)}; style-src {digest(text.style)}; "
        f"{'worker-src blob:; ' if checks else ''}img-src data:; base-uri 'none'; form-action 'none'"
    )


def safe(text: str) -> str:
    r"""Write JSON so that no part of it ends the script it stands in.

    Examples
    --------
    >>> safe('["</script>"]')
    '["\\u003c/script\\u003e"]'
    """
    return text.translate(MARKS)
