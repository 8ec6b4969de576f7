"""A study: one call that tunes within folds, corrects the best for the choice, and writes what was shown.

Its own floor, below the commands and above the report: it uses what selects, analyses, audits and shows.
"""
