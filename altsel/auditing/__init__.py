"""Audits: what solutions claim, computed again, and proved again by another solver."""
