"""Why there is no further set: a smallest conflict of conditions, and what would resolve it."""
