"""Tables and the figure of `benchmarks.correlated`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
FIGURE = "correlated_bound.svg"
INTRODUCTION = """# mRMR and CFS where features share factors

`python -m benchmarks.correlated --folder FOLDER --anew`, one thread, CPU seconds on a
shared machine, a limit of 60 CPU seconds a search (20 for "before"), at which it is interrupted.
Features are rows x factors + noise (600 rows), their dependence the absolute correlation; 12 factors and
noise 1.2 where nothing else is said, k = 10. *Before*: the same search without the engine of convex
programs. A gap is that of the bound to the best set, relative to the set. Five seeds up to 200
features, and of 500 and 1,000 features of 12 factors, else one.
"""


def write(rows: Sequence[Any], path: Path) -> None:
    """Write the page and the figure beside it."""
    parts = [INTRODUCTION, *_factors([row for row in rows if row.part == "factors"])]
    for part, title in (
        ("sizes", "Sizes"),
        ("several", "Several sets, tau .5: six one after another; two at once"),
        ("rules", "With a budget over all features; with quotas of four groups"),
        ("stored", "Real tables"),
    ):
        some = [row for row in rows if row.part == part]
        if some:
            head = ["| instance | question | CPU s | nodes | result |", "|---|---|---|---|---|"]
            parts += [f"## {title}\n", "\n".join([*head, *map(_line, some)]) + "\n"]
    for part, title in (("before", "Before and after"), ("easy", "Easy data: no factors")):
        some = [row for row in rows if row.part == part]
        if some:
            parts += [f"## {title}\n", "\n".join(_compared(some)) + "\n"]
    if _draw(rows, path.parent / FIGURE):
        parts.append(f"## The bound over time\n\n![bound and best value over CPU seconds]({FIGURE})\n")
    path.write_text(stamped("\n".join(parts)), encoding="utf-8")


def _result(row: Any) -> str:
    if row.proved:
        return "proved"
    return "no bound" if row.gap is None else f"gap {100 * row.gap:.2f} %"


def _line(row: Any) -> str:
    return f"| {row.instance} | {row.question} | {row.seconds:.2f} | {row.nodes:,} | {_result(row)} |"


def _factors(rows: Sequence[Any]) -> Iterator[str]:
    """One line for each criterion, n and number of factors, with 1,000 features also each noise."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for row in rows:
        size, factors, noise, _ = row.instance.split(", ")
        kind = f"{factors}, {noise}" if size == "n = 1000" else factors
        groups.setdefault((row.question.split(",")[0], size, kind), []).append(row)
    if not groups:
        return
    yield "## Factors, noise .5, 1.2 and 3\n"
    lines = [
        "| criterion | instances | runs | proved | CPU s, median | CPU s, most | nodes, most | largest gap |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (criterion, size, factors), some in groups.items():
        seconds = [row.seconds for row in some]
        gap = max((100 * (row.gap or 0.0) for row in some if not row.proved), default=0.0)
        counts = f"{len(some)} | {sum(row.proved for row in some)}"
        times = f"{median(seconds):.2f} | {max(seconds):.2f} | {max(row.nodes for row in some):,}"
        lines.append(f"| {criterion} | {size}, {factors} | {counts} | {times} | {gap:.2f} % |")
    yield "\n".join(lines) + "\n"


def _compared(rows: Sequence[Any]) -> Iterator[str]:
    yield "| instance | question | CPU s before | result | CPU s now | result | ratio |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        past = [other for other in rows if other.before and (other.instance, other.question) == _name(row)]
        if row.before or not past:
            continue
        least = "" if past[0].proved else "> "
        earlier = f"{past[0].seconds:.2f} | {_result(past[0])}"
        ratio = f"{least}{past[0].seconds / row.seconds:.1f}"
        now = f"{row.seconds:.2f} | {_result(row)}"
        yield f"| {row.instance} | {row.question} | {earlier} | {now} | {ratio} |"


def _name(row: Any) -> tuple[str, str]:
    return row.instance, row.question


def drawn(row: Any) -> bool:
    """Return whether a search is one of those whose bound is drawn over time."""
    wanted = [f"n = {n}, 12 factors, noise 1.2, seed 0" for n in (200, 500, 1000)]
    return row.instance in wanted and row.question.startswith("mRMR") and row.part == "factors"


def _draw(rows: Sequence[Any], path: Path) -> bool:
    """Draw bound and best value of three searches over their CPU time; whether there are any."""
    import matplotlib.pyplot as plt  # noqa: PLC0415  (slow to import)

    shown = [row for row in rows if drawn(row) and row.curve]
    if not shown:
        return False
    plt.rcParams["svg.hashsalt"] = "altsel"
    figure, axes = plt.subplots(1, len(shown), figsize=(4 * len(shown), 3), squeeze=False)
    for row, ax in zip(shown, axes[0], strict=True):
        times, _, bounds = zip(*row.curve, strict=True)
        falling = [min(bounds[: i + 1]) for i in range(len(bounds))]
        ax.step([*times, row.seconds], [*falling, row.score if row.proved else falling[-1]], where="post")
        ax.axhline(row.score, color="0.4", linestyle="--", linewidth=1)
        ax.set_title(row.instance.split(",")[0], fontsize=10)
        ax.set_xlabel("CPU seconds")
    axes[0][0].set_ylabel("bound (line), best set (dashed)")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return True
