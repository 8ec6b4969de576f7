import numpy as np
import pytest

from altsel._types import FloatArray
from altsel.stats.independence.glm import newton
from altsel.stats.independence.glm.design import independent, standardised
from altsel.stats.independence.glm.families import Categorical, Gaussian
from altsel.stats.independence.glm.newton import fit

FAMILY = Categorical()


def wide(rows: int = 400, columns: int = 40) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw responses of two classes, a design with an intercept, and twenty further columns."""
    random = np.random.default_rng(0)
    design = np.hstack([np.ones((rows, 1)), random.normal(size=(rows, columns))])
    further = random.normal(size=(rows, 20))
    classes = design[:, 1] + further[:, 0] + 2 * random.normal(size=rows) > 0
    return np.array([classes.astype(float)]), design, further


def test_few_extensions_of_a_wide_design_are_fitted_as_many_are() -> None:
    response, design, further = wide()
    model = fit(FAMILY, response, design)
    many = model.extended(further[:, :, None])  # by products of all pairs of columns
    few = np.concatenate([model.extended(further[:, j : j + 4, None]) for j in range(0, 20, 4)])
    np.testing.assert_allclose(few, many, rtol=1e-10)


@pytest.mark.parametrize("factor", [0.9, -5.0, 1e200, np.nan])
def test_a_fit_that_begins_elsewhere_ends_at_the_same_place(factor: float) -> None:
    response, design, _ = wide()
    plain = fit(FAMILY, response, design)
    again = fit(FAMILY, response, design, None, factor * plain.eta)
    assert again.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-5)
    np.testing.assert_allclose(again.eta, plain.eta, atol=1e-2)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("apart", "plain"), [(1.0, True), (1e-2, True), (1e-4, False), (1e-7, False), (0.0, False)]
)
def test_columns_are_plainly_independent_only_where_they_are(
    apart: float, plain: bool, weighted: bool
) -> None:
    random = np.random.default_rng(3)
    counts = random.integers(1, 4, 90).astype(float) if weighted else None
    design = np.column_stack([np.ones(90), standardised(random.normal(size=(90, 3)), counts)])
    blocks = standardised(random.normal(size=(90, 8)), counts).reshape(90, 4, 2)
    near = design[:, 1:] @ random.normal(size=3) + blocks[:, 2, 0]
    close = near + apart * random.normal(size=90)
    blocks[:, 2, 1] = standardised(close[:, None], counts)[:, 0]
    assert newton.plainly_independent(design, blocks, counts) == plain
    model = newton.Fitted(Gaussian(), np.zeros((1, 90)), design, np.zeros((1, 90)), 0.0, counts)
    rank = newton.added_rank(newton.orthonormal(design, counts), blocks, counts)
    assert model.added_rank(blocks).tolist() == rank.tolist()
    assert rank[2] == (1 if apart < 1e-6 else 2)
    whole = np.hstack([design, blocks[:, 2]])
    assert len(independent(whole, counts)) == 4 + rank[2]


def test_a_fit_has_an_end_unless_classes_are_separated() -> None:
    random = np.random.default_rng(1)
    design = np.column_stack([np.ones(80), random.normal(size=(80, 2))])
    noisy = design[:, 1] + random.logistic(size=80) > 0
    for y, ended in ((noisy, True), (design[:, 1] + 0.1 > 0, False)):
        model = newton.fit(Categorical(), y[None].astype(float), design)
        assert model.ended == ended
        assert (np.abs(model.eta).max() < 20) == ended
