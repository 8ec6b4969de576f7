"""Ranges of importance as text: which sets they are of, a table of features, a table of pairs."""

from __future__ import annotations

from collections.abc import Iterator

from altsel.display.html import Table, name_cell, page
from altsel.errors import listing, printable
from altsel.results.importance_range import ExchangedPair, FeatureRange, ImportanceRanges, RangeClass
from altsel.results.least_loss import SIGNS, LeastLoss
from altsel.results.stop import Stop
from altsel.results.text import meanings, number_of, number_text, percent, text_table

SHOWN = 20
"""Features shown in a text; all are in tables and JSON."""
PAIRS = 10
"""Pairs shown in a text."""
HEAD = ("feature", "class", "in", "lost without", "share lost", "lost with", "same class")
PAIR = ("feature", "or", "exactly one", "exchanges")
"""Heads of the tables of features and of pairs."""
MEANINGS = {
    "in": "share of the sets that have it",
    "lost without": "least and largest loss of the sets that lack it, against the best",
    "share lost": "the least loss without it, of the best score",
    "lost with": "least and largest loss of the sets that have it",
    "same class": "share of the resamples in which it is of that class",
    "exactly one": "share of the sets that have one of the two",
    "exchanges": "sets that are in the list with the one in place of the other, too",
}
"""What the columns of the tables mean."""
BEST_ALONE = "the list ended at its limit: core and never are of the best sets alone"
PARTLY = 'the list is not complete: only the sets found count, "core" means "in all of them"'
RULED = "in every set, or in none, by a rule of the search, which tells nothing of them: {}"
SEVERAL = "without a feature of several names is without all of them"


def text(ranges: ImportanceRanges) -> str:
    """Write which sets these are, what they say of the features, and which pairs stand for each other."""
    message = [*never(ranges), *notes(ranges)]
    lines = [title(ranges), "", *_features(ranges)]
    lines += ["; ".join(message)] if message else []
    return "\n".join([*lines, *_pairs(ranges)])


def never(ranges: ImportanceRanges) -> list[str]:
    """Name the features that are in no set; those beyond the first are counted."""
    names = [printable(name) for name in ranges.of(RangeClass.NEVER)]
    more = [f"… and {len(names) - SHOWN} more"] if len(names) > SHOWN else []
    told = ", ".join([*names[:SHOWN], *more])
    return [f"{number_of(len(names), 'feature')} never: {told}"] if names else []


def html(ranges: ImportanceRanges) -> str:
    """Show the features, then the pairs, in a notebook."""
    known, names = ranges.leading(), [one.feature for one in ranges]
    kept = [j for j, name in enumerate(HEAD) if name not in absent(ranges)]

    def rows() -> Iterator[list[str]]:
        for one in known:
            cells = [name_cell(one.feature, names), *_row(ranges, one)[1:]]
            yield [cells[j] for j in kept]

    pairs = (
        [name_cell(one.first, names), name_cell(one.second, names), *_counts(ranges, one)]
        for one in ranges.pairs
    )
    counts = ", ".join(f"{len(ranges.of(kind))} {kind.value}" for kind in RangeClass)
    parts: list[Table | str] = [
        Table(counts, [HEAD[j] for j in kept], rows(), len(known), "feature", left={0, 1}),
        *(f"{note[0].upper()}{note[1:]}." for note in [*never(ranges), *notes(ranges)]),
        *meanings(HEAD, MEANINGS),
    ]
    if ranges.pairs:
        parts += [Table("Features that stand for each other", PAIR, pairs, len(ranges.pairs), "pair", {0, 1})]
        parts += meanings(PAIR, MEANINGS)
    return page(title(ranges), parts)


def title(ranges: ImportanceRanges) -> str:
    """Report which sets these are."""
    sets = number_of(ranges.sets, "set")
    target = f", target {printable(ranges.target)!r}" if ranges.target else ""
    if ranges.tolerance is None:
        return f"{sets}, the best with a score of {number_text(ranges.best)}{target}"
    share = percent(ranges.share_lost(ranges.tolerance))
    lose = f"{number_text(ranges.tolerance)}{f' ({share})' if share else ''} of {number_text(ranges.best)}"
    which = "all" if ranges.complete else "the best"
    return f"{which} {sets}, which lose at most {lose}{target}"


def notes(ranges: ImportanceRanges) -> list[str]:
    """Report where classes and losses say less than they seem to."""
    told = []
    if not ranges.complete:
        told.append(BEST_ALONE if ranges.stop is Stop.COUNT and ranges.tolerance is not None else PARTLY)
    ruled = [one.feature for one in ranges if one.ruled]
    told += [RULED.format(listing(ruled))] if ruled else []
    told += [SEVERAL] if any(len(one.names) > 1 for one in ranges) else []
    return told


def spread(least: LeastLoss, most: float | None) -> str:
    """Show the least loss, and the largest of the list if that is another.

    Examples
    --------
    >>> from altsel.results import Known
    >>> spread(LeastLoss(Known.EXACTLY, 0.0), 0.5), spread(LeastLoss(Known.MORE_THAN, 2.0), None)
    ('0 to 0.5', '> 2')
    """
    if most is None or least.value is None or number_text(least.value) == number_text(most):
        return str(least)
    return f"{least} to {number_text(most)}"


def share_text(ranges: ImportanceRanges, least: LeastLoss) -> str:
    """Show a loss as a share of the best score; nothing where that means nothing."""
    share = percent(ranges.share_lost(least.value))
    return SIGNS.get(least.known, "") + share if share else ""


def _features(ranges: ImportanceRanges) -> list[str]:
    known = ranges.leading()
    rows = [_row(ranges, one) for one in known[:SHOWN]]
    kept = [j for j, name in enumerate(HEAD) if name not in absent(ranges)]
    rows, head = [[row[j] for j in kept] for row in rows], [HEAD[j] for j in kept]
    more = [f"… and {len(known) - SHOWN} more features"] if len(known) > SHOWN else []
    return [*text_table(head, rows, right=set(range(2, len(head)))), *more, *meanings(head, MEANINGS)]


def absent(ranges: ImportanceRanges) -> set[str]:
    """Return the columns that would be empty."""
    shares = set() if ranges.relative and ranges.best else {"share lost"}
    return shares if ranges.resamples else {*shares, "same class"}


def _row(ranges: ImportanceRanges, one: FeatureRange) -> list[str]:
    return [
        printable(one.feature),
        one.range_class.value,
        percent(one.share),
        spread(one.without, one.most_without),
        share_text(ranges, one.without),
        spread(one.holding, one.most_holding),
        percent(one.same_class),
    ]


def _counts(ranges: ImportanceRanges, pair: ExchangedPair) -> list[str]:
    return [percent(pair.exactly_one / ranges.sets), str(pair.exchanges)]


def _pairs(ranges: ImportanceRanges) -> list[str]:
    if not ranges.pairs:
        return []
    rows = [
        [printable(one.first), printable(one.second), *_counts(ranges, one)] for one in ranges.pairs[:PAIRS]
    ]
    more = len(ranges.pairs) - PAIRS
    left = [f"… and {number_of(more, 'more pair')}"] if more > 0 else []
    return ["", *text_table(PAIR, rows, right={2, 3}), *left, *meanings(PAIR, MEANINGS)]
