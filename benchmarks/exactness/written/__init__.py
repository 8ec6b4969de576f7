"""Things that users write: rules, distances and criteria of their own, and what they mean, read apart."""
