"""Bayesian networks: files, graphs and samples."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import altsel
from altsel.data.networks.bif import parse_network
from tests.conftest import ROOT

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
        ("network", "", "line 1: 'nothing' begins no block of a BIF file"),
        ("[ 2 ] { no, yes }", "[ 3 ] { no, yes }", "line 3: .*not 3 different ones"),
        ("( wet | rain )", "( wet | snow )", "unknown variable 'snow'"),
        ("probability ( rain ) { table 0.8, 0.2; }", "", "'rain' has no probabilities"),
        ("default 0.05, 0.95;", "", "missing for some states"),
        ("(no) 0.9", "(never) 0.9", "line 6: .*parents have no states 'never'"),
        ("0.8, 0.2", "0.8, 0.5", "no probabilities"),
        ("0.8, 0.2", "0.8, nan", "line 5: .*2 finite numbers"),
        ("0.8, 0.2", "0.8, 0.1, 0.1", "line 5: .*2 finite numbers"),
        ("variable wet", "varable wet", "line 4: 'varable' begins no block"),
        ("variable wet", "variable rain", "line 4: variable 'rain' is there twice"),
        ("( wet | rain )", "( rain )", "line 6: the probabilities of 'rain' are there twice"),
        ("default 0.05", "(no) 0.05", "line 6: .*twice for the same states"),
        ("table 0.8", "tabel 0.8", "line 5: .*cannot read 'tabel'"),
        ("table 0.8, 0.2;", "table ;", "line 5: a name or number is missing"),
        ("variable wet", "variable [", "line 4: a name or number is needed"),
        ('"very wet"', '""', "line 4: a name is empty"),
        ("variable rain {", "variable rain (", "line 3: '{' is needed"),
        ("property author me; }", "property author me }", "line 2: ';' is missing before '}'"),
        ("0.05, 0.95; }", "0.05, 0.95;", "ends too early"),
        ("// a comment", "/* a comment", "line 3: a comment /. is not closed"),
        ("( rain ) { table 0.8, 0.2; }", "( rain | wet ) { table 0.8, 0.8, 0.2, 0.2; }", "cycle"),
    ],
)
def test_faults_of_a_file_are_named(old: str, new: str, message: str) -> None:
    text = SMALL.replace(old, new) if old != "network" else "nothing here"
    with pytest.raises(altsel.DataError, match=message):
        parse_network(text)


def test_a_table_too_large_for_any_memory_is_refused() -> None:
    names = [f"v{j}" for j in range(40)]
    text = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
    text += "".join(f"probability ( {name} ) {{ table 0.5, 0.5; }}\n" for name in names[1:])
    message = r"'v0' with 39 parents need a table of 1.1e\+12 numbers, 8.19e\+03 GiB"
    with pytest.raises(altsel.DataError, match=message):
        parse_network(text + f"probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}")


@pytest.mark.parametrize("cut", [20, -9])
def test_corrupt_compressed_networks_are_refused(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "small.bif.gz"
    path.write_bytes(gzip.compress(SMALL.encode())[:cut])
    with pytest.raises(altsel.ArgumentError, match="cannot be read"):
        altsel.read_network(path)


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


def test_the_states_of_the_node_vary_slowest_in_a_table() -> None:
    # the dog problem of the format's own description
    text = """variable b { type discrete [2] { true, false }; }
    variable f { type discrete [2] { true, false }; }
    variable "dog-out" { type discrete [2] { true, false }; }
    probability ( b ) { table .01 .99; } probability ( f ) { table .15 .85; }
    probability ( "dog-out" b f ) { table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7; }"""
    table = parse_network(text).tables["dog-out"]
    assert table[..., 0].tolist() == [[0.99, 0.97], [0.9, 0.3]]


@pytest.mark.parametrize(
    "note", ['property "see http://x.org";', 'property "a /* b";', "/* a */", "// (no) 1, 0;\n"]
)
def test_marks_of_comments_in_quotes_begin_none(note: str) -> None:
    text = SMALL.replace("{ (no)", f"{{ {note} (no)")
    assert parse_network(text).tables["wet"].tolist() == [[0.9, 0.1], [0.05, 0.95]]
