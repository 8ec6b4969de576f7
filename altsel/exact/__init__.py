"""How one optimisation question is answered exactly.

A search states a `altsel.exact.question.Question`: the problem, how different sets must be, the sets known,
how many are wanted, and what is maximised over them. `altsel.exact.auto.answer` gives it to the first engine
of ``ENGINES`` that says it can answer; one that leaves it open hands on its sets and its bound. Engines are
in `altsel.exact.engines`, one file each; what they share is here:

- what is known of a problem, and its rules as rows: ``question``, ``linear_rules``, ``dominance``
- lists of sets: ``pool``, ``soft_diversity``; how many there are: ``valid_counts``
- branch and bound under a quadratic form: ``branch_and_bound``, ``lagrangian_bound``, ``quick_bound``
- good sets without proof: ``warm_start``, ``local_search``; valid sets near given ones: ``nearest_valid``
- the account of a search, and its result: ``run``; solvers by name: ``auto_solver``
- checks that share no code with all this: ``verification``, ``rule_reading``, ``verified_solutions``;
  of a solver's word: ``neighbour_check``
"""
