"""What users give by feature: a mapping, or a pandas Series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def by_feature(given: Any) -> Any:
    """Return a Series as a mapping, anything else as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> by_feature(pd.Series({"age": 2}))
    {'age': 2}
    """
    return given.to_dict() if hasattr(given, "to_dict") and not isinstance(given, Mapping) else given
