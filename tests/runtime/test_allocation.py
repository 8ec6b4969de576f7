"""Arrays take freed memory in a process that was started as dask's nannies start workers."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from altsel.runtime.allocation import MAPPED, TRIMMED

FAULTS = """
import resource
import numpy as np
from altsel.runtime.allocation import use_memory_again

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(50):
        np.ones(200_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

plain = faults()
use_memory_again()
np.ones(200_000)
print(plain, faults())
"""
PAGES = 50 * 200_000 * 8 // 4096
glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries are left as they are")


def counted(**settings: str) -> tuple[int, int]:
    """Count the pages that arrays are given, before and after memory is to be used again."""
    kept = {name: value for name, value in os.environ.items() if name not in (TRIMMED, MAPPED)}
    done = subprocess.run(
        [sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True, env=kept | settings
    )
    plain, again = map(int, done.stdout.split())
    return plain, again


@pytest.mark.slow
@glibc
def test_arrays_are_not_mapped_anew_where_a_nanny_has_set_what_is_trimmed() -> None:
    plain, again = counted(**{TRIMMED: "65536"})
    assert plain > PAGES / 2
    assert again < PAGES / 20


@pytest.mark.slow
@glibc
def test_a_threshold_of_mappings_that_is_set_is_kept() -> None:
    _, again = counted(**{TRIMMED: "65536", MAPPED: "131072"})
    assert again > PAGES / 2
