"""Linear bounds on criteria at the leaves of a certificate, a file a kind of criterion."""
