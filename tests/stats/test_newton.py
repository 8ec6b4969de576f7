import numpy as np
import pytest

from altsel._types import FloatArray
from altsel.stats.independence.glm.families import Categorical
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
