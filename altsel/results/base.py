"""What results have in common: JSON and back, tables for notebooks, pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from altsel.display.picture import written
from altsel.display.renderers import renderer
from altsel.results.reading import read_json
from altsel.results.text import json_text


class Result:
    """A frozen dataclass that is written as JSON, and shown by the renderers of its class.

    Most have `to_frame`, too, whose columns are their own.
    """

    def to_json(self, indent: int | None = 2) -> str:
        """Write everything as JSON (UTF-8, no NaN); `from_json` reads it back, where there is one."""
        return json_text(self._plain(), indent)

    def _plain(self) -> Mapping[str, Any]:
        """Return what is written: dictionaries, lists, texts and numbers."""
        return asdict(cast(Any, self))

    def _repr_html_(self) -> str:
        return str(renderer("html", self)(self))


class Readable(Result):
    """A result that is read back from its JSON."""

    _called: ClassVar[str]
    """What it is, for messages."""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote, or a command with ``--format json``.

        Raises
        ------
        DataError
            If the text is not JSON, or a key is missing, unknown or of the wrong kind; it names the key.
        """
        return cls._read(text)

    @classmethod
    def _read(cls, text: str) -> Self:
        return read_json(cls, text, cls._called)


class Drawn:
    """A result that is drawn as a picture."""

    def plot(self, ax: Any = None) -> Any:
        """Draw it by matplotlib.

        `Solutions`: which features are in which sets, the most frequent first, with the scores and bounds of
        the sets beside them. `Front`: quality over dissimilarity as a staircase, with the share of quality
        that is lost; points are named by the features that were swapped, where there is room. `Performance`:
        the scores with their intervals, a row a set, beside all features and chance. `Stability`: in which
        share of the resamples the first set, and any set, has each feature. `MSG`: the graph, by Graphviz,
        as pixels; `draw` writes lines.

        Parameters
        ----------
        ax
            Axes of matplotlib to draw on; new ones if there are none.

        Returns
        -------
        matplotlib.axes.Axes
            Those drawn on; of `Solutions` those of the matrix.

        Raises
        ------
        ConfigurationError
            If matplotlib, or for a graph pygraphviz, is not installed.
        ArgumentError
            If `ax` is no axes.

        Examples
        --------
        >>> from altsel import Dice, Problem, Univariate, sequential
        >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=2)
        >>> [label.get_text() for label in found.plot().get_xticklabels()]
        ['x0', 'x1', 'x2', 'x3']
        """
        return renderer("plot", self)(self, ax)

    def draw(self, path: str | Path) -> Path:
        """Draw the same in a file whose ending tells the format: png, svg or pdf.

        Raises
        ------
        ArgumentError
            If the ending is none of a picture, or the file cannot be written.
        ConfigurationError
            If matplotlib, or for a graph pygraphviz, is not installed.
        """
        return written(self.plot, path, renderer("size", self)(self))
