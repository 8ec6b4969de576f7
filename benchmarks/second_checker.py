"""The second checker of certificates, ``tools/check_certificate.js``: one process of node for many files."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import TracebackType

CHECKER = Path(__file__).parents[1] / "tools" / "check_certificate.js"
PROGRAM = """
const { told } = require(process.argv[1]);
const { readFileSync } = require("node:fs"), { gunzipSync } = require("node:zlib");
require("node:readline").createInterface({ input: process.stdin }).on("line", (file) => {
  const lines = [], begun = process.cpuUsage();
  const bytes = /[.]gz$/.test(file) ? gunzipSync(readFileSync(file)) : readFileSync(file);
  const code = told(bytes, (line) => lines.push(line));
  const { user, system } = process.cpuUsage(begun);
  console.log(JSON.stringify([code, lines, (user + system) / 1e6]));
});
"""


class SecondChecker:
    """A process that checks files, one after another; use it in a ``with``.

    Attributes
    ----------
    seconds
        CPU seconds of all files together.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> SecondChecker:
        node = str(shutil.which("node"))
        command = [node, "-e", PROGRAM, str(CHECKER)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def __call__(self, path: Path) -> tuple[int, list[str]]:
        """Check a file: the exit code, and the lines that are told."""
        sent, answers = self._process.stdin, self._process.stdout
        assert sent is not None
        assert answers is not None
        sent.write(f"{path}\n")
        sent.flush()
        code, lines, seconds = json.loads(answers.readline())
        self.seconds += seconds
        return code, lines


def available() -> bool:
    """Return whether there is a node to run it."""
    return shutil.which("node") is not None
