"""Tests of conditional independence of all candidates at once; their names are in `altsel.independence`."""
