"""The multiple-solutions graph of a family that is given as minimal transversals, without listing it."""

from __future__ import annotations

from altsel.analysis.msg.compression import SINK, SOURCE, Compression
from altsel.analysis.msg.graph import MSG, numbered
from altsel.errors import ArgumentError, flags
from altsel.exact.transversals.diagram import UNIT, Diagram
from altsel.exact.transversals.transversals import Transversals


def graph_of_transversals(found: Transversals, target: str | None = None, *, or_nodes: bool = True) -> MSG:
    """Build the multiple-solutions graph of all minimal transversals from their diagram.

    A node of the graph is a feature and what may follow it: the high ends of the diagram. Nodes that follow
    each other alone become one, what they share is put before and behind them, and nodes with the same
    parents and children become one with alternatives, as in `msg`. Time and memory go with the diagram's
    nodes and not with the sets.

    Parameters
    ----------
    found
        The family.
    target
        Name of the target, if known.
    or_nodes
        Whether nodes are merged into ones with alternatives.

    Returns
    -------
    MSG
        Its paths are exactly the sets.

    Raises
    ------
    ArgumentError
        If there is no set.
    DiagramTooLargeError
        If the diagram does not fit.

    References
    ----------
    Borboudakis and Tsamardinos (2021), operations 1 to 3, on a decision diagram.

    Examples
    --------
    >>> print(graph_of_transversals(Transversals([["a", "b"], ["c", "d"], ["e"]])))
    4 solutions, 3 nodes, 4 edges, 5 features
    begin at 2
    node  features    solutions  leads to
       2  {e}                 4  3
       3  {a} OR {b}          4  4
       4  {c} OR {d}          4  end
    """
    flags(or_nodes=or_nodes)
    diagram = found.diagram
    if not found.count():
        raise ArgumentError("there are no solutions to draw")
    graph = _of_high_ends(diagram, found.order)
    graph.join()
    graph.forward()
    graph.backward()
    graph.join()
    if or_nodes:
        graph.merge_alternatives()
    return numbered(graph, found.order, target)


def _of_high_ends(diagram: Diagram, universe: tuple[str, ...]) -> Compression:
    """Build a node of each feature and high end of the diagram: nodes with both are followed alike."""
    ends = {(diagram.levels[node], diagram.high[node]): 0 for node in reversed(diagram.inner)}
    numbers = {end: number for number, end in enumerate(ends, 2)}

    def follow(start: int, node: int) -> list[tuple[int, int]]:
        return [
            (start, SINK if branch == UNIT else numbers[diagram.levels[branch], diagram.high[branch]])
            for branch in diagram.branches(node)
        ]

    edges = follow(SOURCE, diagram.root)
    for (_, high), number in numbers.items():
        edges += follow(number, high)
    return Compression.of_graph([diagram.features[level] for level, _ in ends], edges, universe)
