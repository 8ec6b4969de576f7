"""What is recognised in a table as people have it: each fault once, with the option that fixes it."""

from altsel.data.findings.finding import Effect, Finding
from altsel.data.findings.recognition import recognise

__all__ = ["Effect", "Finding", "recognise"]
