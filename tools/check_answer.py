"""Judge an answer to a question about feature sets: ``python check_answer.py QUESTION ANSWER [OPTIMA]``.

QUESTION is a question in plain numbers (.json or .json.gz). ANSWER is a file with a set of features on each
line, names with spaces between them, or JSON: a list of names, or a list of such lists. OPTIMA is optima.csv
of the library; with it the gap to the optimum is printed. Python's standard library is all that is needed.
Exit code: 0 valid; 1 not valid; 2 not readable; 3 valid, and better than what is called optimal.
"""

import csv
import gzip
import json
import math
import sys
from fractions import Fraction
from itertools import combinations

CLOSE = 1e-6  # relative difference of scores that is none

def read(path):
    """Read a text, compressed or not."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return file.read()

def sets_of(text, features):
    """Read the sets of an answer, as indices of features."""
    try:
        plain = json.loads(text)
    except ValueError:
        plain = [line.split() for line in text.splitlines() if line.strip()]
    if plain and isinstance(plain[0], str):
        plain = [plain]
    index = {name: j for j, name in enumerate(features)}
    unknown = [name for one in plain for name in one if name not in index]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no feature of the question")
    return [sorted({index[name] for name in one}) for one in plain]

# --- Scores ------------------------------------------------------------------------------------------------
def pair(table, i, j):
    """Read a number of a lower triangle."""
    return table[max(i, j)][min(i, j)]

def solve(matrix, right):
    """Solve a symmetric positive system by Cholesky; columns that others explain get 0."""
    n, factor, y = len(right), [], []
    for i in range(n):
        row = []
        for j in range(i + 1):
            rest = matrix[i][j] - math.fsum(a * b for a, b in zip(row, factor[j] if j < i else row))
            if j < i:
                row.append(rest / factor[j][j] if factor[j][j] else 0.0)
            else:
                row.append(math.sqrt(rest) if rest > 1e-12 * matrix[i][i] else 0.0)
        factor.append(row)
        rest = right[i] - math.fsum(a * b for a, b in zip(row, y))
        y.append(rest / row[i] if row[i] else 0.0)
    x = [0.0] * n
    for i in reversed(range(n)):
        rest = y[i] - math.fsum(factor[j][i] * x[j] for j in range(i + 1, n))
        x[i] = rest / factor[i][i] if factor[i][i] else 0.0
    return x

def product(a, b, c):
    """Multiply three numbers."""
    return a * b * c

def logistic(columns, target, ridge):
    """Return the least of minus the log-likelihood and the ridge's penalty, by Newton's method."""
    k, rows = len(columns), len(target)
    design = [[1.0] * rows, *columns]
    b = [0.0] * (k + 1)
    def loss(b):
        u = [math.fsum(c * column[i] for c, column in zip(b, design)) for i in range(rows)]
        each = (max(v, 0.0) + math.log1p(math.exp(-abs(v))) - y * v for v, y in zip(u, target))
        return math.fsum(each) + ridge / 2 * math.fsum(c * c for c in b[1:]), u
    value, u = loss(b)
    for _ in range(100):
        p = [1 / (1 + math.exp(-v)) if v >= 0 else math.exp(v) / (1 + math.exp(v)) for v in u]
        down = [math.fsum((y - q) * x for y, q, x in zip(target, p, column)) for column in design]
        down = [d - (ridge * c if j else 0.0) for j, (d, c) in enumerate(zip(down, b))]
        w = [q * (1 - q) for q in p]
        curve = [[math.fsum(map(product, w, one, other)) for other in design] for one in design]
        for j in range(1, k + 1):
            curve[j][j] += ridge
        step, size = solve(curve, down), 1.0
        while size > 1e-9:
            new = [c + size * s for c, s in zip(b, step)]
            lower, v = loss(new)
            if lower <= value:
                break
            size /= 2
        if size <= 1e-9 or value - lower <= 1e-13 * abs(value):
            return min(value, lower)
        b, value, u = new, lower, v
    return value

def standardised(column):
    """Bring a column to mean 0 and variance 1."""
    mean = math.fsum(column) / len(column)
    size = math.sqrt(math.fsum((x - mean) ** 2 for x in column) / len(column))
    return [(x - mean) / size for x in column]

def score(criterion, members):
    """Return what a set is worth; None if the criterion does not admit it."""
    kind = criterion["kind"]
    if kind == "linear fit":
        along = [criterion["along"][j] for j in members]
        products = [[pair(criterion["products"], i, j) for j in members] for i in members]
        return math.fsum(a * b for a, b in zip(along, solve(products, along)))
    if kind == "logistic fit":
        columns = [standardised(criterion["columns"][j]) for j in members]
        ridge, target = criterion["ridge"], criterion["target"]
        return 1 - logistic(columns, target, ridge) / logistic([], target, ridge)
    return of_pairs(criterion, members)

def of_pairs(criterion, members):
    """Return what a set is worth by relevances and redundancies."""
    kind, k = criterion["kind"], len(members)
    relevance = math.fsum(criterion["relevance"][j] for j in members)
    if kind == "sum":
        return relevance
    table = criterion["redundancy"]
    if kind == "fcbf":
        q = criterion["relevance"]
        clash = any(pair(table, i, j) >= min(q[i], q[j]) for i, j in combinations(members, 2))
        return None if clash else relevance
    pairs = 2 * math.fsum(pair(table, i, j) for i, j in combinations(members, 2))
    if kind == "mrmr":
        squared = criterion["denominator"] == "k^2"
        pairs += math.fsum(table[j][j] for j in members) if squared else 0.0
        return relevance / k - pairs / (k * k if squared else max(k * (k - 1), 1))
    if kind == "cfs":
        return relevance / math.sqrt(k + pairs) if relevance >= 0 else None
    raise ValueError(f"a criterion {kind!r} is not known")

# --- Judging -----------------------------------------------------------------------------------------------
def distance(name, first, second):
    """Return a dissimilarity as a fraction."""
    common, both = len({*first} & {*second}), len(first) + len(second)
    return 1 - (Fraction(2 * common, both) if name == "dice" else Fraction(common, both - common))

def faults(question, sets):
    """Yield what is wrong with sets."""
    low, high = question["sizes"]
    if len(sets) != question["sets"]:
        yield f"{len(sets)} sets instead of {question['sets']}"
    for number, one in enumerate(sets, 1):
        if not low <= len(one) <= high:
            yield f"set {number} has {len(one)} features; {low} to {high} are wanted"
        names = {question["features"][j] for j in one}
        for rule in question["rules"]:
            terms = [value for name, value in rule["features"].items() if name in names]
            total, room = math.fsum(terms), 1e-9 * math.fsum(map(abs, terms))
            if total > rule.get("at_most", math.inf) + room or total < rule.get("at_least", -math.inf) - room:
                yield f"set {number} breaks a rule: the sum is {total:g}"
    if "dissimilarity" in question:
        name, tau = question["dissimilarity"]["name"], question["dissimilarity"]["tau"]
        least = Fraction(tau).limit_denominator(10**9)
        known = [[question["features"].index(f) for f in one] for one in question.get("known", ())]
        pairs = [*combinations(sets, 2), *((one, other) for one in sets for other in known)]
        if any(one and distance(name, one, other) < least for one, other in pairs):
            yield f"two sets have a {name} dissimilarity below {tau:g}"

def known_of(path, name):
    """Return status and score of a question in a table of optima."""
    for row in csv.DictReader(read(path).splitlines()):
        if row["name"] == name:
            return row["status"], float(row["score"]) if row["score"] else None
    raise ValueError(f"{path} does not know {name!r}")

def judge(arguments, say=print):
    """Judge an answer; return the exit code."""
    question = json.loads(read(arguments[0]))
    if question.get("format") != "altsel question":
        raise ValueError(f"{arguments[0]} is no question in plain numbers")
    sets = sets_of(read(arguments[1]), question["features"])
    wrong = [*faults(question, sets)]
    scores = [score(question["criterion"], one) if one else 0.0 for one in sets]
    wrong += [f"set {i}: the criterion does not admit it" for i, one in enumerate(scores, 1) if one is None]
    for text in wrong:
        say(f"not valid: {text}")
    if wrong:
        return 1
    total = min(scores) if question["total"] == "min" else math.fsum(scores)
    say(f"valid: {total:.12g}")
    if len(arguments) < 3:
        return 0
    status, best = known_of(arguments[2], question["name"])
    if best is None:
        say(f"known: {status}")
        return 3 if status == "inf" else 0
    room, gap = CLOSE * max(1.0, abs(best)), max(best - total, 0.0)
    say(f"known: {status} {best:.12g}, gap {gap:.6g} ({gap / max(abs(best), 1e-12):.3%})")
    if total > best + room:
        say("better than what is called optimal" if status == "opt" else "better than the best known")
        return 3 if status == "opt" else 0
    return 0

def main(arguments):
    if len(arguments) not in (2, 3):
        return print(__doc__) or 2
    try:
        return judge(arguments)
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError, gzip.zlib.error) as fault:
        return print(f"not readable: {fault}") or 2

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
