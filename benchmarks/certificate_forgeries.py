"""Forged certificates, and brute force that tells whether what they claim is false."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, inf, log, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

Lines = list[Any]
Change = Callable[[Lines, int, Random], None]
Forgery = Callable[[Lines, Random], Lines | None]
HAIR = Fraction(1, 10**30)
"""What is too little to be told from none, so that one comparison does."""
KEYS = {"sum": "weights", "least squares": "along", "penalised fit": "along", "model": "y", "table": "scores"}
"""Numbers that are changed, of each kind of criterion; of others it is what features are worth alone."""
FAR, TRUSTED = 1e-6, 1e6
"""How far below a limit floats must be to be believed, and up to which condition of the products."""
MOST, MOST_FAMILIES = 3_000, 200_000
"""Sets up to which all are scored, and families of them that are looked at."""


def read_lines(path: Path) -> Lines:
    """Read a certificate."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_lines(path: Path, lines: Lines) -> None:
    """Write a certificate, with the digest of its question."""
    stated = [json.dumps(lines[0]["features"])]
    for line in lines:
        if isinstance(line, dict) and ("criterion" in line or "row" in line) and "claim" not in line:
            stated.append(json.dumps(line, sort_keys=True))
        if isinstance(line, dict) and "question" in line:
            line["question"] = hashlib.sha256("\n".join(sorted(stated)).encode()).hexdigest()
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")


def number(text: Any) -> Fraction:
    """Read a number."""
    return Fraction(text) if isinstance(text, int) else Fraction(float.fromhex(text))


def forgery(good: Callable[[Any], bool]) -> Callable[[Change], Forgery]:
    """Turn what changes the line of a copy into a forgery: one of those that are good, at random."""

    def of_change(change: Change) -> Forgery:
        def forged(lines: Lines, random: Random) -> Lines | None:
            copy = json.loads(json.dumps(lines))
            some = [i for i, line in enumerate(copy) if good(line)]
            if not some:
                return None
            change(copy, random.choice(some), random)
            return list(copy)

        return forged

    return of_change


def _is_leaf(line: Any) -> bool:
    return isinstance(line, list) and line[0] != "branch"


def _is_claim(line: Any) -> bool:
    return isinstance(line, dict) and "claim" in line and "criteria" in line


def _has_limit(line: Any) -> bool:
    return _is_claim(line) and line["at most"] is not None


def _has_sets(line: Any) -> bool:
    return _is_claim(line) and bool(line.get("sets")) and "price" not in line


@forgery(_is_leaf)
def drop_leaf(copy: Lines, at: int, random: Random) -> None:
    """Drop a leaf."""
    del random, copy[at]


@forgery(lambda line: _is_leaf(line) and line[0] == "bound")
def change_bound(copy: Lines, at: int, random: Random) -> None:
    """Change a point of a leaf, or a price."""
    data, prices = copy[at][1], copy[at][2]
    if prices and random.random() < 0.5:
        prices[random.choice(sorted(prices))] = (random.random() * 3).hex()
    elif len(data) > 2:
        data[2 * random.randrange(1, (len(data) + 1) // 2)] += random.randrange(-(2**52), 2**52)
    else:
        copy[at][0] = random.choice(["none", "each"])


@forgery(_has_limit)
def strengthen(copy: Lines, at: int, random: Random) -> None:
    """Lower a limit, so that it is below a set that there is, or state that there is none."""
    limit = float.fromhex(copy[at]["at most"])
    less = limit - random.choice([1e-6, 1e-2, 0.3]) * max(abs(limit), 1e-9)
    copy[at]["at most"] = random.choice([less.hex(), less.hex(), None])


@forgery(_has_sets)
def raise_score(copy: Lines, at: int, random: Random) -> None:
    """Raise the score of a set."""
    one = random.choice(copy[at]["sets"])
    level = float.fromhex(one["at least"])
    one["at least"] = (level + random.choice([1e-7, 0.1]) * max(abs(level), 1e-9)).hex()


@forgery(_has_sets)
def hide_set(copy: Lines, at: int, random: Random) -> None:
    """Leave a set out of a list, or put another one in the place of the best."""
    if copy[at]["of"] == "others":
        copy[at]["sets"].pop(random.randrange(len(copy[at]["sets"])))
        return
    one = copy[at]["sets"][0]
    one["set"] = sorted(random.sample(range(len(copy[0]["features"])), len(one["set"])))
    one["at least"] = copy[at]["at most"] = (-1e9).hex()


@forgery(lambda line: isinstance(line, dict) and "row" in line)
def weaken_rule(copy: Lines, at: int, random: Random) -> None:
    """Raise the limit of a row."""
    copy[at]["at most"] = (float.fromhex(copy[at]["at most"]) + random.choice([0.5, 1.0, 100.0])).hex()


@forgery(lambda line: isinstance(line, dict) and "criterion" in line)
def change_number(copy: Lines, at: int, random: Random) -> None:
    """Change a number of a criterion."""
    key = KEYS.get(copy[at]["kind"], "single")
    numbers = copy[at][key]
    i = random.randrange(len(numbers))
    value = float.fromhex(numbers[i])
    numbers[i] = (1.0 - value if key == "y" else value + random.choice([-0.5, 0.2, 2.0])).hex()


@forgery(lambda line: isinstance(line, dict) and bool(line.get("similar")))
def change_load(copy: Lines, at: int, random: Random) -> None:
    """Change a load of what sets have in common: of a row, a penalty, or sets together."""
    similar = copy[at]["similar"]
    lists = [*similar.values()] if isinstance(similar, dict) else [loads for _, loads in similar]
    loads = random.choice(lists)
    if loads:
        i = random.randrange(len(loads))
        loads[i] = (float.fromhex(loads[i]) + random.choice([-0.2, 0.2, 1.0])).hex()
    if isinstance(similar, dict) and random.random() < 0.5:
        loads[len(loads) // 2 :] = []


@forgery(lambda line: _is_claim(line) and any("no more than" in one for one in line.get("sets", ())))
def lower_level(copy: Lines, at: int, random: Random) -> None:
    """Lower what a listed set is said to score at most, and the limit of sets together."""
    one = random.choice([one for one in copy[at]["sets"] if "no more than" in one])
    one["no more than"] = (float.fromhex(one["no more than"]) - random.choice([1e-9, 0.1])).hex()
    if random.random() < 0.5:
        together = float.fromhex(copy[at]["at most together"])
        copy[at]["at most together"] = (together - random.choice([1e-7, 0.1])).hex()


@forgery(lambda line: isinstance(line, dict) and bool(line.get("kept by")))
def drop_kept(copy: Lines, at: int, random: Random) -> None:
    """Take a set off those that keep a row: the question is another then."""
    copy[at]["kept by"].pop(random.randrange(len(copy[at]["kept by"])))


FORGERIES: dict[str, Forgery] = {
    "a leaf dropped": drop_leaf,
    "a bound or price changed": change_bound,
    "a claim strengthened": strengthen,
    "a score raised": raise_score,
    "a set hidden": hide_set,
    "a rule weakened": weaken_rule,
    "a number changed": change_number,
    "a load changed": change_load,
    "a level lowered": lower_level,
    "a set that keeps a row dropped": drop_kept,
}


def claims_too_much(lines: Lines) -> str:
    """Find by brute force what is false in a certificate; empty if nothing is, or it is too large."""
    criteria = {line["criterion"]: line for line in lines if isinstance(line, dict) and "criterion" in line}
    rows = {line["row"]: line for line in lines if isinstance(line, dict) and "row" in line}
    for claim in filter(_is_claim, lines):
        if "together" in claim:
            if wrong := families_above(claim, criteria, rows, len(lines[0]["features"])):
                return wrong
            continue
        if claim["of"] == "none":
            continue
        listed = {frozenset(one["set"]) for one in claim["sets"]} if claim["of"] == "others" else set()
        for size, names in claim["rows"].items():
            criterion, n = criteria[claim["criteria"][size]], len(lines[0]["features"])
            if criterion["kind"] == "model" or comb(n, int(size)) > MOST:
                continue
            penalty = rows[claim["penalty"][size]] if "penalty" in claim else None
            for told in claim["sets"]:
                level = number(told["at least"]) + _sum(sorted(told["set"]), penalty)
                if str(len(told["set"])) == size and not _above(
                    tuple(sorted(told["set"])), criterion, level - HAIR
                ):
                    return f"{claim['claim']}: {told['set']} scores less than {told['at least']}"
            for one in combinations(range(n), int(size)):
                if frozenset(one) in listed or not all(_keeps(one, rows[name]) for name in names):
                    continue
                if claim["at most"] is None or _above(
                    one, criterion, number(claim["at most"]) + _sum(one, penalty)
                ):
                    return f"{claim['claim']}: {one} is not within {claim['at most']}"
    return ""


def families_above(claim: Any, criteria: dict[str, Any], rows: dict[str, Any], n: int) -> str:
    """Find sets that go together and have a larger total than is claimed; empty if none, or too many."""
    m, sizes = claim["together"], [*map(int, claim["rows"])]
    models = any(criteria[name]["kind"] == "model" for name in claim["criteria"].values())
    if models or sum(comb(n, size) for size in sizes) > MOST:
        return ""
    kept = [
        frozenset(one)
        for size in sizes
        for one in combinations(range(n), size)
        if all(_keeps(one, rows[name]) for name in claim["rows"][str(size)])
    ]
    if comb(len(kept) + m - 1, m) > MOST_FAMILIES:
        return ""
    limit = claim["at most together"] if "price" not in claim else claim["at most"]
    bar = inf if limit is None else float(number(limit))
    scores = {one: bar < inf and _score(one, criteria[claim["criteria"][str(len(one))]]) for one in kept}
    for family in combinations_with_replacement(kept, m):
        load, values = _load(claim, family), [float(scores[one]) for one in family]
        if load is not None and limit is None:
            return f"{claim['claim']}: {[*map(sorted, family)]} go together"
        value = (min(values) if claim.get("total") == "min" else sum(values)) - (load or 0.0)
        if load is not None and value > bar + FAR * max(1.0, abs(bar)):
            return f"{claim['claim']}: {[*map(sorted, family)]} have {value}"
    return ""


def _load(claim: Any, family: Sequence[frozenset[int]]) -> float | None:
    """Return what is taken off the total of sets; None if they do not go together."""
    if "price" in claim:
        return 0.0 if all(len(a & b) <= claim["common"] for a, b in combinations(family, 2)) else None
    total = Fraction(0)
    for a, b in combinations(family, 2):
        loads = claim["similar"]["{} {}".format(*sorted((len(a), len(b))))]
        if len(a & b) >= len(loads):
            return None
        total += number(loads[len(a & b)])
    if claim["at most similar"] is None:
        return float(total)
    return 0.0 if total <= number(claim["at most similar"]) else None


def _score(one: frozenset[int], line: Any) -> float:
    """Score a set, as floats do."""
    members = tuple(sorted(one))
    if line["kind"] in {"least squares", "penalised fit"}:
        return float(_fit(members, line))
    if line["kind"] == "table":
        return float(_of_table(members, line) or Fraction(-(10**9)))
    if line["kind"] == "sum":
        return float(sum(number(line["weights"][j]) for j in members))
    single = sum((number(line["single"][j]) for j in members), Fraction(0))
    pairs = sum((number(line["pairs"][j][i]) for i, j in combinations(members, 2)), Fraction(0))
    if line["kind"] == "pairs":
        return float(single - pairs)
    return float(single) / sqrt(len(members) + 2 * float(pairs)) if single >= 0 else -1e9


def _of_table(one: Sequence[int], line: Any) -> Fraction | None:
    known = line.setdefault("known", {})
    if not known:
        known |= {tuple(sorted(s)): number(x) for s, x in zip(line["sets"], line["scores"], strict=True)}
    found: Fraction | None = known.get(tuple(one))
    return found


def _sum(one: Sequence[int], row: Any) -> Fraction:
    """Sum the coefficients and loads of a set; 0 without a row."""
    if row is None:
        return Fraction(0)
    total = sum((number(row["features"].get(str(j), 0)) for j in one), Fraction(0))
    return total + sum(number(loads[len({*known} & {*one})]) for known, loads in row.get("similar", ()))


def _keeps(one: tuple[int, ...], row: Any) -> bool:
    by_list = "kept by" not in row or sorted(one) in [sorted(other) for other in row["kept by"]]
    return by_list and _sum(one, row) <= number(row["at most"])


def _above(one: tuple[int, ...], line: Any, limit: Fraction) -> bool:
    """Return whether a set scores more than a limit."""
    if line["kind"] == "table":
        score = _of_table(one, line)
        return score is not None and score > limit
    if line["kind"] == "sum":
        return sum((number(line["weights"][j]) for j in one), Fraction(0)) > limit
    if line["kind"] in {"least squares", "penalised fit"}:
        if _plainly_below(one, line, limit):
            return False
        known = line.setdefault("known", {})
        if one not in known:
            known[one] = _fit(one, line)
        return bool(known[one] > limit)
    single = sum((number(line["single"][j]) for j in one), Fraction(0))
    pairs = sum((number(line["pairs"][j][i]) for i, j in combinations(one, 2)), Fraction(0))
    if line["kind"] == "pairs":
        return single - pairs > limit
    below = len(one) + 2 * pairs
    return single >= 0 and (limit < 0 or single * single > limit * limit * below)


def _fit(one: Sequence[int], line: Any) -> Fraction:
    """Return what a set explains, or that with its penalty, by logarithms of 40 digits."""
    explained = _explained(one, line)
    if line["kind"] == "least squares":
        return explained
    constant, factor = (number(line[key][str(len(one))]) for key in ("constants", "factors"))
    left = 1 - explained
    if line["logarithm"] and left <= 0:  # of numbers that were changed: as good as anything
        return Fraction(10**400)
    if line["logarithm"]:
        with localcontext(prec=40):
            left = Fraction((Decimal(left.numerator) / Decimal(left.denominator)).ln())
    return constant - factor * left


def _plainly_below(one: Sequence[int], line: Any, limit: Fraction) -> bool:
    """Return whether floats show that a set scores far less than a limit, where they tell it safely."""
    if "floats" not in line:
        n = len(line["along"])
        products = [
            [float(number(line["products"][max(i, j)][min(i, j)])) for j in range(n)] for i in range(n)
        ]
        line["floats"] = np.array(products), np.array([float(number(each)) for each in line["along"]])
    products, along = line["floats"]
    columns = [c for c, j in enumerate(line.get("owner", range(len(along)))) if j in one]
    part, b = products[np.ix_(columns, columns)], along[columns]
    if not columns or not np.isfinite(part).all() or np.linalg.cond(part) > TRUSTED:
        return False
    score = float(number(line["offset"])) + float(b @ np.linalg.solve(part, b))
    if line["kind"] == "penalised fit":
        left = 1 - score
        if line["logarithm"] and left < FAR:
            return False
        constant, factor = (float(number(line[key][str(len(one))])) for key in ("constants", "factors"))
        score = constant - factor * (log(left) if line["logarithm"] else left)
    return bool(score < float(limit) - FAR * max(1.0, abs(float(limit)), abs(score)))


def _explained(one: Sequence[int], line: Any) -> Fraction:
    """Solve the normal equations by Cramer's rule, which shares no code with the checker."""
    columns = [c for c, j in enumerate(line.get("owner", range(len(line["along"])))) if j in one]
    G = [[number(line["products"][max(i, j)][min(i, j)]) for j in columns] for i in columns]
    b = [number(line["along"][i]) for i in columns]
    whole = _determinant(G)
    total = number(line["offset"])
    for i in range(len(columns)):
        replaced = [[*row[:i], b[r], *row[i + 1 :]] for r, row in enumerate(G)]
        total += b[i] * _determinant(replaced) / whole
    return total


def _determinant(table: list[list[Fraction]]) -> Fraction:
    if not table:
        return Fraction(1)
    minors = ([row[:i] + row[i + 1 :] for row in table[1:]] for i in range(len(table)))
    signed = ((-1) ** i * table[0][i] * _determinant(minor) for i, minor in enumerate(minors))
    return sum(signed, Fraction(0))
