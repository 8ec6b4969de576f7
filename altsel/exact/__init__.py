"""How one question of optimisation is answered exactly, and how the way is chosen."""
