"""A second reading of each format, written apart from altsel: what an accepted file must mean."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from itertools import product
from math import isclose
from typing import Any

import numpy as np
import pandas as pd


def of_csv(text: str, read: Any) -> str | None:
    """Compare a table with the cells of Python's own reader."""
    rows = [
        row
        for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
        if "".join(row).strip()
    ]
    head, cells = [name.strip() for name in rows[0]], rows[1:]
    if any(len(row) != len(head) for row in cells):
        return "rows of another length"
    if len(cells) != len(read.X):
        return f"{len(read.X)} rows of {len(cells)}"
    columns = [(name, read.X[name]) for name in read.features] + [(read.target, read.y)]
    for name, values in columns:
        if head.count(name) != 1:
            return f"column {name!r} is there {head.count(name)} times"
        index = head.index(name)
        for row, value in zip(cells, values.tolist(), strict=True):
            if not _same_cell(row[index], value):
                return f"column {name!r}: {row[index]!r} read as {value!r}"
    return None


def _same_cell(cell: str, value: Any) -> bool:
    if isinstance(value, str):
        return cell.strip() == value.strip()
    if cell.strip().lower() in {"true", "false"}:
        return bool(value) == (cell.strip().lower() == "true")
    try:
        return isclose(float(cell), float(value), rel_tol=1e-12)
    except ValueError:
        return False


def of_parquet(path: str, read: Any) -> str | None:
    """Compare a table with that of pandas; flipped bits that the file itself does not see pass."""
    table = pd.read_parquet(path)
    for name in read.features:
        own, other = read.X[name].tolist(), table[name].tolist()
        if [str(one) for one in own] != [str(one) for one in other] and not np.allclose(
            np.array(own, dtype=float), np.array(other, dtype=float), rtol=1e-12, atol=0
        ):
            return f"column {name!r} differs"
    return None


_NAME = r'(?:"[^"\n]*"|[^\s{}()\[\];,|"]+)'
_LIST = rf"{_NAME}(?:\s*,?\s*{_NAME})*"
_PROPERTY = r"(?:\s*property\b[^;]*;)*"
_BLOCK = re.compile(
    rf"\s*(?:network\b[^{{}}]*\{{[^{{}}]*\}}"
    rf"|variable\s+({_NAME})\s*\{{{_PROPERTY}\s*type\s+discrete\s*\[\s*(\d+)\s*\]\s*\{{\s*({_LIST})\s*\}}\s*;?"
    rf"{_PROPERTY}\s*\}}"
    rf"|probability\s*\(\s*({_NAME})\s*\|?\s*({_LIST})?\s*\)\s*\{{([^{{}}]*)\}})\s*",
)
_ROW = re.compile(rf"\s*(?:\(\s*({_LIST})\s*\)\s*|(table|default)\s+)({_LIST})\s*;\s*|\s*property\b[^;]*;\s*")


def of_bif(text: str, read: Any) -> str | None:
    """Compare a network with what regular expressions that must match the whole text find."""
    text = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", " ", text, flags=re.DOTALL)
    states: dict[str, list[str]] = {}
    bodies: dict[str, tuple[list[str], str]] = {}
    index = 0
    while index < len(text):
        found = _BLOCK.match(text, index)
        if found is None or found.end() == index:
            return f"a text that is no BIF from character {index}"
        index = found.end()
        variable, count, listed, node, given, body = found.groups()
        if variable:
            if _bare(variable) in states or len(_words(listed)) != int(count):
                return f"variable {variable}"
            states[_bare(variable)] = _words(listed)
        if node:
            if _bare(node) in bodies:
                return f"two tables of {node}"
            bodies[_bare(node)] = (_words(given or ""), body)
    if list(states) != list(read.nodes):
        return f"variables {list(states)}"
    for name, (given, body) in bodies.items():
        fault = _of_table(name, states, given, body, read)
        if fault:
            return fault
    return None


def _of_table(name: str, states: dict[str, list[str]], given: list[str], body: str, read: Any) -> str | None:
    if tuple(given) != tuple(read.parents[name]):
        return f"parents of {name}"
    rows: dict[tuple[str, ...], list[float]] = {}
    index = 0
    while index < len(body.strip()):
        found = _ROW.match(body, index)
        if found is None or found.end() == index:
            return f"the table of {name} from character {index}"
        index = found.end()
        listed, word, numbers = found.groups()
        values = [float(one) for one in _words(numbers or "")]
        size = len(states[name])
        if word == "table":
            keys = list(product(*(states[one] for one in given)))
            if rows or len(values) != size * len(keys):
                return f"the table of {name}"
            rows = {key: values[j :: len(keys)] for j, key in enumerate(keys)}
        elif numbers:
            key = tuple(_words(listed)) if listed else ("default",)
            if key in rows or len(values) != size:
                return f"row {key} of {name}"
            rows[key] = values
    for key in product(*(states[one] for one in given)):
        spot = tuple(states[one].index(state) for one, state in zip(given, key, strict=True))
        values = rows.get(key, rows.get(("default",), []))
        if len(values) != len(states[name]) or not np.allclose(values, read.tables[name][spot], 1e-12, 0):
            return f"row {key} of {name} differs"
    return None


def _words(text: str) -> list[str]:
    return [_bare(one) for one in re.findall(_NAME, text)]


def _bare(name: str) -> str:
    return name.strip('"')


def of_json(text: str, read: Any) -> str | None:
    """Compare solutions with all that the text says."""
    own, other = json.loads(read.to_json()), json.loads(text)
    return _missing(other, own, "")


def _missing(said: Any, kept: Any, path: str) -> str | None:
    """Return where something that was said is not kept."""
    if isinstance(said, dict) and isinstance(kept, dict):
        for key in said:
            fault = (
                f"{path}.{key} is lost"
                if key not in kept
                else _missing(said[key], kept[key], f"{path}.{key}")
            )
            if fault:
                return fault
        return None
    if isinstance(said, list) and isinstance(kept, list) and len(said) == len(kept):
        faults = (_missing(a, b, f"{path}[{j}]") for j, (a, b) in enumerate(zip(said, kept, strict=True)))
        return next((fault for fault in faults if fault), None)
    same = said == kept and (isinstance(said, bool) == isinstance(kept, bool))
    return None if same else f"{path}: {said!r} read as {kept!r}"


def of_rules(text: str, read: Any) -> str | None:
    """Compare rules with the tables of the TOML file; each rule keeps what it was made of."""
    said = tomllib.loads(text)
    kept: dict[str, Any] = {}
    for rule in [*read.subject_to, *read.across]:
        for key, value in rule.data.items():
            kept[key] = [*kept[key], *value] if isinstance(value, list) and key in kept else value
    for key, value in said.items():
        if value not in ([], {}) and _plain(value) != _plain(kept.get(key)):
            return f"{key}: {value!r} read as {kept.get(key)!r}"
    return f"{sorted(set(kept) - set(said))} from nowhere" if set(kept) - set(said) else None


def _plain(value: Any) -> Any:
    """Numbers as floats, names once."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if one not in ([], {})}
    if isinstance(value, list):
        return (
            list(dict.fromkeys(value))
            if all(isinstance(one, str) for one in value)
            else list(map(_plain, value))
        )
    return float(value) if isinstance(value, (int, float)) else value


def of_solvers(text: str, read: Any) -> str | None:
    """Compare profiles with the tables of the TOML file."""
    said = tomllib.loads(text).get("profiles", {})
    kept = {one.name: one.profile.model_dump(exclude_unset=True) for one in read}
    for name, profile in said.items():
        own = {key: value for key, value in kept.get(name, {}).items() if key != "executable"}
        if own != {key: value for key, value in profile.items() if key != "executable"}:
            return f"{name}: {profile!r} read as {kept.get(name)!r}"
    return None if set(said) == set(kept) else f"profiles {sorted(kept)}"
