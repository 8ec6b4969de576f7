"""All families of regularised models against differences, other libraries, losses spelled out, and bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, gammaln, logsumexp
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.miscmodels.ordinal_model import OrderedModel

from altsel.stats.generalised.compiled import LOOPS
from altsel.stats.generalised.cox import Cox
from altsel.stats.generalised.family import Family, settle_constants
from altsel.stats.generalised.fit import Fits, fit_sets
from altsel.stats.generalised.model import RegularisedModel
from altsel.stats.generalised.multinomial import Multinomial
from altsel.stats.generalised.ordinal import Ordinal
from altsel.stats.generalised.row_losses import Logistic, Poisson
from tests.loops import choose_loops

FAMILIES = ["logistic", "poisson", "multinomial", "ordinal", "cox"]
BY_LOOP = " by numba"
FITTED = [*FAMILIES, "logistic by numba", "poisson by numba"]


@pytest.fixture(autouse=True)
def loops(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fit by numpy, whatever the work, but where a test's family asks for the compiled loop."""
    name = request.node.callspec.params["name"] if hasattr(request.node, "callspec") else ""
    choose_loops(LOOPS, "numba" if name.endswith(BY_LOOP) else "numpy", monkeypatch)


def made_family(name: str, random: Any, rows: int, trend: Any = 0.0, plain: bool = False) -> Family:
    """Draw a response; weights and offsets too, if not plain."""
    name = name.removesuffix(BY_LOOP)
    weights = np.ones(rows) if plain else random.uniform(0.2, 3.0, rows)
    offset = np.zeros(rows) if plain else random.normal(size=rows)
    noisy = trend + random.logistic(size=rows)
    if name == "logistic":
        return Logistic(np.append([0.0, 1.0], (noisy[2:] > 0.3).astype(float)), weights, offset)
    if name == "poisson":
        counts = random.poisson(np.exp(np.clip(0.4 * noisy + offset, -3, 3))).astype(float)
        return Poisson(np.append(2.0, counts[1:]), weights, offset)
    if name == "multinomial":
        codes = np.append([0, 1, 2, 3], np.digitize(noisy[4:], [-2.0, 0.0, 1.0]))
        return Multinomial((codes * 3) % 4, 4, weights)
    if name == "ordinal":
        return Ordinal(np.append([0, 1, 2, 3], np.digitize(noisy[4:], [-2.0, 0.0, 1.0])), 4, weights, offset)
    times = random.exponential(size=rows) * np.exp(-np.clip(trend + np.zeros(rows), -5, 5))
    # few different times, so that there are many ties, of events and of rows censored
    times = times if plain else np.ceil(4 * times)
    return Cox(times, np.append(True, random.random(rows - 1) < 0.6), weights, offset)


def made_model(
    name: str, seed: int, rows: int = 60, features: int = 7, ridge: float = 1.0, plain: bool = False
) -> RegularisedModel:
    random = np.random.default_rng([seed, FITTED.index(name)])
    x = random.normal(size=(rows, features)) + random.normal(size=(rows, 1))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    family = made_family(name, random, rows, x[:, :3] @ [1.0, -0.8, 0.5], plain)
    return model_of(x, family, ridge)


def model_of(x: Any, family: Family, ridge: float) -> RegularisedModel:
    names = tuple(f"x{i}" for i in range(x.shape[1]))
    columns = np.vstack([x.T, np.zeros(len(x))])
    return RegularisedModel(names, columns, np.arange(x.shape[1]), family, ridge)


def made_sets(seed: int, features: int, size: int, count: int) -> Any:
    random = np.random.default_rng([seed, 99])
    return np.array([random.choice(features, size, replace=False) for _ in range(count)])


def check_fits(model: RegularisedModel, fits: Fits) -> None:
    assert np.isfinite(fits.parameters).all()
    assert (fits.lower <= fits.loss).all()
    assert (fits.loss <= model.null * (1 + 1e-12)).all()
    assert fits.gap.max() <= 1e-9 * max(model.null, 1.0)


@pytest.mark.parametrize("name", FAMILIES)
def test_slopes_and_curvature_are_derivatives(name: str) -> None:
    random = np.random.default_rng(11)
    family = made_family(name, random, 30)
    width, size, count, step = len(family.start), 3, 4, 1e-6
    columns = random.normal(size=(count, size, 30))
    constants = family.start + 0.1 * random.normal(size=(count, width))
    v = np.hstack([constants, 0.5 * random.normal(size=(count, family.channels * size))])

    def at(v: Any) -> tuple[Any, Any, Any]:
        b = v[:, width:].reshape(count, family.channels, size)
        losses = family.evaluate(b @ columns, v[:, :width])
        along = (losses.slope @ columns.transpose(0, 2, 1)).reshape(count, -1)
        assert losses.slope.shape == (count, family.channels, 30)
        return losses.loss, np.hstack([losses.constant_slope, along]), family.curvature(losses, columns)

    _, slope, curvature = at(v)
    scale = np.abs(curvature).max()
    for one in range(v.shape[1]):
        move = step * (np.arange(v.shape[1]) == one)
        (high, up, _), (low, down, _) = at(v + move), at(v - move)
        assert (high - low) / (2 * step) == pytest.approx(slope[:, one], abs=1e-8 * scale)
        assert (up - down) / (2 * step) == pytest.approx(curvature[:, one], abs=1e-8 * scale)


def loss_by_row(family: Any, linear: Any, constants: Any) -> float:
    """Spell the loss out, of predictors (K, m), row by row."""
    w = family.weights
    if isinstance(family, Multinomial):
        u = linear + constants[:, None]
        return float(w @ (logsumexp(u, axis=0) - u[family.response, np.arange(len(w))]))
    u = linear[0] + family.offset
    if isinstance(family, Logistic):
        share = expit(u + constants[0])
        return -float(w @ np.log(np.where(family.response == 1, share, 1 - share)))
    if isinstance(family, Poisson):
        y, u = family.response, u + constants[0]
        best = y * np.log(np.maximum(y, 1)) - y - gammaln(y + 1)
        return float(w @ (best - (y * u - np.exp(u) - gammaln(y + 1))))
    if isinstance(family, Ordinal):
        ends = np.concatenate([[-np.inf], constants, [np.inf]])
        share = expit(ends[family.response + 1] - u) - expit(ends[family.response] - u)
        return -float(w @ np.log(share))
    total = 0.0
    for i in np.flatnonzero(family.events):
        total += w[i] * (np.log(w @ ((family.times >= family.times[i]) * np.exp(u))) - u[i])
        tied = w[family.events & (family.times == family.times[i])].sum()
        total -= w[i] * np.log(tied)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("ridge", [0.3, 5.0])
def test_fits_are_those_of_losses_spelled_out(name: str, ridge: float) -> None:
    model = made_model(name, 21, ridge=ridge)
    family: Any = model.family
    width, sets = len(family.start), made_sets(21, 7, 3, 1 if family.channels > 1 else 5)
    fits = fit_sets(model, sets)
    check_fits(model, fits)
    for chosen, loss, v in zip(sets, fits.loss, fits.parameters, strict=True):
        x = model.columns[chosen]

        def penalised(v: Any, x: Any = x) -> float:
            b = v[width:].reshape(family.channels, -1)
            return loss_by_row(family, b @ x, v[:width]) + ridge / 2 * float((b * b).sum())

        assert loss == pytest.approx(penalised(v), rel=1e-11)
        # gradients of differences find no more than this
        other = minimize(penalised, v + 0.01, method="BFGS").fun
        assert loss <= other * (1 + 1e-12)
        assert loss == pytest.approx(other, rel=1e-6)


def second_logistic(family: Any, x: Any, ridge: float) -> float:
    fit = LogisticRegression(C=1 / ridge, tol=1e-10, max_iter=1000, solver="newton-cholesky")
    fit.fit(x, family.response, sample_weight=family.weights)
    shares = fit.predict_proba(x)[np.arange(len(x)), np.asarray(family.response, dtype=int)]
    return -float(family.weights @ np.log(shares)) + ridge / 2 * float((fit.coef_**2).sum())


def second_poisson(family: Any, x: Any, ridge: float) -> float:
    total = family.weights.sum()
    fit = PoissonRegressor(alpha=ridge / total, tol=1e-10, max_iter=1000, solver="newton-cholesky")
    fit.fit(x, family.response, sample_weight=family.weights)
    y, mean = family.response, fit.predict(x)
    deviance = mean - y + y * np.log(np.maximum(y, 1e-300) / mean)
    return float(family.weights @ deviance) + ridge / 2 * float((fit.coef_**2).sum())


def second_ordinal(family: Any, x: Any, ridge: float) -> float:
    fit = OrderedModel(family.response, x, distr="logit").fit(method="newton", disp=False, maxiter=200)
    return -float(fit.llf)


def second_cox(family: Any, x: Any, ridge: float) -> float:
    fit = PHReg(family.times, x, status=family.events.astype(float), ties="breslow").fit(disp=False)
    tied = np.unique(family.times[family.events], return_counts=True)[1]
    return -float(fit.llf) - float(tied @ np.log(tied))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "second", "ridge", "rel"),
    [
        ("logistic", second_logistic, 0.7, 1e-10),
        ("logistic by numba", second_logistic, 0.7, 1e-10),
        ("multinomial", second_logistic, 0.7, 1e-10),
        ("poisson", second_poisson, 0.7, 1e-10),
        ("poisson by numba", second_poisson, 0.7, 1e-10),
        ("ordinal", second_ordinal, 1e-9, 1e-8),
        ("cox", second_cox, 1e-9, 1e-8),
    ],
)
def test_fits_are_those_of_other_libraries(
    name: str, second: Callable[[Any, Any, float], float], ridge: float, rel: float
) -> None:
    for seed in range(3):
        model = made_model(name, 30 + seed, rows=90, ridge=ridge, plain=True)
        sets = made_sets(seed, 7, 4, 6)
        fits = fit_sets(model, sets)
        for chosen, loss in zip(sets, fits.loss, strict=True):
            assert loss == pytest.approx(second(model.family, model.columns[chosen].T, ridge), rel=rel)


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("ridge", [1e-6, 0.05, 1.0, 1e4])
def test_fits_are_proved_and_no_tangent_is_above_one(name: str, ridge: float) -> None:
    for seed in range(2):
        model = made_model(name, 40 + seed, rows=50, features=9, ridge=ridge)
        family, random = model.family, np.random.default_rng(seed)
        sets = made_sets(seed, 9, 3, 300)
        fits = fit_sets(model, sets)
        check_fits(model, fits)
        rows = model.columns.shape[1]
        tight = fits.parameters[0, len(family.start) :].reshape(family.channels, -1) @ model.columns[sets[0]]
        for size in [0.0, 0.1, 1.0, 5.0]:
            linear = tight + size * random.normal(size=(family.channels, rows))
            constant, prices = model.bounding_row(linear, family.start)
            bounds = constant - prices[sets].sum(axis=1)
            assert (bounds <= fits.loss + 1e-10 * model.null).all()
            if not size and ridge < 1e4:
                assert bounds[0] == pytest.approx(fits.loss[0], rel=1e-6)


@pytest.mark.parametrize("name", FITTED)
def test_fits_that_end_early_are_above_the_cut(name: str) -> None:
    model = made_model(name, 50, features=12)
    sets = made_sets(50, 12, 4, 200)
    fits = fit_sets(model, sets)
    for share in [0.01, 0.3, 0.9]:
        cut = float(np.quantile(fits.loss, share))
        early = fit_sets(model, sets, cut)
        assert (early.lower <= fits.loss * (1 + 1e-12)).all()
        assert (early.loss >= fits.loss * (1 - 1e-12)).all()
        above = fits.loss >= cut * (1 + 1e-9)
        assert (early.lower[above] >= cut).all()
        kept = fits.loss < cut
        assert early.loss[kept] == pytest.approx(fits.loss[kept], rel=1e-10)
        assert early.gap[kept].max(initial=0.0) <= 1e-9 * model.null
    random = np.random.default_rng(50)
    for below in [0.1, 1e-2, 1e-4, 1e-7]:  # each set is a little above a cut of its own
        start = fits.parameters + np.sqrt(below) * random.normal(size=fits.parameters.shape)
        start[:, : len(model.family.start)].sort(axis=1)
        early = fit_sets(model, sets, fits.loss - below * model.null, start)
        assert (early.lower <= fits.loss * (1 + 1e-12)).all()
        assert (early.lower >= fits.loss - below * model.null - 1e-12).all()


@pytest.mark.parametrize("name", FITTED)
def test_fits_begin_anywhere(name: str) -> None:
    model = made_model(name, 60)
    sets = made_sets(60, 7, 3, 20)
    fits = fit_sets(model, sets)
    random = np.random.default_rng(60)
    for size in [0.3, 3.0]:
        start = fits.parameters + size * random.normal(size=fits.parameters.shape)
        start[:, : len(model.family.start)].sort(axis=1)
        again = fit_sets(model, sets, start=start)
        assert again.loss == pytest.approx(fits.loss, rel=1e-10)
        assert again.gap.max() <= 1e-9 * model.null


@pytest.mark.parametrize("name", FITTED)
def test_sets_of_nothing_and_no_sets(name: str) -> None:
    model = made_model(name, 61)
    nothing = fit_sets(model, np.zeros((2, 0), dtype=int))
    assert nothing.loss == pytest.approx(model.null, rel=1e-12)
    assert nothing.gap.max() <= 1e-10 * model.null
    assert fit_sets(model, np.zeros((0, 3), dtype=int)).loss.shape == (0,)


def separated(name: str, rows: int = 40) -> tuple[Any, Family]:
    """Return columns of which the first one tells all of the response."""
    random = np.random.default_rng(70)
    x = random.normal(size=(rows, 4))
    x[:, 0] = np.arange(rows) - (rows - 1) / 2
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    one, none = np.ones(rows), np.zeros(rows)
    codes = np.arange(rows) * 4 // rows
    families: dict[str, Family] = {
        "logistic": Logistic((codes > 1).astype(float), one, none),
        "poisson": Poisson(np.where(codes == 3, 50.0, 0.0), one, none),
        "multinomial": Multinomial(codes, 4, one),
        "ordinal": Ordinal(codes, 4, one, none),
        "cox": Cox(np.arange(rows, 0, -1.0), codes >= 0, one, none),
    }
    return x, families[name.removesuffix(BY_LOOP)]


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("ridge", [1e-6, 1e-3, 1.0, 1e4])
def test_separation(name: str, ridge: float) -> None:
    x, family = separated(name)
    model = model_of(x, family, ridge)
    fits = fit_sets(model, np.array([[0, 1], [2, 3], [1, 0], [0, 3]]))
    check_fits(model, fits)
    assert fits.loss[0] == pytest.approx(fits.loss[2], rel=1e-8)


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("ridge", [1e-6, 1.0])
def test_one_row_of_a_class(name: str, ridge: float) -> None:
    rows = 40
    x = np.random.default_rng(71).normal(size=(rows, 5))
    x[:, 4] = x[:, 3] + 1e-9 * x[:, 2]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    one, none, last = np.ones(rows), np.zeros(rows), np.arange(rows) == 17
    codes = np.where(last, 2, np.arange(rows) % 2)
    families: dict[str, Family] = {
        "logistic": Logistic(last.astype(float), one, none),
        "poisson": Poisson(last.astype(float), one, none),
        "multinomial": Multinomial(codes, 3, one),
        "ordinal": Ordinal(codes, 3, one, none),
        "cox": Cox(np.arange(rows, 0, -1.0), last, one, none),
    }
    family = families[name.removesuffix(BY_LOOP)]
    model = model_of(x, family, ridge)
    fits = fit_sets(model, np.array([[0, 1, 2], [1, 2, 3], [0, 3, 4], [0, 0, 1]]))
    check_fits(model, fits)


@pytest.mark.parametrize("name", [name for name in FITTED if name != "multinomial"])
@pytest.mark.parametrize(("shift", "spread"), [(600.0, 1.0), (-600.0, 1.0), (0.0, 30.0), (0.0, 300.0)])
def test_extreme_offsets(name: str, shift: float, spread: float) -> None:
    random = np.random.default_rng(72)
    rows = 50
    x = random.normal(size=(rows, 4))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    offset = shift + spread * random.uniform(-1, 1, rows)
    one, codes = np.ones(rows), np.arange(rows) % 3
    families: dict[str, Family] = {
        "logistic": Logistic((codes > 1).astype(float), one, offset),
        "poisson": Poisson(codes.astype(float), one, offset),
        "ordinal": Ordinal(codes, 3, one, offset),
        "cox": Cox(random.permutation(rows).astype(float), codes > 0, one, offset),
    }
    family: Any = families[name.removesuffix(BY_LOOP)]
    model = model_of(x, family, 1.0)
    sets = np.array([[0, 1], [2, 3], [1, 3]])
    fits = fit_sets(model, sets)
    check_fits(model, fits)
    assert np.abs(model.nothing[1].constant_slope).max(initial=0.0) <= 1e-8 * max(model.null, 1.0)
    if shift:
        base = fit_sets(model_of(x, type(family)(**{**vars_of(family), "offset": offset - shift}), 1.0), sets)
        assert fits.loss == pytest.approx(base.loss, rel=1e-9)


def vars_of(family: Any) -> dict[str, Any]:
    return {field.name: getattr(family, field.name) for field in fields(family)}


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("unit", [1e-12, 1e9])
def test_the_unit_of_weights_and_ridge_does_not_matter(name: str, unit: float) -> None:
    """Fits of light rows once ended at a gap of 1e-12, and not of that share of the loss."""
    model = made_model(name, 61)
    family: Any = model.family
    other = replace(model, family=replace(family, weights=unit * family.weights), ridge=unit)
    sets = made_sets(61, 7, 3, 5)
    assert fit_sets(other, sets).loss / unit == pytest.approx(fit_sets(model, sets).loss, rel=1e-10)


@pytest.mark.parametrize("name", FITTED)
def test_weights_are_rows_that_count_as_often(name: str) -> None:
    random = np.random.default_rng(73)
    model = made_model(name, 73, rows=40)
    often = random.integers(1, 4, 40)
    held = vars_of(model.family)
    twice = {key: np.repeat(v, often) if isinstance(v, np.ndarray) else v for key, v in held.items()}
    twice["weights"] = np.ones(often.sum())
    one = type(model.family)(**{**held, "weights": often.astype(float)})
    many = type(model.family)(**twice)
    x, sets = model.columns[:-1].T, made_sets(73, 7, 3, 10)
    fits, again = (
        fit_sets(model_of(x, one, 1.0), sets),
        fit_sets(model_of(np.repeat(x, often, axis=0), many, 1.0), sets),
    )
    assert fits.loss == pytest.approx(again.loss, rel=1e-10)
    assert one.cases == many.cases


def test_ordinal_losses_far_off() -> None:
    family = Ordinal(np.array([0, 1, 2]), 3, np.ones(3), np.zeros(3))
    linear = np.zeros((3, 1, 3))
    linear[1] = 600.0
    losses = family.evaluate(linear, np.array([[1.0, 1.0], [-1.0, 1.0], [2.0, 1.0]]))
    # the middle level of probability exp(1 - 600) - exp(-1 - 600), the lowest exp(-1 - 600), the highest 1
    far = 601.0 - (1.0 + np.log1p(-np.exp(-2.0)) - 600.0)
    assert losses.loss == pytest.approx([np.inf, far, np.inf], rel=1e-14)
    two = Ordinal(np.array([0, 1, 1]), 2, np.ones(3), np.zeros(3))
    same = Logistic(np.array([0.0, 1.0, 1.0]), np.ones(3), np.zeros(3))
    u = np.array([[[0.3, -0.5, 2.0]]])
    expected = same.evaluate(u, np.array([[-0.4]])).loss
    assert two.evaluate(u, np.array([[0.4]])).loss == pytest.approx(expected, rel=1e-14)


def test_cox_losses_far_off() -> None:
    # risks of rows that are e^2000 apart have no common scale
    family = Cox(np.array([1.0, 2.0, 3.0]), np.array([True, True, True]), np.ones(3), np.zeros(3))
    losses = family.evaluate(
        np.array([[[0.0, -1000.0, -2000.0]], [[-2000.0, -1000.0, 0.0]]]), np.zeros((2, 0))
    )
    assert losses.loss == pytest.approx([0.0, 3000.0], abs=1e-9)
    assert losses.slope[1, 0] == pytest.approx([-1.0, -1.0, 2.0])


@pytest.mark.parametrize("name", FAMILIES)
def test_constants_settle_from_far(name: str) -> None:
    random = np.random.default_rng(74)
    family = made_family(name, random, 50)
    linear = 3.0 * random.normal(size=(20, family.channels, 50))
    constants = family.start + 10.0 * random.normal(size=(20, len(family.start)))
    constants.sort(axis=1)
    settled, losses = settle_constants(family, linear, constants, 100)
    assert np.abs(losses.constant_slope).max(initial=0.0) <= 1e-9
    again, _ = settle_constants(family, linear, settled + 0.01, 100)
    assert again == pytest.approx(settled, abs=1e-9)


@pytest.mark.parametrize("name", FAMILIES)
def test_best_constants_are_in_reach(name: str) -> None:
    for seed in range(4):
        random = np.random.default_rng([75, seed])
        family = made_family(name, random, 30)
        for spread in [0.1, 1.0, 10.0]:
            linear = spread * random.choice([-1.0, 1.0], size=(20, family.channels, 30))
            settled, losses = settle_constants(family, linear, np.repeat(family.start[None], 20, axis=0), 200)
            far = np.abs(settled - family.start).max(axis=1, initial=0.0)
            reach = np.array([family.reach(spread, float(loss)) for loss in losses.loss])
            assert (far <= reach + 1e-9).all()


@pytest.mark.parametrize(
    ("name", "coefficients", "channels", "plain"),
    [
        ("logistic", 1, 1, True),
        ("poisson", 1, 1, True),
        ("multinomial", 3, 4, False),
        ("ordinal", 1, 1, False),
        ("cox", 1, 1, False),
    ],
)
def test_what_prices_need(name: str, coefficients: int, channels: int, plain: bool) -> None:
    family = made_family(name, np.random.default_rng(76), 30)
    assert (family.coefficients, family.channels, family.plain) == (coefficients, channels, plain)
    held = vars_of(family)
    expected = held["weights"][held["events"]].sum() if name == "cox" else held["weights"].sum()
    assert family.cases == pytest.approx(expected)
    assert name in family.name.lower() or name == "ordinal"
