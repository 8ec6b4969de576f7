"""The papers' studies, run again: one command a paper, records in a store, tables and figures from there."""
