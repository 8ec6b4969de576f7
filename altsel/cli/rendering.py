"""Blankets, families of them and rankings as text: who is what, by which test, and how sure that is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, isnan

import pandas as pd

from altsel.analysis.family.basis import why_not
from altsel.analysis.family.blankets import Blankets
from altsel.errors import printable
from altsel.results.certificate_text import certificate_lines
from altsel.results.comparison import lost, smallest_p
from altsel.results.feature_set import ErrorBounds, FeatureSet, Role
from altsel.results.fitting import labelled
from altsel.results.members import with_others
from altsel.results.orientation_text import family_lines
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.taxonomy import Taxonomy
from altsel.results.text import json_text, meanings, number_of, number_text, p_text, percent, text_table

FAMILY = 50
"""Blankets shown in a table; all are in JSON and CSV."""
SHOWN = 20
"""Rejected features shown in a table; all are in JSON and CSV."""
OF_TESTS = {
    "p": "of the test of independence that decided, the largest of a feature that is in",
    "given": "the features given in that test",
}
OF_FAMILY = {
    "lost": "loss of models by a set, less that by set 0; below 0 it predicts better",
    "p": "the smallest of the tests against set 0",
}
OF_WAYS = {
    "along with": "what leaves too",
    "pairs of sets": "how many differ in just this",
    "lost": "loss of models after it, less that before",
    "p": "of the test that the sets predict alike",
}
OF_RANKING = {"score": "the criterion, given the features before it"}
"""What the columns of each table mean."""
CLASSES = ["feature", "class", "share", "removals"]
"""Columns of the table of what features are to all blankets."""


def blanket_text(found: Solutions) -> str:
    """Tabulate a blanket: its features, what separates the others, what it cost, error bounds."""
    one = found[0]
    inside = [verdict for verdict in one.verdicts if verdict.feature in one]
    outside = [verdict for verdict in one.verdicts if verdict.feature not in one]
    open_members = [verdict for verdict in inside if verdict.role is Role.UNDECIDED]
    outside.sort(key=lambda verdict: verdict.log_p if verdict.log_p is not None else 0.0)
    rows = [
        [
            with_others(verdict.feature, found.members),
            verdict.role.value + (", selected so far" if verdict in open_members else ""),
            p_text(verdict.log_p),
            _names(verdict.given),
        ]
        for verdict in [*inside, *outside[:SHOWN]]
    ]
    lines = [f"{found.search}: {printable(found.criterion)}, target {printable(found.target or '')!r}"]
    head = ["feature", "role", "p", "given"]
    lines += text_table(head, rows, right={2}, prose={1})
    if len(outside) > SHOWN:
        role = Role.REJECTED if found.stop.finished else Role.UNDECIDED
        lines.append(f"… and {len(outside) - SHOWN} more features {role.value}")
    lines += meanings(head, OF_TESTS)
    near = [
        f"{with_others(one.feature, found.members)} (R = {one.determined:.9g})"
        for one in outside
        if one.determined is not None
    ]
    if near:
        lines.append(
            f"all but determined by those given, which then may stand for them: {', '.join(near[:SHOWN])}"
            f"{', …' if len(near) > SHOWN else ''}"
        )
    weakest = [verdict.log_p for verdict in inside if verdict.log_p is not None]
    sure = f"; largest p of a member: {p_text(max(weakest))}" if weakest else ""
    cost = f"{number_of(found.effort.tests, 'test')}, {found.effort.seconds:.2f} s"
    ended = f"{len(one)} of {len(found.universe)} features; stop: {found.stop.value}; {cost}{sure}"
    closing = [bounds_text(bounds) for bounds in one.error if bounds.corrected]
    closing += [] if one.orientation is None else str(one.orientation).splitlines()
    return "\n".join([*lines, ended, *closing]) + "\n"


def bounds_text(bounds: ErrorBounds) -> str:
    """Describe what the error bounds of a set are."""
    least = f"at least {percent(bounds.lower)} (Fano) and " if bounds.lower > 0 else ""
    entropy = f"H(C|S) = {bounds.entropy:.3g} bits, corrected for few rows"
    return f"best possible classifier, estimated: error {least}at most {percent(bounds.upper)} ({entropy})"


def blanket_table(one: FeatureSet) -> pd.DataFrame:
    """Return the verdicts as a table: feature, role, p, log_p, given (a JSON list), sides if known."""
    rows = [
        (verdict.feature, verdict.role.value, verdict.p, verdict.log_p, json.dumps(verdict.given))
        for verdict in one.verdicts
    ]
    table = pd.DataFrame(rows, columns=["feature", "role", "p", "log_p", "given"])
    if one.orientation is None:
        return table
    known = {member.feature: member for member in one.orientation.members}
    sides = [known.get(name) for name in table["feature"]]
    return table.assign(
        side=pd.Series([None if side is None else side.side.value for side in sides], dtype=object),
        why=pd.Series([None if side is None else side.why for side in sides], dtype=object),
    )


def family_text(
    found: Solutions, costs: Sequence[Mapping[str, float]] | None = None, grouping: str | None = None
) -> str:
    """Tabulate all blankets: set 0, how the others differ from it, and what proves that they are all.

    With costs, those of the best blankets, a column for each; `grouping` says how near copies can be made one
    feature. Of many blankets the first are shown.
    """
    lines = [f"{found.search}: {printable(found.criterion)}, target {printable(found.target or '')!r}"]
    reference = set(found[0]) if found.sets else set()
    if found.sets:
        names = ", ".join(with_others(feature, found.members) for feature in found[0])
        lines.append(labelled("set 0: ", names or "nothing"))
    rows = []
    more = [f"cost {number}" for number in range(2, len(costs or ()) + 1)]
    for index, subset in enumerate(found.sets[:FAMILY]):
        out = [f"-{printable(name)}" for name in found.universe if name in reference and name not in subset]
        new = [f"+{with_others(name, found.members)}" for name in subset if name not in reference]
        change = " ".join([*out, *new]) or ("the reference" if costs is None else "the best")
        message = [number_text(value) for value in (lost(subset.comparisons), smallest_p(subset.comparisons))]
        if costs is not None:
            others = [f"{_cost(each, subset.features, found):.12g}" for each in costs[1:]]
            message = [f"{0.0 - subset.score:.12g}", *others, subset.proof.value]
        rows.append([str(index), str(len(subset)), change, *message])
    if rows:
        head = [
            "set",
            "size",
            "against set 0",
            *(["lost", "p"] if costs is None else ["cost", *more, "proof"]),
        ]
        right = {0, 1, 3, 4} if costs is None else {0, 1, *range(3, 4 + len(more))}
        lines += text_table(head, rows, right=right, prose={2})
        if len(found) > FAMILY:
            lines.append(f"… and {len(found) - FAMILY} more: --format csv")
        lines += meanings(head, OF_FAMILY) if len(rows) > 1 and costs is None else []
    lines += family_lines(found.sets)
    reasons = Counter(one.reason for one in found.discarded)
    lines += [f"{number_of(count, 'more set')} discarded: {reason}" for reason, count in reasons.items()]
    nodes = number_of(found.effort.nodes, "state" if found.search.startswith("TMFBS") else "run")
    cost = f"{number_of(found.effort.tests, 'test')}, {nodes}, {found.effort.seconds:.2f} s"
    if found.stop is Stop.HEURISTIC:
        lines.append("there may be more blankets: this search does not guarantee that it finds all")
    lines += certificate_lines(found, grouping)
    return "\n".join([*lines, f"{number_of(len(found), 'blanket')}; stop: {found.stop.value}; {cost}"]) + "\n"


def _cost(costs: Mapping[str, float], names: Sequence[str], found: Solutions) -> float:
    """Return what a set costs; of a group what the cheapest of its members costs that is named."""
    units = [[costs[one] for one in found.members.get(name, (name,)) if one in costs] for name in names]
    return fsum(min(each) for each in units if each)


def shared_text(found: Solutions, grouping: str | None = None) -> str:
    """Report how many blankets there are and what each feature is to them; if that is not known, why."""
    why = why_not(found)
    lines = [f"{found.search}: {printable(found.criterion)}, target {printable(found.target or '')!r}"]
    if why is not None:
        met = f"{number_of(len(found), 'blanket')} met; stop: {found.stop.value}"
        return "\n".join([*lines, *certificate_lines(found, grouping), met, why]) + "\n"
    cost = f"{number_of(found.effort.tests, 'test')}, {number_of(found.effort.nodes, 'run')}"
    ended = f"stop: {found.stop.value}; {cost}, {found.effort.seconds:.2f} s"
    return "\n".join([*lines, str(Blankets(found)), ended]) + "\n"


def shared_table(found: Solutions) -> pd.DataFrame:
    """Return what each feature is to the blankets as a table; no rows of a search cut short."""
    return Blankets(found).classes() if why_not(found) is None else pd.DataFrame(columns=CLASSES)


def family_table(found: Solutions) -> pd.DataFrame:
    """Return the blankets as a table: set, size, features (a JSON list), loss and smallest p."""
    rows = []
    for index, subset in enumerate(found):
        features = json_text(subset.features)
        rows.append((index, len(subset), features, lost(subset.comparisons), smallest_p(subset.comparisons)))
    return pd.DataFrame(rows, columns=["set", "size", "features", "lost", "p"])


def taxonomy_text(message: Taxonomy, ways: pd.DataFrame) -> str:
    """Tabulate what the features are, and what can replace each."""
    rows = [
        [
            printable(name),
            _names(along) if along else "",
            _names(entering),
            str(sets),
            *("–" if isnan(value) else number_text(value) for value in (loss, p)),  # copies: nothing to test
        ]
        for name, along, entering, sets, loss, p in ways.itertuples(index=False)
    ]
    lines, head = [str(message)], ["feature", "along with", "replaced by", "pairs of sets", "lost", "p"]
    if rows:
        lines += ["", *text_table(head, rows[:SHOWN], right={3, 4, 5})]
    if len(rows) > SHOWN:
        lines.append(f"… and {len(rows) - SHOWN} more ways")
    lines += meanings(head, OF_WAYS) if rows else []
    return "\n".join(lines) + "\n"


def ranking_text(found: Solutions) -> str:
    """Tabulate a ranking in the order of selection."""
    one = found[0]
    names = [with_others(step.feature, found.members) for step in one.path]
    rows = [[str(j), names[j - 1], f"{step.score:.5g}"] for j, step in enumerate(one.path, 1)]
    lines = [f"{found.search}, target {printable(found.target or '')!r}"]
    head = ["rank", "feature", "score"]
    lines += [*text_table(head, rows, right={0, 2}), *meanings(head, OF_RANKING)]
    ended = f"{len(one)} of {len(found.universe)} features, heuristic; {found.effort.seconds:.2f} s"
    return "\n".join([*lines, ended]) + "\n"


def ranking_table(one: FeatureSet) -> pd.DataFrame:
    """Return the path as a table: rank, feature, score."""
    rows = [(j, step.feature, step.score) for j, step in enumerate(one.path, 1)]
    return pd.DataFrame(rows, columns=["rank", "feature", "score"])


def _names(given: tuple[str, ...]) -> str:
    return ", ".join(map(printable, given)) or "nothing"
