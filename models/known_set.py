"""Sets found before, as rules across sets see them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.rule import Across, title_of, unique_name
from altsel.models.rule_faults import ACROSS
from altsel.models.rule_statement import bounds_of
from altsel.pyomo_on_demand import pyo


class KnownSet(Mapping[str, Any]):
    """A set found before, as rules across sets see it: a variable by name that is fixed.

    So ``sets[0]["a"] + sets[1]["a"] <= 1`` is an expression of Pyomo's, whether or not the sets are known.

    Parameters
    ----------
    block
        Where the fixed variables go.
    features
        Names of all features.
    members
        Those in the set.
    """

    def __init__(self, block: Any, features: Collection[str], members: Collection[str]) -> None:
        self._constants = _constants(block)
        self._features, self._members = features, frozenset(members)

    def __getitem__(self, name: str) -> Any:
        """Return the constant 1 if the feature is in the set, and 0 if not."""
        if name not in self._features:
            raise KeyError(f"Index {name!r} is not valid for indexed component 'a set found before'")
        return self._constants[int(name in self._members)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._features)

    def __len__(self) -> int:
        return len(self._features)


def _constants(block: Any) -> Any:
    """Return the fixed variables 0 and 1 of a block; made once."""
    if "known" not in block.__dict__:
        constants = pyo.Var([0, 1], domain=pyo.Binary)
        block.add_component(unique_name(block, "constants"), constants)
        for value, constant in constants.items():
            constant.fix(value)
        block.__dict__["known"] = constants
    return block.__dict__["known"]


def refuse_moved_constants(block: Any, title: str) -> None:
    """Refuse a rule that fixes or bounds features of a set found before: that one cannot change."""
    constants = _constants(block)
    if any(
        not x.fixed or x.value != value or bounds_of(x) != (value, value) for value, x in constants.items()
    ):
        raise ArgumentError(
            f"rule {title!r} fixes or bounds a feature of a set found before, which cannot change; state it "
            "as a comparison, as return sets[0]['a'] == 1"
        )


@dataclass(frozen=True, eq=False)
class AfterKnown:
    """A rule across sets as one on the next set, where the others are known.

    Attributes
    ----------
    rule
        The rule across sets.
    features
        Names of all features.
    known
        The sets found before.
    """

    rule: Across
    features: Sequence[str]
    known: Sequence[Collection[str]]
    may_be_silent = True
    called = ACROSS

    def __call__(self, block: Any) -> Any:
        """State the rule on the block of the next set."""
        host = block.parent_block()
        index = dict.fromkeys(self.features)
        before = [KnownSet(host, index, one) for one in self.known]
        returned = self.rule(block, [*before, block.x])
        refuse_moved_constants(host, self.__name__)
        return returned

    @property
    def __name__(self) -> str:
        return title_of(self.rule)
