"""An interrupt while something is imported or compiled ends the question, and spoils none after it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from altsel.runtime.interrupts import hold_interrupts

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process for each moment is forked")
ASKING = """
import os, signal, sys, traceback
import numpy as np

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background processes ignore it

def interrupted(ask):
    "What a question ends with that is interrupted: that it was, or a search that says so."
    try:
        found = ask()
    except KeyboardInterrupt:
        return "interrupt"
    return found.stop.value if hasattr(found, "stop") else found

def in_a_process(act):
    "Its text, or its traceback."
    ours, theirs = os.pipe()
    if os.fork() == 0:
        try:
            said = str(act())
        except BaseException:
            said = traceback.format_exc()
        os.write(theirs, said.encode()[-4000:])
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        said = pipe.read()
    os.wait()
    return said
"""
AT_AN_IMPORT = """
class Interrupting:
    "Raises the signal at the n-th module of some packages that is imported."

    def __init__(self, n):
        self.n, self.count = n, 0

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in PACKAGES and path is not None:
            self.count += 1
            if self.count == self.n:
                signal.raise_signal(signal.SIGINT)

def asked_again(n):
    finder = Interrupting(n)
    sys.meta_path.insert(0, finder)
    first = interrupted(ask) if n is not None else ask() and finder.count
    return (str(first), [(one.features, one.proof.value) for one in ask()])

count, right = eval(in_a_process(lambda: asked_again(None)))
assert int(count) > 10, count
for share in SHARES:
    n = 1 + int(share * (int(count) - 1))
    again = in_a_process(lambda: asked_again(n))
    assert again == str(("interrupt", right)), f"{n} of {count}: {again}"
print("the same", len(right))
"""
AT_ONCE = """
from altsel import compiling
from altsel.exact.sources.plain_sum.compiled import LOOPS
compiling.LOADING = LOOPS.seconds = 0.0
"""
QUESTIONS = {
    "numba": (
        {"numba", "llvmlite"},
        "[altsel.sequential, np.linalg.norm]",
        "altsel.sequential(altsel.Problem(altsel.Univariate(numbers(34)), 8), altsel.Dice(0.5), 3)",
    ),
    "pyomo": (
        {"pyomo", "ply"},
        "[altsel.sequential, altsel.Problem]",
        "altsel.sequential(altsel.Problem(altsel.Univariate(numbers(9)), 3), altsel.Dice(0.5), 1, 'highs')",
    ),
    "everything": (
        {"numpy", "pandas", "scipy", "altsel"},
        "[]",
        "altsel.sequential(altsel.Problem(altsel.Univariate([3.0, 2.0, 1.0]), 2), altsel.Dice(0.5), 1)",
    ),
}


def ran(code: str, **environment: str) -> str:
    """Run a program; return what it printed, or fail with its errors."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    "package", [*(pytest.param(one, marks=pytest.mark.long) for one in ("pyomo", "numba")), "everything"]
)
def test_a_question_after_one_that_was_interrupted_in_an_import(package: str) -> None:
    if package == "numba":
        pytest.importorskip("numba")
    packages, loaded, question = QUESTIONS[package]
    setting = f"""
import altsel
{AT_ONCE if package == "numba" else ""}
PACKAGES, SHARES, loaded = {packages}, (0.04, 0.5), {loaded}

def numbers(n):
    import numpy
    return numpy.random.default_rng(0).random(n).round(3).tolist()

def ask():
    return {question}
"""
    asking = ASKING.replace("import numpy as np\n", "" if package == "everything" else "import numpy as np\n")
    assert ran(asking + setting + AT_AN_IMPORT).startswith("the same")


COMPILING = """
from altsel.compiling import Sources

def act():
    import altsel.errors, numba, sums
    from numba.core import codegen
    owner, first = codegen.CPUCodeLibrary, []
    real = owner._object_compiled_hook

    def interrupting(_, *given):
        if not first:
            signal.raise_signal(signal.SIGINT)
        return real(*given)

    owner._object_compiled_hook = classmethod(interrupting)
    compile_ = Sources(("altsel.errors",)).compiler()
    own = {**vars(sums), "inner": compile_(sums.inner)}
    outer = compile_(sums.outer, own)
    first.append(interrupted(lambda: outer(np.arange(4.0))))
    return first, outer(np.arange(4.0))

print(in_a_process(act))
"""


@pytest.mark.slow
def test_a_loop_after_an_interrupt_in_its_compilation(tmp_path: Path) -> None:
    """Raised where machine code is handed over, it was lost, and the code with it: no loop compiled after."""
    pytest.importorskip("numba")
    (tmp_path / "sums.py").write_text(
        "def inner(x):\n    return x.sum()\n\n\ndef outer(x):\n    return inner(x) + 1.0\n"
    )
    code = f"{ASKING}\nsys.path.insert(0, {str(tmp_path)!r})\n{COMPILING}"
    assert ran(code, NUMBA_CACHE_DIR=str(tmp_path)) == "(['interrupt'], 7.0)"


def test_an_error_in_a_block_that_held_interrupts_passes() -> None:
    with pytest.raises(ValueError, match="of its own"), hold_interrupts():
        raise ValueError("of its own")
