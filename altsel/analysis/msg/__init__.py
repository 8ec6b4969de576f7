"""Multiple-solutions graphs: all solutions as the paths of one compact graph."""
