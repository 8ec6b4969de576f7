"""Check a certificate of feature sets in exact arithmetic: ``python check_certificate.py FILE``.

It needs Python's standard library only; the format is in ``docs/certificates.md``. All is decided in integers
and fractions; floats only propose what is then checked.
Exit code: 0 verified; 1 not proved; 2 not readable; 3 verified, but it names other claims, or claims nothing.
"""

import functools
import gzip
import hashlib
import heapq
import json
import math
import re
import sys
from fractions import Fraction
from itertools import combinations
from operator import mul

FORMAT = "certificate of feature sets", "1"
FLOAT = re.compile(r"([+-]?)0x([01])(?:\.([0-9a-f]{0,13}))?p([+-]?[0-9]{1,4})")  # any, exactly
POINT, FINE, MEAN = 50, 90, 45  # bits of points, of logarithms with their errors, and of masses at least

class RefutedError(Exception):
    """The file does not prove what it says."""

def need(condition, text):
    if not condition:
        raise RefutedError(text)

# --- 1. Numbers: integers in units of 2^-bits, so that nothing is rounded but where it is said --------------
def exact(number, depth=0):
    """Read an integer or a hexadecimal float such as "0x1.8p-2" as a fraction; at depth 1 a list of them."""
    if depth:
        need(type(number) is list, "numbers are in lists")
        return [exact(one, depth - 1) for one in number]
    if type(number) is int:
        return Fraction(number)
    sign, head, digits, power = FLOAT.fullmatch(number).groups("")
    return Fraction(int(sign + head + digits, 16)) * Fraction(2) ** (int(power) - 4 * len(digits))

def shown(number):
    """Write a fraction as the double that it is, or as it is."""
    double = float(number) if abs(number) < 2**1023 else 0.0
    return repr(double) if Fraction(double) == number else str(number)

def once(pairs):
    """Read an object, in which no key is twice."""
    return dict(pairs) if len(dict(pairs)) == len(pairs) else need(False, "a key is stated twice")

def bits_of(*each):
    """Return the b for which all fractions, in lists or not, are integers in units of 2^-b."""
    return max((bits_of(*x) if type(x) is list else x.denominator.bit_length() - 1 for x in each), default=0)

def whole(number, bits):
    """Write a fraction, or each of a list, as an integer in units of 2^-bits, which it must be."""
    if isinstance(number, list):
        return [whole(one, bits) for one in number]
    need((1 << bits) % number.denominator == 0, "a number does not fit its unit")
    return (number * (1 << bits)).numerator

def full(triangle, n, diagonal):
    """Write the lower triangle of a symmetric matrix, with its diagonal or without, as the full matrix."""
    need([*map(len, triangle)] == [i + diagonal for i in range(n)], "a triangle has a row for each feature")
    rows = [[*row, *[0] * (n - len(row))] for row in triangle]
    return [[rows[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]

def point(flat, allowed):
    """Read a point, index and part in turn."""
    fits = all(type(x) is int for x in flat) and len({*flat[::2]} & allowed) * 2 == len(flat)
    return dict(zip(flat[::2], flat[1::2])) if fits else need(False, "a point is of features, each once")

def log_range(above, below):
    """Enclose log(above / below) of positive integers, in units of 2^-FINE, by the series of atanh."""
    # log m = 2 atanh((m - 1) / (m + 1)), above / below = 2^e m; each division is off by less than one unit
    e = above.bit_length() - below.bit_length()
    above, below = above << max(-e, 0), below << max(e, 0)
    z = ((above - below) << FINE) // (above + below)
    square, power, total, i = (z * z) >> FINE, z, 0, 1
    while power not in (0, -1):
        total += power // i
        power, i = (power * square) >> FINE, i + 2
    ends, error = [e * end for end in LOG_2], 4 * i + 8
    return 2 * total - error + min(ends), 2 * total + error + max(ends)

LOG_2 = (0, 0)  # not used in the next line, where e is 0: log 2 = log 6/4 + log 12/9
LOG_2 = tuple(map(sum, zip(log_range(6, 4), log_range(12, 9))))

def exp_range(u):
    """Enclose exp(u) of a fraction u >= 0, in units of 2^-FINE: the series of u / 2^n, squared n times."""
    n = math.ceil(u).bit_length() + 3
    need(n < 14, "an exponent is out of range")
    small = math.floor(u * (1 << (FINE - n)))
    term = low = 1 << FINE
    for i in range(1, 31):  # small is at most 1/8: what is cut off is below one unit
        term = term * small // (i << FINE)
        low += term
    high = low + 100
    for _ in range(n):
        low, high = (low * low) >> FINE, ((high * high) >> FINE) + 1
    return low, high

def surely_positive(matrix, bits):
    """Prove a matrix positive semidefinite: less LL', L from floats, it is diagonally dominant, exactly."""
    n, scale, largest = len(matrix), 2.0**-bits, max((row[i] for i, row in enumerate(matrix)), default=0)
    unit = max((bits + 1) // 2, 60 - (largest.bit_length() - bits) // 2)
    factor, rounded, slack, shift = [], [], [0] * n, 1e-15 * n**1.5 * largest * scale
    for i in range(n):
        row = []
        for j in range(i + 1):
            rest = matrix[i][j] * scale - sum(map(mul, row, factor[j] if j < i else row))
            row.append(rest / factor[j][j] if j < i else math.sqrt(max(rest - shift, shift)) or 1e-300)
        factor.append(row)
        rounded.append([round(math.ldexp(x, unit)) for x in row])
        for j in range(i + 1):
            left = (matrix[i][j] << (2 * unit - bits)) - sum(map(mul, rounded[i], rounded[j]))
            slack[i] += left if j == i else -abs(left)
            slack[j] -= 0 if j == i else abs(left)
    need(all(left >= 0 for left in slack), "a matrix is not proved positive semidefinite")

# --- 2. Criteria: what a set scores, and linear bounds on that ----------------------------------------------
# Of one size and limit: a set scores at most the limit if ``value(set) <= target``, in units of 2^-bits; and
# `linear` bounds the sets of a leaf, by a constant and the worth of each free feature, and says their bits.
class Sum:
    """``sum of weights``; it bounds itself."""

    def __init__(self, line, size, limit, tables, pairs=()):
        self.size, self.tables, self.bits = size, tables, bits_of(line["weights"], limit, *pairs)
        need(len(line["weights"]) == tables.n, "each feature has a number")
        self.weights, self.target, self.pairs = whole([line["weights"], limit, [*pairs]], self.bits)

    def value(self, members):
        return sum(self.weights[j] for j in members)

    def reaches(self, members, level, told):
        return Fraction(self.value(members)) / (1 << self.bits) >= level

    def linear(self, inside, free, data):
        return self.value(inside), {j: self.weights[j] for j in free}, self.bits

class Pairs(Sum):
    """``sum of single - sum of pairs`` of sets of k, bounded by a form of S, u and N below: see the page."""

    def __init__(self, line, size, limit, tables):
        need(type(line["size"]) is int and line["size"] == size, "the numbers are those of another size")
        super().__init__({"weights": line["single"]}, size, limit, tables, full(line["pairs"], tables.n, 0))

    def value(self, members):
        return super().value(members) - sum(self.pairs[i][j] for i, j in combinations(members, 2))

    @functools.cache
    def form(self, name):
        """Return a form's bits, S, N, and twice ``a_i + S_ii - m_i / 2 - (k - 1) u_i``."""
        line, n = self.tables.stated["form"][name], self.tables.n
        S, N, u, unit = full(line["convex"], n, 1), full(line["rest"], n, 0), line["shares"], line["unit"]
        need(all(type(x) is int for row in (*S, *N, u, [unit]) for x in row), "integers make forms")
        need(len(u) == n and abs(unit) < 1000, "a form has a unit, and a share of each feature")
        need(all(x >= 0 for row in N for x in row), "what is left of pairs is at least 0")
        surely_positive(S, unit)
        bits, doubled = max(unit, self.bits), []
        up, k = bits - self.bits, self.size - 1
        S, N, (u,) = ([[x << (bits - unit) for x in row] for row in rows] for rows in (S, N, [u]))
        for i, row in enumerate(self.pairs):
            e = [(b << up) - 2 * s - c - v - u[i] for b, s, c, v in zip(row, S[i], N[i], u)]
            least = sum(heapq.nsmallest(k, e[:i] + e[i + 1 :]))
            doubled.append(2 * ((self.weights[i] << up) + S[i][i] - k * u[i]) - least)
        return bits, S, N, doubled

    def linear(self, inside, free, data):
        bits, S, N, doubled = self.form(data[0])
        z = {**dict.fromkeys(inside, 1 << POINT), **point(data[1:], free)}
        Sz = {i: sum(S[i][j] * share for j, share in z.items()) for i in (*inside, *free)}
        square, two = 2 * POINT, POINT + 2  # units of 2^-(bits + 2 POINT + 1): the last as `doubled` is twice
        constant = sum((doubled[i] << square) - (Sz[i] << two) for i in inside)
        constant += sum(Sz[j] * share for j, share in z.items()) << 1
        constant -= sum(N[i][j] for i, j in combinations(inside, 2)) << (square + 1)
        less = {j: doubled[j] - 2 * sum(N[j][i] for i in inside) for j in free}
        return constant, {j: (less[j] << square) - (Sz[j] << two) for j in free}, bits + square + 1

class Ratio(Pairs):
    """``N / sqrt(D)``, N the sum of single and D the size and twice the pairs; ``N^2 <= limit^2 D``."""

    def __init__(self, line, size, limit, tables):
        self.single, self.below, square = line["single"], full(line["pairs"], tables.n, 0), limit * limit
        need(size > 0 and min(limit, *map(min, self.below)) >= 0, "a ratio is of numbers of at least 0")
        each, single = zip(self.single, line["pairs"]), [a * a - square for a in self.single]
        pairs = [[2 * (square * x - a * b) for x, b in zip(row, self.single)] for a, row in each]
        super().__init__({"single": single, "pairs": pairs, "size": size}, size, Fraction(0), tables)

    def reaches(self, members, level, told):
        above = sum(self.single[j] for j in members)
        below = len(members) + 2 * sum(self.below[i][j] for i, j in combinations(members, 2))
        return above >= 0 and (level <= 0 or above * above >= level * level * below)

class LeastSquares(Sum):
    """``offset + b'G^-1 b`` of products G of a set's columns, and b with the target; its bound: the page."""

    def __init__(self, line, size, limit, tables):
        self.owner = line.get("owner", [*range(tables.n)])
        G, b, offset = full(line["products"], len(self.owner), 1), line["along"], line["offset"]
        known = {*map(type, self.owner)} <= {int} and {*self.owner} <= {*range(tables.n)}
        need(known and len(b) == len(G), "columns are of features, and have their numbers")
        self.tables, self.bits = tables, max(60, bits_of(*G, b, offset))
        self.G, self.b, self.offset = whole([G, b, offset], self.bits)
        self.target = limit * (1 << self.bits)  # a fraction

    def value(self, members):
        """Eliminate the rows of [G b; b' 0], fraction-free: pivots are the leading minors of G (Bareiss)."""
        at, last = [c for c, j in enumerate(self.owner) if j in members], 1
        table = [[*(self.G[i][j] for j in at), self.b[i]] for i in at] + [[*(self.b[i] for i in at), 0]]
        for i, row in enumerate(table[:-1]):
            need(row[i] > 0, "the columns of a set depend on each other")
            for below in table[i + 1 :]:
                below[i:] = [(row[i] * x - below[i] * y) // last for x, y in zip(below[i:], row[i:])]
            last = row[i]
        return self.offset - Fraction(table[-1][-1], last)

    @functools.cache
    def diagonal(self, name):
        """Return a diagonal as integers, and G less it."""
        values = exact(self.tables.stated["diagonal"][name]["values"], 1)
        d = [math.floor(x * (1 << self.bits)) for x in values]
        need(len(d) == len(self.G) and all(x << 40 >= 1 << self.bits for x in d), "a diagonal is above 2^-40")
        rest = [[x - d[i] if i == j else x for j, x in enumerate(row)] for i, row in enumerate(self.G)]
        surely_positive(rest, self.bits)
        return d, rest

    def linear(self, inside, free, data):
        d, rest = self.diagonal(data[0])
        w, worth = point(data[1:], {*range(len(d))}), dict.fromkeys((*inside, *free), 0)
        along = {i: sum(rest[i][j] * x for j, x in w.items()) for i in range(len(d))}
        for i, j in enumerate(self.owner):
            if j in worth:
                worth[j] -= -(((self.b[i] << POINT) - along[i]) ** 2) // d[i]
        constant = (self.offset << (2 * POINT)) + sum(along[j] * x for j, x in w.items())
        return constant + sum(worth.pop(i) for i in inside), worth, self.bits + 2 * POINT

class PenalisedFit(LeastSquares):
    """``constant - factor * u``, or of log(u), of the size, by what least squares leave, u = 1 - R^2."""

    def __init__(self, line, size, limit, tables):
        self.logarithm, at = line["logarithm"], str(size)
        self.constant, self.factor = exact(line["constants"][at]), exact(line["factors"][at])
        need(self.factor > 0 and type(self.logarithm) is bool, "a factor is above 0")
        super().__init__(line, size, self.explained(limit)[0], tables)

    def explained(self, score):
        """Enclose what sets of a score explain."""
        u = (self.constant - score) / self.factor
        ends = [Fraction(end, 1 << FINE) for end in exp_range(abs(u))] if self.logarithm and u else None
        low, high = ends or [u or self.logarithm] * 2  # exp(0) is 1, exactly
        low, high = (1 / high, 1 / low) if self.logarithm and u < 0 else (low, high)
        return 1 - high, 1 - low

    def reaches(self, members, level, told):
        possible = not self.logarithm or self.value(members) < 1 << self.bits  # else it has no logarithm
        return possible and super().reaches(members, self.explained(level)[1], told)

class Model:
    """``constant of the size - factor * (loss + prices)``, by the least penalised loss: see the page."""

    def __init__(self, line, size, limit, tables):
        self.logistic = {"logistic": True, "poisson": False}[line["family"]]
        self.owner, self.bits = line["owner"], FINE
        vars(self).update({key: line[key] for key in ("ridge", "saturated", "prices", "y", "offsets")})
        factor, weights, columns = (line[key] for key in ("factor", "weights", "columns"))
        lengths = {*map(len, [weights, self.offsets, *columns])}, len(self.prices), len(self.owner)
        need(lengths == ({len(self.y)}, tables.n, len(columns)), "rows, features, columns have their numbers")
        need(all(type(j) is int and -1 <= j < tables.n for j in self.owner), "owners are features, or -1")
        need(min(self.ridge, factor, *weights) > 0, "ridge, factor and weights are above 0")
        need(all(y in (0, 1) if self.logistic else y >= 0 for y in self.y), "responses are possible")
        wy = [*map(mul, weights, self.y)]
        self.unit, self.fine = max(MEAN, bits_of(wy, weights)), bits_of(*columns)
        self.w, self.wy = whole(weights, self.unit), whole(wy, self.unit)
        self.columns, self.floats = whole(columns, self.fine), [[*map(float, one)] for one in columns]
        self.cost = lambda score: (exact(line["constants"][str(size)]) - score) / factor
        self.target = math.floor(-self.cost(limit) * (1 << FINE))

    def reaches(self, members, level, told):
        """Return whether a set scores a level, by its loss at a constant, and columns and coefficients."""
        constant, beta = exact(told[0]), dict(zip(told[1::2], exact(told[2::2], 1)))
        need({*map(type, beta)} <= {int} and 2 * len(beta) + 1 == len(told), "each column is once")
        need(all(c >= 0 and self.owner[c] in (-1, *members) for c in beta), "columns are of the set")
        total = self.saturated + sum(self.prices[j] for j in members)
        total += self.ridge / 2 * sum(b * b for b in beta.values())
        for i, (y, w) in enumerate(zip(self.y, self.w)):
            u = self.offsets[i] + constant
            u += sum((b * self.columns[c][i] for c, b in beta.items()), Fraction(0)) / (1 << self.fine)
            low, high = exp_range(abs(u))
            most = Fraction(high, 1 << FINE) if u >= 0 else Fraction(1 << FINE, low)
            if self.logistic:  # log(1 + exp(u)) = max(u, 0) + log(1 + exp(-|u|))
                most = max(u, 0) + Fraction(log_range((1 << FINE) + low, low)[1], 1 << FINE)
            total += Fraction(w, 1 << self.unit) * (most - y * u)
        return total <= self.cost(level)

    def masses(self, data):
        """Propose masses by a constant, and columns and coefficients in turn, and balance them exactly."""
        most = 30.0 if self.logistic else 300.0
        u = [float(x) + math.ldexp(data[0], -POINT) for x in self.offsets]
        for c, b in point(data[1:], {*range(len(self.owner))}).items():
            u = [x + math.ldexp(b, -POINT) * y for x, y in zip(u, self.floats[c])]
        shares = (math.exp(max(min(x, most), -300.0)) for x in u)
        shares = [x / (1 + x) if self.logistic else x for x in shares]
        q = [max((w * round(math.ldexp(p, 60))) >> 60, 1) for w, p in zip(self.w, shares)]
        room = [min(p, w - p) if self.logistic else p for p, w in zip(q, self.w)]
        missing = sum(self.wy) - sum(q)
        for i in sorted(range(len(q)), key=lambda i: -room[i]):
            step = max(min(missing, room[i] // 2), -(room[i] // 2))
            q[i], missing = q[i] + step, missing - step
        need(not missing, "the masses cannot be balanced")
        return q

    def linear(self, inside, free, data):
        need(type(data[0]) is int, "a bound of models has a constant")
        masses, low = self.masses(data), 0
        for q, w in zip(masses, self.w):
            need(q > 0 and (q < w or not self.logistic), "masses are possible")
            other = (w - q) * -log_range(w - q, w)[1] if self.logistic else q << FINE
            low += (q * -log_range(q, w)[1] + other) >> self.unit
        g = [q - wy for q, wy in zip(masses, self.wy)]
        along = Fraction(sum(map(mul, g, self.offsets))) / (1 << self.unit)
        constant = math.ceil((-along - self.saturated) * (1 << FINE)) - low
        worth = {-1: 0, **{j: math.ceil(-self.prices[j] * (1 << FINE)) for j in (*inside, *free)}}
        over = 2 * self.ridge * (1 << (2 * (self.unit + self.fine) - FINE))
        for column, owner in zip(self.columns, self.owner):
            if owner in worth:
                worth[owner] += math.ceil(sum(map(mul, column, g)) ** 2 / over)
        return constant + sum(worth.pop(i) for i in (-1, *inside)), worth, FINE

CRITERIA = {"sum": Sum, "pairs": Pairs, "ratio": Ratio, "least squares": LeastSquares, "model": Model}
CRITERIA |= {"penalised fit": PenalisedFit}
NUMBERS = dict.fromkeys("weights single along prices y offsets".split(), 1)  # lists; then tables and numbers
NUMBERS |= {"pairs": 2, "products": 2, "columns": 2, "offset": 0, "ridge": 0, "saturated": 0, "factor": 0}

# --- 3. Claims: a tree of cases each, a node a line, each before those below it -----------------------------
class Row:
    """``sum of coefficients <= limit`` over features, as integers in units of 2^-bits."""

    def __init__(self, line, n):
        need(all(j == str(int(j)) and int(j) in range(n) for j in line["features"]), "a row is of features")
        numbers = exact([line["at most"], *line["features"].values()], 1)
        self.bits = bits_of(numbers)
        self.limit, *coefficients = whole(numbers, self.bits)
        self.features = dict(zip(map(int, line["features"]), coefficients))

    def is_kept(self, members):
        return sum(self.features.get(j, 0) for j in members) <= self.limit

class Tables:
    """What lines have stated: criteria, rows, and what leaves refer to."""

    def __init__(self, header):
        need((header["format"], repr(header["version"])) == FORMAT, "another format or version")
        self.features, self.n, self.digest = header["features"], len(header["features"]), None
        need(type(self.features) is list and {*map(type, self.features)} == {str}, "names are texts")
        self.stated = {key: {} for key in ("criterion", "row", "form", "diagonal")}
        need(len({*self.features}) == self.n, "a feature is named twice")
        self.question = [json.dumps(self.features)]

    def set_of(self, indices):
        """Read a set of features."""
        need(type(indices) is list and len({*indices}) == len(indices), "a set has each feature once")
        need(all(type(j) is int and 0 <= j < self.n for j in indices), "features")
        return frozenset(indices)

    def state(self, line):
        """Take a line that states something: the question, its digest, or what leaves refer to."""
        (key,) = {"question", *self.stated} & line.keys()
        if key == "question":
            self.digest = hashlib.sha256("\n".join(sorted(self.question)).encode()).hexdigest()
            need(line["question"] == self.digest, "the numbers of the question are not those of its digest")
            return
        need(type(line[key]) is str and line[key] not in self.stated[key], f"{line[key]!r} is stated twice")
        if key in ("criterion", "row"):
            need(self.digest is None, "the question is stated before its digest")
            self.question.append(json.dumps(line, sort_keys=True))
        known = NUMBERS if key == "criterion" else {}
        line = {name: exact(x, known[name]) if name in known else x for name, x in line.items()}
        self.stated[key][line[key]] = Row(line, self.n) if key == "row" else line

    @functools.lru_cache(maxsize=1)
    def criterion_at(self, name, size, limit):
        line = self.stated["criterion"][name]
        return CRITERIA[line["kind"]](line, size, limit, self)

class Cases:
    """The sets of one size that keep some rows: none scores more than a limit, but for exceptions."""

    def __init__(self, tables, size, rows, bounds, besides):
        self.n, self.size, self.bounds, self.besides = tables.n, size, bounds, besides
        self.rows = {name: tables.stated["row"][name] for name in rows}

    def walk(self, lines):
        """Read a tree and check its leaves; return how many there are."""
        stack, leaves = [((), frozenset(range(self.n)))], 0
        while stack:
            (inside, free), node = stack.pop(), next(lines, None)
            need(type(node) is list and node, "a claim needs its tree")
            if node[0] == "branch":  # first the sets with the feature, then those without
                need(type(node[1]) is int and node[1] in free, f"{node} is no branching on a free feature")
                stack += [(inside, free - {node[1]}), ((*inside, node[1]), free - {node[1]})]
            else:
                self.leaf(inside, free, *node)
                leaves += 1
        return leaves

    def leaf(self, inside, free, kind, data, prices):
        """Check a leaf: its sets have all that is inside, and of others free features only."""
        count = self.size - len(inside)
        if not 0 <= count <= len(free):
            return  # there are none
        if kind == "each":
            for others in combinations(sorted(free), count):
                one = (*inside, *others)
                if frozenset(one) not in self.besides and all(row.is_kept(one) for row in self.rows.values()):
                    fine = self.bounds is not None and self.bounds.value(one) <= self.bounds.target
                    need(fine, f"{sorted(one)} keeps all rows, and does not score less")
        elif kind == "none":
            most, _ = self.priced(0, dict.fromkeys(free, 0), 60, prices, inside, count)
            need(most < 0, f"sets of {sorted(inside)} may keep the rows")
        else:
            need(kind == "bound" and self.bounds is not None, f"{kind!r} is no leaf here")
            most, bits = self.priced(*self.bounds.linear(inside, free, data), prices, inside, count)
            enough = most <= self.bounds.target * (1 << (bits - self.bounds.bits))
            one = count in (0, len(free)) and frozenset((*inside, *(free if count else ())))
            need(enough or one in self.besides, f"the bound of {sorted(inside)} is too weak")

    def priced(self, constant, worth, bits, prices, inside, count):
        """Return a linear bound with rows added at prices, at its `count` largest worths, and its bits."""
        rows = [(self.rows[name], exact(price)) for name, price in prices.items()]
        finer = max((row.bits + bits_of(price) for row, price in rows), default=0)
        constant, bits, worth = constant << finer, bits + finer, {j: x << finer for j, x in worth.items()}
        for row, price in rows:
            need(price >= 0, "prices are at least 0")
            times = whole(price, bits - row.bits)
            constant += times * (row.limit - sum(row.features.get(i, 0) for i in inside))
            for j in row.features.keys() & worth.keys():
                worth[j] -= times * row.features[j]
        return constant + sum(heapq.nlargest(count, worth.values())), bits

def by_size(line, tables):
    rows, criteria = ({int(size): x for size, x in line[key].items()} for key in ("rows", "criteria"))
    texts = {*map(str, rows)} == {*line["rows"]} == {*line["criteria"]}
    need(texts and 0 <= min(rows) <= max(rows) < 2**31, "sizes are texts of integers")
    need({*map(type, rows.values())} == {list}, "each size has rows")
    stated = {x for names in rows.values() for x in names} <= {*tables.stated["row"]}
    need(stated and {*criteria.values()} <= {*tables.stated["criterion"]}, "rows, criteria come before")
    return rows, criteria

def check_claim(line, tables, lines):
    """Check that sets are what a claim says, and that there are no others; say what was shown."""
    rows, criteria = by_size(line, tables)
    need(line["of"] in ("all", "others", "none"), "a claim is of all sets, of others or of none")
    listed = [tables.set_of(one["set"]) for one in line["sets"]]
    need(len({*listed}) == len(listed) and type(line["sets"]) is list, "a set is listed twice")
    for one, members, size in zip(line["sets"], map(sorted, listed), map(len, listed)):
        broken = [name for name in rows[size] if not tables.stated["row"][name].is_kept(members)]
        need(not broken, f"set {members} breaks rows {broken}")
        bounds = tables.criterion_at(criteria[size], size, abs(exact(line["at most"] or one["at least"])))
        need(bounds.reaches(members, exact(one["at least"]), one.get("model")), f"set {members} scores less")
    besides, limit, leaves = {*listed} if line["of"] == "others" else set(), line["at most"], 0
    for size, names in sorted(rows.items()) if line["of"] != "none" else ():
        bounds = None if limit is None else tables.criterion_at(criteria[size], size, exact(limit))
        leaves += Cases(tables, size, names, bounds, besides).walk(lines)
    if "together" in line:
        return check_listed(line, tables, sorted(map(sorted, besides)), *rows, criteria)
    what = f"{'other ' if besides else ''}set of {' or '.join(map(str, sorted(rows)))} of {tables.n} features"
    what += f" (rows kept: {max(map(len, rows.values()))})"
    text = f"there is no {what}" if limit is None else f"no {what} scores more than {shown(exact(limit))}"
    text = "nothing is said of other sets" if line["of"] == "none" else f"{text} ({leaves} leaves)"
    if len(line["sets"]) != 1:
        return f"{len(line['sets'])} sets are listed, with scores; {text}" if line["sets"] else text
    names = [tables.features[j] for j in line["sets"][0]["set"]]
    return f"{json.dumps(names)} scores at least {shown(exact(line['sets'][0]['at least']))}; {text}"

def check_family(line, tables):
    """Check that sets together are as many as wanted, and differ enough from each other; return them."""
    sets, m, common = [*map(tables.set_of, line["family"])], line["together"], line["common"]
    need(type(m) is int and m >= 1 and type(common) is int and common >= 0, "sets and features are counted")
    need(m * tables.n <= 10**7 and common < 2**31, "there are too many sets together")
    need(len(sets) in (0, m) and type(line["family"]) is list, "there are as many sets, or none")
    need(all(len(a & b) <= common for a, b in combinations(sets, 2)), "two sets are too similar")
    return sets

def check_listed(line, tables, listed, size, criteria):
    """Check that of listed sets, all above a floor or all there are, none together are better than said."""
    m, total, floor, limit = line["together"], line["total"], line["at most"], line["at most together"]
    need(all(sorted(one) in listed for one in check_family(line, tables)), "sets together are listed")
    need(line["of"] == "others" and total in ("sum", "min") and (limit is None) == (floor is None), "limits")
    scored, most = [(Fraction(1), one) for one in listed], Fraction(m - 1)  # any m of these are too many
    if limit is not None:
        bounds, limit = tables.criterion_at(criteria[size], size, exact(limit)), exact(limit)
        floor, best, summed = exact(floor), Fraction(0), type(bounds) not in (Ratio, PenalisedFit)
        need(type(bounds) is not Model and (summed or total == "min"), "these scores do not add up")
        if total == "min":
            scored = [(score, one) for score, one in scored if bounds.value(one) > bounds.target]
        else:
            scored = [(Fraction(bounds.value(one)) / (1 << bounds.bits), one) for one in listed]
            most, best = limit, max([floor, *(score for score, _ in scored)])
        need(floor + (m - 1) * best <= limit, "the floor of the list is too high")
    stack, scored = [((), 0, Fraction(0))], sorted(scored, reverse=True)
    while stack:
        chosen, start, score = stack.pop()
        need(len(chosen) < m or score <= most, f"{chosen} are better together")
        for i in range(start, len(scored) if len(chosen) < m else 0):
            if score + (m - len(chosen)) * scored[i][0] <= most:
                break
            if all(len({*one} & {*scored[i][1]}) <= line["common"] for one in chosen):
                stack.append(((*chosen, scored[i][1]), i, score + scored[i][0]))
    what = f"{m} sets of {size} (rows kept: {len(line['rows'][str(size)])}), of which two share at most"
    text = "exist" if limit is None else f"have a {total} above {shown(limit)}"
    return f"no {what} {line['common']} features, {text} ({len(listed)} sets are listed)"

def check_counts(line, tables, lines):
    """Check that no sets together have a larger sum, or exist, by how many have each feature: the page."""
    (by_rows, criteria), m, sets = by_size(line, tables), line["together"], check_family(line, tables)
    (size, names), *others = by_rows.items()
    rows, y, limit, weights = tables.stated["row"], exact(line["price"]), line["at most"], [0] * tables.n
    prices = {name: exact(price) for name, price in line.get("prices", {}).items()}
    criterion = tables.stated["criterion"][criteria[size]]
    if limit is not None:
        need(criterion["kind"] == "sum", "a limit is that of sums")
        weights = criterion["weights"]
    need(min(y, *prices.values(), 0) >= 0 and {*prices} <= {*names}, "prices are of rows, and at least 0")
    need(len(weights) == tables.n, "each feature has a weight")
    need(not others and {size} == {size, *map(len, sets)}, "sets are of one size")
    need(all(rows[name].is_kept(one) for name in names for one in sets), "a set breaks a row")
    scaled = [(price / (1 << rows[name].bits), rows[name]) for name, price in prices.items()]
    less = [sum(price * row.features.get(j, 0) for price, row in scaled) for j in range(tables.n)]
    worth = (weights[j] - less[j] - c * y for j in range(tables.n) for c in range(m))
    most = y * line["common"] * (m * (m - 1) // 2) + sum(heapq.nlargest(m * size, worth))
    most += m * sum(price * row.limit for price, row in scaled)
    what, common = f"{m} sets of {size} (rows kept: {len(names)}), of which two share at most", line["common"]
    if limit is None:
        need(most < 0 and not sets, "there may be such sets")
        return f"there are no {what} {common} features"
    need(most <= exact(limit), "the bound of the sum is too weak")
    total = float(sum(weights[j] for one in sets for j in one))  # 0 where there are none
    text = f"no {what} {common} features, have a sum above {shown(exact(limit))}"
    return f"{text}; those stated have about {total!r}" if sets else text

def check_transversals(line, tables, lines):
    """Check that sets are all the minimal ones that have a feature of each of some others."""
    family, others = ([*map(tables.set_of, line[key] + [])] for key in ("sets", "each has one of"))
    need(len({*family}) == len(family), "a set is listed twice")
    for one in family:
        need(all(one & other for other in others), f"{sorted(one)} has none of another")
        need(all(any(one & other == {j} for other in others) for j in one), f"{sorted(one)} is not minimal")
    stack = [(frozenset(), frozenset())]  # all sets with those chosen, and without those left out
    while stack:
        chosen, out = stack.pop()
        if not any(one <= chosen for one in family):
            missed = min((other - out for other in others if not other & chosen), key=len, default=None)
            need(missed is not None, f"{sorted(chosen)} has one of each, and none of the sets")
            for j in sorted(missed):
                stack.append((chosen | {j}, out))
                out |= {j}
    return f"the {len(set(family))} sets are all minimal ones with a feature of each of {len(others)} others"

LINE = json.JSONDecoder(object_pairs_hook=once, parse_float=int, parse_constant=lambda x: json.loads(f"{x}!"))

def check(path, say=print):
    """Check a file line by line; return the exit code."""
    verified = left = 0
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as f:
        lines = (LINE.decode(text) for text in f if text.strip(" \t\r\n"))
        tables = Tables(next(lines, {}))
        for line in lines:
            need(type(line) is dict, "a tree without its claim")
            need(tables.digest or not {"claim", "not covered"} & {*line}, "a claim comes after its question")
            need(type(line.get("claim", line.get("not covered", ""))) is str, "titles are texts")
            if "not covered" in line:
                left += 1
                say(f"not covered: {json.dumps(line['not covered'])}")
            elif "claim" in line:
                check_one = check_counts if "price" in line else check_claim
                check_one = check_transversals if "each has one of" in line else check_one
                say(f"verified: {json.dumps(line['claim'])}: {check_one(line, tables, lines)}")
                verified += 1
            else:
                tables.state(line)
    need(tables.digest, "there is no question")
    say(f"question {tables.digest}: {verified} verified, {left} not covered")
    return 0 if verified and not left else 3

def reason(fault):
    return str(fault) if isinstance(fault, (RefutedError, OSError)) else f"not of the format ({fault!r})"

def main(arguments):
    if len(arguments) != 1:
        return print(__doc__) or 2
    try:
        return check(arguments[0])
    except Exception as fault:  # whatever a file makes of this program, it proves nothing
        known = (OSError, EOFError, gzip.zlib.error, UnicodeDecodeError, json.JSONDecodeError)
        code = 2 if isinstance(fault, known) else 1
        return print(f"{('refuted', 'not readable')[code - 1]}: {reason(fault)}") or code

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
