"""A depth-first tree with a linear program at each node: plain Python that numba compiles as it is.

Largest ``quality @ x`` of ``need`` features under rows ``rows @ x <= limits``. A node holds the tableau of a
dual simplex method for variables between 0 and 1 (Wagner 1958), and hands a copy without what is fixed to its
children. Its numbers are never trusted: they only propose prices, and any prices bound the sum. So rounding
costs branches at worst.

Variables of the tableau: features 0 to n - 1, the rows' slacks n to n + m - 1, and what is missing of the
size, n + m, which is 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from altsel.exact.kernels.error_free import two_sum
from altsel.exact.kernels.listing import (
    DONE,
    FOUND,
    FULL,
    LEVEL,
    LIMIT,
    ROUNDING,
    STOPPED,
    STRICT,
    WORK,
    Listed,
)

FREE, IN, OUT = range(3)
"""What is known of a feature at a node."""
ENTER, SECOND, LEAVE = range(3)
"""What is next at a node: to solve it, to go to its second child, to go back."""
TIGHT, PIVOT, UNIT = 1e-9, 1e-7, 2.3e-16
"""Violation of a bound that is none; smallest pivot; rounding of one operation, twice."""
LEAVES, NEXT = 6, 7
"""What `counters` hold besides those of `listing`: leaves, and the next of the order to take up."""
MOST_PIVOTS = 200
"""Of a node; then it is branched as it is."""
SETUP, SHARE = 120, 8
"""Work of a pivot besides that of its entries, of which so many take as long as a candidate of `listing`."""


class Question(NamedTuple):
    """What is looked for; n features, m rows."""

    quality: Any
    """Shape (n,)."""
    rows: Any
    """Shape (m, n)."""
    limits: Any
    """Shape (m,), widened by rounding."""
    sizes: Any
    """Shape (m,): the sum of a row's absolute entries and limit."""
    whole: Any
    """Shape (m,): whether a row has no negative entry, so that a feature above what is left of it is out."""
    exact: Any
    """Shape (rules, 3): as in `listing.Rules`, for the first rows."""
    need: int
    constant: float
    error: float
    """A sum in twice the precision that is added to the score."""
    scale: float
    """Sum of the absolute qualities and the constant."""


class Nodes(NamedTuple):
    """The nodes on the way to this one, a line a depth."""

    tableau: Any
    """Shape (depths, (m + 1) n): ``basic + tableau @ nonbasic`` is constant."""
    basic: Any
    value: Any
    """Shape (depths, m + 1): variables in the basis, and what they are."""
    outside: Any
    upper: Any
    slope: Any
    """Shape (depths, n): variables outside of it, whether each is 1, and what one unit of it adds."""
    height: Any
    width: Any
    """Shape (depths,): rows and columns of the tableau."""
    total: Any
    bound: Any
    """Shape (depths,): value of the linear program; what no set of the node exceeds, with rounding."""
    state: Any
    """Shape (depths, n)."""
    left: Any
    """Shape (depths, m): of each row's limit."""
    open: Any
    """Shape (depths,): features that are still needed."""
    next: Any
    feature: Any
    first: Any
    """Shape (depths,): what is next; the feature branched on; its first value."""
    price: Any
    """Shape (m + 1,): of the rows, and of a feature more."""
    reduced: Any
    """Shape (n,): what a free feature adds to the bound, less than 0 if it is out there."""


class Leaves(NamedTuple):
    """Nodes that were put off: every set of at least `low` is in one of them, or listed, or breaks a row."""

    state: Any
    """Shape (room, n)."""
    bound: Any
    """Shape (room,): what none of its sets exceeds; minus infinity where it was taken up again."""
    order: Any
    """Indices of leaves to take up, in falling bound."""
    low: float


def grow(
    question: Question, nodes: Nodes, leaves: Leaves, listed: Listed, threshold: Any, counters: Any
) -> int:
    """Take up leaves until none may hold a set of at least (strictly: above) the threshold.

    The threshold rises to the best score listed. At the head of the loop every set of at least `low` that was
    in a leaf is in one, is listed, belongs to the node, or to a second child of one above it.
    """
    began, d = counters[WORK], counters[LEVEL]
    while True:
        # 1. is there time, and room?
        counters[LEVEL] = d
        if counters[WORK] - began > counters[LIMIT]:
            return STOPPED
        if counters[LEAVES] == len(leaves.bound) or counters[FOUND] == len(listed.scores):
            return FULL
        target, strict = threshold[0], counters[STRICT]
        # 2. take up the next leaf
        if d < 0:
            at = counters[NEXT]
            if at == len(leaves.order) or hopeless(leaves.bound[leaves.order[at]], target, strict):
                return DONE
            counters[NEXT] = at + 1
            plant(question, nodes, leaves, counters, leaves.order[at])
            d = 0
        # 3. solve a new node: put it off, list its only set, or choose what to branch on
        if nodes.next[d] == ENTER:
            if hopeless(nodes.bound[d], target, strict) or solve(
                question, nodes, counters, d, target, strict, leaves.low
            ):
                put_off(nodes, leaves, counters, d)
                nodes.next[d] = LEAVE
            elif nodes.open[d] == 0:
                record(question, nodes, listed, threshold, counters, d, leaves.low)
                nodes.next[d] = LEAVE
            else:
                choose(question, nodes, counters, d)
        # 4. go back, or on to a child
        if nodes.next[d] == LEAVE:
            d -= 1
            continue
        value = nodes.first[d] if nodes.next[d] == ENTER else 1 - nodes.first[d]
        nodes.next[d] = SECOND if nodes.next[d] == ENTER else LEAVE
        copy(question, nodes, counters, d)
        d += 1
        fix(question, nodes, d, nodes.feature[d - 1], value)
        nodes.next[d] = ENTER


def put_off(nodes: Nodes, leaves: Leaves, counters: Any, d: int) -> None:
    """Keep a node as a leaf, if it may hold a set of at least `low`."""
    if nodes.bound[d] >= leaves.low:
        at = counters[LEAVES]
        for j in range(nodes.state.shape[1]):
            leaves.state[at, j] = nodes.state[d, j]
        leaves.bound[at] = nodes.bound[d]
        counters[LEAVES] = at + 1


def plant(  # noqa: PLR0912 (part of the loop)
    question: Question, nodes: Nodes, leaves: Leaves, counters: Any, leaf: int
) -> None:
    """Begin with a leaf: its heaviest free features chosen, the last of them and the slacks in the basis."""
    n, m, last, width = len(question.quality), len(question.limits), -1, 0
    # 1. what is fixed
    for j in range(n):
        nodes.state[0, j] = leaves.state[leaf, j]
    for i in range(m):
        nodes.left[0, i] = question.limits[i]
    nodes.bound[0], nodes.next[0], leaves.bound[leaf] = leaves.bound[leaf], ENTER, -1e300
    nodes.open[0], nodes.total[0] = question.need, question.constant
    for j in range(n):
        if nodes.state[0, j] == IN:
            nodes.open[0] -= 1
            nodes.total[0] += question.quality[j]
            for i in range(m):
                nodes.left[0, i] -= question.rows[i, j]
    # 2. what is chosen, and the columns
    chosen = 0
    for j in range(n):
        if nodes.state[0, j] == FREE:
            chosen += 1
            if chosen <= nodes.open[0]:
                nodes.total[0] += question.quality[j]
            if chosen == nodes.open[0]:
                last = j
            else:
                nodes.outside[0, width], nodes.upper[0, width] = j, int(chosen < nodes.open[0])
                width += 1
    nodes.width[0] = nodes.height[0] = 0
    if last < 0:
        return
    nodes.outside[0, width], nodes.upper[0, width] = n + m, 0
    width += 1
    nodes.width[0], nodes.height[0], nodes.basic[0, 0], nodes.value[0, 0] = width, m + 1, last, 1.0
    # 3. the tableau
    for c in range(width):
        j = nodes.outside[0, c]
        nodes.tableau[0, c] = 1.0
        nodes.slope[0, c] = (question.quality[j] if j < n else 0.0) - question.quality[last]
    for i in range(m):
        by, here, value = question.rows[i, last], (i + 1) * width, nodes.left[0, i]
        for c in range(width):
            j = nodes.outside[0, c]
            entry = question.rows[i, j] if j < n else 0.0
            value -= entry * nodes.upper[0, c]
            nodes.tableau[0, here + c] = entry - by
        nodes.basic[0, i + 1], nodes.value[0, i + 1] = n + i, value - by
    counters[WORK] += SETUP + (m + 1) * width // SHARE


def hopeless(bound: float, low: float, strict: int) -> bool:
    """Return whether a bound leaves no set to be listed."""
    return bool(bound < low or (strict == 1 and bound <= low))


def solve(
    question: Question, nodes: Nodes, counters: Any, d: int, target: float, strict: int, low: float
) -> bool:
    """Solve the linear program of a node, and fix what `low` decides; return whether it misses a target."""
    again = True
    while again:
        again = False
        # 1. pivot until no variable is beyond its bounds, or the value is below the threshold
        for _ in range(MOST_PIVOTS):
            row, beyond = leaving(question, nodes, d)
            if row < 0:
                break
            column = entering(question, nodes, d, row, beyond)
            if column < 0:  # as no set keeps this row, a large enough price of it proves that
                raise_price(question, nodes, d, row, beyond, low)
                if hopeless(bound_by_prices(question, nodes, counters, d), target, strict):
                    return True
                break
            pivot(question, nodes, counters, d, row, column, beyond)
            if nodes.total[d] < target:
                read_prices(question, nodes, d)
                if hopeless(bound_by_prices(question, nodes, counters, d), target, strict):
                    return True
        # 2. the bound by the prices of the last tableau
        read_prices(question, nodes, d)
        bound = bound_by_prices(question, nodes, counters, d)
        if hopeless(nodes.bound[d], target, strict):
            return True
        # 3. fix the features whose other value is below `low`
        for j in range(len(question.quality)):
            if nodes.state[d, j] == FREE and bound - abs(nodes.reduced[j]) < low:
                again = fix(question, nodes, d, j, 1 if nodes.reduced[j] > 0 else 0) or again
        # 4. and those that are decided by what is left
        again = settle(question, nodes, d) or again
        if nodes.bound[d] < low:
            return True
    return False


def settle(question: Question, nodes: Nodes, d: int) -> bool:
    """Fix the features that fit no more, and the last ones; return whether the linear program changed.

    The bound of a node that cannot be is minus infinity.
    """
    changed, count, possible = False, 0, nodes.open[d] >= 0
    for j in range(len(question.quality)):
        if nodes.state[d, j] == FREE:
            if nodes.open[d] <= 0 or not fits(question, nodes, d, j):
                changed = fix(question, nodes, d, j, 0) or changed
            else:
                count += 1
    if count == nodes.open[d]:
        for j in range(len(question.quality)):
            if nodes.state[d, j] == FREE:
                fix(question, nodes, d, j, 1)
        changed = False
    for i in range(len(question.limits)):
        possible = possible and not (question.whole[i] and nodes.left[d, i] < 0)
    if count < nodes.open[d] or not possible:
        nodes.bound[d] = -1e300
    return changed


def fits(question: Question, nodes: Nodes, d: int, j: int) -> bool:
    """Return whether no row without negative entries forbids a feature."""
    for i in range(len(question.limits)):
        if question.whole[i] and question.rows[i, j] > nodes.left[d, i]:
            return False
    return True


def leaving(question: Question, nodes: Nodes, d: int) -> tuple[int, float]:
    """Return the row of the basic variable farthest beyond its bounds, and how far, negative if below."""
    n, row, most, beyond = len(question.quality), -1, TIGHT, 0.0
    for r in range(nodes.height[d]):
        v, x = nodes.basic[d, r], nodes.value[d, r]
        low, high = 0.0, 1.0
        if v >= n:
            high = x + 1 if v < n + len(question.limits) else 0.0
        elif nodes.state[d, v] == IN:
            low = 1.0
        elif nodes.state[d, v] == OUT:
            high = 0.0
        if x - high > most:
            row, most, beyond = r, x - high, x - high
        elif low - x > most:
            row, most, beyond = r, low - x, x - low
    return row, beyond


def movable(question: Question, nodes: Nodes, d: int, c: int) -> bool:
    """Return whether the variable of a column may move."""
    n, v = len(question.quality), nodes.outside[d, c]
    return bool(nodes.state[d, v] == FREE) if v < n else bool(v < n + len(question.limits))


def entering(question: Question, nodes: Nodes, d: int, row: int, beyond: float) -> int:
    """Return the column that keeps all slopes' signs; -1 if none does."""
    width, best, least, largest = nodes.width[d], -1, 0.0, 0.0
    start = row * width
    for c in range(width):
        entry = nodes.tableau[d, start + c]
        falls = entry if beyond > 0 else -entry
        if nodes.upper[d, c]:
            falls = -falls
        if falls > PIVOT and movable(question, nodes, d, c):
            ratio = abs(nodes.slope[d, c]) / falls
            if best < 0 or ratio < least - 1e-12 or (ratio <= least + 1e-12 and falls > largest):
                best, least, largest = c, ratio, falls
    return best


def pivot(
    question: Question, nodes: Nodes, counters: Any, d: int, row: int, column: int, beyond: float
) -> None:
    """Let the variable of a column into the basis, for that of a row, which goes to its bound."""
    height, width, table = nodes.height[d], nodes.width[d], nodes.tableau
    counters[WORK] += SETUP + height * width // SHARE
    start = row * width
    entry = table[d, start + column]
    step = beyond / entry
    # 1. values: the entering one moves by `step`
    for r in range(height):
        nodes.value[d, r] -= table[d, r * width + column] * step
    nodes.total[d] += nodes.slope[d, column] * step
    value = nodes.upper[d, column] + step
    # 2. the row is solved for the entering variable and put into the others
    for c in range(width):
        table[d, start + c] /= entry
    table[d, start + column] = 1.0 / entry
    for r in range(height):
        by = table[d, r * width + column]
        if r != row and by != 0.0:
            here = r * width
            for c in range(width):
                table[d, here + c] -= by * table[d, start + c]
            table[d, here + column] = -by / entry
    by = nodes.slope[d, column]
    for c in range(width):
        nodes.slope[d, c] -= by * table[d, start + c]
    nodes.slope[d, column] = -by / entry
    # 3. they change places
    v = nodes.basic[d, row]
    nodes.basic[d, row], nodes.value[d, row] = nodes.outside[d, column], value
    nodes.outside[d, column] = v
    above = beyond > 0 if v >= len(question.quality) or nodes.state[d, v] == FREE else nodes.state[d, v] == IN
    nodes.upper[d, column] = 1 if above and v < len(question.quality) else 0


def read_prices(question: Question, nodes: Nodes, d: int) -> None:
    """Read the prices of the rows, at least 0, and of the size, from the tableau."""
    n, m = len(question.quality), len(question.limits)
    for i in range(m + 1):
        nodes.price[i] = 0.0
    for c in range(nodes.width[d]):
        v = nodes.outside[d, c]
        if v >= n:
            nodes.price[v - n] = -nodes.slope[d, c] if v == n + m else max(0.0, -nodes.slope[d, c])


def raise_price(question: Question, nodes: Nodes, d: int, row: int, beyond: float, low: float) -> None:
    """Add so much of a row that no variable can enter for that the bound falls below the threshold."""
    n, m, width = len(question.quality), len(question.limits), nodes.width[d]
    read_prices(question, nodes, d)
    step = (2.0 * max(nodes.total[d] - low, 0.0) + 1e-3 * question.scale) / beyond
    for c in range(width):
        v = nodes.outside[d, c]
        if v >= n:
            price = nodes.price[v - n] - step * nodes.tableau[d, row * width + c]
            nodes.price[v - n] = price if v == n + m else max(0.0, price)
    v = nodes.basic[d, row]
    if v >= n:
        nodes.price[v - n] = max(0.0, -step)


def bound_by_prices(question: Question, nodes: Nodes, counters: Any, d: int) -> float:
    """Bound the sets of the node by the prices, with what rounding may hide.

    ``price @ left + open size + sum_j max(0, quality_j - price @ rows_j - size)`` and the members' qualities.
    """
    n, m, price = len(question.quality), len(question.limits), nodes.price
    bound, scale, active = question.constant + price[m] * nodes.open[d], question.scale, 0
    scale += abs(price[m]) * (n + question.need)
    for j in range(n):
        nodes.reduced[j] = question.quality[j]
    for i in range(m):
        if price[i] > 0.0:
            active += 1
            bound += price[i] * nodes.left[d, i]
            scale += price[i] * question.sizes[i]
            for j in range(n):
                nodes.reduced[j] -= price[i] * question.rows[i, j]
    for j in range(n):
        if nodes.state[d, j] == IN:
            bound += question.quality[j]
        elif nodes.state[d, j] == FREE:
            nodes.reduced[j] -= price[m]
            bound += max(0.0, nodes.reduced[j])
    counters[WORK] += (n * (active + 2)) // SHARE
    bound += UNIT * (n + m + 2 * question.need + 20) * scale
    nodes.bound[d] = min(nodes.bound[d], bound)
    return float(bound)


def fix(question: Question, nodes: Nodes, d: int, j: int, value: int) -> bool:
    """Fix a feature; return whether that changes the solution of the linear program."""
    nodes.state[d, j] = IN if value else OUT
    if value:
        nodes.open[d] -= 1
        for i in range(len(question.limits)):
            nodes.left[d, i] -= question.rows[i, j]
    width = nodes.width[d]
    for c in range(width):
        if nodes.outside[d, c] == j:
            step = value - nodes.upper[d, c]
            if step == 0:
                return False
            for r in range(nodes.height[d]):
                nodes.value[d, r] -= nodes.tableau[d, r * width + c] * step
            nodes.total[d] += nodes.slope[d, c] * step
            nodes.upper[d, c] = value
            return True
    for r in range(nodes.height[d]):
        if nodes.basic[d, r] == j:
            return bool(abs(nodes.value[d, r] - value) > TIGHT)
    return False


def choose(question: Question, nodes: Nodes, counters: Any, d: int) -> None:
    """Choose the feature to branch on: that whose first pivots cost most on both sides (Tomlin 1971).

    Where the solution is integral, the free feature whose other value costs least.
    """
    n, width, best = len(question.quality), nodes.width[d], -1.0
    least = 1e300
    for j in range(n):
        if nodes.state[d, j] == FREE and abs(nodes.reduced[j]) < least:
            least, nodes.feature[d], nodes.first[d] = abs(nodes.reduced[j]), j, int(nodes.reduced[j] > 0)
    for r in range(nodes.height[d]):
        v, x = nodes.basic[d, r], nodes.value[d, r]
        if v >= n or nodes.state[d, v] != FREE or x < 1e-6 or x > 1.0 - 1e-6:
            continue
        down, up = 1e9, 1e9
        for c in range(width):
            entry = nodes.tableau[d, r * width + c]
            if abs(entry) > PIVOT and movable(question, nodes, d, c):
                ratio = abs(nodes.slope[d, c] / entry)
                if (entry > 0) != (nodes.upper[d, c] == 1):
                    down = min(down, ratio)
                else:
                    up = min(up, ratio)
        counters[WORK] += width // SHARE
        down, up = down * x + 1e-9, up * (1.0 - x) + 1e-9
        if down * up > best:
            best = down * up
            nodes.feature[d], nodes.first[d] = v, int(up < down)


def copy(question: Question, nodes: Nodes, counters: Any, d: int) -> None:
    """Begin a child as its node, without the columns that are fixed and the rows that cannot be broken."""
    n, m, e = len(question.quality), len(question.limits), d + 1
    for j in range(n):
        nodes.state[e, j] = nodes.state[d, j]
    for i in range(m):
        nodes.left[e, i] = nodes.left[d, i]
    nodes.open[e], nodes.total[e], nodes.bound[e] = nodes.open[d], nodes.total[d], nodes.bound[d]
    width, height = 0, 0
    for c in range(nodes.width[d]):
        v = nodes.outside[d, c]
        if v >= n or nodes.state[d, v] == FREE:
            nodes.outside[e, width], nodes.upper[e, width] = v, nodes.upper[d, c]
            nodes.slope[e, width] = nodes.slope[d, c]
            width += 1
    for r in range(nodes.height[d]):
        v = nodes.basic[d, r]
        if v >= n and v < n + m and slack_forever(question, nodes, d, v - n):
            continue
        nodes.basic[e, height], nodes.value[e, height] = v, nodes.value[d, r]
        here, place = r * nodes.width[d], height * width
        for c in range(nodes.width[d]):
            u = nodes.outside[d, c]
            if u >= n or nodes.state[d, u] == FREE:
                nodes.tableau[e, place] = nodes.tableau[d, here + c]
                place += 1
        height += 1
    nodes.width[e], nodes.height[e] = width, height
    counters[WORK] += SETUP + height * width // SHARE


def slack_forever(question: Question, nodes: Nodes, d: int, i: int) -> bool:
    """Return whether even all free features keep a row."""
    most = 0.0
    for j in range(len(question.quality)):
        if nodes.state[d, j] == FREE:
            most += max(0.0, question.rows[i, j])
    return bool(most <= nodes.left[d, i])


def record(
    question: Question, nodes: Nodes, listed: Listed, threshold: Any, counters: Any, d: int, low: float
) -> None:
    """List the only set of a node, if it keeps the rules and scores at least `low`."""
    total, error, need = question.constant, question.error, question.need
    for j in range(len(question.quality)):
        if nodes.state[d, j] == IN:
            total, off = two_sum(total, question.quality[j])
            error += off
    score = total + error
    if score < low:
        return
    for r in range(len(question.exact)):
        load, size = 0.0, question.exact[r, 2]
        for j in range(len(question.quality)):
            if nodes.state[d, j] == IN:
                load += question.rows[r, j]
                size += abs(question.rows[r, j])
        if load > question.exact[r, 0] + ROUNDING * max(size, question.exact[r, 1]):
            return
    slot, z = counters[FOUND], 0
    for j in range(len(question.quality)):
        if nodes.state[d, j] == IN:
            listed.members[slot * need + z] = j
            z += 1
    listed.scores[slot] = score
    counters[FOUND] = slot + 1
    if score > threshold[0] or (score == threshold[0] and counters[STRICT] == 0):
        threshold[0], counters[STRICT] = score, 1
