"""Every column of every table that a command prints is a plain word, or is explained beneath it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.results import text
from tests.cli.test_analyse import run
from tests.display.shown_objects import everything

PLAIN = {"set", "sets", "features", "feature", "size", "rank", "proof", "of best", "against set 0"}
PLAIN |= {"class", "relevance", "role", "replaced by", "equivalent", "dissimilarity", "quality"}
PLAIN |= {"in the first set", "in any set", "node", "solutions", "leads to", "column", "kind", "values"}
PLAIN |= {"missing", "profile", "engine", "version", "time limit", "threads", "can do besides solving"}
PLAIN |= {"selected", "answers", "why not", "set of all rows", "cost", "or"}
TITLED = {"score"}
"""What the title of a table says."""


@pytest.fixture
def heads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the heads of all tables that are laid out from now on."""
    seen: list[str] = []
    root = Path(text.__file__).parents[1]
    for file in root.rglob("*.py"):  # some are loaded when first used
        if "text_table(" in file.read_text(encoding="utf-8"):
            import_module(".".join(("altsel", *file.relative_to(root).with_suffix("").parts)))

    def spy(head: Sequence[str], *rest: Any, **more: Any) -> list[str]:
        seen.extend(head)
        return text.text_table(head, *rest, **more)

    for module in [one for name, one in sys.modules.items() if name.startswith("altsel.")]:
        if getattr(module, "text_table", None) is text.text_table and module is not text:
            monkeypatch.setattr(module, "text_table", spy)
    return seen


def unexplained(heads: Sequence[str], shown: str) -> set[str]:
    """Return heads that are neither plain nor explained in a line of a text."""
    if "p of each test" in shown:
        heads = [head for head in heads if not head.endswith(" test") and "approach" not in head]
    said = [part.strip() for line in shown.splitlines() for part in line.split("; ")]
    return {
        head
        for head in heads
        if head not in PLAIN | TITLED
        and not any(one.startswith((f"{head}:", f"{head.partition(',')[0]} against")) for one in said)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random, made = np.random.default_rng(0), tmp_path_factory.mktemp("tables")
    a, b, c, d = random.normal(size=(4, 150))
    table = pd.DataFrame({"a": a, "near": a + c / 9, "b": b, "near b": b + d / 9, "c": c, "d": d})
    table["y"] = (a + b + random.normal(size=150) > 0).astype(int)
    table.to_csv(made / "t.csv", index=False)
    asked = ("--target", "y", "--quiet", "--output")
    run("select", made / "t.csv", "-k", 2, "--alternatives", 2, "--tau", 0.5, *asked, made / "found.json")
    kept = ("--alternatives", 1, "--holdout", 0.3)
    run("select", made / "t.csv", "-k", 2, *kept, *asked, made / "kept.json")
    run("blankets", made / "t.csv", "--alpha", 0.05, *asked, made / "family.json")
    run("near-optimal", made / "t.csv", "-k", 2, "--within", 0.2, *asked, made / "near.json")
    again = (made / "near.json", made / "t.csv", "--resamples", 2, "--quiet")
    run("stability", *again, "--output", made / "drawn.json")
    return made


COMMANDS: dict[str, tuple[Any, ...]] = {
    "select": ("select", "t.csv", "--target", "y", "-k", 2, "--alternatives", 2, "--null", 3),
    "kept apart": ("select", "t.csv", "--target", "y", "-k", 2, "--alternatives", 1, "--holdout", 0.3),
    "near-optimal": ("near-optimal", "t.csv", "--target", "y", "-k", 2),
    "front": ("front", "t.csv", "--target", "y", "-k", 2),
    "rank": ("rank", "t.csv", "--target", "y", "-k", 3),
    "blanket": ("blanket", "t.csv", "--target", "y"),
    "blankets": ("blankets", "t.csv", "--target", "y", "--alpha", 0.05),
    "importance-range": ("importance-range", "near.json", "--data", "t.csv", "--stability", "drawn.json"),
    "discoveries": ("discoveries", "t.csv", "--target", "y", "--fdr", 0.5, "--draws", 2),
    "score-card": ("score-card", "t.csv", "--target", "y", "-k", 2, "--alternatives", 1),
    "equivalence": ("equivalence", "found.json", "t.csv"),
    "taxonomy": ("taxonomy", "found.json", "t.csv"),
    "taxonomy of blankets": ("taxonomy", "family.json", "t.csv"),
    "performance": ("performance", "found.json", "t.csv", "--cv", 3, "--nested", "--permutations", 2),
    "of rows kept apart": ("performance", "kept.json", "t.csv"),
    "stability": ("stability", "found.json", "t.csv", "--resamples", 4),
    "graph": ("graph", "found.json"),
    "look": ("look", "t.csv", "--target", "y"),
    "solvers": ("solvers",),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_columns_of_commands_are_explained(
    name: str, folder: Path, heads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    shown = run(*COMMANDS[name]).stdout
    assert heads
    assert not unexplained(heads, shown), shown


@pytest.mark.parametrize(
    "name",
    [
        "Solutions",
        "Front",
        "Taxonomy",
        "Equivalence",
        "Performance",
        "ImportanceRanges",
        "Discoveries",
        "StableSelection",
    ],
)
def test_columns_of_results_are_explained(name: str, heads: list[str]) -> None:
    shown = str(everything(["a", "b", "c", "d"], 3)[name])
    assert heads
    assert not {one for one in unexplained(heads, shown) if one != "a"}, shown


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_permuted_copies_are_explained(heads: list[str]) -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 60))
    shadow = altsel.shadow(altsel.Dataset({"a": a, "b": b}, a), altsel.measures.absolute_pearson)
    shown = str(shadow)
    assert "null level" in heads
    assert not unexplained(heads, shown)
