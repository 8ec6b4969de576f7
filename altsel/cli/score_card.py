"""``altsel score-card``: points to add up by hand, and other cards that do without the same columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

import altsel
from altsel.cli.groups import grouped
from altsel.cli.messages import announce, progress
from altsel.cli.options import DataFile, ResultOptions, Target, TimeLimit, Weights, seconds_left
from altsel.cli.output import Forms
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.solutions_file import read_result
from altsel.errors import ArgumentError
from altsel.results.feature_set import Proof
from altsel.results.score_card import ScoreCard
from altsel.results.stop import Stop
from altsel.runtime.clock import clock, limited


@dataclass(frozen=True)
class CardOptions:
    """What is wanted of a card, as `altsel.score_card` takes it."""

    k: Annotated[int, typer.Option("-k", help="Most features of the card.")] = 5
    points: Annotated[int, typer.Option(help="Largest size of the points.")] = 5
    alternatives: Annotated[
        int, typer.Option(help="Further cards, each without the columns of those before; see --shared.")
    ] = 0
    thresholds: Annotated[
        list[str] | None,
        typer.Option(
            help="Thresholds of each column of numbers, as 4, the default, at its quantiles; or cuts of one: "
            "age:50,60. Repeat for more columns."
        ),
    ] = None
    as_is: Annotated[
        list[str] | None, typer.Option(help="Column of integers whose points are per unit; repeat.")
    ] = None
    require: Annotated[
        list[str] | None, typer.Option(help="Column, or candidate as 'age >= 60', to have one of; repeat.")
    ] = None
    forbid: Annotated[
        list[str] | None, typer.Option(help="Column, or candidate as 'age >= 60', to do without; repeat.")
    ] = None
    signs: Annotated[
        list[str] | None,
        typer.Option(help="NAME=1 or NAME=-1, the sign of the points of a column or candidate; repeat."),
    ] = None
    per_column: Annotated[
        int | None, typer.Option(help="Most candidates of one column. Default: any number.")
    ] = None
    different_from: Annotated[
        list[Path] | None,
        typer.Option(help="JSON of this command: do without the columns of these cards, too; repeat."),
    ] = None
    shared: Annotated[
        int, typer.Option(help="Most features of columns of each card that another must differ from.")
    ] = 0
    ridge: Annotated[float, typer.Option(help="Ridge of standardised coefficients, above 0.")] = 1.0
    weights: Weights = None
    time_limit: TimeLimit = None

    def asked(self) -> dict[str, Any]:
        """Return the arguments of `altsel.score_card`, but for cards to differ from."""
        return {
            "k": self.k,
            "points": self.points,
            "thresholds": self._thresholds(),
            "as_is": tuple(self.as_is or ()),
            "require": tuple(self.require or ()),
            "forbid": tuple(self.forbid or ()),
            "signs": dict(map(_sign, self.signs or ())),
            "per_column": self.per_column,
            "shared": self.shared,
            "ridge": self.ridge,
            "weights": self.weights,
        }

    def _thresholds(self) -> int | dict[str, list[float]]:
        given = self.thresholds or ["4"]
        if len(given) == 1 and given[0].isdecimal():
            return int(given[0])
        return dict(map(_cuts, given))


@grouped
def score_card(
    data: DataFile,
    *,
    target: Target,
    how: CardOptions,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Give integer points to a few features, whose sum tells the risk; proved, or with a bound.

    JSON is that of the card, with --alternatives a list of cards. 'altsel report --score-card' shows it.

    Example: altsel score-card examples/data/heart.csv.gz --target disease -k 5 --alternatives 1
    """
    known = [card for file in how.different_from or () for card in read_cards(file)]
    form = result.form(data, *(how.different_from or ()))
    if how.alternatives < 0:
        raise ArgumentError(f"--alternatives {how.alternatives}; give an integer of at least 0")
    asked = how.asked()
    with progress(result.quiet), limited(how.time_limit):
        table = reading.dataset(data, target)
        cards = list(_cards(table, asked, known, how.alternatives + 1))
    wanted, shown = how.alternatives + 1, cards[:1] + [card for card in cards[1:] if card.items]
    Forms(lambda: _text(shown), lambda: _table(shown), lambda: _json(shown, wanted)).deliver(
        form, result.output, result.told
    )
    _close(cards, shown, wanted)


def _cards(
    table: altsel.Dataset, asked: dict[str, Any], known: Sequence[ScoreCard], wanted: int
) -> Iterator[ScoreCard]:
    """Search one card after another, each in its share of the time that is left, until one is empty."""
    before = list(known)
    for number in range(wanted):
        left = seconds_left(clock())
        share = None if left is None else max(left / (wanted - number), 1e-3)
        card = altsel.score_card(table, **asked, different_from=before, time_limit=share)
        yield card
        if not card.items or card.stop is Stop.INTERRUPT:
            return
        before.append(card)


def _close(cards: Sequence[ScoreCard], shown: Sequence[ScoreCard], wanted: int) -> None:
    """Say why cards are missing or not proved, and end with the exit code of that."""
    if any(card.stop is Stop.INTERRUPT for card in cards):
        announce("interrupted; these are the best cards found until then")
        raise typer.Exit(130)
    if any(card.proof is not Proof.OPTIMAL for card in cards):
        announce("a limit was reached: not every card is proved; its bound says how much better one may be")
        raise typer.Exit(4)
    if len(shown) < wanted:
        announce(
            f"proved: {len(shown)} of {wanted} cards; no further one that keeps the rules is better than none"
        )
        raise typer.Exit(3)


def read_cards(path: Path) -> tuple[ScoreCard, ...]:
    """Read a score card, or a list of them, that this command wrote as JSON."""
    return read_result(path, _read, "a score card")


def _read(text: str) -> tuple[ScoreCard, ...]:
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        plain = None
    if not isinstance(plain, list):
        return (ScoreCard.from_json(text),)
    return tuple(ScoreCard.from_json(json.dumps(one)) for one in plain)


def _text(cards: Sequence[ScoreCard]) -> str:
    if len(cards) == 1:
        return str(cards[0])
    return "\n\n".join(f"card {number}: {card}" for number, card in enumerate(cards))


def _table(cards: Sequence[ScoreCard]) -> pd.DataFrame:
    if len(cards) == 1:
        return cards[0].to_frame()
    return pd.concat([card.to_frame().assign(card=at) for at, card in enumerate(cards)], ignore_index=True)


def _json(cards: Sequence[ScoreCard], wanted: int) -> str:
    if wanted == 1:
        return cards[0].to_json()
    return json.dumps([json.loads(card.to_json()) for card in cards], ensure_ascii=False, indent=2)


def _cuts(text: str) -> tuple[str, list[float]]:
    """Read the cuts of a column: ``age:50,60``."""
    name, colon, numbers = text.rpartition(":")
    try:
        cuts = [float(one) for one in numbers.split(",")]
    except ValueError:
        cuts = []
    if not colon or not name or not cuts:
        raise ArgumentError(f"--thresholds {text!r}; give their number alone, as 4, or cuts: age:50,60")
    return name, cuts


def _sign(text: str) -> tuple[str, int]:
    """Read the sign of a column or a candidate: ``age=1``, ``age >= 60=-1``."""
    name, equals, sign = text.rpartition("=")
    if not equals or not name or sign.strip() not in {"1", "+1", "-1"}:
        raise ArgumentError(f"--signs {text!r}; give NAME=1 or NAME=-1")
    return name, int(sign)
