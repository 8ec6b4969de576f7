"""A test of conditional independence by what a fitted model loses when a feature is permuted."""
