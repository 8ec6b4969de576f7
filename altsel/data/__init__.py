"""What is read and checked: tables, their columns, and Bayesian networks."""
