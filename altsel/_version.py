"""The version, read by the build."""

__version__ = "1.0.0"
