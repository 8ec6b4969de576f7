"""One file an engine: what it can answer, and how; `altsel.exact.auto` holds the table of all."""
