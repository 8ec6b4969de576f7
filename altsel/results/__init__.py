"""What searches and analyses return: frozen, plain, without solvers or statistics."""
