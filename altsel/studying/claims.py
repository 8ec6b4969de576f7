"""What a study may claim, one sentence each, and never more than was shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from altsel.errors import listing
from altsel.results.discoveries import Discoveries
from altsel.results.equivalence import Equivalence
from altsel.results.estimate import Estimate
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.results.study import Study
from altsel.results.text import number_of, number_text, percent
from altsel.studying.plan import Plan

SHOWN = 8
"""Features named in a sentence."""


def claims(study: Study, plan: Plan, certified: dict[str, Any] | None) -> Iterator[str]:
    """Yield what was shown of a study, in the order in which it was done."""
    yield from _choice(study, plan)
    yield from _features(study)
    yield from _alternatives(study, plan)
    yield from _equivalent(study.equivalence, study)
    yield from _stable(study.stability)
    yield from _discovered(study.discoveries)
    yield from _certified(study.found, certified)
    yield "All of this takes rows for independent draws of what new rows come from."


def _choice(study: Study, plan: Plan) -> Iterator[str]:
    best, share = study.tried[study.best], percent(plan.confidence)
    yield (
        f"Of {number_of(len(study.tried), 'configuration')}, all tried within the same {plan.folds} folds of "
        f"{study.rows} rows, the least loss has: {best.name}."
    )
    yield (
        f"The {study.loss} to be expected on new rows is {interval(study.corrected)} ({share} interval), "
        f"corrected for the choice; {number_text(best.loss)} without the correction."
    )
    for name, value in study.beside.items():
        yield f"The {name} of the same choice, corrected too: {interval(value)}."
    gain = study.gain
    if gain.low is not None and gain.low > 0:
        yield f"It predicts better than no features do: their {study.loss} is larger by {interval(gain)}."
    else:
        yield (
            f"That it predicts better than no features do is not shown: their {study.loss} less its is "
            f"{interval(gain)}."
        )
    if study.judged is not None:
        yield (
            f"On the {number_of(study.holdout, 'row')} kept apart, judged once, its {study.loss} is "
            f"{interval(study.judged)}."
        )


def _features(study: Study) -> Iterator[str]:
    names = study.found[0].features if study.found.sets else ()
    if study.shown != study.best:
        yield (
            f"What has the least loss does not select: it is of {study.tried[study.best].name}. Of what "
            f"selects, the best is: {study.tried[study.shown].name}; its {study.loss}, corrected: "
            f"{interval(study.corrected_shown)}."
        )
    yield (
        f"In all {study.rows} rows it selects {named(names)} (set 0)." if names else "It selects no feature."
    )


def _alternatives(study: Study, plan: Plan) -> Iterator[str]:
    others = len(study.found) - 1
    if not plan.alternatives or not study.found.sets:
        return
    if study.tau is None:
        found = number_of(others, "other set") if others else "no other set"
        yield f"Beside set 0 the search finds {found} that tests take for a blanket as well."
        return
    differ = f"by {study.tau:g} or more (Dice)"
    if not others:
        yield f"No other set differs {differ} from set 0."
        return
    yield f"{number_of(others, 'alternative')}; sets differ {differ}, {_why(study)}."


def _why(study: Study) -> str:
    """Return in words by what tau was chosen."""
    chosen = next((one for one in study.taus if one.tau == study.tau), None)
    if chosen is not None and chosen.near:
        return "the largest tried that costs at most a standard error of the loss out of fold"
    few = [one for one in study.taus if one.added is None]
    if len(few) == len(study.taus):
        return "the smallest tried; in some folds there are fewer alternatives by each"
    rest = ", or has too few alternatives in some fold" if few else ""
    return f"the smallest tried; each costs more than a standard error of the loss out of fold{rest}"


def _equivalent(known: Equivalence | None, study: Study) -> Iterator[str]:
    if known is None:
        return
    verdicts = [known.verdict(pair) for pair in known]
    counts = [
        f"{verdicts.count(one)} {one}" for one in ("equal", "better", "worse", "different") if one in verdicts
    ]
    where = f"on the {study.holdout} rows kept apart" if study.holdout else "on the rows that were searched"
    yield (
        f"Beside set 0 tests find of the others: {', '.join(counts)}; losses are judged {where}. "
        "Equal means that no test shows a difference."
    )


def _stable(known: Stability | None) -> Iterator[str]:
    if known is None:
        return
    if known.nogueira is None:
        yield f"In {len(known)} halves of the rows the stability of set 0 is not defined."
        return
    shares = known.frequencies()["in the first set"]
    often = [str(name) for name in shares.index[shares >= 0.9]]
    yield (
        f"Searched again in {len(known)} halves of the rows, set 0 agrees to {known.nogueira} beyond chance "
        f"(Nogueira); in nine of ten or more: {named(often) if often else 'no feature'}."
    )


def _discovered(known: Discoveries | None) -> Iterator[str]:
    if known is None:
        return
    if known.selected:
        yield (
            f"Discoveries, features that tell what no other does: {named(known.selected)}; in the mean over "
            f"such studies at most {percent(known.level)} are false, if knockoffs have the distribution of "
            "the features."
        )
    else:
        yield (
            f"No feature is discovered at a false discovery rate of {percent(known.level)}; fewer than "
            f"{known.least} cannot be."
        )


def _certified(found: Solutions, certified: dict[str, Any] | None) -> Iterator[str]:
    if found.proved and found.sets:
        others = ", and each alternative best of what differs enough" if len(found) > 1 else ""
        yield f"In these rows set 0 is proved best by its criterion{others}."
    if certified is not None:
        rest = f"; {certified['open']} are not covered" if certified["open"] else ""
        yield f"A program without altsel checked {number_of(certified['verified'], 'claim')} of that{rest}."


def interval(one: Estimate) -> str:
    """Write a number and its interval in a sentence.

    Examples
    --------
    >>> interval(Estimate(0.5, 0.25, 1.0))
    '0.5 (0.25 to 1)'
    """
    if one.low is None or one.high is None:
        return number_text(one.value)
    return f"{number_text(one.value)} ({number_text(one.low)} to {number_text(one.high)})"


def named(names: tuple[str, ...] | list[str]) -> str:
    """Name features in a sentence, the others counted."""
    return listing(names, SHOWN)
