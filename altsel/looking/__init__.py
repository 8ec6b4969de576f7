"""What a table is before a search: one page of everything that matters, and how to read it."""
