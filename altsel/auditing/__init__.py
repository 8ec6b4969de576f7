"""Audits: what solutions claim, computed again, and proved again by another solver."""

from altsel.auditing.audit import Audit
from altsel.auditing.blankets.problem import BlanketProblem

__all__ = ["Audit", "BlanketProblem"]
