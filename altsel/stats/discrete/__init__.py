"""Counts of discrete columns, and information computed from them."""
