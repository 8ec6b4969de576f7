"""What people see of results: tables in notebooks, and pictures."""
