"""No answer leaves unverified: sizes, rules, distances, scores, and whether a neighbour is better."""
