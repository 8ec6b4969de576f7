"""On which side of the target the members of a blanket are, from tests around them."""
