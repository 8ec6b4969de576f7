"""The questions: data that is made, what is asked of altsel and of peers, and along which number they grow.

Each is lines of Python with ``{v}`` for the number; `ask` returns what is compared with a peer's answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LIMIT = 30
"""Seconds that a search is given."""


@dataclass(frozen=True)
class Question:
    """A question of one kind, asked for some values of one number.

    Attributes
    ----------
    part, name
        The section of the page, and what is asked.
    symbol, values
        What the number is, and its values, the smallest first.
    data, ask
        Lines that make the data, and an expression that is timed: a score, or words.
    peers
        Expressions by the name of a peer, for values up to a number.
    """

    part: str
    name: str
    symbol: str
    values: tuple[float, ...]
    data: str
    ask: str
    peers: dict[str, tuple[str, float]] = field(default_factory=dict)


NORMAL = """
X = rng.normal(size=({rows}, {n}))
y = X[:, :5].sum(axis=1) + rng.normal(size={rows})
"""
SPECTRA = """
shared = rng.normal(size=({rows}, 8))
curves = np.array([np.exp(-((np.arange({n}) / {n} - c) / .25) ** 2) for c in np.linspace(0, 1, 8)])
X = shared @ curves + .01 * rng.normal(size=({rows}, {n}))
y = X @ rng.normal(size={n}) / {n} ** .5 + .1 * rng.normal(size={rows})
"""
BINARY = """
X = (rng.random(({rows}, {n})) < rng.uniform(.1, .5, {n})).astype(float)
y = X[:, :6] @ rng.uniform(.5, 1.5, 6) + rng.normal(size={rows})
"""
FACTORS = """
shared = rng.normal(size=({rows}, 12))
X = shared @ rng.normal(size=(12, {n})) + {noise} * 12 ** .5 * rng.normal(size=({rows}, {n}))
y = shared.sum(axis=1) + 3 * rng.normal(size={rows})
"""
CLASSES = """
y = rng.integers(0, 6, {rows})
X = rng.normal(size=(6, 36))[y] + 2 * rng.normal(size=({rows}, 36))
y = np.array(list("abcdef"))[y]
"""
TABLE = """
data = Dataset(pd.DataFrame(X).add_prefix("x"), pd.Series(y, name="y"))
"""
CHAIN = "said(sequential(Problem(Univariate(q), {k}), Dice({tau}), {a}, time_limit=LIMIT))"
ALFESE = "by_alfese(q, {k}, {tau}, {a})"


def _fit(name: str, made: str, values: tuple[float, ...], k: str, peers: bool = True, a: int = 0) -> Question:
    """Ask for the best linear fits."""
    symbol = "k" if k == "{v}" else "n"
    ask = f"said(sequential(Problem(LinearFit(data), {k}), Dice(.5), {a}, time_limit=LIMIT))"
    others = {"leaps": (f"by_leaps(X, y, {k})", 60.0), "abess": (f"by_abess(X, y, {k})", 1e9)}
    return Question("Linear fits", name, symbol, values, made + TABLE, ask, others if peers else {})


def _chain(values: tuple[float, ...], most: float, n: str, k: str, tau: str, a: str) -> Question:
    """Ask for alternatives one after another under a plain sum; alfese for values up to `most`."""
    symbol = next(word for word, text in (("n", n), ("k", k), ("tau", tau), ("a", a)) if text == "{v}")
    given = {"k": k, "tau": tau, "a": a}
    peers = {"alfese": (ALFESE.format(**given), most)}
    words = {"n": n, "k": k, "tau": tau, "a": a} | {symbol: symbol}
    name = f"{words['k']} of {words['n']}, {words['a']} alternatives, tau {words['tau']}".removesuffix(" tau")
    return Question("Chains", name, symbol, values, f"q = rng.random({n})", CHAIN.format(**given), peers)


def _pairs(name: str, criterion: str, made: str, values: tuple[float, ...]) -> Question:
    """Ask for the best ten features where features share factors, or do not."""
    ask = f"said(sequential(Problem({criterion}(data), 10), Dice(.5), 0, time_limit=LIMIT))"
    return Question("mRMR and CFS", name, "n", values, made + TABLE, ask)


QUESTIONS = (
    _fit("5 of n columns of spectra, 215 rows", SPECTRA.format(rows=215, n="{v}"), (30, 60, 120), "5"),
    _fit("k of 57 columns that share factors", FACTORS.format(rows=176, n=57, noise=1), (3, 4, 5, 6), "{v}"),
    _fit("3 of n normals, 200 rows", NORMAL.format(rows=200, n="{v}"), (30, 100, 300, 1000), "3", False),
    _fit("5 of 129 normals, 6 sets", NORMAL.format(rows=333, n="{v}"), (129,), "5", False, a=5),
    _fit("5 of n binary columns, 6 sets", BINARY.format(rows=165, n="{v}"), (100, 300, 1069), "5", False, 5),
    _chain((5, 8, 10, 12, 13, 14, 15, 16), 12, "100", "{v}", ".5", "50"),
    _chain((10, 15, 20), 15, "100", "{v}", ".5", "20"),
    _chain((0.1, 0.3, 0.5, 0.55, 0.6, 0.7, 0.9), 0.55, "100", "15", "{v}", "20"),
    _chain((30, 100, 1000, 10_000), 100, "{v}", "10", ".5", "50"),
    _chain((5, 20, 50, 100), 50, "100", "10", ".5", "{v}"),
    Question(
        "Likelihood ratios",
        "each of 36 features without the others left out, 6 classes",
        "rows",
        (400, 1600, 6435),
        CLASSES.format(rows="{v}") + TABLE,
        "f'{altsel.independence.LikelihoodRatio(data).leave_one_out(data.features).p.sum():.6g}'",
    ),
    Question(
        "Likelihood ratios",
        "grow-shrink, 6 classes",
        "rows",
        (400, 1600, 6435),
        CLASSES.format(rows="{v}") + TABLE,
        "str(len(altsel.blankets.iamb(altsel.independence.LikelihoodRatio(data))[0]))",
    ),
    Question(
        "Tables of dependence",
        "Pearson, 20 columns",
        "rows",
        (10_000, 100_000, 1_000_000),
        NORMAL.format(rows="{v}", n=20) + TABLE,
        "f'{altsel.dependence(data, altsel.measures.absolute_pearson).redundancy.to_numpy().sum():.9g}'",
        {"numpy.corrcoef": ("f'{np.abs(np.corrcoef(X, rowvar=False)).sum():.9g}'", 1e9)},
    ),
    Question(
        "Tables of dependence",
        "symmetric uncertainty, 20 columns of 3 levels (less what chance has; not scikit-learn's)",
        "rows",
        (10_000, 100_000, 1_000_000),
        "X = rng.integers(0, 3, ({v}, 20))\ny = (X[:, 0] + rng.integers(0, 2, {v})) % 3"
        + TABLE.replace("pd.DataFrame(X)", "pd.DataFrame(X).astype('category')").replace(
            "name=", "dtype='category', name="
        ),
        "f'{altsel.dependence(data, altsel.measures.symmetric_uncertainty).redundancy.to_numpy().sum():.9g}'",
        {"scikit-learn": ("by_entropies(X)", 100_000)},
    ),
    Question(
        "Tables of dependence",
        "nearest-neighbour relevance, 19 columns",
        "rows",
        (1000, 10_000, 100_000),
        NORMAL.format(rows="{v}", n=19) + TABLE,
        "f'{altsel.dependence(data, altsel.measures.mutual_information).relevance.sum():.9g}'",
        {"scikit-learn": ("by_neighbours(X, y)", 1e9)},
    ),
    _pairs("mRMR, sharing factors", "MRMR", FACTORS.format(rows=600, n="{v}", noise=1.2), (100, 200, 500)),
    _pairs("CFS, sharing factors", "CFS", FACTORS.format(rows=600, n="{v}", noise=1.2), (100, 200, 500)),
    _pairs("mRMR, independent", "MRMR", NORMAL.format(rows=600, n="{v}"), (100, 300, 1000, 3000)),
    _pairs("CFS, independent", "CFS", NORMAL.format(rows=600, n="{v}"), (100, 300, 1000, 3000)),
    Question(
        "Width",
        "ten univariate alternatives of n columns, 200 rows",
        "n",
        (1000, 10_000, 100_000),
        NORMAL.format(rows=200, n="{v}"),
        "said(sequential(Problem(Univariate(Dataset(pd.DataFrame(X).add_prefix('x'), "
        "pd.Series(y, name='y'))), 10), Dice(.5), 10))",
    ),
    Question(
        "Results",
        "a report of the best v sets of 4 of 40 features",
        "sets",
        (200, 2000, 20_000),
        NORMAL.format(rows=200, n=40)
        + TABLE
        + "found = near_optimal(Problem(Univariate(data), 4), RelativeLoss(.9), {v})\n",
        "f'{len(page(found)) / 1e6:.1f} MB'",
    ),
)
