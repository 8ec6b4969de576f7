"""Tables and lines fit a width, and lose nothing by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from altsel.results.fitting import fit_tables, folded, labelled, shown_width
from altsel.results.text import text_table

HEAD = ["set", "features", "score", "proof"]
NAMES = [", ".join(f"channel_{j:02d}" for j in range(i, i + 5)) for i in (1, 40)]
ROWS = [["0", NAMES[0], "1.37", "optimal"], ["1", NAMES[1], "1.5", "optimal"]]


def fitting(width: int | None, rows: list[list[str]] = ROWS) -> list[str]:
    with fit_tables(width):
        return text_table(HEAD, rows, right={0, 2})


def test_lists_wrap_at_commas_under_their_column() -> None:
    assert fitting(56) == [
        "set  features                             score  proof",
        "  0  channel_01, channel_02, channel_03,   1.37  optimal",
        "     channel_04, channel_05",
        "  1  channel_40, channel_41, channel_42,    1.5  optimal",
        "     channel_43, channel_44",
    ]


def test_where_columns_do_not_fit_each_row_is_a_record() -> None:
    assert fitting(30)[:7] == [
        "set       0",
        "features  channel_01,",
        "          channel_02,",
        "          channel_03,",
        "          channel_04,",
        "          channel_05",
        "score     1.37",
    ]
    long = [["0", "n" * 50, "1", "optimal"]]
    assert ["features", f"  {'n' * 50}"] == fitting(30, long)[1:3]  # a name stays whole


def test_without_a_width_lines_stay_whole() -> None:
    whole = fitting(None)
    assert len(whole) == 3
    assert fitting(200) == fitting(shown_width(whole[1])) == whole


def test_names_of_several_words_break_between_names_first() -> None:
    with fit_tables(26):
        assert labelled("set 0: ", "fixed acidity, free sulfur, pH") == (
            "set 0: fixed acidity,\n       free sulfur, pH"
        )


@pytest.mark.parametrize("width", [40, 80, 120])
def test_prose_goes_on_under_its_label(width: int) -> None:
    text = "note: " + "a word or two " * 20
    lines = folded(text.strip(), width).split("\n")
    assert max(map(len, lines)) <= width
    assert all(line.startswith("      ") and line[6] != " " for line in lines[1:])
    assert " ".join(" ".join(lines).split()) == text.strip()


texts = st.text("abc, 漢", min_size=1, max_size=30).map(str.strip).filter(bool)
cells = st.lists(texts, min_size=4, max_size=4)


@given(st.lists(cells, min_size=1, max_size=4), st.integers(20, 90))
def test_no_letter_is_lost_and_no_line_too_long(rows: list[list[str]], width: int) -> None:
    lines = fitting(width, rows)
    kept = "".join("".join(lines).split())
    for letter in "b漢":  # which no head holds, as records repeat heads
        assert kept.count(letter) == sum(cell.count(letter) for row in rows for cell in row)
    longest = max(shown_width(word) for row in [HEAD, *rows] for cell in row for word in cell.split(" "))
    assert max(map(shown_width, lines)) <= max(width, longest + 2)
