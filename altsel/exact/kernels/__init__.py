"""Loops that numba compiles, each of named arguments in named steps, with what runs where there is no numba.

| loop | twin | for |
|---|---|---|
| `listing.advance`, `greedy.greedy` | themselves, on lists | lists of sets above a threshold |
| `descent.by_numbers` | `descent.by_arrays` | prices of rows |
| `node_bound.relaxed` | `convexified.node_bound.relaxed` | the bound of a node of convex programs |
| `node_steps.branching` | `convexified.node_bound.branching` | the feature to branch on |
| `node_steps.fitted`, `decided` | `convexified.propagation` | what follows from a bound |
| `convex_tree.searched` | none: the tree goes on node by node | nodes without rows, the best bound first |
| `open_nodes.take`, `add`, `vacate` | themselves | open nodes in arrays |
| `climbs.climbed` | `convexified.climbs.climbed` | exchanges from many sets |
| `annealing.annealed` | itself | families of sets by annealing |
| `realisation.listed`, `searched` | none: they take too long | sets of given counts |
| `fit_tree.searched`, `bounded` | themselves, with the next ones | the tree of linear fits |
| `fit_list.list_on`, `walk` | themselves, with the next ones | all sets of one of its nodes |
| `fit_steps.priced` | `least_squares.prices.priced` | its bound |
| `fit_steps.good_pairs`, `conditioned` | `least_squares.pairs` | the last two columns of a list |
| `fit_steps.swept`, `inner` | `conditioning` | what is left of columns given another one |
| `model_nodes.relaxed` | `generalised.node_bound.bounded` | the bound of a node of regularised models |
| `model_nodes.more_of_each`, `hopeful` | `generalised.pairs` | the last two features of such a model |

`conditioning`, `double_double` and `fit_rules` are the same in either kind. A folder's file `compiled` says
how its loops are compiled, `altsel.compiling.Loops` when. Steps that a loop calls at each node are compiled
into it (``forceinline``) without counts of who uses an array (``_nrt=False``, where nothing is allocated):
else a call takes longer than its work.
"""
