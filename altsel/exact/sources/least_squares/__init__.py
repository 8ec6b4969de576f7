"""Fits of linear models: branch and bound on least squares."""
