"""From data to numbers: dependence and independence."""
