"""Branch and bound on a quadratic form rewritten as a convex part and pairs that only cost.

Where features share factors, the bound of `altsel.exact.sources.quadratic.lagrangian_bound` is far from any
set. Here

``min c's + s'Ws  =  min lin's + s'Ss + s'Ns + const``

on all sets of k features, with S positive semidefinite and no entry of N below 0 (Billionnet, Elloumi and
Lambert 2012 without their product variables; Burer 2009 for the relaxation). Of all such S and N those
are wanted that leave the least gap when N is dropped and s may be fractional; they are the dual of the
doubly nonnegative relaxation.

- the dual, once, by Douglas-Rachford splitting: ``dual``; the form it makes: ``rewriting``
- the bound of a node, by exchanges in a convex program: ``node_bound``
- the tree, best bound first: ``tree``; loops with numba: ``compiled``, that over open nodes:
  ``compiled_tree``; what sizes, rows and excluded pairs decide at a node: ``propagation``
- its open nodes, as many as memory allows: ``open_nodes``
- a level of a ratio that rises within its tree: ``rising``
- good sets by exchanges: ``climbs``; from many beginnings, and from the best again: ``local_search``
"""
