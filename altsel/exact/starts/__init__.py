"""Good sets without a proof, to begin with: greedy ones, exchanges, valid sets near given ones."""
