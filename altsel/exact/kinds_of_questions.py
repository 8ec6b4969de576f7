"""Kinds of questions by which turns of engines are given: what measured soonest for each."""

from __future__ import annotations

from altsel.exact.families.counts.membership_patterns import single_features
from altsel.exact.families.counts.too_few_features import why_no_count
from altsel.exact.families.lists.nested import FEWEST
from altsel.exact.question import FEW_SETS, Question
from altsel.exact.sources.every_set.engine import AllSets, are_listed
from altsel.models.dissimilarity import largest_overlap
from altsel.models.objective import Kind

MANY_SETS = 200_000
"""Sets whose list takes longer than the turn of another engine."""


SEVERAL = 5
"""Sets up to which one list of what can be among the best is shorter than lists of two, three and more."""


def too_few_features(question: Question) -> bool:
    """Return whether counting shows that there are no such sets."""
    return why_no_count(question) is None


def few_sets(question: Question) -> bool:
    """Return whether there are at most 5,000 sets."""
    return question.structure.number <= FEW_SETS and are_listed(question)


def few_free_sets(question: Question) -> bool:
    """Return whether there are few sets of a plain sum without rules: counting may be sooner than pairing."""
    return few_sets(question) and free_sum(question)


def many_similar_sums(question: Question) -> bool:
    """Return whether over five sets of a free sum may have half of their features in common, or more."""
    size = question.problem.sizes[1]
    many = question.count > SEVERAL and free_sum(question)
    return many and 2 * largest_overlap(question.distance, size, size) >= size


def few_sets_of_sums(question: Question) -> bool:
    """Return whether there are few sets, and a plain sum that others may maximise sooner."""
    return few_sets(question) and plain_sum(question) and not free_sum(question)


def plain_sum(question: Question) -> bool:
    """Return whether the criterion is a plain sum."""
    return question.kind is Kind.SUM


def counted_sum(question: Question) -> bool:
    """Return whether the criterion is a plain sum; of the poorest set only where there are many sets."""
    return plain_sum(question) and (question.total == "sum" or not are_listed(question))


def free_sum(question: Question) -> bool:
    """Return whether the criterion is a plain sum, no rule tells features apart, and all sets count."""
    return plain_sum(question) and question.total == "sum" and single_features(question) is not None


def free_poorest_sum(question: Question) -> bool:
    """Return whether the poorest set counts, by a plain sum without rules, of too many sets to list."""
    return counted_sum(question) and question.total == "min" and not question.problem.subject_to


def several_ruled_sums(question: Question) -> bool:
    """Return whether up to five sets with a large plain sum are wanted, under rules."""
    return _ruled_sums(question) and question.count <= SEVERAL


def many_ruled_sums(question: Question) -> bool:
    """Return whether more than five sets with a large plain sum are wanted, under rules."""
    return _ruled_sums(question) and question.count > SEVERAL


def _ruled_sums(question: Question) -> bool:
    return plain_sum(question) and bool(question.problem.subject_to) and question.total == "sum"


def sum_under_conditions(question: Question) -> bool:
    """Return whether the criterion is a sum of features that may exclude each other."""
    return question.kind is not Kind.SUM and question.as_sum.kind is Kind.SUM


def sums_under_conditions(question: Question) -> bool:
    """Return whether several sets with a large sum are wanted, of features that may exclude each other."""
    return sum_under_conditions(question) and question.total == "sum" and question.count > 1


def unlisted_pairs(question: Question) -> bool:
    """Return whether the criterion is a sum under conditions, and the sets are too many to be listed."""
    return sum_under_conditions(question) and not are_listed(question)


def no_nested_sum(question: Question) -> bool:
    """Return whether the criterion is no sum, or sets are too few for nested lists; all are too many."""
    few = question.count < FEWEST or question.as_sum.kind is not Kind.SUM
    return few and no_plain_sum(question)


def no_sum(question: Question) -> bool:
    """Return whether the criterion is no sum, and the sets are too many to be listed."""
    return question.as_sum.kind is not Kind.SUM and not are_listed(question)


def no_plain_sum(question: Question) -> bool:
    """Return whether the criterion is no plain sum, and the sets are too many to be listed."""
    return question.kind is not Kind.SUM and not are_listed(question)


def poorest_sum(question: Question) -> bool:
    """Return whether the poorest of several sets is to be good, by a plain sum."""
    return plain_sum(question) and question.packing


def poorest_pairs(question: Question) -> bool:
    """Return whether the poorest of several sets is to be good, by a sum under conditions."""
    return sum_under_conditions(question) and question.packing


def not_yet_listed(question: Question) -> bool:
    """Return whether one set is wanted, and all could be listed, but are not yet, and that takes a while."""
    many = question.count == 1 and question.structure.number > MANY_SETS
    return many and AllSets not in question.structure.lists and are_listed(question)


def one_set(question: Question) -> bool:
    """Return whether one set at a time is wanted, and a model may have left it open."""
    return question.count == 1 and not are_listed(question)
