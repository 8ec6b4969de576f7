"""Missing values: imputed tables, what is pooled over them, and tests on rows that have what they need.

What each way assumes stands in `altsel.imputation`.
"""
