"""A chain of sets under way: thresholds, the features looked at, and the steps that are known ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import fsum, inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.sources.plain_sum.compiled import LINEAR_LOOPS, SOURCES
from altsel.exact.sources.plain_sum.conditions import Conditions
from altsel.exact.sources.plain_sum.frontier import Frontier, begin, fits_memory
from altsel.exact.sources.plain_sum.ground import Ground, ground
from altsel.exact.sources.plain_sum.listing import Complete
from altsel.exact.sources.plain_sum.race import Race, whole

PRICED = 10
"""Earlier sets up to which prices of overlaps are worth while: the gap of their bound grows. With up to 30 of
them a hundred alternatives at tau .8 take a third longer."""
MOST_KEPT = 200_000
"""Sets in a list."""
FEWEST_KEPT = 64
"""Lists of fewer sets hold the next one only."""
FEWEST_ALONE = 14
"""Steps searched one at a time first; and again, once a list costs more a step than they do."""
FIRST_GAP, GROWTH = 1e-3, 4
"""How far below its bound a score is looked for first, of the range of sums; how many times as far next."""
EASY, SOON = 5_000, 3
"""Work of a step that is little; after so few of them, all easy, lists hold several sets."""
HARD = 1_000_000
"""Work of a step after which a tree of linear programs takes over."""
CHEAP, TREES_ONLY = 10_000_000, 2
"""Work of a step up to which the tree is not left for lists; `trees` where it is not left at all."""
DEEPER = 1.3
"""How many times as far below its bound the next tree goes."""
SECONDS = 1e-8
"""CPU seconds that a unit of work takes about."""
EXPECTED, GIVEN_UP = 2.0, 20.0
"""CPU seconds of work that such a chain will take at least, and one of which a race was given up: a model
takes over, which is slower than to compile the tree."""
MOST_GROWTH = 16
"""How many times more sets a list holds than the one before."""
WORK_KEPT = 300
"""Work of a list for each set that the next one holds."""
MOST_AHEAD, MOST_MARKS = 256, 4_000_000
"""Steps taken from a list, and steps times features."""
Limit = Callable[[int, int], int]
"""Features that sets of two sizes may share."""


@dataclass(frozen=True)
class Step:
    """What is known of the next set.

    Attributes
    ----------
    members
        Indices of its features; None if there is none, or none was found.
    score
        Its score.
    bound
        What no set exceeds; minus infinity if there is none.
    proved
        Whether it is the best, or it is proved that there is none.
    """

    members: tuple[int, ...] | None
    score: float
    bound: float
    proved: bool


@dataclass(eq=False)
class Chain:
    """Answers one step after another; see the package's docstring.

    Parameters
    ----------
    conditions
        What the rules say.
    sizes
        Smallest and largest number of features.
    limit
        Features that sets of two sizes may share.
    race
        Makes the lists.

    Attributes
    ----------
    earlier
        The sets so far.
    ahead
        The steps known that come after them.
    scores
        Scores of the last sets, as far as they came from here.
    ceiling
        What no further set exceeds.
    last_gap
        How far the last score was below what was known to bound it.
    keep
        Sets in the next list; 1: the next set only.
    alone, alone_work, hardest
        Steps searched one at a time since a list cost too much, the work of the last of them, and the most
        that any step has taken.
    prices
        Prices of the last step, by size.
    reached
        Score of a set that is at hand for the next step: no list need go further down.
    trees, tree_work
        Whether a tree of linear programs is grown: 1 while its steps take little, 2 also later; and work of
        its last step.
    expected
        CPU seconds of work that is left for such a tree at least, as far as is known.
    frontier, depth
        That tree, and how far below its bound the next one goes.
    """

    conditions: Conditions
    sizes: tuple[int, int]
    limit: Limit
    race: Race
    earlier: list[IntArray] = field(default_factory=list)
    ahead: deque[Step] = field(default_factory=deque)
    scores: list[float] = field(default_factory=list)
    ceiling: float = inf
    last_gap: float = 0.0
    keep: int = 1
    alone: int = 0
    alone_work: int = 0
    hardest: int = 0
    prices: dict[int, FloatArray] = field(default_factory=dict)
    reached: float = -inf
    trees: int = 0
    tree_work: int = 0
    expected: float = EXPECTED
    frontier: Frontier | None = None
    depth: float = 0.0

    def next(self) -> Step:
        """Return the best set after the earlier ones: one known ahead, or from another list."""
        if not self.ahead:
            self._look_ahead()
        step = self.ahead.popleft()
        if step.members is not None and step.proved:
            self.scores.append(step.score)
        self.ceiling = min(self.ceiling, step.bound)
        return step

    def follow(self, one: IntArray) -> None:
        """Go on after the set that `next` returned."""
        self.earlier.append(one)

    def leave(self, one: IntArray) -> None:
        """Go on after another set: what was known ahead need no longer hold, but for the ceiling."""
        self.earlier.append(one)
        self.ahead.clear()
        self.scores.clear()
        self.keep, self.last_gap, self.alone = 1, 0.0, 0
        self.frontier = None

    def _look_ahead(self) -> None:
        """Build lists with falling thresholds until one holds a set, or it is proved that there is none."""
        if self.trees > 0 and self.tree_work <= CHEAP and self._grow():
            return
        window, reserve = self._window()
        grounds, floor = self._grounds(window), self.conditions.floor
        upper = min(self.ceiling, max((one.top + one.rounding for one in grounds), default=-inf))
        if not grounds or upper < floor:
            self.ahead.append(Step(None, -inf, -inf, proved=True))
            return
        span = max(one.top for one in grounds) - min(one.bottom for one in grounds)
        gap, known = self._first_gap(span), self.reached - FIRST_GAP / 1000 * span
        while True:
            low = max(upper - gap, floor) if gap < span / 2 else floor
            low = max(low, known) if known < upper else low
            priced = len(self.earlier) <= PRICED
            made = self.race.run(grounds, low, upper, self.keep, priced, self._may_grow)
            if made is None and not self.race.over():
                self.expected = GIVEN_UP
                if self._may_grow():
                    self.trees, self.tree_work = self.trees + 1, 0
                    self._look_ahead()
                    return
            if made is None:
                self.ahead.append(Step(self.race.members, self.race.best, upper, proved=False))
                return
            if self._take_steps(made, window, reserve):
                break
            if low <= floor:
                self.ahead.append(Step(None, -inf, -inf, proved=True))
                return
            upper, gap = min(upper, low), gap * GROWTH
        self._keep_prices(grounds)
        self.last_gap = upper - self.ahead[0].score
        self.keep = self._next_keep()

    def _may_grow(self) -> bool:
        """Return whether a tree of linear programs may take over from a race that takes long."""
        if self.sizes[0] < self.sizes[1] or self.trees == TREES_ONLY or self.race.patience < 1:
            return False
        if LINEAR_LOOPS.ready().compiled:
            return True
        soon = self.expected == GIVEN_UP or SOURCES.kept(LINEAR_LOOPS.last)
        return soon and LINEAR_LOOPS.to_come()

    def _grow(self) -> bool:
        """Find the next set by linear programs; return whether they can, and have come to an end."""
        if self.sizes[0] < self.sizes[1] or not LINEAR_LOOPS.worth(self.expected).compiled:
            return False
        frontier, self.frontier = self.frontier, None  # what is interrupted is not taken up again
        low = self.ceiling
        while True:
            # 1. the tree of the step before, or another one from what bounds this step
            window, _ = self._window()
            if frontier is not None and self._covers(frontier):
                window = frontier.window
            else:
                frontier = None
            grounds = self._grounds(window)
            if not grounds or not grounds[0].need or not fits_memory(grounds[0]):
                return False
            upper = min(self.ceiling, low, grounds[0].top + grounds[0].rounding)
            floor, span = self.conditions.floor, grounds[0].top - grounds[0].bottom
            if upper < floor:
                return False
            if frontier is None:
                self.depth = max(self.depth, 2 * FIRST_GAP * span)
                below = upper - self.depth if self.depth < span / 2 else -inf
                frontier = begin(grounds[0], window, max(below, floor), FIRST_GAP / 10 * span)
                self.depth *= DEEPER
            # 2. grow it
            reached = frontier.grow(grounds[0], upper, self.race.count)
            if not reached:
                if frontier.best > self.race.best:
                    self.race.best = frontier.best
                    self.race.members = whole(frontier.members_of_best(), self.conditions.required)
                self.ahead.append(Step(self.race.members, self.race.best, upper, proved=False))
                return True
            self.tree_work = frontier.work if self.trees < TREES_ONLY else 0
            if frontier.best > -inf:
                break
            # 3. no set of at least its threshold is left
            if frontier.low <= floor or frontier.low <= grounds[0].bottom - grounds[0].rounding:
                self.ahead.append(Step(None, -inf, -inf, proved=True))
                return True
            low, frontier = frontier.low, None
        members = whole(frontier.members_of_best(), self.conditions.required)
        score = fsum(self.conditions.weights[list(members)])
        self.ahead.append(Step(members, score, score, proved=True))
        self.frontier, self.alone, self.alone_work = frontier, self.alone + 1, self.race.work
        return True

    def _covers(self, frontier: Frontier) -> bool:
        """Return whether enough of the reserve of a tree is in no set yet."""
        used = np.zeros(len(self.conditions.weights), dtype=bool)
        for one in self.earlier:
            used[one] = True
        alike = self.conditions.alike
        left = int((alike[frontier.window] & ~used[frontier.window]).sum())
        return left >= self.sizes[1] or left >= int((alike & ~used).sum())

    def _keep_prices(self, grounds: list[Ground]) -> None:
        """Keep prices for the next step to begin with."""
        for one in grounds:
            if one.price is not None:
                kept = np.zeros(len(self.conditions.rows) + len(self.earlier))
                kept[one.numbers] = one.price
                self.prices[one.need + len(one.required)] = kept

    def _next_keep(self) -> int:
        """Choose how many sets the next list holds, from what this one has cost and yielded."""
        work = self.race.work // len(self.ahead)
        self.hardest = max(self.hardest, work)
        LINEAR_LOOPS.after(SECONDS * self.race.work)
        self.trees = max(self.trees, int(work > HARD))
        self.tree_work = 0 if work > 2 * self.tree_work else self.tree_work
        if self.keep == 1:
            self.alone += 1
            self.alone_work = max(self.race.work, self.race.overhead)
        elif self.race.work > 2 * self.alone_work * len(self.ahead):
            self.alone = 0
        keep = min(MOST_KEPT, self.race.work // WORK_KEPT, MOST_GROWTH * max(self.keep, FEWEST_KEPT))
        if self.alone >= SOON and self.hardest <= EASY:
            return max(keep, FEWEST_KEPT)
        return keep if keep >= FEWEST_KEPT and self.alone >= FEWEST_ALONE else 1

    def _first_gap(self, span: float) -> float:
        """Guess how far below the last score the next ones are."""
        recent = self.scores[-9:]
        if self.keep > 1 and len(recent) > 1:
            return max(1e-9 * span, 4 * (recent[0] - recent[-1]))
        return max(FIRST_GAP * span, 2 * self.last_gap)

    def _window(self) -> tuple[IntArray, IntArray]:
        """Choose the features to look at: those in rules or earlier sets, and the reserve of the others."""
        conditions = self.conditions
        used = np.zeros(len(conditions.weights), dtype=bool)
        for one in self.earlier:
            used[one] = True
        some = np.flatnonzero(used)
        wanted = (4 if self.keep == 1 else 12) * self.sizes[1]
        heaviest = conditions.heaviest(len(some) + wanted)
        reserve = heaviest[~used[heaviest]][:wanted]
        return np.concatenate([conditions.named, some[conditions.alike[some]], reserve]), reserve

    def _grounds(self, window: IntArray) -> list[Ground]:
        """Collect what each size leaves to choose, the most promising size first."""
        made: list[Ground] = []
        for size in range(self.sizes[0], self.sizes[1] + 1):
            shared = [self.limit(len(one), size) for one in self.earlier]
            one = ground(self.conditions, window, size, self.earlier, shared)
            if one is not None:
                one.start = self.prices.get(size)
                made.append(one)
        return sorted(made, key=lambda one: -one.top)

    def _take_steps(self, made: Complete, window: IntArray, reserve: IntArray) -> int:
        """Take steps from a list, greedily; return how many."""
        required, weights = self.conditions.required, self.conditions.weights
        low = max(made.low, self.conditions.floor)
        sets = [(members[scores >= low], scores[scores >= low]) for members, scores in made.sets]
        scores = np.concatenate([scores for _, scores in sets])
        if not len(scores):
            return 0
        sizes = np.concatenate([np.full(len(scores), members.shape[1]) for members, scores in sets])
        flat = np.concatenate([members.ravel() for members, _ in sets])
        starts = np.cumsum(sizes) - sizes
        order = np.argsort(-scores, kind="stable")
        position = np.zeros(len(weights), dtype=np.int64)
        position[window] = np.arange(len(window))
        places = self._greedy(order, position[flat], starts, sizes, window, position[reserve])
        for x in places:
            members = whole(flat[starts[x] : starts[x] + sizes[x]], required)
            score = fsum(weights[list(members)])
            self.ahead.append(Step(members, score, score, proved=True))
        return len(places)

    def _greedy(
        self,
        order: IntArray,
        flat: IntArray,
        starts: IntArray,
        sizes: IntArray,
        window: IntArray,
        reserve: IntArray,
    ) -> list[int]:
        """Choose the places of the sets that are taken."""
        fixed = len(self.conditions.required)
        most = self.sizes[1] - fixed
        again = any(self.limit(size, size) >= size for size in range(self.sizes[0], self.sizes[1] + 1))
        if again or not len(window):
            return [int(order[0])]  # a set may come again, or nothing is left to choose
        shared = np.zeros((most + 1, most + 1), dtype=np.int64)
        for one in range(self.sizes[0], self.sizes[1] + 1):
            for other in range(self.sizes[0], self.sizes[1] + 1):
                if min(one, other) >= fixed:
                    shared[one - fixed, other - fixed] = self.limit(one, other) - fixed
        n = len(window)
        steps = max(1, min(MOST_AHEAD, MOST_MARKS // n, len(order)))
        fresh, left = np.zeros(n, dtype=np.int64), len(reserve)
        fresh[reserve] = 1
        if left < (4 if self.keep == 1 else 12) * self.sizes[1]:
            left = len(self.conditions.weights) + self.sizes[1]  # the reserve is all there is
        member, taken = np.zeros(steps * n, dtype=np.uint8), np.zeros(steps, dtype=np.int64)
        tables: list[Any] = [order, flat, starts, sizes, n, shared.ravel(), most, fresh, left, member, taken]
        if not self.race.loops.words:
            tables = [t.tolist() if isinstance(t, np.ndarray) else t for t in tables]
        count = self.race.loops.greedy(*tables)
        return [int(x) for x in tables[-1][:count]]
