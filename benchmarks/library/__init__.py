"""Questions for developers of solvers: models as MPS and LP files, best known values, and who proves what.

    python -m benchmarks.library FOLDER --out LIBRARY [--models] [--read] [--audit] [--solvers auto highs …]
        [--only QUESTION …] [--sets FILE]
    python -m benchmarks.library report LIBRARY

The first makes the tables of `questions` (real ones from FOLDER, the data sets of PMLB as ``*.csv.gz``
with a column ``target``; others are drawn by seeds), and runs every solver on every question through
`altsel.bench`, 60 s each; what is done is not done again. ``--solvers`` takes every profile of
``solvers.toml``, also yours. ``--models`` writes every model, ``--audit`` searches once more by `auto`, lets
`altsel.audit` check what it claims, and keeps the sets. ``--sets`` takes sets found elsewhere, a CSV file
with columns ``name`` and ``sets`` as ``library_sets.csv``; the formulas decide what they are worth.

The second adds what is there, also of a run that has not ended, to the records in benchmarks/results
(``library_runs.csv`` and others), and writes ``library.solu`` and ``library.md`` from the records.
"""
