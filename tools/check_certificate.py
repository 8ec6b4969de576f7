"""Check a certificate of feature sets in exact arithmetic: ``python check_certificate.py FILE``.

This program imports nothing but Python's standard library, and shares no code with what writes certificates.
A file holds a question in plain numbers, claims about it, and for each claim a tree of cases; its format is
described in ``docs/certificates.md``. All decisions are made in integers and fractions. Floating point is used
in two places, to propose a factor of a matrix and the means of a model; what it proposes is checked exactly.

Exit code: 0 all claims are verified, 1 one is refuted, 2 the file is not readable, 3 none is refuted, but one
is of a kind that this program does not check.
"""

import gzip
import hashlib
import heapq
import json
import math
import sys
from fractions import Fraction
from itertools import combinations
from operator import mul

FORMAT, VERSION = "certificate of feature sets", 1
POINT = 30  # points of tangents are integers in units of 2^-POINT
FINE = 90  # logarithms and exponentials are integers in units of 2^-FINE, with their errors counted
MEAN = 44  # means that are proposed for the rows of a model have at least so many bits


class Refuted(Exception):
    """A claim is not proved by its file."""


def need(condition, text):
    """Refuse the claim unless a condition holds."""
    if not condition:
        raise Refuted(text)


# --- 1. Numbers: integers in units of 2^-bits, so that nothing is rounded but where it is said --------------


def exact(number):
    """Read a number: a JSON integer, or a text that is a hexadecimal float such as "0x1.8p-2"."""
    need(type(number) in (int, str), f"{number!r} is no number")
    try:
        return Fraction(number) if type(number) is int else Fraction(float.fromhex(number))
    except (ValueError, OverflowError):
        raise Refuted(f"{number!r} is no finite number") from None


def bits_of(fractions):
    """Return the b for which all fractions are integers in units of 2^-b."""
    return max([f.denominator.bit_length() - 1 for f in fractions], default=0)


def whole(fraction, bits):
    """Write a fraction as an integer in units of 2^-bits, which it must be."""
    value = fraction * (1 << bits)
    need(value.denominator == 1, "a number does not fit its unit")
    return value.numerator


def rounded_up(fraction, bits):
    """Write a fraction as an integer in units of 2^-bits, rounded up."""
    return math.ceil(fraction * (1 << bits))


def log_range(above, below):
    """Enclose log(above / below) of positive integers, in units of 2^-FINE.

    With ``above / below = 2^e m`` and 1/2 < m < 2: ``log m = 2 atanh(z)``, ``z = (m - 1) / (m + 1)``, by the
    series of atanh. Each of its divisions is off by less than one unit, and so is all that is cut off.
    """
    e = above.bit_length() - below.bit_length()
    above, below = above << max(-e, 0), below << max(e, 0)
    z = ((above - below) << FINE) // (above + below)
    square, power, total, i = (z * z) >> FINE, z, 0, 1
    while power not in (0, -1):
        total += power // i
        power, i = (power * square) >> FINE, i + 2
    low, high = 2 * total - 4 * i - 8, 2 * total + 4 * i + 8
    least, most = LOG_2
    return low + min(e * least, e * most), high + max(e * least, e * most)


LOG_2 = (0, 0)  # not used in the next line: log 2 = log 6/4 + log 12/9
LOG_2 = tuple(map(sum, zip(log_range(6, 4), log_range(12, 9))))


def exp_range(u):
    """Enclose exp(u) of a fraction u >= 0, in units of 2^-FINE: the series of u / 2^n, squared n times."""
    n = math.ceil(u).bit_length() + 3
    need(n < 14, "an exponent is out of range")
    small = math.floor(u * (1 << (FINE - n)))
    term, low = 1 << FINE, 1 << FINE
    for i in range(1, 31):  # small is at most 1/8: what is cut off is below one unit
        term = term * small // (i << FINE)
        low += term
    high = low + 100
    for _ in range(n):
        low, high = (low * low) >> FINE, ((high * high) >> FINE) + 1
    return low, high


def surely_positive(matrix, bits):
    """Prove a symmetric matrix of integers in units of 2^-bits positive semidefinite.

    A factor L is proposed in floating point and rounded; then ``matrix - LL'`` is found exactly, and must be
    diagonally dominant with a diagonal of at least 0.
    """
    n, unit = len(matrix), max(bits // 2 + 1, 60)
    factor, ints, slack = [], [], [0] * n
    scale = 2.0**-bits
    shift = 1e-15 * n**1.5 * max([abs(matrix[i][i]) for i in range(n)], default=0) * scale
    for i in range(n):
        row = []
        for j in range(i + 1):
            rest = matrix[i][j] * scale - sum(map(mul, row, factor[j] if j < i else row))
            row.append(rest / factor[j][j] if j < i else math.sqrt(max(rest - shift, 0.0)) or 1e-9)
        factor.append(row)
        need(all(map(math.isfinite, row)), "a matrix is not proved positive semidefinite")
        ints.append([round(math.ldexp(x, unit)) for x in row])
        for j in range(i + 1):
            left = (matrix[i][j] << (2 * unit - bits)) - sum(map(mul, ints[i], ints[j]))
            if j == i:
                slack[i] += left
            else:
                slack[i] -= abs(left)
                slack[j] -= abs(left)
    need(all(left >= 0 for left in slack), "a matrix is not proved positive semidefinite")


# --- 2. Criteria: what a set scores, and linear bounds on that -----------------------------------------------
#
# `For one size and one limit, a criterion gives `target` and `bits`, so that "the set scores at most the limit"
# is "value(set) <= target" in units of 2^-bits; and of a leaf a linear bound: (constant, {feature: worth}) with
# value(inside and T) <= constant + sum of the worths of T, for all sets T of `count` free features.


class Sum:
    """``sum of weights``."""

    def __init__(self, line, n):
        self.weights = [exact(w) for w in line["weights"]]
        need(len(self.weights) == n, "one weight a feature")

    def at(self, size, limit, tables):
        """Return what bounds sets of a size."""
        del size, tables
        return SumBounds(self.weights, limit)

    def reaches(self, members, level, hint):
        """Return whether a set scores at least a level."""
        del hint
        return sum(self.weights[j] for j in members) >= level


class SumBounds:
    """Bounds on a sum: itself."""

    def __init__(self, weights, limit):
        self.bits = bits_of([*weights, limit])
        self.weights, self.target = [whole(w, self.bits) for w in weights], whole(limit, self.bits)

    def value(self, members):
        """Return what a set scores."""
        return sum(self.weights[j] for j in members)

    def linear(self, inside, free, count, data):
        """Bound the sets of a leaf; returns constant, worths and the bits of these."""
        need(not data, "a sum needs no data at a leaf")
        return self.value(inside), {j: self.weights[j] for j in free}, self.bits


class Pairs:
    """``sum of single - sum of pairs``, of sets of one size, or of all sizes."""

    def __init__(self, line, n):
        self.single, self.size = [exact(a) for a in line["single"]], line.get("size")
        self.pairs = triangle(line["pairs"], n, 0)
        need(len(self.single) == n, "one number a feature")

    def at(self, size, limit, tables):
        """Return what bounds sets of a size."""
        need(self.size in (None, size), "the numbers are those of another size")
        return PairsBounds(self.single, self.pairs, limit, size, tables)

    def reaches(self, members, level, hint):
        """Return whether a set scores at least a level."""
        del hint
        each = sum(self.single[j] for j in members)
        return each - sum(self.pairs[max(p)][min(p)] for p in combinations(members, 2)) >= level


class Ratio:
    """``sum of single / sqrt(size + 2 sum of pairs)``; single and pairs are at least 0."""

    def __init__(self, line, n):
        self.single, self.pairs = [exact(a) for a in line["single"]], triangle(line["pairs"], n, 0)
        need(len(self.single) == n, "one number a feature")
        need(min([*self.single, *sum(self.pairs, [])]) >= 0, "a ratio needs numbers of at least 0")

    def at(self, size, limit, tables):
        """Return what bounds sets: at most the limit is ``N^2 - limit^2 D <= 0``."""
        need(limit >= 0, "a ratio is not below 0")
        q, square = self.single, limit * limit
        pairs = [[2 * (square * r - q[i] * q[j]) for j, r in enumerate(row)] for i, row in enumerate(self.pairs)]
        return PairsBounds([a * a - square for a in q], pairs, Fraction(0), size, tables)

    def reaches(self, members, level, hint):
        """Return whether a set scores at least a level."""
        del hint
        below = len(members) + 2 * sum(self.pairs[max(p)][min(p)] for p in combinations(members, 2))
        return level <= 0 or sum(self.single[j] for j in members) ** 2 >= level * level * below


def triangle(rows, n, diagonal):
    """Read the lower triangle of a symmetric matrix, its diagonal included or not."""
    need(len(rows) == n and all(len(row) == i + diagonal for i, row in enumerate(rows)), "no lower triangle")
    return [[exact(x) for x in row] for row in rows]


def square_of(rows, bits, diagonal):
    """Write a lower triangle as a full matrix of integers in units of 2^-bits."""
    full = [[0] * len(rows) for _ in rows]
    for i, row in enumerate(rows):
        for j, x in enumerate(row[: i + diagonal]):
            full[i][j] = full[j][i] = whole(x, bits)
    return full


class PairsBounds:
    """Bounds on ``sum of a - sum of b`` of sets of k, by tangents of a convex form below the sum of b.

    A form is a positive semidefinite S, shares u, and N >= 0. With ``e_ij = b_ij - 2 S_ij - N_ij - u_i - u_j``
    and m_i the sum of the k - 1 smallest e_ij, each set s of k has
    ``sum of b >= s'Ss + sum of N + sum over i in s of (m_i / 2 + (k - 1) u_i - S_ii)``; and for every z
    ``s'Ss >= 2 z'Ss - z'Sz``.
    """

    def __init__(self, single, pairs, limit, size, tables):
        self.tables, self.size, self.forms = tables, size, {}
        self.bits = bits_of([*single, *sum(pairs, []), limit])
        self.single, self.target = [whole(a, self.bits) for a in single], whole(limit, self.bits)
        self.pairs = square_of(pairs, self.bits, 0)

    def value(self, members):
        """Return what a set scores."""
        pairs, members = self.pairs, list(members)
        return sum(self.single[j] for j in members) - sum(pairs[i][j] for i, j in combinations(members, 2))

    def form(self, name):
        """Return a form's bits, S, N, and twice ``a_i + S_ii - m_i / 2 - (k - 1) u_i``; checked once."""
        if name not in self.forms:
            unit, S, N, u = self.tables.form(name)
            bits = max(unit, self.bits)
            S, N, (u,) = ([[x << (bits - unit) for x in row] for row in rows] for rows in (S, N, [u]))
            up, doubled = bits - self.bits, []
            for i, row in enumerate(self.pairs):
                e = [(b << up) - 2 * s - c - v for b, s, c, v in zip(row, S[i], N[i], u)]
                least = sum(heapq.nsmallest(self.size - 1, e[:i] + e[i + 1 :])) - (self.size - 1) * u[i]
                own = (self.single[i] << up) + S[i][i] - (self.size - 1) * u[i]
                doubled.append(2 * own - least)
            self.forms[name] = bits, S, N, doubled
        return self.forms[name]

    def linear(self, inside, free, count, data):
        """Bound the sets of a leaf by the tangent at z: 1 inside, the point among the free."""
        del count
        name, *point = data
        bits, S, N, doubled = self.form(name)
        z = dict.fromkeys(inside, 1 << POINT)
        for j, share in zip(point[::2], point[1::2]):
            need(type(share) is int and j in free, "a point is among the free features")
            z[j] = share
        Sz = {i: sum(S[i][j] * share for j, share in z.items()) for i in (*inside, *free)}
        up = bits + 2 * POINT + 1  # one more, as `doubled` is twice its number
        two = POINT + 2  # twice Sz, in units of 2^-up
        constant = sum(doubled[i] for i in inside) << (2 * POINT)
        constant -= sum(Sz[i] for i in inside) << two
        constant += sum(Sz[j] * share for j, share in z.items()) << 1
        constant -= sum(N[i][j] for i, j in combinations(inside, 2)) << (2 * POINT + 1)
        worth = {
            j: ((doubled[j] - 2 * sum(N[j][i] for i in inside)) << (2 * POINT)) - (Sz[j] << two) for j in free
        }
        return constant, worth, up


class LeastSquares:
    """``offset + b's^-1 b`` of the products G and b of a set's columns: what a linear fit explains."""

    def __init__(self, line, n):
        self.offset, self.along = exact(line["offset"]), [exact(b) for b in line["along"]]
        self.products = triangle(line["products"], n, 1)
        need(len(self.along) == n, "one number a feature")

    def at(self, size, limit, tables):
        """Return what bounds sets of a size."""
        del size
        return LeastSquaresBounds(self, limit, tables)

    def value(self, members):
        """Return what a set explains, by elimination in fractions."""
        members = list(members)
        table = [[self.products[max(i, j)][min(i, j)] for j in members] + [self.along[i]] for i in members]
        total = self.offset
        for i, row in enumerate(table):
            need(row[i] > 0, "the columns of a set depend on each other")
            total += row[-1] ** 2 / row[i]
            for below in table[i + 1 :]:
                factor = below[i] / row[i]
                below[i:] = [x - factor * y for x, y in zip(below[i:], row[i:])]
        return total

    def reaches(self, members, level, hint):
        """Return whether a set scores at least a level."""
        del hint
        return self.value(members) >= level


class LeastSquaresBounds:
    """Bounds on what linear fits explain.

    With D a diagonal above 0 and G - D positive semidefinite, for every w a set s explains at most
    ``offset + w'(G - D)w + sum over s of (b - (G - D)w)_j^2 / D_j``.
    """

    def __init__(self, criterion, limit, tables):
        self.criterion, self.tables, self.shares = criterion, tables, {}
        numbers = [*criterion.along, *sum(criterion.products, []), criterion.offset, limit]
        self.bits = bits_of(numbers)
        self.G = square_of(criterion.products, self.bits, 1)
        self.along = [whole(b, self.bits) for b in criterion.along]
        self.offset, self.target = whole(criterion.offset, self.bits), whole(limit, self.bits)

    def value(self, members):
        """Return what a set explains."""
        return rounded_up(self.criterion.value(members), self.bits)

    def diagonal(self, name):
        """Return a diagonal as integers, and G less it; checked once."""
        if name not in self.shares:
            d = [math.floor(x * (1 << self.bits)) for x in self.tables.diagonal(name)]
            need(len(d) == len(self.G) and min(d) > 0, "a diagonal is above 0")
            rest = [[x - d[i] * (i == j) for j, x in enumerate(row)] for i, row in enumerate(self.G)]
            surely_positive(rest, self.bits)
            self.shares[name] = d, rest
        return self.shares[name]

    def linear(self, inside, free, count, data):
        """Bound the sets of a leaf by w."""
        del count
        name, *point = data
        d, rest = self.diagonal(name)
        w = dict(zip(point[::2], point[1::2]))
        need(all(type(x) is int and j in range(len(d)) for j, x in w.items()), "w is of features")
        along = {i: sum(rest[i][j] * x for j, x in w.items()) for i in {*inside, *free, *w}}
        bits = self.bits + 2 * POINT
        constant = (self.offset << (2 * POINT)) + sum(along[j] * x for j, x in w.items())
        worth = {j: -(-(((self.along[j] << POINT) - along[j]) ** 2) // d[j]) for j in (*inside, *free)}
        return constant + sum(worth[i] for i in inside), {j: worth[j] for j in free}, bits


class Model:
    """``constant of the size - factor * (loss + sum of prices)`` of the least penalised loss of a model.

    The loss of coefficients beta and a constant c is, with ``u_i = offset_i + c + x_i'beta``,
    ``saturated + sum of w_i loss_i(u_i) + ridge / 2 beta'beta``, where the loss of a row is
    ``log(1 + exp(u)) - y u`` of "logistic", and ``exp(u) - y u`` of "poisson". A feature may own several
    columns; those of owner -1 are in every model.
    """

    def __init__(self, line, n):
        self.family = line["family"]
        need(self.family in ("logistic", "poisson"), f"models of the family {self.family} are not checked")
        self.ridge, self.factor = exact(line["ridge"]), exact(line["factor"])
        self.saturated, self.owner = exact(line["saturated"]), line["owner"]
        self.constants = {size: exact(c) for size, c in line["constants"].items()}
        keys = ("prices", "y", "weights", "offsets")
        self.prices, self.y, self.weights, self.offsets = ([exact(x) for x in line[key]] for key in keys)
        self.columns = [[exact(x) for x in column] for column in line["columns"]]
        need(len(self.prices) == n and all(-1 <= j < n for j in self.owner), "prices and owners are of features")
        need(len(self.owner) == len(self.columns), "each column has an owner")
        need({len(self.weights), len(self.offsets), *map(len, self.columns)} == {len(self.y)}, "lengths of rows")
        need(self.ridge > 0 and self.factor > 0 and min(self.weights) > 0, "ridge, factor, weights are above 0")
        need(min(self.y) >= 0 and (self.family == "poisson" or set(self.y) <= {0, 1}), "responses are possible")

    def at(self, size, limit, tables):
        """Return what bounds sets of a size: at most the limit is a loss of at least what follows."""
        del tables
        return ModelBounds(self, (self.constants[str(size)] - limit) / self.factor)

    def reaches(self, members, level, hint):
        """Return whether a set scores at least a level, by its loss at coefficients: those of the hint."""
        constant, *pairs = [exact(x) for x in hint]
        beta = dict(zip(map(int, pairs[::2]), pairs[1::2]))
        need(all(self.owner[c] in (-1, *members) for c in beta), "coefficients are of the set")
        total = self.saturated + self.ridge / 2 * sum(b * b for b in beta.values())
        total += sum(self.prices[j] for j in members)
        for i, (y, w) in enumerate(zip(self.y, self.weights)):
            u = self.offsets[i] + constant + sum(b * self.columns[c][i] for c, b in beta.items())
            low, high = exp_range(abs(u))
            if self.family == "logistic":  # log(1 + exp(u)) = max(u, 0) + log(1 + exp(-|u|))
                most = max(u, 0) + Fraction(log_range((1 << FINE) + low, low)[1], 1 << FINE)
            else:
                most = Fraction(high, 1 << FINE) if u >= 0 else Fraction(1 << FINE, low)
            total += w * (most - y * u)
        return self.constants[str(len(members))] - self.factor * total >= level


class ModelBounds:
    """Bounds on minus the losses of models, by their dual.

    For any masses q_i, between 0 and w_i of "logistic" and above 0 of "poisson", whose sum is that of w_i y_i,
    and ``g_i = q_i - w_i y_i``, a set's loss is at least ``saturated + sum of h_i + g'offset`` less
    ``sum over its columns of (x'g)^2 / (2 ridge)``. h_i is ``w_i`` times the entropy of ``q_i / w_i`` of
    "logistic", and ``q_i - q_i log(q_i / w_i)`` of "poisson". The masses are proposed in floating point, by
    coefficients.
    """

    def __init__(self, model, least):
        self.model, self.bits, self.target = model, FINE, -math.ceil(least * (1 << FINE))
        wy = [w * y for w, y in zip(model.weights, model.y)]
        self.unit = max(MEAN, bits_of([*wy, *model.weights]))
        self.wy, self.w = ([whole(x, self.unit) for x in some] for some in (wy, model.weights))
        self.x_bits = bits_of([x for column in model.columns for x in column])
        self.columns = [[whole(x, self.x_bits) for x in column] for column in model.columns]
        self.floats = [[float(x) for x in column] for column in model.columns]

    def value(self, members):
        """Refuse to find the least loss of a set."""
        raise Refuted(f"a leaf of a model, such as {sorted(members)}, needs coefficients")

    def masses(self, data):
        """Propose masses by a constant, and a column and its coefficient in turn, and balance them exactly."""
        constant, *pairs = data
        logistic, unit = self.model.family == "logistic", self.unit
        u = [float(offset) + math.ldexp(constant, -POINT) for offset in self.model.offsets]
        for c, b in zip(pairs[::2], pairs[1::2]):
            u = [x + math.ldexp(b, -POINT) * y for x, y in zip(u, self.floats[c])]
        q = []
        for x, w in zip(u, self.w):
            x = max(min(x, 300.0), -300.0)
            share = round(math.ldexp(1 / (1 + math.exp(-x)) if logistic else math.exp(x), 60))
            q.append(max((w * share) >> 60, 1) if not logistic else min(max((w * share) >> 60, 1), w - 1))
        missing = sum(self.wy) - sum(q)
        room = [min(p, w - p) if logistic else p for p, w in zip(q, self.w)]
        for i in sorted(range(len(q)), key=lambda i: -room[i]):
            step = max(min(missing, room[i] // 2), -(room[i] // 2))
            q[i], missing = q[i] + step, missing - step
        need(not missing, "the masses cannot be balanced")
        return q

    def linear(self, inside, free, count, data):
        """Bound the sets of a leaf by the dual at masses."""
        del count
        need(len(data) % 2 == 1 and all(type(x) is int for x in data), "a constant, and coefficients in pairs")
        model, unit, low = self.model, self.unit, 0
        masses = self.masses(data)
        for q, w in zip(masses, self.w):
            need(0 < q and (q < w or model.family == "poisson"), "masses are possible")
            low += (q * -log_range(q, w)[1]) >> unit
            if model.family == "logistic":
                low += ((w - q) * -log_range(w - q, w)[1]) >> unit
            else:
                low += (q << FINE) >> unit
        g = [q - wy for q, wy in zip(masses, self.wy)]
        along = sum(Fraction(x, 1 << unit) * offset for x, offset in zip(g, model.offsets))
        constant = -low + rounded_up(-along - model.saturated, FINE)
        worth = {j: rounded_up(-model.prices[j], FINE) for j in (*inside, *free)}
        over = 2 * model.ridge * (1 << (2 * (unit + self.x_bits) - FINE))
        for column, owner in zip(self.columns, model.owner):
            if owner == -1 or owner in worth:
                price = math.ceil(sum(map(mul, column, g)) ** 2 / over)
                if owner == -1:
                    constant += price
                else:
                    worth[owner] += price
        return constant + sum(worth[i] for i in inside), {j: worth[j] for j in free}, FINE


# --- 3. Claims: a tree of cases each, a node a line, in the order of a walk ---------------------------------


CRITERIA = {"sum": Sum, "pairs": Pairs, "ratio": Ratio, "least squares": LeastSquares, "model": Model}


class Row:
    """``sum of coefficients <= limit`` over features, and helper variables of rules."""

    def __init__(self, line, n):
        need({*map(int, line["features"])} <= {*range(n)}, "a row is of features")
        numbers = {**line["features"], **line.get("helpers", {}), "limit": line["at most"]}
        bits = bits_of(list(map(exact, numbers.values())))
        self.features = {int(j): whole(exact(x), bits) for j, x in line["features"].items()}
        self.helpers = {name: whole(exact(x), bits) for name, x in line.get("helpers", {}).items()}
        self.limit, self.bits = whole(exact(line["at most"]), bits), bits

    def kept(self, members, helpers):
        """Return whether a set keeps the row, with values of the helper variables."""
        total = sum(self.features.get(j, 0) for j in members)
        return total + sum(x * helpers[name] for name, x in self.helpers.items()) <= self.limit


class Tables:
    """What the lines before a claim have stated: criteria, rows, helper variables, forms, diagonals."""

    def __init__(self, header):
        need(header.get("format") == FORMAT and header.get("version") == VERSION, "another format or version")
        self.features, self.n = header["features"], len(header["features"])
        self.criteria, self.rows, self.helpers, self.forms, self.diagonals = {}, {}, {}, {}, {}
        self.stated, self.digest = [json.dumps(self.features)], None

    def state(self, line):
        """Take a line that states something; numbers of the question come before its digest."""
        kinds = {
            "criterion": (self.criteria, lambda: CRITERIA[line["kind"]](line, self.n)),
            "row": (self.rows, lambda: Row(line, self.n)),
            "helper": (self.helpers, lambda: line),
            "form": (self.forms, lambda: line),
            "diagonal": (self.diagonals, lambda: line),
        }
        key = next(key for key in kinds if key in line)
        table, made = kinds[key]
        need(line[key] not in table, f"{key} {line[key]!r} is stated twice")
        table[line[key]] = made()
        if key in ("criterion", "row", "helper"):
            need(self.digest is None, "the question is stated before its digest")
            self.stated.append(json.dumps(line, sort_keys=True))

    def settle(self, digest):
        """Take the digest of the question, which must be that of what was stated."""
        found = hashlib.sha256("\n".join(sorted(self.stated)).encode()).hexdigest()
        need(digest == found, "the numbers of the question are not those of its digest")
        self.digest = digest

    def form(self, name):
        """Return unit, S and N of a form, as full matrices; N is at least 0 and S positive semidefinite."""
        line = self.forms[name]
        S, N = triangle(line["convex"], self.n, 1), triangle(line["rest"], self.n, 0)
        need(min(sum(N, []), default=0) >= 0, "what is left of pairs is at least 0")
        S, N = square_of(S, 0, 1), square_of(N, 0, 0)
        surely_positive(S, line["unit"])
        need(len(line["shares"]) == self.n and all(type(u) is int for u in line["shares"]), "shares are integers")
        return line["unit"], S, N, line["shares"]

    def diagonal(self, name):
        """Return the numbers of a diagonal."""
        return [exact(x) for x in self.diagonals[name]["values"]]

    def bounds_of(self, name):
        """Return the least and largest value of a helper variable, as fractions."""
        line = self.helpers[name]
        return exact(line["least"]), exact(line["most"])

    def check_rows(self, members, names, helpers):
        """Check that a set keeps rows, with the values of helper variables that are given."""
        helpers = {name: exact(x) for name, x in helpers.items()}
        for name in names:
            row = self.rows[name]
            for helper in row.helpers:
                (least, most), value = self.bounds_of(helper), helpers[helper]
                integer = value.denominator == 1 or not self.helpers[helper]["integer"]
                need(least <= value <= most and integer, f"helper variable {helper!r} has no such value")
            need(row.kept(members, helpers), f"set {members} breaks row {name!r}")


class Cases:
    """The sets of one size that keep some rows: that none scores more than a limit, but for exceptions."""

    def __init__(self, tables, size, rows, bounds, besides):
        self.tables, self.size, self.bounds, self.besides = tables, size, bounds, besides
        self.rows = {name: tables.rows[name] for name in rows}
        self.helpers = sorted({name for row in self.rows.values() for name in row.helpers})

    def walk(self, lines):
        """Read a tree and check its leaves; return how many there are."""
        start = {name: self.tables.bounds_of(name) for name in self.helpers}
        stack, leaves = [((), frozenset(range(self.tables.n)), start)], 0
        while stack:
            inside, free, helpers = stack.pop()
            node = next(lines)
            need(type(node) is list and node, "a claim needs its tree")
            if node[0] == "branch" and len(node) == 2:
                need(node[1] in free, f"{node} is no branching on a free feature")
                rest = free - {node[1]}
                stack += [(inside, rest, helpers), ((*inside, node[1]), rest, helpers)]
            elif node[0] == "branch":
                _, name, value = node
                need(self.tables.helpers[name]["integer"] is True and type(value) is int, "integer helpers branch")
                least, most = helpers[name]
                up, down = (max(least, Fraction(value + 1)), most), (least, min(most, Fraction(value)))
                stack += [(inside, free, {**helpers, name: up}), (inside, free, {**helpers, name: down})]
            else:
                leaves += 1
                self.leaf(inside, free, helpers, node)
        return leaves

    def leaf(self, inside, free, helpers, node):
        """Check a leaf: no set has all that is inside and others of the free ones only, but those allowed."""
        kind, data, prices = node
        count = self.size - len(inside)
        if kind == "none":
            if 0 <= count <= len(free) and all(least <= most for least, most in helpers.values()):
                total, worth, _ = self.priced(0, dict.fromkeys(free, 0), 60, prices, inside, helpers)
                need(total + sum(heapq.nlargest(count, worth.values())) < 0, f"sets of {sorted(inside)} are open")
        elif kind == "each":
            need(self.bounds is not None or not self.helpers, "with helper variables sets are not looked at")
            for others in combinations(free, count) if 0 <= count <= len(free) else ():
                self.look_at((*inside, *others))
        else:
            need(kind == "bound" and self.bounds is not None, f"{kind!r} is no kind of leaf here")
            need(0 <= count <= len(free), "a bound is of sets")
            constant, worth, bits = self.bounds.linear(inside, free, count, data)
            constant, worth, bits = self.priced(constant, worth, bits, prices, inside, helpers)
            most = constant + sum(heapq.nlargest(count, worth.values()))
            if most > self.bounds.target << (bits - self.bounds.bits):
                rest = free if count == len(free) else ()
                one = frozenset((*inside, *rest))
                need(len(one) == self.size and one in self.besides, f"the bound of {sorted(inside)} is too weak")

    def priced(self, constant, worth, bits, prices, inside, helpers):
        """Add rows, each times a price of at least 0, to a linear bound in units of 2^-bits; finer after it."""
        rows = [(self.rows[name], exact(price)) for name, price in prices.items()]
        finer = max([row.bits for row, _ in rows], default=-20) + 20
        constant, bits = constant << finer, bits + finer
        worth = {j: x << finer for j, x in worth.items()}
        of_helpers = dict.fromkeys(helpers, 0)
        for row, price in rows:
            need(price >= 0, "prices are at least 0")
            times = math.floor(price * (1 << bits) / (1 << row.bits))  # any number of at least 0 will do
            constant += times * (row.limit - sum(row.features.get(i, 0) for i in inside))
            for j, x in row.features.items():
                if j in worth:
                    worth[j] -= times * x
            for helper, x in row.helpers.items():
                of_helpers[helper] -= times * x
        for helper, x in of_helpers.items():
            constant += math.ceil(max(x * end for end in helpers[helper]))
        return constant, worth, bits

    def look_at(self, members):
        """Check one set."""
        if frozenset(members) in self.besides or not all(row.kept(members, {}) for row in self.rows.values()):
            return
        need(self.bounds is not None, f"{sorted(members)} keeps all rows")
        need(self.bounds.value(members) <= self.bounds.target, f"{sorted(members)} scores more than the limit")


def check_claim(line, tables, lines):
    """Check that sets are what a claim says, and that there are no others; return what was shown, in words."""
    rows = {int(size): names for size, names in line["rows"].items()}
    criteria = {int(size): tables.criteria[name] for size, name in line["criteria"].items()}
    need(set(rows) == set(criteria), "each size has rows and a criterion")
    need(line["of"] in ("all", "others"), "a claim is of all sets or of others")
    for one in line["sets"]:
        members = one["set"]
        need(len(set(members)) == len(members) and set(members) <= {*range(tables.n)}, "a set is of features")
        need(len(members) in rows, f"set {members} has none of the sizes")
        tables.check_rows(members, rows[len(members)], one.get("helpers", {}))
        level = exact(one["at least"])
        need(criteria[len(members)].reaches(members, level, one.get("hint")), f"set {members} scores less")
    besides = {frozenset(one["set"]) for one in line["sets"]} if line["of"] == "others" else set()
    limit, leaves = line["at most"], 0
    for size, names in sorted(rows.items()):
        bounds = None if limit is None else criteria[size].at(size, exact(limit), tables)
        leaves += Cases(tables, size, names, bounds, besides).walk(lines)
    return said(line, tables, leaves)


def said(line, tables, leaves):
    """Say in words what a claim has shown."""
    rules = max(map(len, line["rows"].values()))
    what = f"set of {'/'.join(sorted(line['rows'], key=int))} of {tables.n} features"
    what += f" that keeps {rules} rows" if rules else ""
    other = "other " if line["of"] == "others" else ""
    if line["at most"] is None:
        text = f"there is no {other}{what}"
    else:
        text = f"no {other}{what} scores more than {float.fromhex(line['at most'])!r}"
    for one in line["sets"] if len(line["sets"]) == 1 else ():
        names = ", ".join(str(tables.features[j]) for j in one["set"])
        text = f"{{{names}}} scores at least {float.fromhex(one['at least'])!r}; {text}"
    if len(line["sets"]) > 1:
        text = f"{len(line['sets'])} sets listed score what is said; {text}"
    return f"{text} ({leaves} leaves)"


def check_family(line):
    """Check that sets are all minimal ones that have an element of each of some others."""
    family, others = ([frozenset(one) for one in line[key]] for key in ("sets", "each has one of"))
    need(len(set(family)) == len(family), "a set is there twice")
    for one in family:
        need(all(one & other for other in others), f"{sorted(one)} has none of one")
        for j in one:
            need(any(one & other == {j} for other in others), f"{sorted(one)} is not minimal")
    stack = [(frozenset(), frozenset())]  # every set that has those chosen and none of those left out
    while stack:
        chosen, out = stack.pop()
        if any(one <= chosen for one in family):
            continue
        missed = min((other - out for other in others if not other & chosen), key=len, default=None)
        need(missed is not None, f"{sorted(chosen)} has one of each, and is missing")
        for j in sorted(missed):
            stack.append((chosen | {j}, out))
            out = out | {j}
    return f"{len(family)} sets are all minimal ones that have a feature of each of {len(others)} others"


# --- 4. The file ---------------------------------------------------------------------------------------------


def check(path, say=print):
    """Check a file line by line; return the exit code."""
    opened = gzip.open if str(path).endswith(".gz") else open
    verified, left = 0, 0
    with opened(path, "rt", encoding="utf-8") as file:
        lines = (json.loads(text) for text in file if text.strip())
        tables = Tables(next(lines))
        for line in lines:
            need(type(line) is dict, "a line that says nothing")
            if "question" in line:
                tables.settle(line["question"])
                say(f"question {tables.digest}")
            elif "claim" in line:
                need(tables.digest is not None, "a claim comes after its question")
                say(f"verified: {line['claim']}: {check_claim(line, tables, lines)}")
                verified += 1
            elif "transversals" in line:
                say(f"verified: {line['transversals']}: {check_family(line)}")
                verified += 1
            elif "not covered" in line:
                say(f"not covered: {line['not covered']}")
                left += 1
            else:
                tables.state(line)
    need(verified + left > 0, "the file claims nothing")
    say(f"{verified} verified, {left} not covered")
    return 3 if left else 0


def main(arguments):
    """Check the file that is named."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        return check(arguments[0])
    except Refuted as fault:
        print(f"refuted: {fault}")
        return 1
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as fault:
        print(f"not readable: {fault}")
        return 2
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration, RuntimeError) as fault:
        print(f"refuted: the file lacks something: {type(fault).__name__} {fault}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
