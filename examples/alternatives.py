"""Find alternatives of real data in Python, with a constraint of one's own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altsel

PATH = Path(__file__).parent / "data" / "ionosphere.csv.gz"


def one_of_each_pulse(b: Any) -> Iterator[Any]:
    """Take at most one of the two numbers (a01, a02), (a03, a04), … that describe a pulse."""
    for j in range(3, 34, 2):
        yield b.x[f"a{j:02}"] + b.x[f"a{j + 1:02}"] <= 1


def main() -> None:
    """Print the best sets of five, one after another and all at once."""
    data = altsel.Dataset(PATH, "target")
    quality = altsel.Univariate(altsel.dependence(data, altsel.measures.mutual_information))
    problem = altsel.Problem(quality, k=5, subject_to=[one_of_each_pulse])
    apart = altsel.Dice(0.6)
    print(altsel.sequential(problem, apart, alternatives=3), end="\n\n")
    print(altsel.simultaneous(problem, apart, alternatives=3, total="sum"))


if __name__ == "__main__":
    main()
