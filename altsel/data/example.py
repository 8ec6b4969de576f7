"""Tables that come with the package, to try it on."""

from __future__ import annotations

from pathlib import Path

from altsel.errors import ArgumentError, listing

FOLDER = Path(__file__).parents[1] / "example_data"
ENDING = ".csv.gz"


def example(name: str = "ionosphere") -> Path:
    """Return the path of a table that comes with the package.

    Parameters
    ----------
    name
        ``"heart"``: 270 patients, 13 measurements of numbers and categories, `disease` present or absent
        (Statlog; CC BY 4.0). ``"ionosphere"``: 351 radar returns, 34 measurements (`a01` to `a34`), `target`
        good or bad (Sigillito et al. 1989; CC BY 4.0, as ``README.md`` beside the file says).

    Returns
    -------
    pathlib.Path
        A CSV file, for `Dataset`, `pandas.read_csv` or a command.

    Raises
    ------
    ArgumentError
        If there is no such table.

    Examples
    --------
    >>> import pandas as pd
    >>> pd.read_csv(example("ionosphere")).shape
    (351, 35)
    """
    paths = {path.name.removesuffix(ENDING): path for path in sorted(FOLDER.glob(f"*{ENDING}"))}
    if name not in paths:
        raise ArgumentError(f"no example {name!r}; there is {listing(sorted(paths))}")
    return paths[name]
