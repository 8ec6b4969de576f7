"""All sets, where they are few: listed, sorted, and searched for families that differ enough."""
