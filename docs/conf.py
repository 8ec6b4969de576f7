"""Sphinx: how the pages are built. ``nox -s docs`` does, with warnings as errors."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.ext import autosummary
from sphinx.util import inspect

from altsel import __version__

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS / "_ext"))

# Code on pages runs as a reader would run it: at the checkout's root, with `altsel` on the path, plain text.
BUILD = DOCS / "_build"
STARTUP = BUILD / "ipython" / "profile_default" / "startup"
STARTUP.mkdir(parents=True, exist_ok=True)
STARTED = f"""
import os
import warnings

os.chdir({str(ROOT)!r})
warnings.formatwarning = lambda message, category, *place: f"{{category.__name__}}: {{message}}\\n"
"""
(STARTUP / "00-root.py").write_text(STARTED, encoding="utf-8")
quiet = 'get_config().IPKernelApp.log_level = "ERROR"\n'
(STARTUP.parent / "ipython_kernel_config.py").write_text(quiet, encoding="utf-8")
os.environ["IPYTHONDIR"] = str(BUILD / "ipython")
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
os.environ.update({"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "OMP_NUM_THREADS": "1"})

project = "altsel"
author = "the altsel developers"
copyright = author
release = version = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "command_pages",
    "mathml",
    "shell_cells",
    "study_pages",
]
exclude_patterns = ["_build", "_ext", "_extra", "gallery_examples", "**/GALLERY_HEADER.rst"]
exclude_patterns += ["sg_execution_times.rst", "gallery/sg_execution_times.rst", "**/*.ipynb"]
suppress_warnings = ["misc.highlighting_failure"]  # commands over two lines: shown all the same
default_role = "autolink"
nitpicky = True
nitpick_ignore_regex = [
    ("py:class", r"(?!altsel\.(\w+\.)?\w+$).*"),  # types in signatures that have no page
    ("py:obj", r".*"),  # single quotes in docstrings also name what is not public
]
highlight_language = "text"
templates_path = ["_templates"]

# Pages with cells
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_block", "attrs_inline"]
myst_heading_anchors = 3
nb_execution_mode = os.environ.get("ALTSEL_DOCS_EXECUTION", "force")  # "cache" while writing, "off" for looks
nb_execution_in_temp = False
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_cache_path = str(BUILD / "jupyter_cache")
nb_merge_streams = True
nb_render_markdown_format = "myst"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Reference
autosummary_generate = True
autosummary.WELL_KNOWN_ABBREVIATIONS += ("eq.", "Eq.", "sec.")  # no summary ends there
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {name: name for name in ("BoolArray", "FloatArray", "IntArray", "Given", "Rows")}
inspect.TypeAliasForwardRef.__repr__ = lambda alias: alias.name  # within other types too
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# Gallery
sphinx_gallery_conf = {
    "examples_dirs": "gallery_examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "remove_config_comments": True,
    "reset_modules": ("matplotlib",),
}

# HTML
math_numfig = False
html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "altsel"
html_static_path = ["_static"]
html_extra_path = ["_extra"]  # llms.txt: what this is, for programs that read
html_search_scorer = "_static/search_scorer.js"
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "altsel"},
    "header_links_before_dropdown": 5,
    "show_prev_next": True,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
ALONE = ["index", "start", "how_auto_chooses", "architecture", "glossary", "extending", "changelog"]
html_sidebars: dict[str, list[str]] = {page: [] for page in ALONE}  # there is no section to navigate


def without_objects(app: Sphinx, *documented: Any) -> tuple[str | None, str | None]:
    """Write ``...`` for defaults such as ``<factory>``, beside which Sphinx reads no types."""
    del app
    signature, returned = documented[-2:]
    return signature and re.sub(r"= ?<[^<>]+>", "= ...", signature), returned


def setup(app: Sphinx) -> None:
    """Connect what is here."""
    app.connect("autodoc-process-signature", without_objects)
