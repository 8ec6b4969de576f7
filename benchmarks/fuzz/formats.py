"""The formats: files to begin with, how altsel reads them, and the second reading."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.cli.rules_file import read_rules
from altsel.cli.solutions_file import read_solutions
from benchmarks.fuzz import second_reading
from benchmarks.fuzz.mutate import mutated

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Format:
    """A format of files."""

    name: str
    ending: str
    seeds: Callable[[], list[bytes]]
    read: Callable[[Path], Any]
    second: Callable[[Path, Any], str | None]
    mutate: Callable[[Random, bytes], bytes] = mutated


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, 30),
            "dose": rng.normal(size=30).round(4),
            "marker b": rng.normal(size=30) * 1e6,
            "site": rng.choice(["north", "south", "a, b", 'c"d'], 30),
            "sick": rng.choice([True, False], 30),
            "y": rng.choice(["no", "yes"], 30),
        }
    )


def _csv_seeds() -> list[bytes]:
    table = _table()
    small = table[["age", "dose", "y"]].head(8)
    return [table.to_csv(index=False).encode(), small.to_csv(index=False, lineterminator="\r\n").encode()]


def _parquet_seeds() -> list[bytes]:
    found = []
    for compression in ("snappy", None):
        buffer = io.BytesIO()
        _table().to_parquet(buffer, compression=compression)
        found.append(buffer.getvalue())
    return found


def _bif_seeds() -> list[bytes]:
    asia = (ROOT / "examples" / "data" / "asia.bif").read_bytes()
    small = b'network s { property a b; }\n// note\nvariable r { type discrete [ 2 ] { no, yes }; }\n' \
        b'variable w { type discrete [ 3 ] { "a b", c, d }; }\nprobability ( r ) { table 0.8, 0.2; }\n' \
        b'probability ( w | r ) { (no) 0.9, 0.05, 0.05; default 0.25, 0.25, 0.5; }\n'  # fmt: skip
    return [asia, small]


RULES = b"""require = ["a"]
forbid = ["b", "c"]
mutually_exclusive = [["d", "e"], ["f", "g"]]
all_or_none = [["h", "i"]]
minimum_quality = 0.25
at_most = [{number = 2, of = ["a", "d", "f"]}]
[[implies]]
if = "d"
then = ["h", "j"]
[[budget]]
limit = 7.5
cost = {a = 2, d = 1.5}
fixed = [{cost = 3, of = ["f", "g"]}]
[[proxy_limit]]
limit = 0.5
dependence = {a = 0.25, f = 0.125}
[[in_at_most]]
number = 2
of = ["a", "d"]
"""

SOLVERS = b"""default = "fast"
[profiles.fast]
engine = "highs"
time_limit = 10.0
gap = 0.01
threads = 2
[profiles.fast.options]
presolve = "on"
mip_rel_gap = 0.001
[profiles.other]
engine = "cp-sat"
[profiles.outer]
engine = "pyomo"
solver = "cbc"
executable = "none/cbc"
"""


def _json_seeds() -> list[bytes]:
    rng = np.random.default_rng(1)
    data = altsel.Dataset(
        pd.DataFrame(rng.normal(size=(40, 6)), columns=list("abcdef")), rng.integers(0, 2, 40)
    )
    problem = altsel.Problem(altsel.Univariate(altsel.dependence(data)), 2, [altsel.domain.forbid("a")])
    found = altsel.sequential(problem, altsel.Dice(0.5), 3)
    near = altsel.near_optimal(problem, altsel.RelativeLoss(0.5))
    return [_timeless(found).to_json().encode(), _timeless(near).to_json(indent=None).encode()]


def _timeless(found: altsel.Solutions) -> altsel.Solutions:
    """Take the seconds out, so that a seed gives the same files again."""
    sets = tuple(replace(subset, seconds=0.25) for subset in found)
    return replace(found, sets=sets, effort=replace(found.effort, seconds=0.5))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _gzipped(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode("utf-8")


def _mutated_gzip(rng: Random, data: bytes) -> bytes:
    """Change the compressed bytes, or what is in them."""
    return mutated(rng, data) if rng.random() < 0.7 else gzip.compress(mutated(rng, gzip.decompress(data)))


def _data(path: Path) -> Any:
    return altsel.Dataset(path, "y")


def _solvers(path: Path) -> list[Any]:
    return list(altsel.profiles(path))


FORMATS = {
    one.name: one
    for one in (
        Format("csv", ".csv", _csv_seeds, _data, lambda p, r: second_reading.of_csv(_text(p), r)),
        Format(
            "gzip",
            ".csv.gz",
            lambda: [gzip.compress(csv_seed, mtime=0) for csv_seed in _csv_seeds()],
            _data,
            lambda p, r: second_reading.of_csv(_gzipped(p), r),
            _mutated_gzip,
        ),
        Format(
            "parquet", ".parquet", _parquet_seeds, _data, lambda p, r: second_reading.of_parquet(str(p), r)
        ),
        Format(
            "bif", ".bif", _bif_seeds, altsel.read_network, lambda p, r: second_reading.of_bif(_text(p), r)
        ),
        Format(
            "json",
            ".json",
            _json_seeds,
            lambda path: read_solutions(path, repeated=True),
            lambda p, r: second_reading.of_json(_text(p), r),
        ),
        Format(
            "rules", ".toml", lambda: [RULES], read_rules, lambda p, r: second_reading.of_rules(_text(p), r)
        ),
        Format(
            "solvers",
            ".toml",
            lambda: [SOLVERS],
            _solvers,
            lambda p, r: second_reading.of_solvers(_text(p), r),
        ),
    )
}


def plain(fault: BaseException) -> str | None:
    """Return what is wrong with an error's message; it should be one line that a terminal may show."""
    text = str(fault)
    bad = sorted({one for one in text if not one.isprintable()})
    return f"{type(fault).__name__} with {json.dumps(bad)}" if bad or not text else None
