"""A column as a small picture: bars of its distribution, as SVG that a page holds."""

from __future__ import annotations

from html import escape

from altsel.looking.shape import Shape

WIDTH, HEIGHT, GAP = 132, 32, 1


def bars(shape: Shape, name: str) -> str:
    """Draw the bars of a column; each says what it is when it is pointed at.

    Examples
    --------
    >>> drawn = bars(Shape((1, 3), ("<5", "more"), ""), "age")
    >>> drawn.count("<rect"), "&lt;5: 1" in drawn
    (2, True)
    """
    most, width = max(shape.drawn, default=1) or 1, WIDTH / max(len(shape.counts), 1)
    drawn = []
    for place, (count, label) in enumerate(zip(shape.counts, shape.labels, strict=True)):
        height = min(max(HEIGHT * count / most, 1 if count else 0), HEIGHT)
        rest = ' class="rest"' if place == len(shape.drawn) else ""
        drawn.append(
            f'<rect{rest} x="{place * width:.1f}" y="{HEIGHT - height:.1f}" width="{width - GAP:.1f}" '
            f'height="{height:.1f}"><title>{escape(label)}: {count:,}</title></rect>'
        )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="distribution of {escape(name)}: {escape(shape.words)}">{"".join(drawn)}</svg>'
    )
