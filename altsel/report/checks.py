"""One card for each question that a reader has: proved, others as good, predicting, stable, audited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altsel.errors import printable
from altsel.results.estimate import Estimate
from altsel.results.feature_set import Proof
from altsel.results.performance import Performance
from altsel.results.shares import shares_of_best
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.results.text import number_of, number_text, percent

if TYPE_CHECKING:
    from altsel.auditing.audit import Audit
    from altsel.report.evidence import Tested
    from altsel.report.parts import Parts

GOOD, MIXED, BAD, OPEN = "good", "mixed", "bad", "open"
"""What a card says: yes, in part, no, not looked at."""
POOR, EXCELLENT = 0.4, 0.75
"""Bounds of poor and excellent agreement beyond chance (Nogueira, Sechidis and Brown 2018, after Fleiss)."""
VERDICTS = ("equal", "better", "worse", "different")


def checks_of(
    found: Solutions, parts: Parts, tested: Tested, proof: dict[str, Any] | None, audit: Audit | None
) -> list[dict[str, str]]:
    """Return the cards: the question, what is known, and a sentence that says it."""
    cards = [
        ("Proved best?", *_proved(found)),
        ("Are others as good?", *_as_good(found, tested)),
        ("Do they predict?", *_predict(parts.performance)),
        ("Stable?", *_stable(parts.stability)),
        ("Audited?", *_audited(audit)),
        ("Certified?", *_certified(proof)),
    ]
    return [{"question": question, "known": known, "text": text} for question, known, text in cards]


def _proved(found: Solutions) -> tuple[str, str]:
    if all(one.proof is Proof.TESTED for one in found):
        return MIXED, "The sets were accepted by statistical tests; there is no score to be best in."
    proved = sum(one.proof is Proof.OPTIMAL for one in found)
    if proved == len(found):
        return GOOD, (
            "No other set that keeps the rules, and differs as wanted from those before it, scores higher."
        )
    gaps = [one.gap for one in found if one.gap is not None]
    far = f" A set could score at most {percent(max(gaps))} more than the one found." if gaps else ""
    return (
        MIXED if proved or gaps else OPEN
    ), f"{proved} of {number_of(len(found), 'set')} proved best.{far}"


def _as_good(found: Solutions, tested: Tested) -> tuple[str, str]:
    known = tested.equivalence
    if len(found) == 1:
        return OPEN, "There is one set only."
    if known is None:
        shares = shares_of_best(found)
        near = sum(share >= 0.95 for share in shares[1:])
        told = f" {near} of the others have at least 95 % of the best score." if shares else ""
        return OPEN, f"Not tested, as the page was made without the table.{told}"
    verdicts = [known.verdict(pair) for pair in known]
    counts = ", ".join(f"{verdicts.count(one)} {one}" for one in VERDICTS if one in verdicts)
    good = [pair.second for pair, one in zip(known, verdicts, strict=True) if one in {"equal", "better"}]
    names = (
        f" As good as set 0 or better: {shortly(ranges(good))}." if good else " None is shown to be as good."
    )
    part = "" if len(known.sets) == len(found) else f" (of the first {len(known.sets)} sets)"
    return (GOOD if good else BAD), f"Beside set 0: {counts}{part}.{names}"


def ranges(places: list[int]) -> str:
    """Write ascending numbers with runs joined.

    Examples
    --------
    >>> ranges([1, 2, 3, 5, 8, 9])
    '1–3, 5, 8, 9'
    """
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(_run(run) for run in runs)


def shortly(text: str, parts: int = 6) -> str:
    """Cut a list after some parts; the section on equivalence has all."""
    listed = text.split(", ")
    return text if len(listed) <= parts else f"{', '.join(listed[:parts])}, …"


def _run(run: list[int]) -> str:
    return f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run))


def _predict(known: Performance | None) -> tuple[str, str]:
    if known is None:
        return OPEN, "Models were not tried."
    first, none = known.sets[0].score, known.no_features
    scoring = printable(known.scoring)
    text = (
        f"{scoring[:1].upper()}{scoring[1:]} of models: {_estimated(first)} with set 0; "
        f"{_estimated(known.all_features)} with all features; {number_text(none.value)} with none."
    )
    if first.low is None:
        return MIXED, text
    if first.low > none.value:
        return GOOD, text
    return MIXED, f"{text} That set 0 predicts better than nothing is not shown."


def _estimated(one: Estimate) -> str:
    if one.low is None or one.high is None:
        return number_text(one.value)
    return f"{number_text(one.value)} ({number_text(one.low)} to {number_text(one.high)})"


def _stable(known: Stability | None) -> tuple[str, str]:
    if known is None:
        return OPEN, "The search was not repeated on parts of the rows."
    if known.nogueira is None:
        return MIXED, "The first sets of the resamples have no measure of stability."
    value = known.nogueira.value
    words = "excellent" if value > EXCELLENT else "poor" if value < POOR else "fair to good"
    state = GOOD if value > EXCELLENT else BAD if value < POOR else MIXED
    return state, (
        f"In {number_of(len(known), 'resample')} the first set's features agree to {number_text(value)} "
        f"beyond chance, which is {words} (1: always the same; 0: as by chance)."
    )


def _audited(audit: Audit | None) -> tuple[str, str]:
    if audit is None:
        return OPEN, "Scores and rules were not computed again (an audit)."
    counted = number_of(len(audit.checks), "check")
    if audit.verdict == "confirmed":
        rest = " Proofs were not made again." if audit.unproved else ""
        return GOOD, f"{counted} of sizes, rules, differences and scores, computed again, hold.{rest}"
    wrong = (
        f"{len(audit.refuted)} of {counted} do not hold" if audit.refuted else f"{len(audit.open)} are open"
    )
    return (BAD if audit.refuted else MIXED), f"{wrong}."


def _certified(proof: dict[str, Any] | None) -> tuple[str, str]:
    if proof is None:
        return OPEN, "No certificate was given, so the proofs must be believed."
    claims = number_of(proof["verified"], "claim")
    rest = f" {proof['open']} more are not covered." if proof["open"] else ""
    state = MIXED if proof["open"] or not proof["verified"] else GOOD
    return state, f"A second program checked {claims} in exact arithmetic; this page can do so again.{rest}"
