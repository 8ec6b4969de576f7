"""altsel."""
