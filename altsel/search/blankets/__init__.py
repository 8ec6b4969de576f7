"""One Markov blanket: searches driven by tests of conditional independence."""
