"""The loop over branches and the greedy choice: plain Python that numba compiles as it is.

All tables are flat, so that they may be numpy arrays (words of 64 earlier sets) or lists (one long integer of
all earlier sets a word).
"""

from __future__ import annotations

from typing import Any

N, NEED, WORDS, PLANES, ROWS, MOST, DEPTH, PLAIN, AT, FOUND, ROOM, STRICT, INNER, WORK, LIMIT = range(15)
"""What ``ints`` holds; from AT on it changes."""
LOW, HIGH, HIDDEN, HIDDEN_PRICED, BASE, BASE_PRICED = range(6)
"""What ``reals`` holds."""
DONE, FULL, STOPPED = range(3)
"""Why the loop came back."""


def advance(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 (one loop, compiled)
    ints: Any,
    reals: Any,
    q: Any,
    w: Any,
    priced: Any,
    earlier: Any,
    ones: Any,
    cand: Any,
    ncand: Any,
    pos: Any,
    ahead: Any,
    chosen: Any,
    marks: Any,
    planes: Any,
    full: Any,
    high_part: Any,
    low_part: Any,
    total: Any,
    total_priced: Any,
    rows: Any,
    limits: Any,
    tails: Any,
    used: Any,
    exact_rows: Any,
    out: Any,
    scores: Any,
) -> int:
    """List sets of at least (STRICT: above) the threshold, until the list is full or work is used up.

    Depth first. Above DEPTH features come in falling priced weight, below it in falling weight.
    It is one function as it took four times as long in parts, whether numba inlined them or not.
    """
    n, need0, words, bits, nrows = ints[N], ints[NEED], ints[WORDS], ints[PLANES], ints[ROWS]
    most, turn, plain = ints[MOST], ints[DEPTH], ints[PLAIN]
    d, found, room, strict, inner = ints[AT], ints[FOUND], ints[ROOM], ints[STRICT], ints[INNER]
    low, high = reals[LOW], reals[HIGH]
    if room == 1:
        found = 0  # a better set takes the place of the one there is
    work = 0
    why = DONE
    while d >= 0:
        if strict and low >= high:
            d = -1
            break
        if work > ints[LIMIT]:
            why = STOPPED
            break
        need = need0 - d
        p = pos[d]
        first = d < turn
        if p + need > ncand[d]:
            d, inner = d - 1, -1
            continue
        if first:
            hidden = reals[HIDDEN_PRICED]
            here = reals[BASE_PRICED] + total_priced[d]
        else:
            hidden = reals[HIDDEN]
            here = reals[BASE] + total[d]
        bound = here + ahead[d]
        if bound < low - hidden:
            d, inner = d - 1, -1
            continue
        if plain and not first and bound <= low + hidden:
            a = high_part[d]
            b = low_part[d]
            for z in range(need):
                c = q[cand[d * n + p + z]]
                s = a + c
                t = s - a
                b += (a - (s - t)) + (c - t)
                a = s
            a += b
            if a < low or (strict and a <= low):
                d, inner = d - 1, -1
                continue
        j = cand[d * n + p]
        work += 1
        good = True
        for r in range(nrows):
            load = used[d * nrows + r] + rows[r * n + j]
            used[(d + 1) * nrows + r] = load
            at = 0 if first else j + 1
            if load + tails[(r * (n + 1) + at) * (need0 + 1) + need - 1] > limits[r]:
                good = False
                break
        if good:
            chosen[d] = j
            a = high_part[d]
            c = q[j]
            s = a + c
            t = s - a
            high_part[d + 1] = s
            low_part[d + 1] = low_part[d] + ((a - (s - t)) + (c - t))
            total[d + 1] = total[d] + w[j]
            total_priced[d + 1] = total_priced[d] + priced[j]
        weight = priced[j] if first else w[j]
        if good and need == 1:
            score = high_part[d + 1] + low_part[d + 1]
            if (
                score >= low
                and not (strict and score <= low)
                and _kept(chosen, need0, n, nrows, rows, exact_rows)
            ):
                if found == room:
                    why = FULL
                    break
                for z in range(need0):
                    out[found * need0 + z] = chosen[z]
                scores[found] = score
                found += 1
                if room == 1:
                    low = score
                    strict = 1
                    found = 0
                    ints[FOUND] = 1
        elif good:
            anyfull = False
            for x in range(words):
                carry = earlier[j * words + x]
                f = ones[x]
                for b2 in range(bits):
                    y = planes[(d * bits + b2) * words + x]
                    new = y ^ carry
                    planes[((d + 1) * bits + b2) * words + x] = new
                    carry &= y
                    if (most >> b2) & 1:
                        f &= new
                    else:
                        f &= ~new
                full[(d + 1) * words + x] = f
                if f != full[d * words + x]:
                    anyfull = True
            if need == 2:
                i = p + 1
                if inner >= 0:
                    i = inner
                    inner = -1
                stuck = False
                a = high_part[d + 1]
                b = low_part[d + 1]
                after = here + weight
                while i < ncand[d]:
                    c2 = cand[d * n + i]
                    work += 1
                    if after + (priced[c2] if first else w[c2]) < low - hidden:
                        break
                    c = q[c2]
                    s = a + c
                    t = s - a
                    score = s + (b + ((a - (s - t)) + (c - t)))
                    if score < low or (strict and score <= low):
                        if plain and not first:
                            break
                        i += 1
                        continue
                    free = True
                    if anyfull:
                        for x in range(words):
                            if earlier[c2 * words + x] & full[(d + 1) * words + x]:
                                free = False
                                break
                    if free:
                        for r in range(nrows):
                            if used[(d + 1) * nrows + r] + rows[r * n + c2] > limits[r]:
                                free = False
                                break
                    if free:
                        chosen[d + 1] = c2
                        free = _kept(chosen, need0, n, nrows, rows, exact_rows)
                    if free:
                        if found == room:
                            stuck = True
                            break
                        for z in range(need0):
                            out[found * need0 + z] = chosen[z]
                        scores[found] = score
                        found += 1
                        if room == 1:
                            low = score
                            strict = 1
                            found = 0
                            ints[FOUND] = 1
                    i += 1
                if stuck:
                    inner = i
                    why = FULL
                    break
            else:
                rest = need - 1
                m = 0
                sum_best = 0.0
                after = here + weight
                for i in range(p + 1, ncand[d]):
                    c2 = cand[d * n + i]
                    x2 = priced[c2] if first else w[c2]
                    if m >= rest - 1 and after + sum_best + x2 < low - hidden:
                        break
                    work += 1
                    if anyfull:
                        free = True
                        for x in range(words):
                            if earlier[c2 * words + x] & full[(d + 1) * words + x]:
                                free = False
                                break
                        if not free:
                            continue
                    if m < rest - 1:
                        sum_best += x2
                    cand[(d + 1) * n + m] = c2
                    m += 1
                if m >= rest:
                    if first and d + 1 == turn:  # from here on by weight
                        last = 0
                        for i in range(m):
                            c2 = cand[(d + 1) * n + i]
                            marks[c2] = 1
                            last = max(last, c2)
                        z = 0
                        for c2 in range(last + 1):
                            if marks[c2]:
                                marks[c2] = 0
                                cand[(d + 1) * n + z] = c2
                                z += 1
                    below = d + 1 < turn
                    bound = 0.0
                    for i in range(rest):
                        c2 = cand[(d + 1) * n + i]
                        bound += priced[c2] if below else w[c2]
                    ncand[d + 1] = m
                    pos[d + 1] = 0
                    ahead[d + 1] = bound
                    _onward(cand, ncand, pos, ahead, d, n, need, priced if first else w)
                    d += 1
                    continue
        _onward(cand, ncand, pos, ahead, d, n, need, priced if first else w)
    ints[AT], ints[STRICT], ints[INNER] = d, strict, inner
    if room > 1:
        ints[FOUND] = found
    reals[LOW] = low
    ints[WORK] += work
    return why


def _onward(  # noqa: PLR0913, PLR0917 (part of the loop)
    cand: Any, ncand: Any, pos: Any, ahead: Any, d: int, n: int, need: int, weights: Any
) -> None:
    """Go on to the next candidate of a level."""
    p = pos[d]
    ahead[d] -= weights[cand[d * n + p]]
    if p + need < ncand[d]:
        ahead[d] += weights[cand[d * n + p + need]]
    pos[d] = p + 1


def _kept(chosen: Any, need: int, n: int, nrows: int, rows: Any, exact_rows: Any) -> bool:
    """Return whether a set keeps the rows, but for rounding of their terms.

    ``exact_rows`` holds for each row its limit less what required features use, the whole limit's
    size, and the size of the required features' terms.
    """
    for r in range(nrows):
        load = 0.0
        size = exact_rows[3 * r + 2]
        for z in range(need):
            term = rows[r * n + chosen[z]]
            load += term
            size += abs(term)
        if load > exact_rows[3 * r] + 1e-9 * max(size, exact_rows[3 * r + 1]):
            return False
    return True


def greedy(  # noqa: PLR0913, PLR0917 (one loop, compiled)
    order: Any,
    out: Any,
    starts: Any,
    sizes: Any,
    features: int,
    shared: Any,
    most_size: int,
    fresh: Any,
    reserve: int,
    member: Any,
    taken: Any,
) -> int:
    """Take sets in their order, each that is compatible with all taken; return how many.

    Ends once less of the reserve (features marked as `fresh`) is left than a set may have.
    """
    count = 0
    for x in order:
        size = sizes[x]
        begin = starts[x]
        good = True
        for i in range(count):
            common = 0
            for z in range(size):
                common += member[i * features + out[begin + z]]
            if common > shared[sizes[taken[i]] * (most_size + 1) + size]:
                good = False
                break
        if not good:
            continue
        for z in range(size):
            j = out[begin + z]
            member[count * features + j] = 1
            if fresh[j]:
                fresh[j] = 0
                reserve -= 1
        taken[count] = x
        count += 1
        if count == len(taken) or reserve < most_size:
            break
    return count
