"""Every name of the command line stands for something that works."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import altsel
from altsel import catalogue
from altsel.catalogue import DissimilarityName, MeasureName, ObjectiveName
from altsel.cli.app import app
from tests.conftest import IONOSPHERE

ASK = [str(IONOSPHERE), "--target", "target", "-k", "2"]


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("name", ObjectiveName)
def test_every_criterion_selects_and_is_exported(name: ObjectiveName, tmp_path: Path) -> None:
    chosen = ["--objective", name, "--measure", "absolute-pearson"]
    done = CliRunner().invoke(app, ["select", *ASK, *chosen, "--alternatives", "1", "--tau", "1"])
    assert done.exit_code == 0
    assert done.stdout.count("optimal") == 2
    file = tmp_path / "model.lp"
    done = CliRunner().invoke(app, ["export", *ASK, *chosen, "--output", str(file)])
    assert done.exit_code == 0
    assert "set1_x_a05" in file.read_text()


@pytest.mark.parametrize("name", MeasureName)
def test_every_measure_has_a_name_of_its_own(name: MeasureName) -> None:
    made = catalogue.measure(name, seed=3)
    assert made.name
    assert made.name not in {catalogue.measure(other, 3).name for other in MeasureName if other is not name}
    with pytest.raises(altsel.ArgumentError, match="--seed -1"):
        catalogue.measure(name, -1)


def test_sizes_and_distances_are_read() -> None:
    assert catalogue.sizes("5") == 5
    assert catalogue.sizes("3:5") == (3, 5)
    for wrong in ("", "a", "3:", "1:2:3", "2.5"):
        with pytest.raises(altsel.ArgumentError, match="-k"):
            catalogue.sizes(wrong)
    assert [type(catalogue.dissimilarity(name, 0.5)) for name in DissimilarityName] == [
        altsel.Dice,
        altsel.Jaccard,
    ]
