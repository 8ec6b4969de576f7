"""Sides of the members of blankets: on the command line, in JSON, CSV and the report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets, independence
from altsel.report.content import content
from altsel.report.parts import Parts
from altsel.results.feature_set import FeatureSet
from altsel.runtime.clock import in_force, opened
from tests.cli.test_cli import Run, run

__all__ = ["run"]

WET = ["blanket", "wet.csv", "--target", "wet", "--quiet"]


def rain() -> pd.DataFrame:
    random = np.random.default_rng(0)
    causes = random.normal(size=(4, 1000))
    rain, tap, ice, far = causes
    wet = rain + tap + 0.5 * random.normal(size=1000)
    slip = wet + ice + 0.5 * random.normal(size=1000)
    gauge = 3 * tap + 0.001 * random.normal(size=1000)
    return pd.DataFrame(
        {"rain": rain, "tap": tap, "gauge": gauge, "ice": ice, "far": far, "slip": slip, "wet": wet}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rain().to_csv(tmp_path / "wet.csv", index=False)
    return tmp_path


def sides(one: FeatureSet) -> dict[str, str]:
    assert one.orientation is not None
    return {member.feature: member.side.value for member in one.orientation.members}


@pytest.mark.slow
def test_a_blanket_as_text_csv_and_json(run: Run, folder: Path) -> None:
    plain = run(*WET, "--drop", "gauge", "--sides", folder=folder)
    assert plain.returncode == 0, plain.stderr
    assert "blanket of wet: 2 parent, 1 spouse, 1 child" in plain.stdout
    assert "rain and tap are independent given nothing, without wet: wet causes neither" in plain.stdout
    table = run(*WET, "--drop", "gauge", "--sides", "--format", "csv", folder=folder).stdout
    assert "slip,parent or child" in table
    assert ',child,"' in table
    found = altsel.Solutions.from_json(run(*WET, "--sides", "--format", "json", folder=folder).stdout)
    data = altsel.Dataset(rain(), "wet")
    test = independence.PartialCorrelation(data)
    expected = blankets.orientation(blankets.hiton_mb(test, 0.01), test, 0.01)
    assert found[0].orientation == expected


@pytest.mark.slow
def test_all_blankets_of_a_family_and_their_report(run: Run, folder: Path) -> None:
    """The gauge stands for the tap: beside it nothing would separate both from the target."""
    output = folder / "all.json"
    family = ["blankets", "wet.csv", "--target", "wet", "--alpha", "0.001", "--sides", "--quiet"]
    text = run(*family, folder=folder).stdout
    assert "feature  side    sets  why, in the first of these" in text
    assert run(*family, "--output", str(output), folder=folder).returncode == 0
    found = altsel.Solutions.from_json(output.read_text())
    assert len(found) == 2
    for one in found:
        own = {"gauge"} if "gauge" in one else {"tap"}
        assert sides(one) == dict.fromkeys({"rain"} | own, "parent") | {"ice": "spouse", "slip": "child"}
    shown = content(found, Parts())[0]["sides"]
    assert len(shown["rows"]) == 8
    assert {row[2] for row in shown["rows"]} == {"parent", "spouse", "child"}
    page = run("report", "all.json", folder=folder).stdout
    assert "Causes and effects" in page
    assert content(altsel.Solutions.from_json(found.to_json()), Parts())[1] == found.to_json(None)
    unknown = json.loads(
        blankets.iamb(independence.PartialCorrelation(altsel.Dataset(rain(), "wet"))).to_json()
    )
    assert unknown["sets"][0]["orientation"] is None


def test_time_that_is_known_and_options_that_go_with_sides_only(run: Run, folder: Path) -> None:
    tiers = ["--tier", "rain, tap", "--tier", "wet", "--tier", "slip,ice"]
    known = run(*WET, "--drop", "gauge", "--sides", *tiers, folder=folder)
    assert "blanket of wet: 2 parent" in known.stdout
    hidden = run(*WET, "--drop", "gauge", "--sides", "--hidden-causes", folder=folder)
    assert "hidden common causes are possible" in hidden.stdout
    for options, message in (
        (["--tier", "wet"], "--tier says something of sides: add --sides"),
        (["--hidden-causes"], "--hidden-causes says something of sides: add --sides"),
        (["--sides", "--method", "mmpc"], "--method mmpc finds neighbours only"),
        (["--sides", "--folds", "3"], "leave out --folds"),
        (["--sides", "--tier", "snow"], "background: there is no variable 'snow'"),
    ):
        done = run(*WET, *options, folder=folder)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    done = run("blankets", *WET[1:], "--sides", "--dual", folder=folder)
    assert (done.returncode, "--dual lists none" in done.stderr) == (2, True)


def test_what_a_clock_leaves_no_time_for() -> None:
    test = independence.PartialCorrelation(altsel.Dataset(rain(), "wet"))
    found = blankets.tmfbs(test, 0.01)
    with in_force(opened(1e-9)):
        left = blankets.with_orientation(found, test, 0.01)
    assert [one.orientation for one in left] == [None, None]
    assert {sides(one)["slip"] for one in blankets.with_orientation(found, test, 0.01)} == {"child"}
