"""Alternative feature sets: the questions of AFS, one file each."""
