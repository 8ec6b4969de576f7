"""The loop that lists the sets above a threshold: plain Python that numba compiles as it is.

All tables are flat: numpy arrays, with words of 64 earlier sets, where numba compiles the loop; else lists,
with one long integer of all earlier sets a word. `altsel.exact.sources.plain_sum.tree` makes them; features
are numbered in falling weight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from altsel.exact.kernels.error_free import two_sum

LEVEL, FOUND, STRICT, RESUMED, WORK, LIMIT = range(6)
"""What `Counters` hold: the depth of the node; sets in the list; 1 if only sets above the threshold are
listed; the candidate with which a node goes on whose list was full, or -1; candidates looked at so far; and
after how many of a call it stops."""
DONE, FULL, STOPPED = range(3)
"""Why the loop came back."""
ROUNDING = 1e-9
"""Of the terms of a row: what is above its limit by less keeps it."""
Counters = Any
"""Six integers, as above."""


class Shape(NamedTuple):
    """Numbers that do not change in a search."""

    features: int
    need: int
    """Features of a set."""
    words: int
    """Of 64 earlier sets each."""
    bits: int
    """Of the number of features shared with an earlier set."""
    most: int
    """Overlap at which a set is full, whatever it began with."""
    rows: int
    """Of rules."""
    turn: int
    """Depth from which on features come in falling weight, not in falling priced weight."""
    exact: bool
    """Whether weights are the qualities themselves, so that their order is that of the scores."""
    room: int
    """Sets that the list holds; 1: the best one, in whose place a better one is put."""


class Bounds(NamedTuple):
    """What a set is compared with, in units of the criterion."""

    threshold: Any
    """One number: sets of at least that are listed."""
    high: float
    """What none exceeds."""
    base: float
    """Added to the sum of weights."""
    hidden: float
    """What rounding may hide in a sum of weights."""
    base_priced: float
    hidden_priced: float
    """The same of priced weights."""


class Features(NamedTuple):
    """What is known of each feature; n features."""

    quality: Any
    """Shape (n,): what a set's score sums."""
    weight: Any
    """Shape (n,), falling: quality, perhaps less the prices of the rules' rows."""
    priced: Any
    """Shape (n,): less the prices of overlaps, too."""
    earlier: Any
    """Shape (n, words): bits of the earlier sets that a feature is in."""
    every: Any
    """Shape (words,): bits of all earlier sets."""


class Rules(NamedTuple):
    """Rows ``coefficients @ x <= limits``."""

    coefficients: Any
    """Shape (rows, n)."""
    limits: Any
    """Shape (rows,), widened by rounding."""
    tails: Any
    """Shape (rows, n + 1, need + 1): the least sum of so many features from each on."""
    exact: Any
    """Shape (rows, 3): limit less what required features use; size of the limit; of those features' terms."""


class Path(NamedTuple):
    """The node and those above it; most tables have a line a depth, 0 to need."""

    candidates: Any
    """Shape (need + 1, n): features that may follow."""
    count: Any
    """How many they are."""
    position: Any
    """The first one that was not taken yet."""
    ahead: Any
    """Sum of the weights of the candidates from there on, as many as are needed."""
    chosen: Any
    """The members so far."""
    total: Any
    error: Any
    """Their qualities and the constant, summed without an error: the sum and what rounding took off it."""
    weight: Any
    priced: Any
    """Sums of their weights, and of their priced weights."""
    overlap: Any
    """Shape (need + 1, bits, words): features shared with each earlier set, a bit of all numbers a line."""
    full: Any
    """Shape (need + 1, words): which earlier sets allow no more."""
    used: Any
    """Shape (need + 1, rows): what the members use of each limit."""
    marked: Any
    """Shape (n,), 0 between two uses: memory to sort candidates."""


class Listed(NamedTuple):
    """The sets found."""

    members: Any
    """Shape (room, need)."""
    scores: Any
    """Shape (room,)."""


def advance(  # noqa: PLR0912, PLR0915 (one loop, compiled)
    shape: Shape,
    bounds: Bounds,
    features: Features,
    rules: Rules,
    path: Path,
    listed: Listed,
    counters: Counters,
) -> int:
    """List sets of at least (strictly: above) the threshold, until the list is full or work is used up.

    Depth first; above the turn features come in falling priced weight, below it in falling weight. Sets that
    use an earlier set's features up to its limit are not continued with its other features.

    Invariants at the head of the loop, at depth d:

    - the set has the members ``chosen[:d]``; each of its ``count[d]`` candidates alone fits to them, by
      overlaps;
    - no set with these members and a candidate before ``position[d]`` is left to be listed;
    - ``ahead[d]`` is the sum of the next candidates' weights: with those of the members a bound on what is
      left.
    """
    n, size, turn, ruled, exact = shape.features, shape.need, shape.turn, shape.rows > 0, shape.exact
    threshold, high, limit = bounds.threshold, bounds.high, counters[LIMIT]
    candidates, position, count, ahead = path.candidates, path.position, path.count, path.ahead
    weights, sums, base, hidden = features.weight, path.weight, bounds.base, bounds.hidden
    d, work, why = counters[LEVEL], 0, DONE
    while d >= 0:
        low, strict = threshold[0], counters[STRICT]
        # 1. is there anything left to find, and time?
        if strict and low >= high:
            d = -1
            break
        if work > limit:
            why = STOPPED
            break
        # 2. prune: by the sum of weights, then by the exact sum
        need, p, first = size - d, position[d], d < turn
        if turn:
            weights = features.priced if first else features.weight
            sums = path.priced if first else path.weight
            base = bounds.base_priced if first else bounds.base
            hidden = bounds.hidden_priced if first else bounds.hidden
        here, least = base + sums[d], low - hidden
        bound = here + ahead[d]
        hopeless = p + need > count[d] or bound < least
        if not hopeless and exact and not first and bound <= low + hidden:
            best = best_sum(shape, features, path, d, p)
            hopeless = best < low or (strict and best <= low)
        if hopeless:
            d -= 1
            counters[RESUMED] = -1
            continue
        # 3. take the next candidate in
        j, deeper, full = candidates[d * n + p], False, False
        work += 1
        if not ruled or fits(shape, rules, path, d, j):
            blocked = take(shape, features, path, d, j)
            after = here + weights[j]
            # 4. the set is whole, or lacks one feature, or branches
            if need == 1:
                score = path.total[d + 1] + path.error[d + 1]
                if score >= low and not (strict and score <= low) and keeps(shape, rules, path.chosen):
                    full = not record(shape, bounds, path, listed, counters, score)
            elif need == 2:
                work += finish(shape, bounds, features, rules, path, listed, counters, d, after, blocked)
                full = counters[RESUMED] >= 0
            else:
                work += gather(shape, features, path, weights, d, after, least, blocked)
                deeper = count[d + 1] >= need - 1
        if full:
            why = FULL
            break
        # 5. go on to the next candidate, of the next depth or of this one
        ahead[d] -= weights[j]
        if p + need < count[d]:
            ahead[d] += weights[candidates[d * n + p + need]]
        position[d] = p + 1
        if deeper:
            d += 1
            begin(shape, features, path, d)
    counters[LEVEL] = d
    counters[WORK] += work
    return why


def best_sum(shape: Shape, features: Features, path: Path, d: int, p: int) -> float:
    """Return the score of the members and the next candidates, summed without an error until the end."""
    total, error, place = path.total[d], path.error[d], d * shape.features + p
    for z in range(shape.need - d):
        total, off = two_sum(total, features.quality[path.candidates[place + z]])
        error += off
    return float(total + error)


def fits(shape: Shape, rules: Rules, path: Path, d: int, j: int) -> bool:
    """Add a feature to the rows; return whether the least of those still needed keep all limits."""
    n, need, rows, used = shape.features, shape.need, shape.rows, path.used
    coefficients, limits, tails = rules.coefficients, rules.limits, rules.tails
    start = 0 if d < shape.turn else j + 1
    for r in range(rows):
        load = used[d * rows + r] + coefficients[r * n + j]
        used[(d + 1) * rows + r] = load
        if load + tails[(r * (n + 1) + start) * (need + 1) + need - d - 1] > limits[r]:
            return False
    return True


def take(shape: Shape, features: Features, path: Path, d: int, j: int) -> bool:
    """Add a feature to the members, and count those in earlier sets; return whether one of these became full.

    All sets of a word are counted at once, a carry goes from bit to bit. Numbers begin at `most` less what a
    set may share, so that each is full at `most`.
    """
    path.chosen[d] = j
    path.total[d + 1], off = two_sum(path.total[d], features.quality[j])
    path.error[d + 1] = path.error[d] + off
    path.weight[d + 1] = path.weight[d] + features.weight[j]
    if shape.turn:
        path.priced[d + 1] = path.priced[d] + features.priced[j]
    words, bits, most, counted, full = shape.words, shape.bits, shape.most, path.overlap, path.full
    blocked, step, line = False, bits * words, d * words
    for x in range(words):
        carry, filled, place = features.earlier[j * words + x], features.every[x], d * step + x
        for b in range(bits):
            before = counted[place]
            after = before ^ carry
            counted[place + step] = after
            carry &= before
            filled &= after if (most >> b) & 1 else ~after
            place += words
        full[line + words + x] = filled
        blocked |= filled != full[line + x]
    return blocked


def finish(  # noqa: PLR0913, PLR0917 (part of the loop)
    shape: Shape,
    bounds: Bounds,
    features: Features,
    rules: Rules,
    path: Path,
    listed: Listed,
    counters: Counters,
    d: int,
    after: float,
    blocked: bool,
) -> int:
    """Add the last member, each candidate in turn; return how many were looked at.

    Where the list is full ``counters[RESUMED]`` is the candidate that did not go in.
    """
    n, words, rows, threshold, first = (
        shape.features,
        shape.words,
        shape.rows,
        bounds.threshold,
        d < shape.turn,
    )
    candidates, chosen, full = path.candidates, path.chosen, path.full
    quality, earlier = features.quality, features.earlier
    weights = features.priced if first else features.weight
    hidden = bounds.hidden_priced if first else bounds.hidden
    falling = shape.exact and not first
    total, error, last, looked = path.total[d + 1], path.error[d + 1], path.count[d], 0
    i = counters[RESUMED] if counters[RESUMED] >= 0 else path.position[d] + 1
    counters[RESUMED] = -1
    low, strict = threshold[0], counters[STRICT]
    while i < last:
        j = candidates[d * n + i]
        looked += 1
        if after + weights[j] < low - hidden:
            break
        q = quality[j]
        rounded = total + q
        rest = rounded - total
        # as `two_sum` has it, where most of the time goes
        score = rounded + (error + ((total - (rounded - rest)) + (q - rest)))
        if score < low or (strict and score <= low):
            if falling:
                break
            i += 1
            continue
        free = True
        if blocked:
            for x in range(words):
                if earlier[j * words + x] & full[(d + 1) * words + x]:
                    free = False
                    break
        if free and (not rows or within(shape, rules, path, d + 1, j)):
            chosen[d + 1] = j
            if not rows or keeps(shape, rules, chosen):
                if not record(shape, bounds, path, listed, counters, score):
                    counters[RESUMED] = i
                    break
                low, strict = threshold[0], counters[STRICT]
        i += 1
    return looked


def within(shape: Shape, rules: Rules, path: Path, d: int, j: int) -> bool:
    """Return whether a feature more keeps the widened limits."""
    n, rows, used, coefficients = shape.features, shape.rows, path.used, rules.coefficients
    limits = rules.limits
    for r in range(rows):  # noqa: SIM110 (compiled)
        if used[d * rows + r] + coefficients[r * n + j] > limits[r]:
            return False
    return True


def record(
    shape: Shape, bounds: Bounds, path: Path, listed: Listed, counters: Counters, score: float
) -> bool:
    """Add the set of the members to the list; return whether there was room for it."""
    need, slot = shape.need, 0
    if shape.room > 1:
        slot = counters[FOUND]
        if slot == shape.room:
            return False
    else:  # only better ones are looked for from here on
        bounds.threshold[0], counters[STRICT] = score, 1
    counters[FOUND] = slot + 1
    members, chosen, start = listed.members, path.chosen, slot * need
    for z in range(need):
        members[start + z] = chosen[z]
    listed.scores[slot] = score
    return True


def gather(  # noqa: PLR0913, PLR0917 (part of the loop)
    shape: Shape,
    features: Features,
    path: Path,
    weights: Any,
    d: int,
    after: float,
    least: float,
    blocked: bool,
) -> int:
    """List the candidates of the next depth; return how many were looked at.

    Those that earlier sets forbid are left out, and those with which even the best others sum to less than
    `least`.
    """
    n, words, candidates, full = shape.features, shape.words, path.candidates, path.full
    earlier = features.earlier
    others, m, looked, best, start = shape.need - d - 2, 0, 0, 0.0, (d + 1) * n
    line = (d + 1) * words
    for j in candidates[d * n + path.position[d] + 1 : d * n + path.count[d]]:
        weight = weights[j]
        if m >= others and after + best + weight < least:
            break
        looked += 1
        if blocked:
            free = True
            for x in range(words):
                if earlier[j * words + x] & full[line + x]:
                    free = False
                    break
            if not free:
                continue
        if m < others:
            best += weight
        candidates[start + m] = j
        m += 1
    path.count[d + 1] = m
    return looked


def begin(shape: Shape, features: Features, path: Path, d: int) -> None:
    """Begin with the candidates of a depth: at the turn in falling weight."""
    n, candidates, m = shape.features, path.candidates, path.count[d]
    if d == shape.turn:
        last, z = 0, 0
        for i in range(m):
            j = candidates[d * n + i]
            path.marked[j] = 1
            last = max(last, j)
        for j in range(last + 1):
            if path.marked[j]:
                path.marked[j] = 0
                candidates[d * n + z] = j
                z += 1
    weights, ahead = features.priced if d < shape.turn else features.weight, 0.0
    for j in candidates[d * n : d * n + shape.need - d]:
        ahead += weights[j]
    path.position[d], path.ahead[d] = 0, ahead


def keeps(shape: Shape, rules: Rules, chosen: Any) -> bool:
    """Return whether the set of the members keeps the rows, but for rounding of their terms."""
    n, need, coefficients, exact = shape.features, shape.need, rules.coefficients, rules.exact
    for r in range(shape.rows):
        load, size = 0.0, exact[3 * r + 2]
        for z in range(need):
            term = coefficients[r * n + chosen[z]]
            load += term
            size += abs(term)
        if load > exact[3 * r] + ROUNDING * max(size, exact[3 * r + 1]):
            return False
    return True
