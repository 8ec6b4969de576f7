"""All Markov blankets: TMFBS, which backtracks, and TIE*, which hides features and searches again."""
