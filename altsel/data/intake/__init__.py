"""Whole tables at once: blocks of columns of one type, their checks, Arrow tables, sparse matrices."""
