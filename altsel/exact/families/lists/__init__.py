"""All sets that can be in a better family than the one at hand, and the best family among them."""
