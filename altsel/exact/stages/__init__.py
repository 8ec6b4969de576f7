"""Stages that a question passes before the table of engines: each restates it, or judges the answer."""
