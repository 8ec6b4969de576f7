"""How far greedy search and annealers are from the optima of the library.

``python -m benchmarks.library_gaps LIBRARY``; LIBRARY is a folder that ``altsel library make`` filled. Of its
questions those with a QUBO are asked: one set, by sums, FCBF and mRMR. Greedy selection gets the numbers,
samplers the QUBO file; what they return is judged by the question. Needs ``dwave-samplers`` (extra bench).
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from altsel.interchange import BinaryQuadratic, ReadQuestion, read_qubo, read_question
from altsel.library import gap
from altsel.library.files import path_of
from altsel.library.gap import summary
from altsel.library.records import records
from benchmarks.command import folder_of, in_one_line, stamped

RESULTS = Path(__file__).parent / "results"
READS = 100
Method = Callable[[ReadQuestion, BinaryQuadratic], tuple[str, ...]]
HEAD = """# Gaps to proved optima

`python -m benchmarks.library_gaps LIBRARY`: {questions} questions of the library with one set each (sums,
FCBF, mRMR; {least} to {most} features; some with a budget and groups), all with a proved optimum; LIBRARY was
made by `altsel library make LIBRARY --questions 50`.

- *greedy*: forward selection by the criterion itself, feature after feature; rules are kept by
  leaving out what breaks one.
- *annealing*, *tabu*: samplers of dwave-samplers {version} on the QUBO file, with their own settings but for
  {reads} reads of the first and a second a question of the other; of what they return, the vector of least
  energy.

*valid*: sets of the right size that keep all rules; *optimal*: within 1e-9 of the optimum; gaps are shares of
the optimum, of valid sets alone. Seconds are CPU seconds of all questions together, without reading.
"""


def greedy(question: ReadQuestion, made: BinaryQuadratic) -> tuple[str, ...]:
    """Add the feature that makes the best set, as long as some set of that size keeps the rules so far."""
    del made
    problem = question.problem
    rows = [row for rule in problem.subject_to for row in rule.given_rows()]  # type: ignore[attr-defined]
    mask = np.zeros(len(problem.objective.features), dtype=bool)
    for _ in range(problem.sizes[1]):
        best, chosen = -np.inf, None
        for j in np.flatnonzero(~mask):
            mask[j] = True
            fits = all(row[mask].sum() <= high for row, _, high in rows if (row >= 0).all())
            if fits and problem.objective.is_feasible(mask) and problem.objective.score(mask) > best:
                best, chosen = problem.objective.score(mask), int(j)
            mask[j] = False
        if chosen is None:
            break
        mask[chosen] = True
    return tuple(np.array(problem.objective.features)[mask])


def sampled(name: str, **settings: Any) -> Method:
    """Return a sampler of dwave-samplers as a method."""

    def method(question: ReadQuestion, made: BinaryQuadratic) -> tuple[str, ...]:
        del question
        sampler = getattr(import_module("dwave.samplers"), name)()
        linear = dict(enumerate(made.linear.tolist()))
        found = sampler.sample_qubo({**{(i, i): v for i, v in linear.items()}, **made.quadratic}, **settings)
        best = found.first.sample
        return made.chosen([best.get(i, 0) for i in range(len(made.names))])

    return method


METHODS: dict[str, Method] = {
    "greedy": greedy,
    "annealing": sampled("SimulatedAnnealingSampler", num_reads=READS, seed=1),
    "tabu": sampled("TabuSampler", timeout=1000, seed=1),
}


def answers(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the answer of every method to every question that has a QUBO."""
    for one in records(folder):
        if "qubo" not in one["files"] or one["status"] != "opt":
            continue
        question = read_question(path_of(folder, "json", one["name"]))
        with tempfile.TemporaryDirectory() as here:
            (file := Path(here) / "q.qubo").write_bytes(
                gzip.decompress(path_of(folder, "qubo", one["name"]).read_bytes())
            )
            made = read_qubo(file)
        for name, method in METHODS.items():
            began = time.process_time()
            features = method(question, made)
            yield {
                "method": name,
                "name": one["name"],
                "sets": " ".join(features),
                "seconds": round(time.process_time() - began, 3),
            }


def page(table: pd.DataFrame, sizes: list[int]) -> str:
    """Write the page."""
    lines = [
        HEAD.format(
            questions=table["name"].nunique(),
            least=min(sizes),
            most=max(sizes),
            version=metadata.version("dwave-samplers"),
            reads=READS,
        ),
        "| method | answers | valid | optimal | mean gap | largest gap | CPU s |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in summary(table).iterrows():
        counts = " | ".join(str(int(row[one])) for one in ("answers", "valid", "optimal"))
        shares = " | ".join(f"{100 * row[one]:.2f} %" for one in ("mean gap", "largest gap"))
        lines.append(f"| {name} | {counts} | {shares} | {row['seconds']:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the arguments and do it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.library_gaps", description=__doc__)
    parser.add_argument("library", type=folder_of("records"), help="made by 'altsel library make'")
    folder = parser.parse_args().library
    with in_one_line(parser):
        path = RESULTS / "library_gaps.csv"
        pd.DataFrame(answers(folder)).to_csv(path, index=False)
        table = gap(folder, path)
        names = set(table["name"])
        sizes = [
            len(read_question(path_of(folder, "json", name)).problem.objective.features) for name in names
        ]
        (RESULTS / "library_gaps.md").write_text(stamped(page(table, sizes)), encoding="utf-8")


if __name__ == "__main__":
    main()
