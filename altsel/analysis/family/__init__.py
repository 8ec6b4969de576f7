"""A family of Markov blankets as one object: questions answered from its failed removals."""
