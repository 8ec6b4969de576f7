"""A question written as Python and as a command, to be pasted and run: they find what the explorer shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from inspect import isclass
from shlex import quote
from typing import Any

import altsel
from altsel import catalogue
from altsel.catalogue.rules import RulesFile
from altsel.data.table_file import toml_value
from altsel.exploring.settings import Settings
from altsel.exploring.subject import Subject
from altsel.runtime.entries import Entry

END = "RULES"
"""Ends a file within a command; no line of TOML is so."""
CALLER = {
    "data": "# data: the altsel.Dataset that is explored",
    "problem": "# problem: the altsel.Problem that is explored",
}
"""What stands in for rows that have no file."""


def python_text(subject: Subject, settings: Settings) -> str:
    """Write the question as Python; it prints the sets.

    Examples
    --------
    >>> problem = altsel.Problem(altsel.Univariate([3, 2, 1]), k=2)
    >>> print(python_text(Subject(problem=problem), Settings(smallest=2, largest=2, objective="given")))
    import altsel
    <BLANKLINE>
    # problem: the altsel.Problem that is explored
    problem = altsel.Problem(problem.objective, 2, [*problem.subject_to], [*problem.across])
    found = altsel.sequential(problem, altsel.Dice(0.4), alternatives=5)
    print(found)
    """
    read = settings.read_rules()
    rules, across = (
        [*_rules(read)],
        [f"altsel.domain.in_at_most({one.number}, {one.of!r})" for one in read.in_at_most],
    )
    if subject.problem is not None:
        rules, across = ["*problem.subject_to", *rules], ["*problem.across", *across]
        lines, objective = [CALLER["problem"]], "problem.objective"
        imports: list[str] = []
    else:
        lines = [CALLER["data"]] if subject.origin is None else subject.origin.python()
        imports, objective = _objective(settings)
    stated = [f"altsel.Problem({objective}, {settings.k}"]
    stated += [f"[{', '.join(rules)}]"] if rules or across else []
    stated += [f"[{', '.join(across)}]"] if across else []
    kind = "Dice" if settings.dissimilarity == "dice" else "Jaccard"
    how = f"altsel.{kind}({settings.tau!r}), alternatives={settings.alternatives}"
    lines += [
        f"problem = {', '.join(stated)})",
        f"found = altsel.sequential(problem, {how})",
        "print(found)",
    ]
    return "\n".join(["import altsel", *imports, "", *lines])


def _objective(settings: Settings) -> tuple[list[str], str]:
    """Write a criterion of the catalogue: what is to be imported, and what makes it."""
    entry = catalogue.OBJECTIVES[settings.objective]
    imports, name = _named(entry, "altsel", altsel.__all__)
    given = "data"
    if settings.measure is not None:
        more, by = _measure(settings.measure, settings.seed)
        imports += more
        given = f"altsel.dependence(data, {by})"
    return imports, f"{name}({', '.join([given, *_arguments(entry.options)])})"


def _measure(name: str, seed: int) -> tuple[list[str], str]:
    """Write a measure of the catalogue."""
    entry = catalogue.MEASURES[name]
    imports, named = _named(entry, "altsel.measures", altsel.measures.__all__)
    if not isclass(entry.load()):
        return imports, named
    options = {**entry.options, **({"random_state": seed} if entry.takes("random_state") else {})}
    return imports, f"{named}({', '.join(_arguments(options))})"


def _named(entry: Entry, namespace: str, public: Iterable[str]) -> tuple[list[str], str]:
    """Return how what an entry stands for is called: by its public name, else imported from its module."""
    module, _, name = str(entry.target).partition(":")
    if not entry.package and name in public:
        return [], f"{namespace}.{name}"
    return [f"from {module} import {name}"], name


def _arguments(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]


def _rules(read: RulesFile) -> Iterator[str]:
    """Write the rules on each set as calls of `altsel.domain`."""
    for name in ("require", "forbid"):
        if names := getattr(read, name):
            yield f"altsel.domain.{name}({', '.join(map(repr, names))})"
    for name in ("at_most", "at_least", "exactly"):
        yield from (f"altsel.domain.{name}({one.number}, {one.of!r})" for one in getattr(read, name))
    for implied in read.implies:
        yield f"altsel.domain.implies({', '.join(map(repr, [implied.first, *implied.then]))})"
    for name in ("all_or_none", "mutually_exclusive"):
        yield from (f"altsel.domain.{name}({group!r})" for group in getattr(read, name))
    for spent in read.budget:
        panels = [(panel.cost, panel.of) for panel in spent.fixed]
        yield f"altsel.domain.budget({spent.cost!r}, {spent.limit!r}, {panels!r}, {spent.other!r})"
    for told in read.proxy_limit:
        yield f"altsel.domain.proxy_limit({told.dependence!r}, {told.limit!r}, {told.other!r})"
    if read.minimum_quality is not None:
        yield f"altsel.domain.minimum_quality({read.minimum_quality!r})"


def rules_text(settings: Settings) -> str:
    """Write the rules as a file that ``--rules`` takes.

    Examples
    --------
    >>> print(rules_text(Settings(rules={"forbid": ["age"], "require": []})), end="")
    forbid = ["age"]
    """
    return "".join(f"{name} = {toml_value(_stated(value))}\n" for name, value in settings.stated.items())


def _stated(value: Any) -> Any:
    """Return plain data without what is not stated, which TOML has no word for."""
    if isinstance(value, Mapping):
        return {name: _stated(one) for name, one in value.items() if one is not None}
    return [_stated(one) for one in value] if isinstance(value, list) else value


def command_text(subject: Subject, settings: Settings) -> str | None:
    """Write the question as a command for a shell; None if the rows have no file."""
    if subject.origin is None:
        return None
    low, high = settings.sizes
    parts = [
        f"altsel select {subject.origin.command()}",
        f"-k {low}" if low == high else f"-k {low}:{high}",
        f"--alternatives {settings.alternatives} --tau {settings.tau!r}",
    ]
    parts += [f"--dissimilarity {settings.dissimilarity}"] if settings.dissimilarity != "dice" else []
    parts += [f"--objective {quote(settings.objective)}"] if settings.objective != "univariate" else []
    parts += [f"--measure {quote(settings.measure)}"] if settings.measure is not None else []
    parts += [f"--seed {settings.seed}"] if settings.seed else []
    rules = rules_text(settings)
    if not rules:
        return " ".join(parts)
    return f"cat > rules.toml <<'{END}'\n{rules}{END}\n{' '.join([*parts, '--rules rules.toml'])}"
