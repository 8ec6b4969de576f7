"""Families: several sets of one problem at once.

- ``lists``: over any source that lists its sets above a floor
- ``counts``: of plain sums, by how many of the sets hold each feature
"""
