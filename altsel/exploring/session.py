"""A session of the explorer: messages in, answers out, both plain data; it knows nothing of its host.

A message holds the whole question, so that a session keeps no state of a reader but what it has measured and
found: clients undo, go back, and several may look at the same rows.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from altsel.errors import AltselError, ArgumentError
from altsel.exact.auto_solver import automatic
from altsel.exploring import copied, pinned, tradeoffs
from altsel.exploring.criteria import Criteria
from altsel.exploring.plain import finite, plain_explanation, plain_sets
from altsel.exploring.problems import Kept, Problems, dissimilarity_of
from altsel.exploring.progress import Tell, passed_on
from altsel.exploring.rule_parts import refuse_unknown_names, rule_parts
from altsel.exploring.settings import Settings, checked_settings
from altsel.exploring.start import start_of
from altsel.exploring.subject import Subject
from altsel.results.members import known_names
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, limited
from altsel.search.alternatives.explain.explain import explain
from altsel.search.alternatives.sequential import sequential

UNUSED = {
    "sets": {"loss"},
    "front": {"loss", "alternatives", "tau"},
    "near": {"alternatives", "tau", "dissimilarity"},
}
"""Settings that an answer does not depend on."""
QUICK = 0.03
"""Seconds that a reader does not notice."""
KEPT = 64
"""Answers that are kept, those used last: going back costs nothing."""


class Session:
    """Answers messages about one subject.

    Parameters
    ----------
    subject
        What is explored.

    Examples
    --------
    >>> from altsel import Problem, Univariate
    >>> session = Session(Subject(problem=Problem(Univariate([3, 2, 1]), k=2)))
    >>> found = session.handle({"do": "sets", "settings": {"smallest": 2, "largest": 2, "tau": 0.5}})
    >>> [one["features"] for one in found["answer"]["sets"]]
    [[0, 1], [0, 2], [1, 2]]
    >>> session.handle({"do": "dance"})["fault"]["message"][:31]
    "there is no message to 'dance':"
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.criteria = Criteria(subject)
        self.problems = Problems(subject, self.criteria)
        self._solver = automatic()
        self._found: OrderedDict[str, Any] = OrderedDict()
        self._ways: dict[str, Callable[[Settings, Mapping[str, Any], Tell], dict[str, Any]]] = {
            "start": lambda settings, message, tell: start_of(self.subject, self.criteria),
            "sets": self._sets,
            "relevances": self._relevances,
            "why": self._why,
            "warm": self._warm,
            "front": lambda settings, message, tell: tradeoffs.front(self, settings),
            "near": lambda settings, message, tell: tradeoffs.near(self, settings),
            "compare": lambda settings, message, tell: pinned.compared(self, settings, message),
            "copy": lambda settings, message, tell: copied.copied(self, settings),
            "save": lambda settings, message, tell: copied.saved(self, settings, message),
        }

    def handle(self, message: Mapping[str, Any], tell: Tell = lambda said: None) -> dict[str, Any]:
        """Answer a message.

        Parameters
        ----------
        message
            ``do``: what; ``settings``: the question, see `Settings`; and what else that needs.
        tell
            Called with what is known meanwhile.

        Returns
        -------
        dict
            ``answer``, or ``fault`` with a message for the reader; and the ``seconds`` it took.

        Raises
        ------
        KeyboardInterrupt
            If it is stopped before anything is found.
        """
        began = time.perf_counter()
        try:
            with passed_on(tell):
                made: dict[str, Any] = {"answer": self._answer(message, tell)}
        except OutOfTimeError:
            made = {"fault": {"kind": "time", "message": "time was up before anything was found"}}
        except AltselError as fault:
            made = {"fault": {"kind": type(fault).__name__, "message": str(fault)}}
        except Exception as fault:  # a criterion or rule of the user's own, or a fault of altsel's
            text = str(AltselError(f"{type(fault).__name__}: {fault}"))
            made = {"fault": {"kind": "error", "message": text}}
        return {**made, "seconds": time.perf_counter() - began}

    def _answer(self, message: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
        if not isinstance(message, Mapping):
            raise ArgumentError("a message is a table of names and values")
        way = message.get("do")
        if not isinstance(way, str) or way not in self._ways:
            raise ArgumentError(f"there is no message to {way!r:.40}: use one of {', '.join(self._ways)}")
        settings = checked_settings(message.get("settings", {}))
        settings.read_rules()
        known = known_names(self.subject.names, self.subject.members)
        absent = {} if self.subject.data is None else self.subject.data.absent
        refuse_unknown_names(settings.stated, sorted(known), absent)
        with limited(settings.time_limit):
            return self._ways[way](settings, message, tell)

    def remembered(self, what: str, settings: Settings, make: Callable[[Kept], Any]) -> Any:
        """Return what was found before for the same settings, or find it; what was cut short is not kept."""
        key = f"{what} {settings.model_dump_json(exclude=UNUSED[what] | {'time_limit'})}"
        if key in self._found:
            self._found.move_to_end(key)
            return self._found[key]
        found = make(self.problems.of(settings))
        if found.stop.finished:
            self._found[key] = found
            while len(self._found) > KEPT:
                self._found.popitem(last=False)
        return found

    def found(self, settings: Settings, tell: Tell = lambda said: None) -> Solutions:
        """Return the sets of settings, as `altsel.sequential` finds them."""

        def search(kept: Kept) -> Solutions:
            return self._one_after_another(kept, settings, tell)

        sets: Solutions = self.remembered("sets", settings, search)
        return sets

    def _one_after_another(self, kept: Kept, settings: Settings, tell: Tell) -> Solutions:
        """Search for more sets each time, from what is proved of those before, and tell what there is.

        As long as that is quick, twice as many are added each time, as each search is checked as a whole.
        """
        diversity, wanted, count, step = dissimilarity_of(settings), settings.alternatives, 0, 1
        while True:
            began = time.perf_counter()
            found = kept.run(sequential, kept.problem, diversity, count, self._solver)
            if count == wanted or found.stop is not Stop.COUNT:
                return found
            tell(plain_sets(found, self.subject))
            if not found.proved:  # nothing is kept of it, so that it would be searched again each time
                step = wanted
            step = 2 * step if time.perf_counter() - began < QUICK else max(1, step // 2)
            count = min(count + step, wanted)

    def _sets(self, settings: Settings, message: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
        del message
        found = self.found(settings, tell)
        if self.subject.held is not None:
            found = found.with_holdout(self.criteria.on_held(settings))
        parts = [part.plain() for part in rule_parts(settings.stated)]
        return {**plain_sets(found, self.subject), "rules": parts}

    def _warm(self, settings: Settings, message: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
        """Load what the first rule needs, so that the click that states it need not wait."""
        del message, tell
        last = self.subject.names[-1]
        ruled = settings.model_copy(update={"rules": {"forbid": [last]}, "alternatives": 0})
        if len(self.subject.names) > settings.largest:
            self.found(ruled)
        return {}

    def _relevances(self, settings: Settings, message: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
        del message, tell
        known = self.criteria.relevances(settings)
        if known is None:
            return {"values": None, "measure": None, "noise": None}
        return {**known, "values": [finite(float(value)) for value in known["values"]]}

    def _why(self, settings: Settings, message: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
        """Explain why there is no further set, by rules of which each names one feature or entry."""
        del tell
        problem, wanted = self.problems.apart(settings), message.get("repairs", True)
        difference, count = dissimilarity_of(settings), settings.alternatives
        why = explain(problem, difference, count, self._solver, repairs=bool(wanted))
        return plain_explanation(why, [part.words for part in rule_parts(settings.stated)])
