"""What is fast and what is not, measured from outside: a process a question, peers in the same run."""
