"""Sums of relevances: lists of the best sets, in order, that answer several questions each."""
