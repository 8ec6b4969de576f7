"""What the ways to count call themselves: one engine."""

COUNTS = "counts of memberships"
