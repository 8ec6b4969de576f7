"""What is done with solutions once they are found: equivalence, taxonomy, substitutions, graphs."""
