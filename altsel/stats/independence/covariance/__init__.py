"""Tests by the covariance of residuals, with any regression: generalised and projected."""
