"""The certificate on a page: it is verified, it is the answer's, and the page's script checks it again."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import MRMR, ArgumentError, DataError, Dataset, Dice, Problem, Solutions, Univariate, sequential
from altsel.report import proof
from altsel.report.page import own_text, page
from altsel.report.parts import Parts
from tests.report.test_page import embedded

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node to run it: install Node.js")
STAND_IN = """
class Element {
  constructor(tag) { Object.assign(this, { tag, children: [], attributes: {}, on: {} }); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  addEventListener(name, act) { this.on[name] = act; }
  append(...more) {
    more.forEach((one) => { if (one instanceof Element) one.parent = this; });
    this.children.push(...more);
  }
  replaceChildren(...more) { this.children = []; this.append(...more); }
  replaceWith(other) { this.parent.children[this.parent.children.indexOf(this)] = other; }
  get firstChild() { return this.children[0]; }
  get textContent() { return this.children.map((one) => one.textContent ?? one).join(""); }
  all() { return [this, ...this.children.flatMap((one) => (one.all ? one.all() : []))]; }
}
const { data, packed, checker } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const document = {
  createElement: (tag) => new Element(tag),
  getElementById: (id) => ({ textContent: { packed, checker }[id] }),
};
URL.createObjectURL = (blob) => blob;
URL.revokeObjectURL = () => {};
globalThis.Worker = class {
  constructor(source) { this.source = source; }
  terminate() {}
  async postMessage(bytes) {
    const self = { postMessage: (data) => this.onmessage({ data }) };
    const run = new Function("self", "WorkerGlobalScope", "module", "require", await this.source.text());
    run(self, {});
    self.onmessage({ data: bytes });
  }
};
"""
CHECK = """
const shown = proofSection(), before = shown.textContent, parts = shown.all();
const [check, output] = ["check", "again"].map((id) => parts.find((one) => one.attributes.id === id));
check.on.click();
const waited = setInterval(() => {
  if (check.disabled || !output.firstChild) return;
  clearInterval(waited);
  const lines = output.children[1].children.map((one) => one.textContent);
  console.log(JSON.stringify([before, output.firstChild.textContent, lines]));
  process.exit();
}, 5);
"""


@pytest.fixture
def found() -> Solutions:
    X = np.random.default_rng(3).normal(size=(60, 7))
    data = Dataset({f"x{j}": X[:, j] for j in range(7)}, X[:, :3].sum(axis=1) + X[:, 3])
    return sequential(Problem(MRMR(data), 3), Dice(0.5), 1)


def shown(text: str) -> dict[str, Any]:
    return dict(json.loads(embedded(text, "data"))["proof"])


def text_of(text: str, name: str) -> str:
    match = re.search(rf'<script type="[a-z/]*" id="{name}">(.*?)</script>', text, re.DOTALL)
    assert match is not None
    return match.group(1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sets.json", "sets.json.gz"])
def test_a_page_holds_the_certificate_and_what_it_proves(name: str, found: Solutions, tmp_path: Path) -> None:
    path = found.certificate(tmp_path / name).path
    text = found.report(tmp_path / "report.html", certificate=path).read_text("utf-8")
    told = shown(text)
    assert told["sha256"] == sha256(path.read_bytes()).hexdigest()
    assert (told["file"], told["size"], told["verified"], told["open"]) == (name, path.stat().st_size, 2, 0)
    assert (told["numbers"], told["packed"], told["more"]) == (True, True, 0)
    assert told["lines"][1].startswith('verified: "set 1 is optimal": ')
    assert told["last"].endswith(": 2 verified, 0 not covered")
    whole = path.read_bytes()
    held = gzip.decompress(b64decode(text_of(text, "packed")))
    assert held == (gzip.decompress(whole) if name.endswith(".gz") else whole)
    assert json.loads(text_of(text, "checker")) == (
        (Path(__file__).parents[2] / "tools" / "check_certificate.js").read_text("utf-8")
    )
    assert "worker-src blob:;" in text


def test_a_page_without_a_certificate_has_none_of_it(found: Solutions) -> None:
    text = page(found)
    assert json.loads(embedded(text, "data"))["proof"] is None
    assert "worker-src" not in text
    assert 'id="checker"' not in text


@pytest.mark.slow
def test_a_large_file_is_left_out(found: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "EMBEDDED", 100)
    path = found.certificate(tmp_path / "sets.json").path
    text = page(found, Parts(certificate=path))
    assert shown(text)["packed"] is False
    assert 'id="packed"' not in text
    assert 'id="checker"' in text


@pytest.mark.slow
def test_solutions_from_a_file_are_tied_by_what_the_certificate_says(
    found: Solutions, tmp_path: Path
) -> None:
    path = found.certificate(tmp_path / "sets.json").path
    read = Solutions.from_json(found.to_json())
    assert shown(page(read, Parts(certificate=path)))["numbers"] is False


def test_what_is_not_covered_is_shown(tmp_path: Path) -> None:
    across = [altsel.domain.in_at_most(1, ["a", "b", "c"])]
    weights = {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}
    found = altsel.simultaneous(Problem(Univariate(weights), 2, across=across), Dice(0.5), 1)
    told = shown(page(found, Parts(certificate=found.certificate(tmp_path / "across.json").path)))
    assert (told["verified"], told["open"]) == (0, 1)


def test_blankets_have_a_certificate_too(tmp_path: Path) -> None:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    data = Dataset({"a": a, "b": b, "copy": 2 * a}, a + b + noise)
    found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data), 0.01)
    path = found.certificate(tmp_path / "blankets.json").path
    told = shown(page(Solutions.from_json(found.to_json()), Parts(certificate=path)))
    assert (told["verified"], told["numbers"]) == (1, False)
    fewer = replace(found, sets=found.sets[:1])
    with pytest.raises((ArgumentError, DataError)):
        page(fewer, Parts(certificate=path))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda found: replace(found, sets=found.sets[:1]), "it claims 'set 1 is optimal', which"),
        (lambda found: replace(found, sets=found.sets[::-1]), "in 'set 0 is optimal' the sets are others"),
        (
            lambda found: replace(found, sets=(replace(found.sets[0], score=9.0, bound=None), found.sets[1])),
            "in 'set 0 is optimal' the score is",
        ),
        (lambda found: replace(found, criterion="another"), "its criterion is 'mRMR"),
        (
            lambda found: replace(found, request={**found.request, "data": "0"}),
            "its data is '[0-9a-f]*', that of the solutions '0'",
        ),
        (lambda found: replace(found, universe=(*found.universe, "more")), "its features are others .'more'"),
    ],
)
def test_a_certificate_of_another_answer_is_refused(
    change: Any, fault: str, found: Solutions, tmp_path: Path
) -> None:
    path = found.certificate(tmp_path / "sets.json").path
    other = change(Solutions.from_json(found.to_json()))
    with pytest.raises(ArgumentError, match=f"is the certificate of another answer: {fault}"):
        other.report(tmp_path / "report.html", certificate=path)
    assert not (tmp_path / "report.html").exists()


@pytest.mark.slow
def test_numbers_of_another_problem_are_refused(found: Solutions, tmp_path: Path) -> None:
    path = found.certificate(tmp_path / "sets.json").path
    lines = path.read_text("utf-8").splitlines()
    other = Problem(Univariate(dict.fromkeys(found.universe, 1.0)), 3)
    with pytest.raises(ArgumentError, match="its numbers, rules or sets to differ from are others"):
        page(Solutions.from_json(found.to_json()), Parts(certificate=path, problem=other))
    path.write_text("\n".join(lines[:-1]), "utf-8")
    with pytest.raises(DataError, match="is refuted: "):
        page(found, Parts(certificate=path))
    path.write_text("{", "utf-8")
    with pytest.raises(DataError, match="is no certificate that can be read"):
        page(found, Parts(certificate=path))
    with pytest.raises(ArgumentError, match="certificate: of a front none is shown"):
        page(altsel.pareto_front(Problem(Univariate([5, 4, 4, 3]), k=2), Dice(0)), Parts(certificate=path))


def in_node(text: str, **changed: str) -> list[Any]:
    """Click on the button, with a stand-in for the document: the section, the verdict and its lines."""
    folder = Path(proof.__file__).parent
    parts = ("../display/script/elements", "script/dom", "script/sections", "script/proof")
    script = "".join((folder / f"{name}.js").read_text("utf-8") for name in parts)
    given = {"data": {"proof": shown(text)}, "packed": text_of(text, "packed")}
    given |= {"checker": text_of(text, "checker"), **changed}
    run = subprocess.run(
        ["node", "-e", STAND_IN + script + CHECK],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return list(json.loads(run.stdout))


@pytest.mark.slow
@needs_node
def test_the_page_checks_it_again(found: Solutions, tmp_path: Path) -> None:
    path = found.certificate(tmp_path / "sets.json").path
    text = page(found, Parts(certificate=path))
    before, head, lines = in_node(text)
    assert "✓ certificate verified" in before
    assert "2 claims proved, in exact arithmetic, when this page was written" in before
    assert sha256(path.read_bytes()).hexdigest() in before
    assert re.fullmatch(r"✓ verified again in this page, in [0-9.e-]+ s", head)
    assert lines == [*shown(text)["lines"], shown(text)["last"]]
    other = sequential(Problem(Univariate([3, 2, 1]), 2), Dice(0.5), 0)
    second = page(other, Parts(certificate=other.certificate(tmp_path / "other.json").path))
    assert in_node(text, packed=text_of(second, "packed"))[1] == "✗ this is another certificate"
    forged = path.read_text("utf-8").replace('"at least":"0x1.', '"at least":"0x1f.', 1)
    assert in_node(text, packed=b64encode(forged.encode()).decode())[1] == "✗ refuted"
    assert in_node(text, packed=b64encode(b"\x1f\x8bno").decode())[1] == "✗ not readable"


@needs_node
@pytest.mark.parametrize("name", ["page", "checker"])
def test_scripts_are_strict_scripts(name: str, tmp_path: Path) -> None:
    text = own_text().script if name == "page" else str(json.loads(proof.checker()))
    (tmp_path / "script.js").write_text(text, "utf-8")
    assert '"use strict"' in text
    subprocess.run(["node", "--check", str(tmp_path / "script.js")], check=True)


def test_rules_are_compared_without_the_data(tmp_path: Path) -> None:
    """Two questions without an answer have certificates that say the same."""
    objective = Univariate({"a": 3.0, "b": 2.0, "c": 1.0})
    none = [
        sequential(Problem(objective, 2, [altsel.domain.require(one), altsel.domain.forbid(one)]), Dice(0), 0)
        for one in "ab"
    ]
    paths = [one.certificate(tmp_path / f"{j}.json").path for j, one in enumerate(none)]
    read = Solutions.from_json(none[0].to_json())
    page(read, Parts(certificate=paths[0]))
    with pytest.raises(ArgumentError, match="its rules are others"):
        page(read, Parts(certificate=paths[1]))


def test_sizes_are_compared_where_the_question_is_known(tmp_path: Path) -> None:
    """Claims of sets that do not exist name none, so that only their rows and sizes tell them apart."""
    objective = Univariate({"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.5})
    rules = [altsel.domain.require("a"), altsel.domain.forbid("a")]
    two, three = (sequential(Problem(objective, k, rules), Dice(0), 0) for k in (2, 3))
    path = two.certificate(tmp_path / "two.json").path
    page(two, Parts(certificate=path))
    with pytest.raises(ArgumentError, match="certificate of another answer"):
        page(three, Parts(certificate=path))
