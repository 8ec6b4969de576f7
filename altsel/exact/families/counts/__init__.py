"""How many of the sets hold each feature: as a bound, and as a target that sets are sought for.

``profiles`` bounds the sum by counts, ``realisation`` says whether sets have given counts, ``count_vectors``
lists those that can beat the best known poorest set, ``annealing`` finds good sets without a proof.
"""
