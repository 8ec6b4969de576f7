"""Mixed-integer programs on a solver, the sets they begin with, and sets found without proof."""
