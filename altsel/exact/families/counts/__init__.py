"""How many of the sets hold each feature: as a bound, and as a target that sets are sought for."""
