"""Decision trees whose features are an alternative to earlier sets (embedded alternatives, AFS 3.3.3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted

from altsel.errors import ArgumentError, DataError, listing
from altsel.exact.run import Run, checked_question
from altsel.exact.starts.nearest_valid import Closest
from altsel.exact.verification.verified_solutions import Request
from altsel.models.black_box import BlackBox
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.given_sets import given_sets
from altsel.models.problem import Problem
from altsel.models.rule import Rule
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.sets import checked_sets
from altsel.results.text import rounded
from altsel.search.alternatives.tree_growth import Admission, Learned, TreeGrowth, checked_weights

HALF = Dice(0.5)


class _AlternativeTree(BaseEstimator):  # type: ignore[misc]
    """What trees for classes and for numbers share; parameters and attributes are described there."""

    _kind: Any

    def __init__(
        self,
        k: int | tuple[int, int] = 5,
        dissimilarity: Dissimilarity = HALF,
        earlier: Sequence[Collection[str]] = (),
        *,
        tree: Any = None,
        subject_to: Sequence[Rule] = (),
    ) -> None:
        self.k, self.dissimilarity, self.earlier = k, dissimilarity, earlier
        self.tree, self.subject_to = tree, subject_to

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree."""
        table = self._table(X, reset=True)
        if sample_weight is not None:
            sample_weight = checked_weights(sample_weight, len(table))
        problem = Problem(BlackBox(len, tuple(table.columns)), self.k, self.subject_to)
        learned = Learned(table, y, sample_weight)
        growth = TreeGrowth(self._prototype(), learned, self._admission(problem), problem.sizes[1])
        if not growth.admission.extends(()):
            raise ArgumentError(
                f"no set of k={self.k!r} features keeps {rounded(str(self.dissimilarity))} to earlier sets "
                "and the rules"
            )
        growth.grow()
        chosen = growth.completed()
        self.tree_ = growth.fitted(chosen, growth.tree.max_leaf_nodes)
        split_on = {chosen[j] for j in self.tree_.tree_.feature if j >= 0}
        self.selected_features_ = tuple(chosen)
        self.used_features_ = tuple(name for name in chosen if name in split_on)
        self.banned_features_ = tuple(growth.banned)
        if hasattr(self.tree_, "classes_"):
            self.classes_ = self.tree_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Predict by the tree."""
        check_is_fitted(self, "tree_")
        return self.tree_.predict(self._table(X, reset=False)[list(self.selected_features_)])

    def _admission(self, problem: Problem) -> Admission:
        """Return what answers which features a valid set may have together."""
        if isinstance(self.dissimilarity, SoftDiversity):
            raise ArgumentError(f"a tree keeps bounds, not {self.dissimilarity}; use Dice or Jaccard")
        checked_question(problem, self.dissimilarity)
        request = Request("alternative tree", self.dissimilarity)
        sets = checked_sets(self.earlier, "earlier")
        unknown = [name for subset in sets for name in subset if name not in problem.index]
        if unknown:
            raise ArgumentError(f"earlier: there is no column {listing(dict.fromkeys(unknown))}")
        run = Run(problem, None, "alternative tree", request)
        earlier = given_sets("earlier", sets, problem)
        return Admission(Closest(run, run.question(self.dissimilarity).after(earlier)))

    def _prototype(self) -> Any:
        """Return the tree that is grown, with a seed: the same data give the same tree."""
        tree = self._kind(random_state=0) if self.tree is None else self.tree
        if not isinstance(tree, self._kind):
            raise ArgumentError(f"tree={self.tree!r}; give a {self._kind.__name__}")
        if tree.splitter != "best" or tree.max_features is not None:
            raise ArgumentError(f"tree={self.tree!r} draws splits at random; give one that takes the best")
        tree = clone(tree)
        return tree.set_params(random_state=0) if tree.random_state is None else tree

    def _table(self, X: Any, *, reset: bool) -> pd.DataFrame:
        """Return a table of numbers; columns without names are called x0, x1, …."""
        table = pd.DataFrame(X)
        named = all(isinstance(name, str) for name in table.columns)
        names = list(table.columns) if named else [f"x{j}" for j in range(table.shape[1])]
        if reset:
            if len(set(names)) < len(names):
                raise DataError("two columns have the same name; rename one")
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.array(names, dtype=object)
        elif names != list(self.feature_names_in_):
            raise DataError("the columns are not those of fit; give the same in the same order")
        try:
            numbers = pd.DataFrame(table.to_numpy(dtype=float), columns=names)
        except (TypeError, ValueError) as fault:
            wrong = [name for name, kind in zip(names, table.dtypes, strict=True) if kind.kind not in "biuf"]
            message = f"a tree needs numbers; {listing(wrong)} hold something else: encode them"
            raise DataError(message) from fault
        wrong = [name for name in names if not np.isfinite(numbers[name]).all()]
        if wrong:
            raise DataError(f"missing or infinite values in {listing(wrong)}; fill them, or drop their rows")
        return numbers


class AlternativeTreeClassifier(ClassifierMixin, _AlternativeTree):  # type: ignore[misc]
    """A decision tree for classes that may split only on features by which it stays an alternative.

    The tree grows best first, the split that reduces impurity most before the others. A split on a new
    feature f is allowed if a valid set ``F`` has f and all features used until then: ``|F|`` in k, ``F``
    dissimilar enough from each earlier set, and within the rules. Otherwise f is banned for good, as the
    features used only become more, and the best split without it is made. In the end the features used are
    completed to a valid set by those that reduce impurity most at the root.

    Growth needs no nodes of its own: each split is the best among all features not banned, so a plain tree on
    the final set is the same tree.

    Parameters
    ----------
    k
        Number of features of the set, or smallest and largest.
    dissimilarity
        How different the set must be from each earlier one: ``Dice(0.5)``, say, or a `Jaccard`.
    earlier
        Sets of names to differ from; columns without names are called x0, x1, and so on.
    tree
        A ``DecisionTreeClassifier`` whose parameters are used; without a seed it gets 0.
    subject_to
        Domain constraints on the set, as for `Problem`.

    Attributes
    ----------
    selected_features_
        The valid set, in the order of the columns.
    used_features_
        Those of them that the tree splits on.
    banned_features_
        Features that the tree would have split on, in the order in which they were refused.
    tree_
        The fitted scikit-learn tree, of the selected features.

    Raises
    ------
    ArgumentError
        In ``fit``: no set is valid, a name is unknown, or the tree draws splits at random.
    DataError
        If values are missing, infinite or no numbers, or weights of rows are negative, or not one a row.

    References
    ----------
    Bach, Finding Optimal Diverse Feature Sets via Alternative Feature Selection (AFS, v1), section 3.3.3,
    which leaves this to future work.

    Examples
    --------
    Three trees, each of two features, none of which has a feature of another one:

    >>> import pandas as pd
    >>> from altsel import AlternativeTreeClassifier, Dice
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> earlier = []
    >>> for _ in range(2):
    ...     tree = AlternativeTreeClassifier(k=2, dissimilarity=Dice(1), earlier=earlier).fit(X, y)
    ...     earlier.append(tree.selected_features_)
    ...     print(", ".join(tree.selected_features_), round(tree.score(X, y), 2))
    petal length (cm), petal width (cm) 0.99
    sepal length (cm), sepal width (cm) 0.93
    """

    _kind = DecisionTreeClassifier

    def predict_proba(self, X: Any) -> Any:
        """Predict the probabilities of the classes by the tree."""
        check_is_fitted(self, "tree_")
        return self.tree_.predict_proba(self._table(X, reset=False)[list(self.selected_features_)])


class AlternativeTreeRegressor(RegressorMixin, _AlternativeTree):  # type: ignore[misc]
    """A decision tree for numbers that may split only on features by which it stays an alternative.

    Parameters and attributes are those of `AlternativeTreeClassifier`; `tree` is a ``DecisionTreeRegressor``.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import AlternativeTreeRegressor, Jaccard
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> y = X[:, 0] + X[:, 1] + 0.3 * X[:, 3]
    >>> tree = AlternativeTreeRegressor(k=2, dissimilarity=Jaccard(0.6), earlier=[["x0", "x1"]]).fit(X, y)
    >>> tree.selected_features_, tree.banned_features_
    (('x0', 'x3'), ('x1',))
    """

    _kind = DecisionTreeRegressor
