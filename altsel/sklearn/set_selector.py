"""What selectors with several feature sets share: the sets found, and which of them is in force."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from altsel.errors import ArgumentError
from altsel.results import Solutions, Stop
from altsel.runtime.caller import warn_caller
from altsel.sklearn.checked_input import allows_gaps, are_numbers, as_array, as_frame, in_library

NOTHING = "No features were selected: either the data is too noisy or the selection test too strict."
"""scikit-learn's words."""


class SetSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """A selector that finds several sets, one of which, or all, ``set_index`` puts in force."""

    set_index: int | str
    solutions_: Solutions
    feature_sets_: list[npt.NDArray[np.intp]]
    n_sets_: int
    n_features_in_: int

    def transform(self, X: Any) -> Any:
        """Reduce X to the features in force; columns of frames keep their types.

        Parameters
        ----------
        X
            Rows of the columns that the selector was fitted to.

        Returns
        -------
        array or frame
            An array (for a sparse one a sparse one), or a frame as ``set_output`` says.
        """
        check_is_fitted(self)
        frame, library = as_frame(X), _get_output_config("transform", estimator=self)["dense"]
        if frame is None or (library == "default" and are_numbers(frame)):
            return super().transform(X)
        validate_data(self, X, skip_check_array=True, reset=False)
        indices = self.get_support(indices=True).tolist()
        if not indices:
            warn_caller(NOTHING, UserWarning)
            return np.empty((len(frame), 0))
        kept = frame[:, indices]
        return as_array(kept) if library == "default" else in_library(kept, library)

    def _keep(self, found: Solutions, names: Sequence[str], always: Sequence[str] = ()) -> Self:
        """Take over what a search found, and the columns that are passed on with every set."""
        index = {name: j for j, name in enumerate(names)}
        self.solutions_ = found
        self.feature_sets_ = [
            np.array(sorted(index[name] for name in {*one.features, *always}), dtype=np.intp) for one in found
        ]
        self.n_sets_ = len(found)
        return self

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self._in_force()] = True
        return mask

    def _in_force(self) -> npt.NDArray[np.intp]:
        """Return the indices of the features that ``set_index`` puts in force."""
        wanted, sets = self.set_index, self.feature_sets_
        if wanted == "union":
            return np.unique(np.concatenate(sets))
        if wanted == "intersection":
            counts = np.bincount(np.concatenate(sets), minlength=self.n_features_in_)
            return np.flatnonzero(counts == self.n_sets_)
        if isinstance(wanted, bool) or not isinstance(wanted, Integral):
            raise ArgumentError(f"set_index={wanted!r}; use an integer, 'union' or 'intersection'")
        if not -self.n_sets_ <= wanted < self.n_sets_:
            raise ArgumentError(
                f"set_index={wanted}, but n_sets_={self.n_sets_}: use 0 to {self.n_sets_ - 1}, 'union' or "
                "'intersection'"
            )
        return sets[int(wanted)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = allows_gaps(getattr(self, "missing", "error"))
        tags.input_tags.sparse = True
        return tags


def completed(found: Solutions) -> Solutions:
    """Return what a search found, unless it was interrupted: then what called ``fit`` is to end, too."""
    if found.stop is Stop.INTERRUPT:
        raise KeyboardInterrupt
    return found
