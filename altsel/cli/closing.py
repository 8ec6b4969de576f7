"""The sentences that close a result: what it says in plain words, and which command looks further."""

from __future__ import annotations

import shlex
from dataclasses import fields
from math import inf
from pathlib import Path

from altsel.cli.kept_reading import options_of
from altsel.cli.options import FoundOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.errors import listing, printable
from altsel.results.estimate import Estimate
from altsel.results.feature_set import Proof
from altsel.results.performance import Performance
from altsel.results.shares import shares_of_best
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.results.stop import Stop
from altsel.results.text import number_of, percent

LITTLE = 0.05
"""Share of the best score up to which an alternative is said to lose little."""
CHANCE = {-1: "better than", 0: "not clearly better than", 1: "worse than"}
WORDS = {-1: "worse", 1: "better"}
"""What is said of an interval below and above 0."""
EXCELLENT = 0.75
STABLE = {
    EXCELLENT: "On other rows the best set stays nearly the same",
    0.4: "On other rows the best set changes in part",
    -inf: "On other rows the best set is another one",
}
"""What is said of the best set, by the least value of Nogueira's measure."""
NEARLY_ALWAYS = 0.9
"""Share of the resamples from which a feature is said to be in nearly all first sets."""
FEW = 200
"""Features up to which a look at all their pairs is proposed."""
MANY = 6
"""Sets that are named by their numbers at most."""


def closing(found: Solutions, data: Path, *, kept: bool = False) -> str:
    """Return what the best sets of a criterion say, and the next command, in one sentence; empty for none.

    Of sets that are `kept` in a file the command that takes it is said where that is.
    """
    if not found.sets or found.stop is Stop.INFEASIBLE:
        return ""
    target = printable(found.target or "the target")
    noise, best = found.noise, max(one.score for one in found)
    if noise is not None and not noise.exceeded_by(best):
        look = f"altsel rank {_table(found, data)} --method mim -k {len(found.universe)}"
        return f"No set tells more of {target!r} than chance does; each feature by itself: {look}"
    if len(found) == 1:
        said = f"No other set of this size tells more of {target!r}"
        said = said if found[0].proof is Proof.OPTIMAL else f"This is the best set found for {target!r}"
        return f"{said}; others that tell nearly as much: add --alternatives 5"
    shares = shares_of_best(found)
    then = f"altsel performance found.json {shlex.quote(str(data))}"
    hint = "" if kept else f"whether they predict as well: add --output found.json, then {then}"
    if not shares:
        return f"Next, {hint}" if hint else ""
    hint = f"; {hint}" if hint else ""
    lost = 1 - min(shares)
    if lost <= LITTLE + 1e-9:
        return f"The alternatives lose at most {percent(lost)} of the best score{hint}"
    worse = sum(share < 1 - LITTLE - 1e-9 for share in shares)
    lose = "loses" if worse == 1 else "lose"
    return (
        f"{number_of(worse, 'set')} {lose} more than {percent(LITTLE)} of the best score, up to "
        f"{percent(lost)}{hint}"
    )


def blankets_closing(
    found: Solutions,
    data: Path,
    costs: Path | None,
    output: Path | None = None,
    *,
    dual: bool = False,
    pairs: bool = True,
) -> str:
    """Return what is claimed of blankets that were found, and the next command, in one sentence.

    The command takes the file that they are in, or is said to need one. Without `pairs` the search did not
    look at pairs of features, and could.
    """
    if not found.sets or found.stop is Stop.INFEASIBLE:
        return ""
    nothing = found.dual is not None and not any(map(len, found)) and not found.dual.reference_confirmed
    if not pairs and nothing and len(found.universe) <= FEW:
        return (
            f"No feature by itself tells anything of {printable(found.target or 'the target')!r}, but tests "
            "do not confirm that none does given others; to look at pairs: add --pairs"
        )
    file = shlex.quote(str(output or "found.json"))
    needs = "" if output else f"add --output {file}, then "
    then = f"{needs}altsel audit {file} {shlex.quote(str(data))}"
    if dual:
        return f"To have the cheapest of them: --best costs.csv; to check what the count rests on: {then}"
    if costs is not None:
        proved = sum(one.proof is Proof.OPTIMAL for one in found)
        said = "No other blanket costs less" if proved == len(found) else "A cheaper blanket is not ruled out"
        return f"{said}; to check that by another solver and the tests again: {then}"
    if found.stop is Stop.EXHAUSTED:
        return f"These are all as far as the tests tell; to check that without this search: {then}"
    return f"Which features can be replaced: {needs}altsel taxonomy {file} {shlex.quote(str(data))}"


def performance_closing(scored: Performance, source: FoundOptions) -> str:
    """Return what scores say of the best set, its alternatives and all features, and the next command.

    A difference is clear if its interval is on one side of 0, and so is p, corrected, where there is a test.
    """
    signs = [_sign(one.difference) for one in scored.sets[1:]]
    for number, sign in enumerate(signs, 1):
        p = min(scored.p_of(number).values(), default=0.0)
        signs[number - 1] = sign if p <= 1 - scored.confidence else 0
    then = _next(scored, source, signs)
    if scored.none_difference is None or scored.none_difference.low is None:
        return then  # no interval is known
    chance, whole = _sign(scored.none_difference), _sign(scored.all_difference)
    said = [f"Set 0 predicts {CHANCE[chance]} no feature does"]
    for sign, word in WORDS.items():
        which = [number for number, other in enumerate(signs, 1) if other == sign]
        said += [f"{_sets(which)} clearly {word} than set 0"] if which else []
    said += [f"all features predict clearly {WORDS[whole]} than it"] if whole else []
    open_ = [f"its alternative{'s' * (len(signs) > 1)}"] if signs and not any(signs) else []
    open_ += [] if whole else ["all features"]
    do = "predicts" if open_ == ["its alternative"] else "predict"
    said += [f"{' and '.join(open_)} {do} as well: no difference is clear"] if open_ else []
    return f"{'; '.join(said)} ({percent(scored.confidence)}). {then}"


def _sign(difference: Estimate | None) -> int:
    """Return on which side of 0 the interval of a difference is; 0 if on both, or if it is not known."""
    if difference is None or difference.low is None or difference.high is None:
        return 0
    return (difference.low > 0) - (difference.high < 0)


def _sets(numbers: list[int]) -> str:
    """Name sets by their numbers, with the verb; many are counted."""
    if len(numbers) == 1:
        return f"set {numbers[0]} predicts"
    if len(numbers) > MANY:
        return f"{len(numbers)} sets predict"
    return f"sets {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} predict"


def _next(scored: Performance, source: FoundOptions, signs: list[int]) -> str:
    """Return the command that looks further, and why."""
    solutions, data, more = _words(source)
    same_rows = not scored.holdout and not scored.repeated and not source.other_data
    if same_rows and options_of(scored.request):
        return (
            "The search saw the rows that are judged, which flatters its sets; by how much: "
            f"altsel performance {solutions} {data}{more} --nested"
        )
    if any(sign >= 0 for sign in signs):
        return f"Next, which features can replace which: altsel taxonomy {solutions} {data}{more}"
    return f"Next, all on one page: altsel report {solutions} --data {data}{more} --output report.html"


def _words(source: FoundOptions) -> tuple[str, str, str]:
    """Return solutions, table and further options of a command, quoted for a shell."""
    more = f" --target {shlex.quote(source.target)}" if source.target else ""
    more += " --other-data" if source.other_data else ""
    return shlex.quote(str(source.solutions)), shlex.quote(str(source.data)), more


def stability_closing(measured: Stability, source: FoundOptions) -> str:
    """Return how much of the best set stays on other rows, in plain words, and the next command.

    Nogueira's measure counts as excellent from .75 on, as poor below .4 (Nogueira, Sechidis and Brown,
    Journal of Machine Learning Research 18, 2018).
    """
    if not measured.reference or not len(measured):
        return ""
    value = None if measured.nogueira is None else measured.nogueira.value
    said = []
    if value is not None:
        how = next(words for least, words in STABLE.items() if value >= least)
        said.append(f"{how} (Nogueira's measure {value:.2f}: from 0.75 on excellent, below 0.4 poor)")
    shares = measured.frequencies()["in the first set"]
    core = [str(name) for name in shares.index[shares >= NEARLY_ALWAYS]]
    are = "is" if len(core) == 1 else "are"
    which = f"{listing(core, MANY)} {are}" if core else "no feature is"
    again = percent(float(measured.sets()["found"].iloc[0]))
    said.append(f"{which} in {percent(NEARLY_ALWAYS)} of the first sets or more, set 0 is found in {again}")
    solutions, data, more = _words(source)
    if value is None or value >= EXCELLENT:
        then = f"all on one page: altsel report {solutions} --data {data}{more} --output report.html"
    else:
        then = f"which features can replace which: altsel taxonomy {solutions} {data}{more}"
    return f"{'; '.join(said)}. Next, {then}"


def _table(found: Solutions, data: Path) -> str:
    """Write a table, its target and how it is read, as the command that found solutions was told."""
    command = found.request.get("command")
    given = command.get("options", {}) if isinstance(command, dict) else {}
    words = [str(data), "--target", found.target or ""]
    for name in (one.name for one in fields(ReadingOptions) if one.name in given):
        option, value = f"--{name.replace('_', '-')}", given[name]
        for each in value if isinstance(value, list) else [value]:
            words += [option] if each is True else [option, str(each)]
    return shlex.join(words)
