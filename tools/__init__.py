"""Programs that need no altsel: they check what it claims."""
