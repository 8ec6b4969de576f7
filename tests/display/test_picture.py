"""Pictures: what is on them is what was found, and nothing overlaps, at print size either."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import altsel
from altsel import ArgumentError, ConfigurationError, Dice, Problem, Univariate
from altsel.display.picture import labels_that_fit
from tests.display.shown_objects import distribution, front, performance, ranges, small, solutions, stability

pytest.importorskip("matplotlib")
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

LONG = [f"mean {word} of the $x_{j}$ third slice {j}" for j in range(30) for word in ("radius", "symmetry")]
MAKE: dict[str, Callable[[int], Any]] = {
    "Solutions": lambda count: solutions(LONG, count, mixed=count < 50),
    "Front": lambda count: front(LONG, count),
    "Stability": lambda count: stability(LONG, count),
    "Performance": lambda count: performance(LONG, count),
    "ImportanceRanges": lambda count: ranges(LONG, count),
    "ImportanceDistribution": lambda count: distribution(LONG, count),
}


@pytest.fixture(autouse=True)
def no_figures() -> Iterator[None]:
    yield
    plt.close("all")


def print_size() -> Any:
    return Figure(figsize=(3.3, 2.8), dpi=100, layout="constrained").subplots()


def boxes(axis: Any) -> list[Any]:
    """Return where the labels are that are drawn: those of ticks in view."""
    low, high = sorted(axis.get_view_interval())
    ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
    return [label.get_window_extent() for place, label in ticks if low <= place <= high and label.get_text()]


@pytest.mark.parametrize("count", [2, 30, 200])
@pytest.mark.parametrize("kind", MAKE)
def test_at_print_size_nothing_overlaps_or_leaves_the_page(kind: str, count: int) -> None:
    ax = print_size()
    assert MAKE[kind](count).plot(ax=ax) is ax
    ax.figure.draw_without_rendering()
    page = ax.figure.bbox
    written = [*boxes(ax.xaxis), *boxes(ax.yaxis)]
    written += [ax.xaxis.label.get_window_extent()] if ax.get_xlabel() else []
    titles = [ax.title.get_window_extent(), ax._left_title.get_window_extent()]
    for box in [*written, *titles]:
        assert box.x0 >= -1
        assert box.x1 <= page.x1 + 1
        assert box.y0 >= -1
        assert box.y1 <= page.y1 + 1
    for side in (boxes(ax.xaxis), boxes(ax.yaxis)):
        assert not any(one.shrunk(0.95, 0.95).overlaps(other) for one, other in pairwise(side))
    texts = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for j, one in enumerate(texts) for other in texts[:j])
    legend = ax.get_legend()
    if legend is not None:
        box = legend.get_window_extent()
        assert box.y0 >= -1
        assert not any(box.overlaps(other) for other in [*written, *texts])


def test_the_matrix_has_a_cell_for_each_member_and_scores_beside_it() -> None:
    found = small()
    ax = found.plot()
    cells = ax.images[0].get_array()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x0", "x1", "x2", "x3"]
    expected = [[name in one for name in ("x0", "x1", "x2", "x3")] for one in found]
    assert cells.tolist() == expected
    (side,) = ax.child_axes
    assert side.lines[0].get_xdata().tolist() == [one.score for one in found]
    assert side.get_xlabel() == "score, optimal"
    assert "3 sets of 4 features" in ax.get_title(loc="left")


def test_bounds_and_proofs_are_drawn_and_explained() -> None:
    ax = solutions(LONG, 6, mixed=True).plot()
    (side,) = ax.child_axes
    known = [text.get_text() for text in side.get_legend().get_texts()]
    assert known == ["optimal", "feasible", "up to its bound", "score, kept apart"]
    ends = [segment[:, 0].tolist() for segment in side.collections[0].get_segments()]
    assert ends[0] == pytest.approx([0.999, 1.099])


@pytest.mark.slow
def test_a_front_says_what_it_is_of_and_what_was_swapped() -> None:
    quality = Univariate({"alpha": 4, "beta": 3, "gamma": 2, "delta": 1.0})
    object.__setattr__(quality, "target", "disease")
    found = altsel.pareto_front(Problem(quality, k=2), Dice(0))
    ax = found.plot()
    title = ax.get_title(loc="left").replace("\n", " ")
    assert title == "disease: 3 points on the front of k = 2 of 4 features, all proved"
    labels = [text.get_text() for text in ax.texts]
    assert labels == ["beta → gamma", "alpha, beta → gamma, delta"]
    (lost,) = [axis for axis in ax.child_axes if "lost" in axis.get_ylabel()]
    assert [round(found.lost(point) or 0, 3) for point in found] == [0, 0.143, 0.571]
    ax.figure.draw_without_rendering()
    for point in found:
        there = lost.transData.transform((0, 100 * (found.lost(point) or 0)))[1]
        assert there == pytest.approx(ax.transData.transform((0, point.quality))[1])


def test_stability_and_performance_draw_their_numbers() -> None:
    steady = stability(LONG, 3)
    ax = steady.plot()
    shares = steady.frequencies()["in any set"].sort_values(ascending=False, kind="stable")
    shares = shares[shares > 0]
    bars = [bar.get_width() for bar in ax.containers[0]]
    assert bars == shares.tolist()[: len(bars)]
    assert len(bars) == len(shares)
    scored = performance(LONG, 3)
    ax = scored.plot()
    assert ax.containers[0].lines[0].get_xdata().tolist() == [one.score.value for one in scored.sets]


def test_ranges_draw_losses_and_arrows_where_more_is_not_known() -> None:
    problem = Problem(Univariate([9, 4, 3, 1]), k=2)
    ax = altsel.importance_range(altsel.near_optimal(problem, altsel.AbsoluteLoss(2))).plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x0", "x1", "x2"]
    without, holding = [[part[:, 0].tolist() for part in one.get_segments()] for one in ax.collections]
    assert without == [[2, 2], [1, 1], [0, 0]]
    assert holding == [[0, 1], [0, 0], [1, 1]]
    arrows = [one for one in ax.texts if one.arrow_patch is not None]
    assert [one.xyann for one in arrows] == [(2.0, pytest.approx(-0.19))]
    assert [line.get_xdata()[0] for line in ax.lines if line.get_label() == "tolerated"] == [2.0]


def test_a_graph_has_a_title_a_legend_and_axes() -> None:
    pytest.importorskip("pygraphviz")
    graph = altsel.msg(solutions(["a", "b", "c", "d"], 3, 2))
    source = graph.to_dot()
    assert "3 solutions of d" in source
    assert "in some solutions" in source
    assert "in every solution" not in source
    assert "in every solution" in altsel.msg([["a", "b"], ["a"]]).to_dot()
    ax = print_size()
    assert graph.plot(ax=ax) is ax
    assert len(ax.images) == 1


@pytest.mark.slow
def test_pictures_are_written_to_files_and_to_parts_of_figures(tmp_path: Path) -> None:
    for kind, make in MAKE.items():
        assert b"<svg" in make(2).draw(tmp_path / f"{kind}.svg").read_bytes()
        assert not plt.get_fignums()
    parts: Any = Figure(layout="constrained").subfigures(1, 2)
    part = parts[0].subplots()
    assert MAKE["Front"](2).plot(ax=part) is part


def test_what_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: Any = small()
    with pytest.raises(ArgumentError, match=r"draw\('found.png'\) writes a file"):
        found.plot("found.png")
    with pytest.raises(ArgumentError, match=r"end its name in .png"):
        found.draw(tmp_path / "found.gif")
    monkeypatch.setattr("altsel.runtime.files.util.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"altsel\[plot\]"):
        found.plot()
    with pytest.raises(ConfigurationError, match=r"altsel\[plot\]"):
        found.draw(tmp_path / "found.png")


def test_labels_are_never_smaller_than_can_be_read() -> None:
    for number in (1, 7, 50, 1000):
        points, step = labels_that_fit(3.0, number, 9.0)
        assert 5 <= points <= 9
        assert points <= 3.0 * 72 / number * step


def test_a_front_of_one_point_spans_no_dissimilarity_below_0_and_no_loss_below_0() -> None:
    front = altsel.pareto_front(altsel.Problem(altsel.Univariate([3, 2, 1]), k=3), altsel.Dice(0))
    ax = front.plot()
    assert (len(front), ax.get_xlim()) == (1, (-0.05, 1.05))
    assert ax.get_ylim()[1] - front[0].quality < 0.1
