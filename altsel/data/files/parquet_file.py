"""Parquet files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from altsel.data.intake.arrow import parquet, text_columns, with_sorted_categories, with_text
from altsel.errors import ConfigurationError


def read_parquet(path: Path, unused: Collection[str]) -> pd.DataFrame:
    """Read a Parquet file; text becomes categories.

    Raises
    ------
    ConfigurationError
        Without pyarrow.
    """
    text = text_columns(path)
    try:
        # As a data set of Arrow, which pandas makes of it, a file of 20,000 columns takes 1.8 GB.
        with parquet.ParquetFile(path, read_dictionary=text) as file:
            table = with_text(file.read(use_threads=False), unused)
        return with_sorted_categories(table.to_pandas(), text)
    except ImportError as fault:
        raise ConfigurationError("Parquet files need pyarrow: pip install 'altsel[parquet]'") from fault
