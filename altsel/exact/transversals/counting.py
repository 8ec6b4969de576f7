"""How many sets a diagram has: in all, with each feature, and of each size, as exact integers."""

from __future__ import annotations

from altsel.exact.transversals.diagram import UNIT, Diagram


def below(diagram: Diagram) -> list[int]:
    """Return how many sets each node has."""
    ways = [0, 1]
    for node in diagram.inner:
        ways.append(ways[diagram.low[node]] + ways[diagram.high[node]])
    return ways


def above(diagram: Diagram) -> list[int]:
    """Return how many paths lead from the root to each node."""
    ways = [0] * len(diagram)
    ways[diagram.root] = 1
    for node in reversed(diagram.inner):
        ways[diagram.low[node]] += ways[node]
        ways[diagram.high[node]] += ways[node]
    return ways


def memberships(diagram: Diagram) -> dict[str, int]:
    """Return in how many sets each feature of the diagram is.

    Examples
    --------
    >>> from altsel.exact.transversals.construction import diagram_of
    >>> memberships(diagram_of([["a", "b"], ["b", "c"]]))
    {'a': 1, 'b': 1, 'c': 1}
    """
    up, down = above(diagram), below(diagram)
    counts = [0] * len(diagram.features)
    for node in diagram.inner:
        counts[diagram.levels[node]] += up[node] * down[diagram.high[node]]
    return dict(zip(diagram.features, counts, strict=True))


def sizes(diagram: Diagram) -> dict[int, int]:
    """Return how many sets there are of each size, the smallest size first.

    Examples
    --------
    >>> from altsel.exact.transversals.construction import diagram_of
    >>> sizes(diagram_of([["a", "b"], ["b", "c"]]))
    {1: 1, 2: 1}
    """
    digit = below(diagram)[diagram.root].bit_length()  # bits that no number of sets exceeds
    series = [0, 1]  # of each node sum_s c_s 2^(s digit): a further feature is a shift by one digit
    for node in diagram.inner:
        series.append(series[diagram.low[node]] + (series[diagram.high[node]] << digit))
    left, size, counts = series[diagram.root], 0, {}
    while left:
        number = left & ((1 << digit) - 1)
        if number:
            counts[size] = number
        left, size = left >> digit, size + 1
    return counts


def set_of_rank(diagram: Diagram, rank: int, ways: list[int]) -> list[str]:
    """Return one of the sets by its number, 0 to the number of sets less 1.

    Parameters
    ----------
    diagram
        The family.
    rank
        Number of the set: those without the first feature come first.
    ways
        How many sets each node has: `below`.
    """
    chosen, node = [], diagram.root
    while node != UNIT:
        without = ways[diagram.low[node]]
        if rank < without:
            node = diagram.low[node]
        else:
            rank -= without
            chosen.append(diagram.features[diagram.levels[node]])
            node = diagram.high[node]
    return chosen
