"""scikit-learn estimators: selectors that find several feature sets, and an ensemble of a model for each.

They take frames of any library, arrays and sparse arrays, and work in pipelines, searches over parameters and
cross-validation; ``set_index`` says which set is in force.

===============================  ==============================================================
`AlternativeFeatureSelector`     the best set by a criterion, and alternatives to it
`MarkovBlanketSelector`          the Markov blanket, or all of them, by tests of independence
`AlternativeEnsemble`            one model for each set, and how much they differ on a row
===============================  ==============================================================
"""

from altsel.sklearn.alternative_ensemble import AlternativeEnsemble
from altsel.sklearn.alternative_feature_selector import AlternativeFeatureSelector
from altsel.sklearn.markov_blanket_selector import MarkovBlanketSelector

__all__ = ["AlternativeEnsemble", "AlternativeFeatureSelector", "MarkovBlanketSelector"]
