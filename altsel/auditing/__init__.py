"""Audits: what solutions claim, computed again, and proved again by another solver."""

from altsel.auditing.audit import Audit

__all__ = ["Audit"]
