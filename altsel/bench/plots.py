"""Pictures of a benchmark: performance profile and time to optimality."""

from __future__ import annotations

import logging
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from altsel.runtime.files import replacing

log = logging.getLogger("altsel.bench")
LEAST = 1e-3
"""Seconds below which times are drawn as this."""


def draw(times: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw ``performance_profile`` and ``time_to_optimality`` as PNG and SVG.

    Parameters
    ----------
    times
        Seconds to a proof, one row an instance, one column a solver, infinite where unproved.
    folder
        Where to write.

    Returns
    -------
    list of pathlib.Path
        The files; none without matplotlib (``pip install "altsel[plot]"``) or without a proof.
    """
    if util.find_spec("matplotlib") is None:
        log.info('no plots without matplotlib: pip install "altsel[plot]"')
        return []
    solved = times.clip(lower=LEAST)
    if not np.isfinite(solved.to_numpy()).any():
        return []
    fastest = solved.min(axis=1)
    ratios = solved[np.isfinite(fastest)].div(fastest[np.isfinite(fastest)], axis=0)
    ratios = ratios.reindex(solved.index, fill_value=np.inf)
    return [
        *_steps(ratios, "times the fastest solver", "performance profile", folder),
        *_steps(solved, "CPU seconds", "time to optimality", folder),
    ]


def _steps(values: pd.DataFrame, axis: str, title: str, folder: Path) -> list[Path]:
    """Draw the share of instances at or below each value, one line a solver."""
    import matplotlib as mpl  # noqa: PLC0415  (an extra)
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes: Any = figure.subplots()
    finite = values.to_numpy()[np.isfinite(values.to_numpy())]
    low, high = finite.min(), max(finite.max() * 1.1, finite.min() * 2)
    for j, name in enumerate(values):
        found = np.sort(values[name][np.isfinite(values[name])])
        share = np.arange(1, len(found) + 1) / len(values)
        x, y = np.concatenate([[low], found, [high]]), np.concatenate([[0], share, share[-1:]])
        x, y = (x, y) if len(found) else (np.array([low, high]), np.zeros(2))
        axes.step(x, y, where="post", label=name, linestyle=("-", "--", "-.", ":")[j % 4])
    axes.set(xscale="log", xlabel=axis, ylim=(0, 1.02), title=title)
    axes.set_ylabel(f"share of {len(values)} instances proved")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    written = []
    with mpl.rc_context({"svg.hashsalt": "altsel"}):
        for ending in ("png", "svg"):
            written.append(folder / f"{title.replace(' ', '_')}.{ending}")
            with replacing(written[-1]) as part:
                figure.savefig(part, dpi=150, metadata={"Date": None} if ending == "svg" else None)
    return written
