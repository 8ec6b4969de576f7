"""The table that comes with the package."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import altsel
from altsel.cli.app import app
from tests.conftest import IONOSPHERE


def test_the_example_is_the_table_of_the_examples() -> None:
    assert altsel.example().read_bytes() == IONOSPHERE.read_bytes()
    done = CliRunner().invoke(app, ["example", "ionosphere"])
    assert (done.exit_code, done.output.strip()) == (0, str(altsel.example()))


def test_an_unknown_example_is_refused_with_those_there_are() -> None:
    with pytest.raises(altsel.ArgumentError, match="no example 'iris'; there is 'heart', 'ionosphere'"):
        altsel.example("iris")
