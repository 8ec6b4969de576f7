"""Formulas as MathML, which browsers show by themselves: pages need no network and no script."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)


def inline(translator: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(converted(node))
    raise nodes.SkipNode


def block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    translator.body.append(f'<div class="formula">{converted(node, as_block=True)}</div>')
    raise nodes.SkipNode


def converted(node: nodes.Element, *, as_block: bool = False) -> str:
    """Convert a formula; what docutils does not know is a warning, and so an error of the build."""
    try:
        return str(tex2mathml(node.astext(), as_block=as_block))
    except MathError as fault:
        log.warning("no MathML for %r: %s", node.astext(), fault, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer; conf.py chooses it by ``html_math_renderer``."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
