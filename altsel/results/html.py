"""Results as tables in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from altsel.display.html import Html, Table, name_cell, names_cell, page
from altsel.results.comparison import lost
from altsel.results.estimate import defined
from altsel.results.members import Members, with_others
from altsel.results.shares import shares_of_best
from altsel.results.solutions_text import KEPT_APART, WHAT_IT_IS, about
from altsel.results.text import number_of, number_text, percent

if TYPE_CHECKING:
    from altsel.results.equivalence import Equivalence
    from altsel.results.feature_set import FeatureSet
    from altsel.results.front import Front
    from altsel.results.performance import Performance
    from altsel.results.removal_stability import RemovalStability
    from altsel.results.shadow import Shadow
    from altsel.results.solutions import Solutions
    from altsel.results.stability import Stability
    from altsel.results.taxonomy import Taxonomy

COLUMNS = 30
"""Sets whose members are shown side by side."""
ROWS = 30
"""Rows that are worked out at most."""


def of_solutions(found: Solutions) -> str:
    """Show the sets with scores, bounds and proofs, then which features are in which."""
    held = any(one.holdout is not None for one in found)
    null = any(one.p_null is not None for one in found)
    bounded, shares = any(one.gap for one in found), shares_of_best(found)
    head = ["set", "features", "score", *(["bound", "gap"] if bounded else [])]
    head += [*(["of best"] if shares else []), "proof"]
    head += [*([KEPT_APART] if held else []), *(["p, null"] if null else [])]

    def rows() -> Iterator[list[str]]:
        for number, one in enumerate(found):
            scores = _scores(one)[: 3 if bounded else 1]
            cells = [
                str(number),
                _members(one.features, found.members, found.universe),
                *scores,
                *([percent(shares[number])] if shares else []),
                one.proof.value,
            ]
            cells += ["" if one.holdout is None else f"{one.holdout:.6g}"] if held else []
            yield cells + ([number_text(one.p_null)] if null else [])

    counts = f"{number_of(len(found), 'set')} of {number_of(len(found.universe), 'feature')}"
    ended = [f"{counts}; stop: {found.stop.value}; {found.effort.cost()}"]
    ended += [f"{KEPT_APART}: {WHAT_IT_IS}"] if held else []
    ended += [found.null_note()] if null else []
    table = Table("The sets found", head, rows(), len(found), "set", left={1, head.index("proof")})
    return page(about(found), [table, *ended, *([_membership(found)] if len(found) > 1 else [])])


def _membership(found: Solutions) -> Table:
    """Features by sets, the most frequent features first."""
    shown = [set(one.features) for one in found.sets[:COLUMNS]]
    counts = found.counts()

    def rows() -> Iterator[list[str]]:
        for feature in counts:
            marks = (Html("✓") if feature in one else Html("") for one in shown)
            yield [name_cell(feature, found.universe), percent(counts[feature] / len(found)), *marks]

    caption = "Which features are in which sets"
    caption += f" (the first {COLUMNS} of {len(found):,})" if len(found) > COLUMNS else ""
    head = ["feature", "in", *map(str, range(len(shown)))]
    return Table(caption, head, rows(), len(counts), "feature", left={0}, folded=True)


def of_feature_set(one: FeatureSet) -> str:
    """Show the features of a set, with what tests or a greedy search said of each."""
    verdicts = {verdict.feature: verdict for verdict in one.verdicts}
    steps = {step.feature: f"{step.score:.6g}" for step in one.path}
    told = () if one.orientation is None else one.orientation.members
    sides = {member.feature: member.side.value for member in told}
    others = {feature: listed[1:] for feature, listed in one.members.items()}
    head = ["feature", *(["or"] if others else []), *(["is", "p"] if verdicts else [])]
    head += ["score when added"] if steps else []

    def rows() -> Iterator[list[str]]:
        for feature in one:
            cells: list[str] = [name_cell(feature, one.features)]
            cells += [names_cell(others[feature]) if feature in others else ""] if others else []
            verdict = verdicts.get(feature)
            known = (
                ["", ""]
                if verdict is None
                else [sides.get(feature, verdict.role.value), number_text(verdict.p)]
            )
            yield [*cells, *(known if verdicts else []), *([steps.get(feature, "")] if steps else [])]

    score, bound, gap = _scores(one)
    parts = [f"score {score}", *([f"bound {bound}", f"gap {gap}"] if bound else []), one.proof.value]
    parts += [] if one.holdout is None else [f"{KEPT_APART} {one.holdout:.6g}"]
    parts += [] if one.p_null is None else [f"p of the null level {number_text(one.p_null)}"]
    table = Table("Its features", head, rows(), len(one), "feature", left=set(range(len(head) - 1)) | {0})
    return page(number_of(len(one), "feature"), [", ".join(parts), table])


def of_front(front: Front) -> str:
    """Show the points, with the share of quality each one loses."""
    head, shown = front.shown()
    names = sorted({name for *_, sets, _ in shown for one in sets for name in one}.union(*front.reference))

    def rows() -> Iterator[list[str]]:
        for *numbers, sets, proof in shown:
            yield [
                *numbers,
                Html("<br>".join(_members(one, front.members, names) for one in sets[:5])),
                proof,
            ]

    table = Table("What dissimilarity costs", head, rows(), len(front), "point", left={3, 4})
    reference = [Html(f"<p>from {_members(one, front.members, names)}</p>") for one in front.reference[:1]]
    return page(f"{front.quality}; {front.measure}", [*reference, table, front.ended()])


def of_taxonomy(taxonomy: Taxonomy) -> str:
    """Show what each feature is, those in solutions first."""
    from altsel.results.feature_report import FeatureClass  # noqa: PLC0415

    kinds = [kind for kind in FeatureClass if taxonomy.of(kind)]
    ranks = {kind: place for place, kind in enumerate(FeatureClass)}
    order = sorted(taxonomy, key=lambda one: (ranks[one.feature_class], -one.share))

    names = [one.feature for one in order]

    def rows() -> Iterator[list[str]]:
        for one in order:
            cells = [one.feature_class.value, one.relevance.value, percent(one.share), number_text(one.p)]
            whole = len(one.given) == len(order) - 1
            given = "all others" if whole else names_cell(one.given, 5, names) if one.given else ""
            yield [name_cell(one.feature, names), *cells, given]

    head = ["feature", "class", "relevance", "in", "p", "given"]
    table = Table("What each feature is", head, rows(), len(order), "feature", left={0, 1, 2, 5})
    notes = "; ".join(f"{number_of(len(taxonomy.of(kind)), 'feature')} {kind.value}" for kind in kinds)
    parts: list[Table | str] = [f"{notes}; level {taxonomy.alpha:g}, {taxonomy.correction} correction", table]
    parts += [f"{note[0].upper()}{note[1:]}." for note in taxonomy.notes()]
    return page(f"Taxonomy of {number_of(len(order), 'feature')}", parts)


def of_equivalence(evidence: Equivalence) -> str:
    """Show the classes, then p of every pair."""
    groups = evidence.classes()
    names = sorted(set().union(*evidence.sets))

    def sets() -> Iterator[list[str]]:
        for number, features in enumerate(evidence.sets):
            place = next(index for index, group in enumerate(groups) if number in group)
            yield [str(number), names_cell(features, among=names), str(place)]

    def pairs() -> Iterator[list[str]]:
        for pair in evidence:
            p = [
                f"{value:.3g}" if answer.tested else "not tested"
                for answer, value in zip(pair.comparisons, pair.adjusted, strict=True)
            ]
            said = evidence.equivalent_text(pair)
            yield [f"{pair.first}, {pair.second}", *p, number_text(lost(pair.comparisons)), said]

    head = ["sets", *evidence.tests, "lost", "equivalent"]
    kind = "p by Holm's correction" if evidence.corrected else "p"
    of_sets = ["set", "features", "class"]
    first = Table("The sets, and the class of each", of_sets, sets(), len(evidence.sets), "set", left={1})
    second = Table(f"Pairs: {kind}", head, pairs(), len(evidence), "pair", left={0, len(head) - 1})
    title = f"{number_of(len(evidence.sets), 'set')} in {len(groups)} "
    title += "class of equivalent sets" if len(groups) == 1 else "classes of equivalent sets"
    return page(f"{title}, level {evidence.alpha:g}", [first, second])


def of_performance(scored: Performance) -> str:
    """Show every set's score, beside all features and none."""
    head, shown = scored.shown()
    names = sorted({name for _, features, *_ in shown for name in features or ()})

    def rows() -> Iterator[list[str]]:
        for number, features, *rest in shown[-2:] + shown[:-2]:
            yield [number, "" if features is None else names_cell(features, among=names), *rest]

    table = Table("Scores of the sets", head, rows(), len(shown), "row", left={1})
    return page(f"{scored.scoring}, {scored.models}", [table, *scored.notes()])


def of_stability(found: Stability) -> str:
    """Show how often features and sets are found."""
    table = found.frequencies().sort_values("in any set", ascending=False, kind="stable")
    table = table[table["in any set"] > 0]
    names = [str(name) for name in table.index]
    features = (
        [name_cell(str(row[0]), names), percent(row[1]), percent(row[2])] for row in table.itertuples()
    )
    again = found.sets().query("`of all rows`")
    sets = (
        [str(number), names_cell(row[0], among=names), percent(row[2]), number_text(row[3])]
        for number, row in enumerate(islice(again.itertuples(index=False), ROWS + 1))
    )
    head = ["feature", "in the first set", "in any set"]
    alike = f"similarity of two {defined(found.first)}"
    parts: list[Table | str] = [
        f"first sets: Nogueira's measure {defined(found.nogueira)}; {alike}",
        f"collections: similarity of two {defined(found.collection)}, sets matched at best (Dice)",
        Table("Features", head, features, len(table), "feature", left={0}),
        Table(
            "Sets of all rows",
            ["set", "features", "found again", "most similar"],
            sets,
            len(again),
            "set",
            left={1},
        ),
    ]
    title = f"{len(found)} resamples of {found.rows} rows ({found.scheme})"
    return page(title + (f", target {found.target!r}" if found.target else ""), parts)


def of_removal_stability(found: RemovalStability) -> str:
    """Show how often no blanket is left without some features."""
    names = sorted({name for one in found.removals for name in one})
    shown = zip(found.removals, found.cells(), strict=True)
    rows = ([names_cell(one, among=names), *cells] for one, cells in shown)
    head = ["without", "of all rows", "no blanket", "interval"]
    table = Table("Removals", head, rows, len(found), "removal", left={0, 1})
    return page(found.title(), [table])


def of_shadow(shadow: Shadow) -> str:
    """Show relevances beside their null levels."""
    order = sorted(shadow.features, key=lambda one: -one.relevance)
    names = [one.feature for one in order]
    rows = (
        [
            name_cell(one.feature, names),
            f"{one.relevance:.4g}",
            f"{one.level:.4g}",
            f"{one.p:.2g}",
            f"{one.p_any:.2g}",
        ]
        for one in order
    )
    head = ["feature", "relevance", "null level", "p", "p, of any"]
    parts: list[Table | str] = []
    if order:
        parts.append(
            Table("Relevance, and what permuted copies reach", head, rows, len(order), "feature", {0})
        )
        above = f"{len(shadow.above)} of {number_of(len(order), 'feature')} are above it"
        parts.append(f"null level {shadow.relevance_level:.4g}; {above}")
    if shadow.scores:
        reached = "none" if shadow.score_level is None else f"{shadow.score_level:.6g}"
        parts.append(f"null level of scores {reached} (best sets of {len(shadow.scores)} permuted targets)")
    return page(f"Null level{' of ' + shadow.measure if shadow.measure else ''}, {shadow.level:g}", parts)


def _members(features: Sequence[str], members: Members, among: Sequence[str]) -> Html:
    shown, beside = (
        [with_others(one, members) if one in members else one for one in names] for names in (features, among)
    )
    return names_cell(shown, among=beside)


def _scores(one: FeatureSet) -> list[str]:
    return [f"{one.score:.6g}", "" if one.bound is None else f"{one.bound:.6g}", percent(one.gap)]
