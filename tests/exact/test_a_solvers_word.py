"""A solver program that lies, babbles, crashes or hangs: an honest result or one clear error."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pyomo.environ as pyo
import pytest

import altsel
from altsel import AbsoluteLoss, Dice, Problem, Solutions, Stop, Univariate
from altsel.solvers import profiles, pyomo_solver
from tests.exact.test_claims_at_limits import World, check_family, check_near, check_sequence
from tests.oracles import brute_force as bf
from tests.pairs import paired

pytestmark = pytest.mark.skipif(os.name != "posix", reason="solvers are scripts of a shell")

PROGRAM = '''
import os, signal, sys, time
from itertools import product

HANGS = 100_000

role, *given = sys.argv[1:]
if "--version" in given:
    if role == "slow version":
        time.sleep(0.5)
    elif role == "hanging version":
        time.sleep(HANGS)
    elif role == "failing version":
        sys.exit(1)
    print({"no version": "", "old version": "GLPSOL: GLPK LP/MIP Solver, v4.2"}.get(
        role, "GLPSOL--GLPK LP/MIP Solver 5.0"))
    sys.exit()

if role == "exit 1":
    print("no licence")
    sys.exit(1)
if role == "segfault":
    os.kill(os.getpid(), signal.SIGSEGV)
if role == "hang":
    time.sleep(HANGS)
if role == "hang in a child":
    time.sleep(4)
    sys.exit(1)
if role == "endless output":
    while True:
        print("x" * 1000, flush=True)
        time.sleep(1e-4)


def read(path):
    """Read an LP file as Pyomo writes it."""
    words = [line.split() for line in open(path) if line.strip() and not line.startswith("\\\\")]
    sense, part, row = words[0][0], "", None
    cost, rows, bounds = {}, [], {}
    for line in words[1:]:
        if line[0] in {"s.t.", "bounds", "binary", "general", "end"}:
            part = line[0]
        elif part == "bounds":
            bounds[line[2]] = (int(line[0]), int(line[4]))
        elif line[0].endswith(":"):
            row = cost if not part else {}
        elif part in {"", "s.t."} and len(line) == 2 and line[0] not in {"<=", ">=", "="}:
            row[line[1]] = float(line[0])
        elif part == "s.t.":
            rows.append((row, line[0], float(line[1])))
    return sense, cost, rows, bounds


def kept(point, row, side, limit):
    total = sum(weight * point[name] for name, weight in row.items())
    return total <= limit + 1e-9 if side == "<=" else total >= limit - 1e-9 if side == ">=" else (
        abs(total - limit) <= 1e-9)


option = dict(zip(given, given[1:]))
sense, cost, rows, bounds = read(option["--cpxlp"])
names = sorted(bounds, key=lambda name: int(name[1:]))
points = [dict(zip(names, point)) for point in product(*(range(a, b + 1) for a, b in map(bounds.get, names)))]
points = [point for point in points if all(kept(point, *row) for row in rows)]
points.sort(key=lambda point: sum(w * point[f] for f, w in cost.items()), reverse=sense == "max")
point = {name: float(value) for name, value in points[-1 if role == "worse" else 0].items()}
value = sum(w * point[f] for f, w in cost.items())
status = "o"

if role == "infeasible":
    print("PROBLEM HAS NO INTEGER FEASIBLE SOLUTION")
    status, value, point = "n", 0, dict.fromkeys(names, 0)
elif role == "undecided":
    status, value, point = "u", 0, dict.fromkeys(names, 0)
elif role == "unbounded":
    print("LP RELAXATION HAS NO DUAL FEASIBLE SOLUTION")
    status, value, point = "u", 0, dict.fromkeys(names, 0)
elif role == "nan":
    point[names[0]] = "nan"
elif role == "nan value":
    value = "nan"
elif role == "infinite":
    point[names[0]] = "inf"
elif role == "half":
    point = dict.fromkeys(names, 0.5)
elif role == "all":
    point = dict.fromkeys(names, 1)
elif role == "none":
    point = dict.fromkeys(names, 0)
elif role == "wrong value":
    value = 2 * value
elif role == "huge value":
    value = 1e30
elif role == "no word":
    point[names[0]] = "many"
elif role == "half an answer":
    point = {names[0]: point[names[0]]}
elif role == "babble":
    sys.stdout.buffer.write(bytes(range(256)) * 10)
elif role == "no file":
    sys.exit()

glp = ["p mip %s %d %d 0" % (sense, len(rows), len(names))]
glp += ["n j %d %s" % (i, name) for i, name in enumerate(names, 1)] + ["e o f"]
raw = ["c Problem:", "c", "s mip %d %d %s %s" % (len(rows), len(names), status, value)]
raw += ["j %d %s" % (i, point[name]) for i, name in enumerate(names, 1) if name in point] + ["e o f"]
files = {"--wglp": "\\n".join(glp) + "\\n", "--write": "\\n".join(raw) + "\\n"}
if role == "empty files":
    files = dict.fromkeys(files, "")
elif role == "empty answer":
    files["--write"] = ""
elif role == "cut answer":
    files["--write"] = files["--write"][:40]
elif role == "garbage":
    files = dict.fromkeys(files, "\\x00\\xff\\x00 garbage \\n" * 50)
elif role == "garbage answer":
    files["--write"] = "\\x00\\xff\\x00 garbage \\n" * 50
elif role == "one long line":
    files["--write"] = "x" * 200_000
for name, text in files.items():
    with open(option[name], "w", encoding="latin-1") as file:
        file.write(text)
'''

SHELL = '#!/bin/sh\n{exec}"{python}" -IS "{program}" "{role}" "$@"\n'
PROFILE = '[profiles.fake]\nengine = "pyomo"\nsolver = "glpk"\nexecutable = "{path}"\n'
BEST = "true"
LIES = ["infeasible", "worse"]
NO_POINT = ["nan", "infinite", "half", "all", "none", "no word", "half an answer", "nan value", "huge value"]
NO_ANSWER = [
    "exit 1",
    "segfault",
    "no file",
    "empty files",
    "empty answer",
    "cut answer",
    "garbage",
    "garbage answer",
    "one long line",
    "undecided",
    "unbounded",
    "no version",
    "old version",
    "failing version",
]
HARMLESS = ["wrong value", "babble", "slow version"]

Make = Callable[[str], Path]


@pytest.fixture
def playing(tmp_path: Path) -> Make:
    """Make a solvers.toml whose profile "fake" is a program that plays a role."""

    def made(role: str) -> Path:
        program, shell, file = tmp_path / "fake.py", tmp_path / "glpsol", tmp_path / "solvers.toml"
        program.write_text(PROGRAM)
        parts = {"python": sys.executable, "program": program, "role": role}
        shell.write_text(SHELL.format(exec="" if role == "hang in a child" else "exec ", **parts))
        shell.chmod(0o755)
        file.write_text('default = "fake"\n' + PROFILE.format(path=shell))
        return file

    return made


QUALITY = Univariate([0.9, 0.7, 0.4, 0.2])
KNOWN = ["x0", "x1"]


def world(**given: Any) -> World:
    return World(
        Problem(QUALITY, 2, **given), bf.scored(QUALITY, list(bf.all_sets(QUALITY.features, (2, 2))))
    )


def sequential(solver: Any, seconds: float | None = None) -> Solutions:
    found = altsel.sequential(world().problem, Dice(0.5), 1, solver, [KNOWN], seconds)
    check_sequence(world(), found, 1, [frozenset(KNOWN)])
    return found


def simultaneous(solver: Any, seconds: float | None = None) -> Solutions:
    found = altsel.simultaneous(world().problem, Dice(0.5), 1, "min", solver, seconds)
    check_family(world(), found, 2, "min")
    return found


def counted(solver: Any, seconds: float | None = None) -> Solutions:
    found = altsel.simultaneous(world().problem, Dice(0.5), 1, "sum", solver, seconds)
    check_family(world(), found, 2, "sum")
    return found


SEARCHES = [sequential, simultaneous]


@pytest.mark.slow
@pytest.mark.parametrize("search", [*SEARCHES, counted])
@pytest.mark.parametrize("role", [BEST, *HARMLESS[:-1]])
def test_an_honest_solver_is_believed(role: str, search: Any, playing: Make) -> None:
    found = search(altsel.solver("fake", file=playing(role)))
    assert found.stop is Stop.COUNT
    assert found.proved


def tried(search: Any, file: Path) -> Solutions | str:
    """Run a search; its result, or the message of its error, which names the solver."""
    try:
        found: Solutions = search(altsel.solver("fake", file=file))
    except (altsel.SolverError, altsel.ConfigurationError) as fault:
        message = str(fault)
    else:
        return found
    assert "'fake'" in message
    assert "\n" not in message
    return message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("search", "role"),
    [
        *paired([*SEARCHES, counted], LIES),
        *zip(cycle([*SEARCHES, counted]), NO_POINT),
        *zip(cycle([*SEARCHES, counted]), NO_ANSWER),
        *(pytest.param(simultaneous, role, marks=pytest.mark.long) for role in NO_POINT[:3]),
    ],
)
def test_what_does_not_hold_is_refused_by_the_solvers_name(role: str, search: Any, playing: Make) -> None:
    """Or a set is given that holds, and what is said of it does; the searches above look at that."""
    found = tried(search, playing(role))
    assert isinstance(found, str) or found.stop in {Stop.COUNT, Stop.LIMIT}
    assert role not in LIES or isinstance(found, str) or search is counted


def not_the_best(b: Any) -> None:
    b.not_both = pyo.Constraint(expr=b.x["x0"] + b.x["x1"] <= 1)


@pytest.mark.parametrize("role", LIES)
@pytest.mark.parametrize("search", ["sequential", "simultaneous", "near_optimal"])
def test_a_lie_is_seen_where_the_greedy_set_breaks_a_rule(search: str, role: str, playing: Make) -> None:
    """The best of the six sets is out; five are left, which could all be looked at."""
    everything = bf.scored(QUALITY, list(bf.all_sets(QUALITY.features, (2, 2))))
    at = World(Problem(QUALITY, 2, [not_the_best]), {s: q for s, q in everything.items() if s != set(KNOWN)})

    def call(solver: Any) -> Solutions:
        if search == "sequential":
            found = altsel.sequential(at.problem, Dice(0.5), 0, solver)
            check_sequence(at, found, 1)
        elif search == "simultaneous":
            found = altsel.simultaneous(at.problem, Dice(0.5), 1, "min", solver)
            check_family(at, found, 2, "min")
        else:
            found = altsel.near_optimal(at.problem, AbsoluteLoss(0.1), 1, None, solver)
            check_near(at, found, 0.1, 1, 0.0)
        return found

    tried(call, playing(role))


def test_near_optimal_sets_are_not_refused_by_a_lie(playing: Make) -> None:
    def near(solver: Any) -> Solutions:
        found = altsel.near_optimal(world().problem, AbsoluteLoss(0.5), 9, None, solver)
        check_near(world(), found, 0.5, 9, 0.0)
        return found

    tried(near, playing("infeasible"))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # Pyomo's reader
@pytest.mark.parametrize(
    "role",
    ["hang in a child", *(pytest.param(one, marks=pytest.mark.long) for one in ("hang", "endless output"))],
)
def test_a_program_that_does_not_end_is_ended(role: str, playing: Make) -> None:
    file = playing(role)
    found = sequential(altsel.solver("fake", time_limit=1, file=file))
    assert [subset.features for subset in found] == [("x0", "x2")]  # the start, with a bound
    assert not found.proved
    for thread in threading.enumerate():  # Pyomo's reads on from the child, and then fails
        if "Reader" in thread.name:
            thread.join(5)


@pytest.mark.slow
def test_the_time_limit_of_a_call_ends_it_too(playing: Make) -> None:
    file = playing("hang")
    found = simultaneous(altsel.solver("fake", file=file), 2)
    assert len(found) == 2
    assert not found.proved
    assert len(simultaneous(altsel.solver("fake", file=file), 0.5)) == 2


@pytest.mark.slow
def test_a_program_slow_to_tell_its_version_is_listed(playing: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyomo_solver, "VERSION_SECONDS", 1e4)
    (found,) = altsel.profiles(playing("slow version"))
    assert found.version is not None
    assert found.version.startswith("5.0")
    monkeypatch.setattr(pyomo_solver, "VERSION_SECONDS", 0.2)
    for role in ("slow version", "hanging version"):
        (found,) = altsel.profiles(playing(role))
        assert found.version == "unknown"
        assert tried(sequential, playing(role))


@pytest.mark.parametrize("role", ["no version", "failing version", "old version"])
def test_a_program_that_tells_no_version_is_listed(role: str, playing: Make) -> None:
    (found,) = altsel.profiles(playing(role))
    assert found.version == ("4.2.0.0" if role == "old version" else "unknown")


@pytest.mark.parametrize("text", ["", "not a program", "#!/no/such/interpreter\n"])
def test_a_file_that_is_no_program(text: str, playing: Make) -> None:
    file = playing(BEST)
    (file.parent / "glpsol").write_text(text)
    with pytest.raises((altsel.SolverError, altsel.ConfigurationError), match="'fake'"):
        sequential(altsel.solver("fake", file=file))
    (file.parent / "glpsol").unlink()
    assert [profile.version for profile in altsel.profiles(file)] == [None]
    with pytest.raises(altsel.ConfigurationError, match="'fake' is not installed"):
        altsel.solver("fake", file=file)


def test_programs_are_not_looked_for_where_one_happens_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, names = tmp_path / "ran", ("cbc", "scip", "cplex")
    for name in names:
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\ntouch {trace}\n")
        program.chmod(0o755)
    (tmp_path / "look").mkdir()
    monkeypatch.chdir(tmp_path / "look")
    others = [
        one for one in os.environ["PATH"].split(os.pathsep) if not any(Path(one, n).exists() for n in names)
    ]
    here = ["..", "../look/..", "", "/proc/self/cwd/..", *others]
    monkeypatch.setenv("PATH", os.pathsep.join(here))
    text = "".join(f'[profiles.{name}]\nengine = "pyomo"\nsolver = "{name}"\n' for name in names)
    (tmp_path / "solvers.toml").write_text(f'default = "cbc"\n{text}')
    assert [found.version for found in profiles(tmp_path / "solvers.toml")] == [None] * 3
    assert not trace.exists()
