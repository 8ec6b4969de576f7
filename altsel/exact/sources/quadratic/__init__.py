"""Quadratic forms, and ratios whose levels are: branch and bound, then convex programs."""
