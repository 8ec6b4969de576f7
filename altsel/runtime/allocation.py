"""Memory that is used again: workers of dask give each large array back to the system at once."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from functools import cache

TRIMMED, MAPPED = "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"
"""Settings of glibc in bytes: dask's nannies set the first one."""
OF_TRIM, OF_MAP = -1, -3
"""Their numbers, as ``mallopt`` takes them;"""
LARGE = 1 << 25
"""bytes of the largest arrays whose memory is used again, as where glibc adapts to what it meets."""


@cache
def use_memory_again() -> None:
    """Let arrays of this process take the memory of others before them.

    A nanny of dask starts its workers with a threshold above which free memory is given back. That also
    keeps glibc from learning how large arrays are: every array above 128 kB is mapped and filled anew, page
    by page, by which searches take up to three times as long. What is kept now is 64 MB a thread, as in any
    other process. Where the threshold of mappings is set as well, or the process has another library than
    glibc, nothing is changed.

    Examples
    --------
    >>> use_memory_again()
    """
    if TRIMMED in os.environ and MAPPED not in os.environ:
        with suppress(OSError, AttributeError, TypeError):  # of other systems
            library = ctypes.CDLL(None)
            library.mallopt(OF_MAP, LARGE)
            library.mallopt(OF_TRIM, 2 * LARGE)
