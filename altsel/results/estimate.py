"""A number and its interval."""

from __future__ import annotations

from dataclasses import dataclass

from altsel.results.text import number_text

SKEW = 0.01
"""Share of an interval that its middle may be off the estimate, to be shown by its half."""


@dataclass(frozen=True)
class Estimate:
    """A number, its confidence interval, and the numbers it is the mean of.

    Attributes
    ----------
    value
        The estimate.
    low, high
        Ends of its interval; None where the data give none.
    parts
        What it is the mean of, such as the scores of the folds.

    Examples
    --------
    >>> print(Estimate(0.75, 0.5, 1.0), Estimate(0.75, 0.4, 0.9))
    0.75 ± 0.25 0.75 [0.4, 0.9]
    """

    value: float
    low: float | None = None
    high: float | None = None
    parts: tuple[float, ...] = ()

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return number_text(self.value)
        if abs(self.low + self.high - 2 * self.value) > SKEW * (self.high - self.low):
            return f"{number_text(self.value)} [{number_text(self.low)}, {number_text(self.high)}]"
        half = (self.high - self.low) / 2
        noise = abs(self.value) * 1e-12  # what rounding leaves of equal parts
        return f"{number_text(self.value)} ± {half if half > noise else 0:.2g}"


def defined(estimate: Estimate | None) -> str:
    """Show an estimate, or that there is none."""
    return "not defined" if estimate is None else str(estimate)
