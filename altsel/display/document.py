"""One self-contained page, which may do nothing but apply its own style and run its own script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files

SHARED = ("elements",)
"""Files of a script that all pages have."""


def document(title: str, style: str, body: str, policy: str, version: str) -> str:
    """Write a page of HTML.

    Parameters
    ----------
    title, version
        Text, not yet escaped; the version is that of altsel.
    style, body
        What stands between their tags.
    policy
        What the page may do, as of Content Security Policy, level 3 (W3C); see `digest`.
    """
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="altsel {escape(version)}">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def joined_scripts(package: str, names: Iterable[str]) -> str:
    """Join the files of a script: what all pages have, then those of a package, in their order.

    Examples
    --------
    >>> joined_scripts("altsel.report", ["dom"]).count("function") > 1
    True
    """
    parts = [files("altsel.display") / "script" / f"{name}.js" for name in SHARED]
    parts += [files(package) / "script" / f"{name}.js" for name in names]
    return "".join(part.read_text(encoding="utf-8") for part in parts)


def digest(text: str) -> str:
    """Return a script's or style's hash as a policy names it.

    Examples
    --------
    >>> digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
