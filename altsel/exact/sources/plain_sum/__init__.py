"""Chains of alternatives under a plain sum, without a model: one list yields many steps.

The best set after known ones, and again the best set after those and it, and so on: ``S_t`` has the largest
sum of weights of all sets of the sizes wanted that keep the rules and share at most ``o(|S_j|, |S_t|)``
features with every ``S_j`` before it.

**Why one list yields several steps.** Let C be the sets compatible with all that are known when a list is
made, and L those of C that score at least ``low``. Take from L greedily: the best set that is compatible
with all taken so far. The candidates of each step are some of C, as conditions are only added. As long as
a set of L is left that is compatible with all taken, the best such set T scores at least ``low``, and every
candidate outside of L scores less, or, where ties at ``low`` were left out of L, no more: T is an optimum
of its step. Where none is left, the next step scores less than ``low`` (or just that), and another list is
made. Where ``low`` is minus infinity, or what the rules ask of the quality, no set remains: the end of the
chain is proved. Among sets that score the same any may be taken, and what follows may depend on it, as it
does for any method.

**Why few features are enough.** Features that are in no set so far and in no rule are alike but for their
weight. The list looks at the heaviest of them, its *reserve*. A set that uses others may exchange them for
the reserve, as long as that holds as many unused features as a set has: it then scores no less, and shares
with every earlier set what it shared before. Once a step has used up so much of the reserve, another list
is made.

**Why it is fast.** Depth first, features in falling weight: the sum of the next ones bounds a branch. Once
as many features of an earlier set are chosen as a set may share with it, all its others go; after a dozen
sets that leaves few branches, while a linear program's bound would still be 3 to 5 % too high. For the
first thirty sets that bound prunes too: prices of the overlaps and of the rules' rows, by subgradient steps
(Held and Karp 1971), any of which bound the sum from above. Which of them, and down to which depth, is
decided by a race. Where sets are large, a tree with a linear program at each node takes over, whose open
nodes are kept from one step to the next: ``frontier``.

**Rounding.** Scores of sets are sums in twice the precision, rounded once, which is what ``math.fsum``
gives unless a sum is within that precision of the middle of two numbers; they are compared as they are.
Bounds of branches are plain sums: a branch is cut if its bound is below the threshold by more than rounding
can hide, or, where it is as near as that and made of weights alone, if the bound summed in twice the
precision is.

- the loop over branches, by numba, and without it on lists and long integers: `altsel.exact.kernels.listing`
- rules as numbers: ``conditions``; what a size leaves to choose: ``ground``, ``prices``; a search: ``tree``
- the tree that grows: `altsel.exact.kernels.linear_tree`, ``frontier``
- one list above a threshold: ``listing``, by the fastest way: ``race``; thresholds and steps: ``chain``
"""
