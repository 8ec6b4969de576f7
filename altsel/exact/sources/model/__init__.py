"""A mixed-integer program on a solver: everything but black boxes."""
