"""Models as LP or MPS files with readable names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from altsel.errors import ArgumentError, checked_path
from altsel.pyomo_on_demand import pyo
from altsel.runtime.files import replacing

FORMATS = {".lp": "cpxlp", ".mps": "mps"}
LONGEST = 200
COUNTED = {"t", "z", "y", "rlt"}
"""Components indexed by indices of features, not by their names."""


def write_model(model: Any, path: str | Path, features: Sequence[str], kind: str | None = None) -> Path:
    """Write a model to a file, whole or not at all.

    The model is named as the file. Names say what they are, ``set1_x_age`` and ``set1_t_age_dose``, in
    letters, digits, dots and underscores, unique, of at most 200 characters. An MPS file minimises the
    negative of the quality: GLPK and CBC read no section that says "maximise".

    Parameters
    ----------
    model
        A Pyomo model.
    path
        A file name that ends in ``.lp`` or ``.mps``.
    features
        Names of the features, in the order of the objective.
    kind
        ``"lp"`` or ``"mps"``; default: as the file ends.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ArgumentError
        If the ending is another or the file cannot be written.
    """
    target = checked_path("path", path)
    from pyomo.opt import ProblemFormat  # noqa: PLC0415  (imported with the first model)

    form = FORMATS.get(target.suffix.lower() if kind is None else f".{kind}")
    if form is None:
        raise ArgumentError(f"{path}: a model is written as .lp or .mps")
    labels: dict[str, Any] = {"labeler": Labels(features)}
    model.name = re.sub(r"[^A-Za-z0-9_.-]+", "_", target.stem)[:LONGEST]
    with replacing(target) as part:
        if form == "mps":
            with _minimised(model):
                model.write(
                    str(part), format=ProblemFormat[form], io_options={**labels, "skip_objective_sense": True}
                )
        else:
            model.write(str(part), format=ProblemFormat[form], io_options=labels)
    return target


@contextmanager
def _minimised(model: Any) -> Iterator[None]:
    """Minimise the negative of what is to be maximised: MPS has no word for that which all programs read."""
    [aim] = model.component_data_objects(pyo.Objective, active=True)
    if aim.sense == pyo.minimize:
        yield
        return
    expression = aim.expr
    aim.set_value(-expression)
    aim.sense = pyo.minimize
    try:
        yield
    finally:
        aim.set_value(expression)
        aim.sense = pyo.maximize


class Labels:
    """Names for components: readable, and unique after unsuitable characters are replaced."""

    def __init__(self, features: Sequence[str]) -> None:
        self.features = features
        self.used: dict[str, int] = {}
        self.given: dict[int, str] = {}

    def __call__(self, component: Any) -> str:
        """Return a component's name, always the same."""
        key = id(component)
        if key not in self.given:
            self.given[key] = self._unique(self._plain(component))
        return self.given[key]

    def _plain(self, component: Any) -> str:
        parts = []
        while component is not None and component.parent_block() is not None:
            parent = component.parent_component()
            parts.append(self._part(parent.local_name, component.index() if parent.is_indexed() else None))
            component = component.parent_block()
        text = "_".join(reversed(parts)) or str(getattr(component, "name", "model"))
        text = re.sub(r"[^A-Za-z0-9_.]+", "_", text)
        return text if text[:1].isalpha() and not re.match(r"[eE][0-9+-]", text) else f"n_{text}"

    def _part(self, name: str, index: Any) -> str:
        if index is None:
            return name
        if name == "sets":
            return f"set{index + 1}"
        indices = index if isinstance(index, tuple) else (index,)
        if name in COUNTED:
            named = [i if isinstance(i, str) else self.features[i] for i in indices]
            return "_".join([name, *named])
        return "_".join([name, *map(str, indices)])

    def _unique(self, text: str) -> str:
        text = text[:LONGEST]
        count = self.used.get(text, 0) + 1
        self.used[text] = count
        return text if count == 1 else self._unique(f"{text[: LONGEST - 8]}_{count}")
