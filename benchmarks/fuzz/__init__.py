"""Fuzzing: mutated files of every format that altsel reads."""
