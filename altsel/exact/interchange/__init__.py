"""Questions in the forms that other software reads (QUBO, BQM, plain numbers), and answers from it."""
