"""Compiled loops follow all of their sources."""

import importlib
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import FunctionType

import pytest

from altsel import compiling
from altsel.compiling import Loops, Sources, interruptible
from altsel.runtime.clock import limited


@pytest.fixture
def loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose loop calls a function, and uses a constant, of another file."""
    (tmp_path / "loops_outer.py").write_text(
        "from loops_inner import inner, MORE\n\n\ndef outer(x):\n    return inner(x) + MORE\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change within the second
    return tmp_path


def _value(folder: Path, inner: str) -> tuple[float, bool]:
    """Write the inner file, import both anew, and compile; also, whether something was kept."""
    compiling._compiled.clear()  # as in another process
    (folder / "loops_inner.py").write_text(inner)
    for name in ("loops_inner", "loops_outer"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    outer = importlib.import_module("loops_outer")
    sources = Sources(("loops_outer", "loops_inner"))
    kept = sources.kept(outer.outer)
    compile_ = sources.compiler()
    assert compile_ is not None
    own = {**vars(outer), "inner": compile_(sys.modules["loops_inner"].inner)}
    return compile_(outer.outer, own)(1.0), kept


@pytest.mark.slow
def test_a_change_in_any_source_compiles_anew(loops: Path) -> None:
    """`numba` alone looks at the file of the loop itself."""
    pytest.importorskip("numba")
    first = "MORE = 10.0\n\n\ndef inner(x):\n    return x + 1.0\n"
    assert _value(loops, first) == (12.0, False)
    assert _value(loops, first) == (12.0, True)
    assert _value(loops, first.replace("x + 1.0", "x + 2.0")) == (13.0, False)
    assert _value(loops, first.replace("MORE = 10.0", "MORE = 20.0")) == (22.0, False)


def test_loops_compile_without_a_folder_to_keep_them_in() -> None:
    """As where a function has no file."""
    pytest.importorskip("numba")
    names: dict[str, object] = {"__name__": "altsel.errors"}
    exec(compile("def twice(x):\n    return 2 * x\n", "<nowhere>", "exec"), names)
    compile_ = Sources(("altsel.errors",)).compiler()
    assert compile_ is not None
    assert compile_(names["twice"])(4) == 8


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("size", [0, 100])
def test_a_damaged_file_of_what_was_kept_is_not_believed(loops: Path, ending: str, size: int) -> None:
    """`numba` passes the error of pickle on, in this process and in all after it."""
    pytest.importorskip("numba")
    inner = "MORE = 10.0\n\n\ndef inner(x):\n    return x + 1.0\n"
    assert _value(loops, inner) == (12.0, False)
    files = list((loops / "__pycache__").glob(f"*outer*.{ending}"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:size])
    assert _value(loops, inner)[0] == 12.0
    assert all(file.stat().st_size > size for file in files)


def test_a_loop_that_cannot_be_kept_is_compiled(loops: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the disk is full."""
    numba = pytest.importorskip("numba")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", full)
    assert _value(loops, "MORE = 10.0\n\n\ndef inner(x):\n    return x + 3.0\n") == (14.0, False)


def test_whether_loops_can_be_compiled_is_known_without_numba() -> None:
    """Loading it takes longer than most questions."""
    code = "import sys; from altsel.compiling import installed; print(installed(), 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(util.find_spec("numba") is not None), "False"]


@pytest.mark.parametrize("broken", [False, True])
def test_without_numba_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch, broken: bool) -> None:
    """Nor where it does not go with the numpy there is, which its import refuses."""
    compiling._numba.cache_clear()
    if broken:
        monkeypatch.setattr(compiling, "load", _refused)
    else:
        monkeypatch.setitem(sys.modules, "numba", None)
    assert broken or not compiling.installed()
    assert Sources(("altsel.errors",)).compiler() is None
    assert not compiling.installed()
    compiling._numba.cache_clear()


def _refused(name: str) -> None:
    raise ImportError(f"{name} needs NumPy 1.0 or less")


def test_an_interrupt_in_a_compiled_loop_is_one() -> None:
    """`numba` makes a `SystemError` of it, which no search took for an interrupt."""

    def broken(text: str) -> None:
        raise SystemError(text)

    with pytest.raises(KeyboardInterrupt):
        interruptible(broken)("CPUDispatcher(<function f>) returned a result with an exception set")
    with pytest.raises(SystemError, match="of its own"):
        interruptible(broken)("of its own")
    assert interruptible(max)(1, 2) == 2


def test_without_time_to_compile_loops_run_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first question with a limit of a second took sixteen, in a compilation."""
    monkeypatch.setattr(compiling, "installed", lambda: True)

    def fresh() -> None:
        """Nothing that was ever compiled."""

    def in_time(seconds: float) -> bool:
        return Loops("plain", Sources((__name__,)), fresh, seconds, lambda: "compiled").to_come()

    assert in_time(10.0)
    with limited(39.0):
        assert not in_time(10.0)
        assert in_time(1.0)


def _pair(kept: bool = True) -> Loops[str | None]:
    pair: Loops[str | None] = Loops("plain", Sources((__name__,)), _pair, 10.0, lambda: "compiled")
    pair.__dict__["_kept"] = kept
    return pair


def test_loops_are_loaded_once_work_has_taken_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small question loaded them, for three times what it took; the first one compiled them."""
    monkeypatch.setattr(compiling, "installed", lambda: True)
    pair = _pair()
    assert {pair.after(0.1) for _ in range(9)} == {"plain"}
    assert pair.worth(0.1) == pair.ready() == "plain"
    assert [pair.after(0.1) for _ in range(3)] == ["plain", "compiled", "compiled"]
    assert pair.ready() == "compiled"
    assert not pair.to_come()
    assert _pair().after(1.9) == "plain"
    assert _pair().after(2.0) == "compiled"  # half of what it will take
    with limited(1.0):
        assert _pair().after(2.0) == "plain"
    fresh = _pair(kept=False)
    assert [fresh.after(9.0), fresh.to_come(), fresh.after(2.0)] == ["plain", True, "compiled"]
    with limited(39.0):
        assert not _pair(kept=False).to_come()
    monkeypatch.setattr(compiling, "installed", lambda: False)
    assert (_pair().after(1e9), _pair().to_come()) == ("plain", False)


def test_code_is_kept_where_numba_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a folder of its own it looks in no other: what stood beside the source was taken for kept."""
    sources, name = Sources((__name__,)), f"{_pair.__qualname__}_{Sources((__name__,)).digest}"
    beside = tmp_path / "source" / "__pycache__"
    beside.mkdir(parents=True)
    plain = FunctionType(
        _pair.__code__.replace(co_filename=str(beside.parent / "loops.py")), globals(), "_pair"
    )
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert not sources.kept(plain)
    (beside / f"loops.{name}-1.py311.1.nbc").touch()
    assert sources.kept(plain)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    assert not sources.kept(plain)


SMALL = {
    "chain": "altsel.sequential(altsel.Problem(altsel.Univariate(rng.random(34)), 8), altsel.Dice(0.5), 10)",
    "test": "altsel.independence.GSquare(data(classes, classes[:, 0]))(['x1'])",
    "programs": "altsel.sequential(altsel.Problem(altsel.MRMR(data(numbers)), 6), altsel.Dice(0.5), 1)",
}
SETTING = """
import sys, altsel, numpy as np
rng = np.random.default_rng(0)
numbers, classes = rng.normal(size=(90, 30)), rng.integers(0, 3, (200, 9))
def data(table, y=numbers[:, 0]):
    names = [f"x{j}" for j in range(table.shape[1] - 1)]
    return altsel.Dataset(dict(zip(names, table[:, 1:].T)), y)
"""


@pytest.mark.slow
def test_small_questions_do_without_numba() -> None:
    """All are put in one process; a failure shows after which of them it was loaded."""
    code = SETTING + "".join(f"{call}\nprint('numba' in sys.modules)\n" for call in SMALL.values())
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert dict(zip(SMALL, done.stdout.split(), strict=True)) == dict.fromkeys(SMALL, "False")
