"""Searches: loops that decide what to ask a model or a test next."""
