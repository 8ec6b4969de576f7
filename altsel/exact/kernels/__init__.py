"""Loops that numba compiles, each of named arguments in named steps, with what runs where there is no numba.

| loop | twin | for |
|---|---|---|
| `listing.advance`, `greedy.greedy` | themselves, on lists | lists of sets above a threshold |
| `descent.by_numbers` | `descent.by_arrays` | prices of rows |
| `node_bound.relaxed` | `convexified.node_bound.relaxed` | the bound of a node of convex programs |
| `node_steps.branching` | `convexified.node_bound.branching` | the feature to branch on |
| `node_steps.fitted`, `decided` | `convexified.propagation` | what follows from a bound |
| `climbs.climbed` | `convexified.climbs.climbed` | exchanges from many sets |
| `annealing.annealed` | itself | families of sets by annealing |
| `realisation.listed`, `searched` | none: they take too long | sets of given counts |
| `fit_tree.searched`, `bounded` | themselves, with the next ones | the tree of linear fits |
| `fit_steps.priced`, `good_pairs` | `least_squares.prices` | its bound, and its last two columns |
| `fit_steps.swept`, `inner` | `conditioning` | what is left of columns given another one |

`conditioning` and `double_double` are loops of arrays in either kind. A folder's file `compiled` says how its
loops are compiled, `altsel.compiling.Loops` when. Steps that a loop calls at each node are compiled into it
(``forceinline``) without counts of who uses an array (``_nrt=False``, where nothing is allocated): else a
call takes longer than its work.
"""
