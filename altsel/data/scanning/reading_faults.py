"""What readers raise on broken files, as errors that name the file and say what helps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from altsel.data.reading import Reading
from altsel.errors import AltselError, DataError


def not_encoded(path: Path, form: Reading) -> str:
    """Report that a file is written in another encoding."""
    return (
        f"{path} is not written in {form.encoding}; name its encoding, such as "
        "reading=Reading(encoding='latin-1') (command line: --encoding latin-1)"
    )


class reading:  # noqa: N801 (a context manager, named as a block reads)
    """Turn what readers raise on broken files into an error that names the file."""

    def __init__(self, path: Path, form: Reading | None = None) -> None:
        self._path, self._form = path, form

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, fault: BaseException | None, trace: Any) -> None:
        if (
            fault is None
            or isinstance(fault, (AltselError, GeneratorExit))
            or not isinstance(fault, Exception)
        ):
            return
        if isinstance(fault, UnicodeError) and self._form is not None:
            raise DataError(not_encoded(self._path, self._form)) from fault
        raise DataError(
            f"{self._path} cannot be read: {fault}; if it is text, are separator, decimal sign and encoding "
            "those of reading= (command line: --sep, --decimal, --encoding)?"
        ) from fault
