"""Several sets under a plain sum at once: counts of how often features occur, and sets that have them.

`profiles` bounds the sum by counts, `realisation` says whether sets have given counts, `count_vectors`
lists those that can beat the best known poorest set, `annealing` finds good sets without a proof.
"""
