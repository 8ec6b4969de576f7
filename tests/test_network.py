"""Bayesian networks: files, graphs and samples."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import altsel
from altsel.stats.bif import parse_network

from .conftest import ROOT

ALARM = ROOT / "examples" / "data" / "alarm.bif"
ASIA = ROOT / "examples" / "data" / "asia.bif"

SMALL = """
network small { property author me; }
variable rain { type discrete [ 2 ] { no, yes }; }  // a comment
variable wet { type discrete [ 2 ] { "no", "very wet" }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) { (no) 0.9, 0.1; default 0.05, 0.95; }
"""


def test_alarm_has_the_published_size_and_neighbourhood() -> None:
    alarm = altsel.read_network(ALARM)
    assert len(alarm.nodes) == 37
    assert alarm.graph().number_of_edges() == 46
    assert sum(table.size - table[..., 0].size for table in alarm.tables.values()) == 509
    assert alarm.parents_and_children("HR") == ("HRBP", "HREKG", "HRSAT", "CATECHOL", "CO")
    assert alarm.spouses("HR") == ("STROKEVOLUME", "ERRLOWOUTPUT", "ERRCAUTER")


def test_small_text_is_read() -> None:
    small = parse_network(SMALL)
    assert small.states == {"rain": ("no", "yes"), "wet": ("no", "very wet")}
    assert small.tables["wet"].tolist() == [[0.9, 0.1], [0.05, 0.95]]


def test_compressed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "small.bif.gz"
    path.write_bytes(gzip.compress(SMALL.encode()))
    assert altsel.read_network(path).blanket("rain") == ("wet",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("network", "", "not a BIF"),
        ("[ 2 ] { no, yes }", "[ 3 ] { no, yes }", "2 states, not 3"),
        ("( wet | rain )", "( wet | snow )", "unknown variable 'snow'"),
        ("probability ( rain ) { table 0.8, 0.2; }", "", "'rain' has no probabilities"),
        ("default 0.05, 0.95;", "", "missing for some states"),
        ("(no) 0.9", "(never) 0.9", "cannot read 'never'"),
        ("0.8, 0.2", "0.8, 0.5", "no probabilities"),
        ("( rain ) { table 0.8, 0.2; }", "( rain | wet ) { table 0.8, 0.2, 0.8, 0.2; }", "cycle"),
    ],
)
def test_faults_of_a_file_are_named(old: str, new: str, message: str) -> None:
    text = SMALL.replace(old, new) if old != "network" else "nothing here"
    with pytest.raises(altsel.DataError, match=message):
        parse_network(text)


def test_absent_files_and_nodes_are_named() -> None:
    with pytest.raises(altsel.ArgumentError, match=r"none\.bif"):
        altsel.read_network("none.bif")
    with pytest.raises(altsel.ArgumentError, match="'HRT'"):
        altsel.read_network(ALARM).blanket("HRT")


def test_samples_have_the_joint_distribution() -> None:
    asia = altsel.read_network(ASIA)
    rows = asia.sample(200_000, random_state=3)
    both = ((rows["lung"] == "yes") & (rows["smoke"] == "yes")).mean()
    assert both == pytest.approx(0.5 * 0.1, abs=4 * np.sqrt(0.05 / 200_000))
    certain = rows.loc[(rows["lung"] == "yes") | (rows["tub"] == "yes"), "either"]
    assert (certain == "yes").all()


def test_the_same_seed_gives_the_same_rows() -> None:
    asia = altsel.read_network(ASIA)
    assert asia.sample(50, 1).equals(asia.sample(50, 1))
    assert not asia.sample(50, 1).equals(asia.sample(50, 2))
