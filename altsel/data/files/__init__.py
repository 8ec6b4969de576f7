"""Files of tables as people have them: CSV, Parquet and spreadsheets, and what is in them besides a table."""
