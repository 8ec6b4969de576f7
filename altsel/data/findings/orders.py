"""Labels that have an order: words of a scale (poor, fair, good), ranges of numbers, stages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import Any

import pandas as pd

from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.findings.text_columns import text_columns
from altsel.data.schema import FEW_LEVELS

LEAST = 3
"""Labels of which an order matters: of two either is the same."""
NOTHING = {"none", "no", "nothing", "absent", "na", "n/a", "kein", "keine", "keiner", "ohne", "nichts"}
"""Words for nothing, which stand lowest, if they have a place among the others."""
SCALES = (
    # quality
    "very poor|very bad|terrible|awful > poor|bad|minimum|minimal|inadequate > below average > "
    "fair|acceptable > average|typical|medium|mediocre|moderate|ok|okay|adequate > good|"
    "above average > very good > excellent|outstanding|superb",
    "po > fa > ta > gd > ex",
    "sehr schlecht > schlecht > mäßig > mittel|mittelmäßig|durchschnittlich > gut > sehr gut > ausgezeichnet",
    "ungenügend > mangelhaft > ausreichend > befriedigend > gut > sehr gut",
    "unsatisfactory > satisfactory > good > very good > excellent",
    # amount
    "none|no|absent|zero > very low|lowest|extremely low > low|lower > below average > medium|med|"
    "mid|middle|moderate|average|normal > above average|elevated > high|higher|upper > very high|"
    "highest|extremely high > extreme",
    "kein|keine > sehr niedrig|sehr gering > niedrig|gering|tief > mittel|mittlere|mittlerer|mäßig|"
    "normal > erhöht > hoch > sehr hoch",
    "few > some|several > many > most > all",
    "l > m > h",
    # how severe
    "none|no|absent > trace|minimal|trivial|questionable|very mild > mild|light|slight|minor|"
    "gentle|weak > moderate|medium|intermediate > marked|severe|strong|major|heavy|serious|steep > "
    "very severe|very strong|critical|extreme > fatal",
    "kein|keine > gering|leicht|mild|schwach > mittel|mäßig|moderat > schwer|stark|ausgeprägt > "
    "sehr schwer|sehr stark",
    # how often
    "never > almost never|hardly ever|very rarely > rarely|rare|seldom > occasionally|sometimes|"
    "occasional > often|frequently|frequent|regularly > very often|usually|mostly > almost always|"
    "nearly always > always",
    "nie|niemals > fast nie > selten > manchmal|gelegentlich > oft|häufig|regelmäßig > sehr oft|"
    "meistens|meist > fast immer > immer",
    "never|none > less than yearly > yearly|annually > quarterly > monthly > fortnightly|"
    "biweekly > weekly > daily > hourly",
    # what people think
    "strongly disagree|disagree strongly|totally disagree > disagree|moderately disagree > "
    "somewhat disagree|slightly disagree|disagree somewhat > neutral|undecided|"
    "neither agree nor disagree|neither|not sure > somewhat agree|slightly agree|agree somewhat > "
    "agree|moderately agree > strongly agree|agree strongly|totally agree",
    "very dissatisfied|very unsatisfied > dissatisfied|unsatisfied > neutral|"
    "neither satisfied nor dissatisfied > satisfied > very satisfied",
    "very unlikely > unlikely > neutral|possible|undecided > likely|probable > very likely > certain",
    "not at all important|not important|unimportant > slightly important|somewhat important > "
    "moderately important > important > very important > extremely important",
    "not at all > slightly|a little|a little bit > somewhat|moderately > quite a bit|very|"
    "considerably > very much|extremely",
    "strongly negative|very negative > negative > neutral > positive > strongly positive|very positive",
    "trifft nicht zu > trifft eher nicht zu > teils teils > trifft eher zu > trifft zu",
    "sehr unzufrieden > unzufrieden > neutral|teils teils > zufrieden > sehr zufrieden",
    # size, speed, warmth
    "xxxs > xxs > xs > s > m > l > xl > xxl|2xl > xxxl|3xl",
    "very small|tiny > small|little > medium|mid|moderate|average > large|big > very large|huge|extra large",
    "sehr klein > klein > mittel|mittelgroß > groß > sehr groß",
    "very short > short > medium|average > tall|long > very tall|very long",
    "very slow > slow > medium|moderate|average > fast|quick > very fast",
    "freezing|very cold > cold > cool > mild|lukewarm > warm > hot > very hot",
    "very light > light > medium > dark|heavy > very dark|very heavy",
    "very thin > thin > medium|normal > thick > very thick",
    "very young > young > middle aged|middle age > old > very old",
    "underweight > normal|normal weight > overweight > obese",
    # people, and what they have learned
    "infant|baby > toddler > child > teen|teenager|adolescent > young adult > adult > senior|elderly",
    "no education|no schooling|none > preschool > primary|elementary|primary school|"
    "elementary school > lower secondary|middle school > secondary|high school|upper secondary|"
    "secondary school > some college > associate|associate degree > tertiary|bachelor|bachelors|"
    "bachelor's|undergraduate|university > master|masters|master's|graduate > doctorate|phd|"
    "doctoral",
    "novice > beginner|basic > intermediate > advanced > expert|proficient",
    "lower > lower middle > middle > upper middle > upper",
    # ranks
    "first > second > third > fourth > fifth > sixth",
    "1st > 2nd > 3rd > 4th > 5th > 6th > 7th > 8th > 9th > 10th",
    "i > ii > iii > iv > v > vi > vii > viii > ix > x",
)
"""Words from the lowest to the highest; those between bars have the same place."""
STEP = re.compile(r"(?:stage|grade|level|step|tier|phase|stadium|grad|stufe|quartile|quintile|q) ?(\d{1,2})")
"""Stages by number, in lower case."""
NUMBER = r"[€$£]? ?(\d[\d,]*(?:\.\d+)?) ?k?"
ABOVE, OPEN = r">=?|≥|over|above|more than|über|ab", r"\+|plus|and over|and more|and above|or more|und mehr"
RANGE = re.compile(
    rf"(?P<below><=?|≤|under|below|less than|up to|unter|bis) ?{NUMBER}"
    rf"|(?P<beyond>{ABOVE}) ?{NUMBER}|{NUMBER} ?(?P<open>{OPEN})"
    rf"|{NUMBER} ?(?:-|–|to|bis|\.\.) ?{NUMBER}|{NUMBER}"
)
"""A range of numbers, in lower case."""
UNIT = re.compile(
    r" ?(?:years?|yrs?|jahre?|days?|tage?|hours?|h|min|minut\w+|months?|monate?|[kcm]?[gm]|%|€|\$|eur|usd)$"
)
"""What may follow it."""


def _folded(label: Any) -> str:
    text = str(label).casefold().replace("_", " ")
    if not any(map(str.isdigit, text)):  # else it may be a range
        text = text.replace("-", " ")
    return " ".join(text.split())


def _ranks(scale: str) -> dict[str, int]:
    places = (place.split("|") for place in scale.split(" > "))
    return {_folded(word): rank for rank, words in enumerate(places) for word in words}


RANKS = tuple(map(_ranks, SCALES))


def order_of(labels: Collection[Any]) -> tuple[tuple[Any, ...], bool] | None:
    """Return labels from the lowest to the highest, and whether that is certain; None if no order is known.

    It is known of three labels or more that are words of one scale, each in a place of its own, ranges of
    numbers that do not overlap, or stages. A word for nothing that no scale holds stands lowest, which is
    not certain.

    Examples
    --------
    >>> order_of(["Good", "Poor", "Fair"])
    (('Poor', 'Fair', 'Good'), True)
    >>> order_of(["None", "Good", "Fair"])
    (('None', 'Fair', 'Good'), False)
    >>> order_of(["18-25", "<18", "26-65", "66+"])
    (('<18', '18-25', '26-65', '66+'), True)
    >>> order_of(["red", "green", "blue"]) is None
    True
    """
    if not LEAST <= len(labels) <= FEW_LEVELS:
        return None
    words = {label: _folded(label) for label in labels}
    some = {label: word for label, word in words.items() if word not in NOTHING}
    for part, nothing in ((words, ()), (some, [label for label in words if label not in some])):
        for ranked in _rankings(part):
            if len(set(ranked.values())) == len(ranked) and len(ranked) > 1:
                return (*nothing, *sorted(ranked, key=ranked.__getitem__)), not nothing
    return None


def _rankings(words: dict[Any, str]) -> Iterator[dict[Any, Any]]:
    """Yield the places of labels on each scale that has them all."""
    for known in (words, _without_shared_word(words)):
        for ranks in RANKS:
            if all(word in ranks for word in known.values()):
                yield {label: ranks[word] for label, word in known.items()}
    steps = {label: STEP.fullmatch(word) for label, word in words.items()}
    if steps and all(steps.values()):
        yield {label: int(match[1]) for label, match in steps.items() if match}
    ranges = {label: _range(word) for label, word in words.items()}
    if ranges and all(ranges.values()) and _follow(list(ranges.values())):
        yield ranges


def _without_shared_word(words: dict[Any, str]) -> dict[Any, str]:
    """Leave out the first or last word that all labels share, as in minimum privacy, good privacy."""
    parts = {label: word.split() for label, word in words.items()}
    for place in (0, -1):
        if (
            all(len(part) > 1 for part in parts.values())
            and len({part[place] for part in parts.values()}) == 1
        ):
            return {label: " ".join(part[1:] if place == 0 else part[:-1]) for label, part in parts.items()}
    return {}


def _range(word: str) -> tuple[float, float] | None:
    match = RANGE.fullmatch(UNIT.sub("", word))
    if match is None:
        return None
    ends = [float(one.replace(",", "")) for one in match.groups() if one and one[0].isdigit()]
    if match["below"]:
        return -inf, ends[0]
    if match["open"] or match["beyond"]:
        return ends[0], inf
    return (ends[0], ends[-1]) if ends[0] <= ends[-1] else None


def _follow(ranges: Sequence[Any]) -> bool:
    """Return whether ranges, of which two or more have both ends, do not overlap."""
    ordered = sorted(ranges)
    apart = all(one[1] <= after[0] for one, after in pairwise(ordered))
    return apart and sum(-inf < low < high < inf for low, high in ordered) > 1


def ordered_labels(frame: pd.DataFrame, target: str) -> Iterator[Finding]:
    """Yield columns of labels that have an order, with what makes them ordered numbers.

    Examples
    --------
    >>> table = pd.DataFrame({"state": ["Poor", "Good", "Fair"], "y": [1, 2, 3]})
    >>> [one.fix for one in ordered_labels(table, "y")]
    ['--kind state=ordinal:Poor,Fair,Good']
    """
    open_ = [name for name, kind in zip(frame.columns, frame.dtypes, strict=True) if not _is_ordered(kind)]
    for column in text_columns(frame[open_]):
        found = order_of(column.labels)
        if found is None:
            continue
        order, certain = found
        name, labels = column.name, [str(label) for label in order]
        plain = not any("," in label or label != label.strip() for label in labels)
        said = f"{name!r} holds labels in an order, taken for categories: {' < '.join(labels)}"
        said += "" if certain else f"; is {labels[0]!r} the lowest of them?"
        yield Finding(
            "ordered labels",
            (name,),
            said,
            options("kind", [f"{name}=ordinal:{','.join(labels)}"]) if plain else "",
            f"kinds={{{name!r}: {labels!r}}}",
            Effect.PROPOSED if certain and plain and name != target else Effect.WARNING,
        )


def _is_ordered(kind: Any) -> bool:
    return isinstance(kind, pd.CategoricalDtype) and bool(kind.ordered)
