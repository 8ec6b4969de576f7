"""Pictures of results, drawn by matplotlib; imported when one is drawn."""
