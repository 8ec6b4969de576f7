"""Check a certificate of feature sets in exact arithmetic: ``python check_certificate.py FILE``.

It needs the standard library; the format is in ``docs/certificates.md``. Floats propose, integers decide.
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
    fits = abs(number) < 2**1023 and Fraction(float(number)) == number
    return repr(float(number)) if fits else str(number)

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
    rows = [row + [0] * (n - len(row)) for row in triangle]
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
    unit = 1  # what a unit of the score is of what is bounded
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
        fits = len(u) == n and abs(unit) < 1000 and min(map(min, N)) >= 0
        need(fits, "a form has a unit, shares of all features, and of pairs at least 0 left")
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
    unit = 0  # penalties are left out
    def __init__(self, line, size, limit, tables):
        self.single, self.below, square = line["single"], full(line["pairs"], tables.n, 0), limit * limit
        need(size > 0 and min(map(min, self.below)) >= 0, "a ratio is of numbers of at least 0")
        each, single = zip(self.single, line["pairs"]), [a * a - square for a in self.single]
        pairs = [[2 * (square * x - a * b) for x, b in zip(row, self.single)] for a, row in each]
        super().__init__({"single": single, "pairs": pairs, "size": size}, size, Fraction(0), tables)
        self.target = None if limit < 0 else 0  # a limit is at least 0
    def reaches(self, members, level, told):
        above = sum(self.single[j] for j in members)
        below = len(members) + 2 * sum(self.below[i][j] for i, j in combinations(members, 2))
        return above >= 0 and (level <= 0 or above * above >= level * level * below)

class LeastSquares(Sum):
    """``offset + b'G^-1 b`` of products G of a set's columns, and b with the target; its bound: the page."""
    def __init__(self, line, size, limit, tables):
        self.owner = line.get("owner", [*range(tables.n)]) + []
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
        self.unit = 0 if self.logarithm else 1 / self.factor
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
        self.owner, self.bits = line["owner"] + [], FINE
        vars(self).update({key: line[key] for key in ("ridge", "saturated", "prices", "y", "offsets")})
        factor, weights, columns = (line[key] for key in ("factor", "weights", "columns"))
        lengths = {*map(len, [weights, self.offsets, *columns])}, len(self.prices), len(self.owner)
        need(lengths == ({len(self.y)}, tables.n, len(columns)), "rows, features, columns have their numbers")
        need(all(type(j) is int and -1 <= j < tables.n for j in self.owner), "owners are features, or -1")
        need(min(self.ridge, factor, *weights) > 0, "ridge, factor and weights are above 0")
        need(all(y in (0, 1) if self.logistic else y >= 0 for y in self.y), "responses are possible")
        wy, self.unit = [*map(mul, weights, self.y)], 1 / factor
        self.mass, self.fine = max(MEAN, bits_of(wy, weights)), bits_of(*columns)
        self.w, self.wy = whole(weights, self.mass), whole(wy, self.mass)
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
            total += Fraction(w, 1 << self.mass) * (most - y * u)
        return total <= self.cost(level)
    def masses(self, data):
        """Propose masses by a constant, and columns and coefficients in turn, and balance them exactly."""
        u = [float(x) + math.ldexp(data[0], -POINT) for x in self.offsets]
        for c, b in point(data[1:], {*range(len(self.owner))}).items():
            u = [x + math.ldexp(b, -POINT) * y for x, y in zip(u, self.floats[c])]
        shares = (math.exp(max(min(x, 30.0 if self.logistic else 300.0), -300.0)) for x in u)
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
            low += (q * -log_range(q, w)[1] + other) >> self.mass
        g = [q - wy for q, wy in zip(masses, self.wy)]
        along = Fraction(sum(map(mul, g, self.offsets))) / (1 << self.mass)
        constant = math.ceil((-along - self.saturated) * (1 << FINE)) - low
        worth = {-1: 0, **{j: math.ceil(-self.prices[j] * (1 << FINE)) for j in (*inside, *free)}}
        over = 2 * self.ridge * (1 << (2 * (self.mass + self.fine) - FINE))
        for column, owner in zip(self.columns, self.owner):
            if owner in worth:
                worth[owner] += math.ceil(sum(map(mul, column, g)) ** 2 / over)
        return constant + sum(worth.pop(i) for i in (-1, *inside)), worth, FINE

class Table(Sum):
    """The scores of sets, one by one; nothing bounds those of others."""
    linear = None
    def __init__(self, line, size, limit, tables):
        sets, self.target, self.bits = [*map(tables.set_of, line["sets"] + [])], limit, 0
        need(len({*sets}) == len(sets) == len(line["scores"]), "a table has each set once, and its score")
        self.scores = dict(zip(sets, line["scores"]))
    def value(self, members):
        return self.scores.get(frozenset(members), -math.inf)
CRITERIA = {"sum": Sum, "pairs": Pairs, "ratio": Ratio, "least squares": LeastSquares, "model": Model}
CRITERIA |= {"penalised fit": PenalisedFit, "table": Table}
NUMBERS = dict.fromkeys("weights single along prices y offsets scores".split(), 1)  # lists; tables, one
NUMBERS |= {"pairs": 2, "products": 2, "columns": 2, "offset": 0, "ridge": 0, "saturated": 0, "factor": 0}

# --- 3. Claims: a tree of cases each, a node a line, each before those below it -----------------------------
class Row:
    """``sum of coefficients and loads <= limit``; loads go by what is common with some sets."""
    def __init__(self, line, tables):
        need(all(j == str(int(j)) and int(j) in range(tables.n) for j in line["features"]), "features")
        self.limit, *coefficients = exact([line["at most"], *line["features"].values()], 1)
        self.features = dict(zip(map(int, line["features"]), coefficients))
        self.similar = [(tables.set_of(one), exact(loads, 1)) for one, loads in line.get("similar", []) + []]
        self.sets = {*map(tables.set_of, line["kept by"] + [])} if "kept by" in line else None
        need(all(len(x) == len(one) + 1 for one, x in self.similar), "each number in common has a load")
        triples = (zip(x, x[1:], x[2:]) for _, x in self.similar)
        need(all(b - a <= c - b for each in triples for a, b, c in each), "loads are convex")
    def sum(self, one):
        loads = sum(loads[len(other.intersection(one))] for other, loads in self.similar)
        return loads + sum(self.features.get(j, 0) for j in one)
    def is_kept(self, one):
        return self.sum(one) <= self.limit and (self.sets is None or frozenset(one) in self.sets)
    def added(self, inside):
        """Return what each further feature adds to the sum of those inside, at least."""
        least = self.features.copy()
        for one, loads in self.similar:
            more = one.difference(inside)
            least |= {j: least.get(j, 0) + loads[-len(more)] - loads[-len(more) - 1] for j in more}
        return least

class Tables:
    """What lines have stated: criteria, rows, and what leaves refer to."""
    def __init__(self, header):
        need((header["format"], repr(header["version"])) == FORMAT, "another format or version")
        self.features, self.n, self.digest = header["features"], len(header["features"]), None
        texts = type(self.features) is list and {*map(type, self.features)} == {str}
        need(texts and len({*self.features}) == self.n, "names are texts, and different")
        self.stated = {key: {} for key in ("criterion", "row", "form", "diagonal")}
        self.question = [json.dumps(self.features)]
    def set_of(self, indices):
        """Read a set of features."""
        need(type(indices) is list and len({*indices}) == len(indices), "a set has each feature once")
        need(all(type(j) is int and 0 <= j < self.n for j in indices), "features")
        return frozenset(indices)
    def state(self, line, key):
        """Take a line that states something: the question, its digest, or what leaves refer to."""
        if key == "question":
            self.digest = hashlib.sha256("\n".join(sorted(self.question)).encode()).hexdigest()
            need(line["question"] == self.digest, "the numbers of the question are not those of its digest")
            return
        need(line[key] not in self.stated[key], f"{line[key]!r} is stated twice")
        if key in ("criterion", "row"):
            need(self.digest is None, "the question is stated before its digest")
            self.question.append(json.dumps(line, sort_keys=True))
        numbers = {x: exact(line[x], d) for x, d in NUMBERS.items() if key == "criterion" and x in line}
        self.stated[key][line[key]] = Row(line, self) if key == "row" else line | numbers
    @functools.lru_cache(maxsize=1)
    def criterion_at(self, name, size, limit):
        return CRITERIA[(line := self.stated["criterion"][name])["kind"]](line, size, limit, self)

class Cases:
    """The sets of one size that keep some rows, and may pay a penalty."""
    bounds, besides = None, ()
    def __init__(self, line, size, tables):
        names, paid = line["rows"][str(size)], [line["penalty"][str(size)]] if "penalty" in line else []
        self.rows, self.penalty = ({x: tables.stated["row"][x] for x in each} for each in (names, paid))
        self.criterion, self.n, self.size = line["criteria"][str(size)], tables.n, size
        need(self.criterion in tables.stated["criterion"], "criteria come before")
        need(type(names) is list and len(names) == len(self.rows), "each row is named once")
        for row in self.penalty.values():
            plain = not row.features and row.limit == 0 and row.sets is None and not {*paid} & {*names}
            need(plain and all(min(x) >= 0 for _, x in row.similar), "a penalty is of loads, at least 0")
    def are_kept(self, one):
        return all(row.is_kept(one) for row in self.rows.values())
    def walk(self, lines):
        """Read a tree and check its leaves; return how many there are."""
        need(self.bounds is None or self.bounds.target is not None, "limits of ratios are at least 0")
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
        count, bounds = self.size - len(inside), self.bounds
        if not 0 <= count <= len(free):  # there are none
            return
        if kind == "each":
            for others in combinations(sorted(free), count):
                one = (*inside, *others)
                if frozenset(one) not in self.besides and self.are_kept(one):
                    paid = sum(row.sum(one) for row in self.penalty.values())
                    most = bounds and bounds.target + bounds.unit * paid * (1 << bounds.bits)
                    need(bounds and bounds.value(one) <= most, f"{sorted(one)} does not score less")
        elif kind == "none":
            constant, worth = self.priced(0, dict.fromkeys(free, 0), 0, prices, self.rows, inside)
            most = constant + sum(heapq.nlargest(count, worth.values()))
            need(most < 0, f"sets of {sorted(inside)} may keep the rows")
        else:
            need(kind == "bound" and bounds, f"{kind!r} is no leaf here")
            need(all(exact(prices.get(x, 0)) <= bounds.unit for x in self.penalty), "a price is too high")
            bound, rows = bounds.linear(inside, free, data + []), self.rows | self.penalty
            constant, worth = self.priced(*bound, prices, rows, inside)
            most = constant + sum(heapq.nlargest(count, worth.values()))
            one = count in (0, len(free)) and frozenset((*inside, *(free if count else ())))
            enough = most <= bounds.target * (1 << (bound[2] - bounds.bits))
            need(enough or one in self.besides, f"the bound of {sorted(inside)} is too weak")
    def priced(self, constant, worth, bits, prices, rows, inside):
        """Add rows at prices to a linear bound, in units of 2^-bits."""
        for name, price in prices.items():
            row, times = rows[name], exact(price) * (1 << bits)
            need(times >= 0, "prices are at least 0")
            constant += times * (row.limit - row.sum(inside))
            worth |= {j: worth[j] - times * x for j, x in row.added(inside).items() if j in worth}
        return constant, worth

def cases_of(line, tables):
    """Read the sizes of a claim, and what holds of each."""
    sizes, keys = sorted(map(int, line["rows"])), ("rows", "criteria", "penalty")
    texts = all({*line.get(key, line["rows"])} == {*map(str, sizes)} for key in keys)
    need(texts and 0 <= sizes[0] <= sizes[-1] < 2**31, "sizes are texts of integers")
    return {size: Cases(line, size, tables) for size in sizes}

def check_claim(line, tables, lines):
    """Check that sets are what a claim says, and that there are no others; say what was shown."""
    cases, limit, of, leaves = cases_of(line, tables), line["at most"], line["of"], 0
    need(of in ("all", "others", "none"), "a claim is of all sets, of others or of none")
    listed = [tables.set_of(one["set"]) for one in line["sets"]]
    need(len({*listed}) == len(listed) and type(line["sets"]) is list, "a set is listed twice")
    known = exact(line["sets"][0]["at least"] if limit is None or of == "none" else limit) if listed else 0
    for told, one in zip(line["sets"], map(sorted, listed)):
        own, level = cases[len(one)], exact(told["at least"])
        need(own.are_kept(one), f"set {one} breaks a row")
        bounds = tables.criterion_at(own.criterion, own.size, known)
        level += sum(row.sum(one) for row in own.penalty.values())
        need(bounds.reaches(one, level, told.get("model")), f"set {one} scores less")
    for own in cases.values() if of != "none" else ():
        own.besides = {*listed} if of == "others" else ()
        own.bounds = None if limit is None else tables.criterion_at(own.criterion, own.size, exact(limit))
        leaves += own.walk(lines)
    sizes, rows = " or ".join(map(str, cases)), max(len(own.rows) for own in cases.values())
    if "together" in line:
        need(of == "others" and "penalty" not in line, "sets together are of a list")
        return check_listed(line, tables, [*zip(listed, line["sets"])], cases, f"{sizes} (rows kept: {rows})")
    scores = "scores, less penalties," if "penalty" in line else "scores"
    other = "other " if of == "others" and listed else ""
    what = f"{other}set of {sizes} of {tables.n} features (rows kept: {rows})"
    text = f"there is no {what}" if limit is None else f"no {what} {scores} more than {shown(exact(limit))}"
    text = "nothing is said of other sets" if of == "none" else f"{text} ({leaves} leaves)"
    if len(line["sets"]) != 1:
        return f"{len(line['sets'])} sets are listed, with scores; {text}" if line["sets"] else text
    names = [tables.features[j] for j in line["sets"][0]["set"]]
    return f"{json.dumps(names)} {scores} at least {shown(exact(line['sets'][0]['at least']))}; {text}"

def family_of(line, tables):
    """Read sets that were found together, and their number."""
    sets, m = [*map(tables.set_of, line["family"])], line["together"]
    need(type(m) is int and m >= 1 and m * tables.n <= 10**7, "there are too many sets together, or none")
    need(len(sets) in (0, m) and type(line["family"]) is list, "there are as many sets, or none")
    return sets, m

def check_listed(line, tables, listed, cases, what):
    """Check that of listed sets, all above a floor or all there are, none together are better than said."""
    (sets, m), total = family_of(line, tables), line["total"]
    limits = (line[key] for key in ("at most", "at most together", "at most similar"))
    floor, limit, most = (None if one is None else exact(one) for one in limits)
    loads = {sizes: exact(numbers, 1) for sizes, numbers in line["similar"].items()}
    need({*loads} == {f"{a} {b}" for a in cases for b in cases if a <= b}, "each two sizes have loads")
    need(all(min(x, default=0) >= 0 for x in loads.values()), "loads are at least 0")
    need(total in ("sum", "min") and (limit is None) == (floor is None), "limits")
    def load_of(one, others):  # None: they do not go together
        pairs = [(loads["{} {}".format(*sorted((len(one), len(x))))], len(one & x)) for x in others]
        return sum(x[c] for x, c in pairs) if all(c < len(x) for x, c in pairs) else None
    paid = [load_of(one, sets[:i]) for i, one in enumerate(sets)]
    fine = None not in paid and sum(paid) <= (math.inf if most is None else most)
    need(fine and {*sets} <= {*dict(listed)}, "sets that were found are listed, and go together")
    scored, stack, charged = [(0, one) for one, _ in listed], [((), 0, 0, 0)], most is None
    if limit is not None:
        scored = [(exact(told["no more than"]), one) for one, told in listed]
        for (score, one), (_, told) in zip(scored, listed):
            own, shape = cases[len(one)], ("bound", told["by"]) if "by" in told else ("each", [])
            own.besides, own.bounds = (), tables.criterion_at(own.criterion, own.size, score)
            own.leaf((*one,), frozenset(), *shape, {})
        scored.sort(key=lambda x: -x[0])
        best = max(floor, scored[0][0] if scored else floor) if total == "sum" else 0
        need(floor + (m - 1) * best <= limit, "the floor of the list is too high")
    while stack:
        chosen, start, reached, paid = stack.pop()
        left, bar = m - len(chosen), -math.inf if limit is None else limit + paid * charged
        need(left or reached <= bar, f"{[*map(sorted, chosen)]} are better together")
        for i in range(start, len(scored) if left else 0):
            score, one = scored[i]
            if (reached + left * score if total == "sum" else score) <= bar:
                break
            load = load_of(one, chosen)
            if load is not None and (most is None or paid + load <= most):
                stack.append(((*chosen, one), i, score + reached * (total == "sum"), paid + load))
    total += " less penalties" if charged and any(map(any, loads.values())) else ""
    text = "exist" if limit is None else f"have a {total} above {shown(limit)}"
    return f"no {m} sets of {what}, as different as is said, {text} ({len(listed)} sets are listed)"

def check_counts(line, tables, lines):
    """Check that no sets together have a larger sum, or exist, by how many have each feature: the page."""
    ((size, own), *others), (sets, m) = cases_of(line, tables).items(), family_of(line, tables)
    y, limit, common, weights = exact(line["price"]), line["at most"], line["common"], [0] * tables.n
    if limit is not None:
        need(type(tables.criterion_at(own.criterion, size, exact(limit))) is Sum, "a limit is that of sums")
        weights = tables.stated["criterion"][own.criterion]["weights"]
    need(not others and {size} == {size, *map(len, sets)} and not own.penalty, "sets are of one size")
    need(type(common) is int and 0 <= common < 2**31 and y >= 0, "features and prices are counted")
    fine = all(map(own.are_kept, sets)) and all(len(a & b) <= common for a, b in combinations(sets, 2))
    need(fine, "sets keep the rows, and are not too similar")
    constant, worth = own.priced(0, dict(enumerate(weights)), 0, line.get("prices", {}), own.rows, ())
    most = heapq.nlargest(m * size, (x - c * y for x in worth.values() for c in range(m)))
    most = m * constant + y * common * (m * (m - 1) // 2) + sum(most)
    what = f"{m} sets of {size} (rows kept: {len(own.rows)}), of which two share at most {common} features"
    if limit is None:
        need(most < 0 and not sets, "there may be such sets")
        return f"there are no {what}"
    need(most <= exact(limit), "the bound of the sum is too weak")
    return f"no {what}, have a sum above {shown(exact(limit))}"

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
ONCE = lambda pairs: need(len(dict(pairs)) == len(pairs), "a key is stated twice") or dict(pairs)  # noqa: E731
LINE = json.JSONDecoder(object_pairs_hook=ONCE, parse_float=int, parse_constant=lambda x: json.loads(f"{x}!"))

def check(path, say=print):
    """Check a file line by line; return the exit code."""
    verified = left = 0
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as f:
        lines = (LINE.decode(text) for text in f if text.strip(" \t\r\n"))
        tables = Tables(next(lines, {}))
        for line in lines:
            need(type(line) is dict, "a tree without its claim")
            (key,) = {"claim", "not covered", "question", *tables.stated} & {*line}
            need(tables.digest or key not in ("claim", "not covered"), "a claim comes after its question")
            need(type(line[key]) is str, "names and titles are texts")
            if key == "not covered":
                left += 1
                say(f"not covered: {json.dumps(line['not covered'])}")
            elif key == "claim":
                others = {"each has one of": check_transversals, "price": check_counts}
                check_one = next((one for key, one in others.items() if key in line), check_claim)
                say(f"verified: {json.dumps(line['claim'])}: {check_one(line, tables, lines)}")
                verified += 1
            else:
                tables.state(line, key)
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
        unreadable = OSError, EOFError, gzip.zlib.error, UnicodeDecodeError, json.JSONDecodeError
        code = 2 if isinstance(fault, unreadable) else 1
        return print(f"{('refuted', 'not readable')[code - 1]}: {reason(fault)}") or code

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
