"""Valid sets drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

Names = tuple[str, ...]


@dataclass(frozen=True)
class Sample:
    """Valid sets at random.

    Attributes
    ----------
    sets
        The sets, drawn independently of each other; one may come twice.
    uniform
        Whether every valid set is as likely as any other.
    valid
        Number of sets that keep the size, the rules and the distances, if it could be counted. The
        criterion's own conditions are not counted in.

    Examples
    --------
    >>> from altsel import Problem, Univariate, sample_valid
    >>> drawn = sample_valid(Problem(Univariate([3, 2, 1]), k=2), 5)
    >>> len(drawn.sets), drawn.valid, drawn.uniform
    (5, 3, True)
    """

    sets: tuple[Names, ...]
    uniform: bool
    valid: int | None
