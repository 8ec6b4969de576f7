"""Tables that do not fit in memory: read in passes, counted, never held."""

from altsel.data.scanning.scan import Scan
from altsel.data.scanning.statistics import Statistics

__all__ = ["Scan", "Statistics"]
