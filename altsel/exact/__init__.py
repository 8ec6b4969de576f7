"""How one optimisation question is answered exactly.

A search states a `altsel.exact.question.Question`: the problem, how different sets must be, the sets known,
how many are wanted, and what is maximised over them. `altsel.exact.auto.answer` gives it to the first engine
of ``ENGINES`` that says it can answer; one that leaves it open hands on its sets and its bound. Engines are
in `altsel.exact.engines`, one file each; what they share is here:

- what is known of a problem: ``question``, ``dominance``; its rules as rows, and how many sets keep
  them: ``rules``
- lists of sets: ``pool``, ``soft_diversity``; under a plain sum one set after another: ``chains``, and
  several at once: ``many_sets``
- branch and bound under a quadratic form: ``branch_and_bound``, ``lagrangian_bound``, ``quick_bound``,
  and where features share factors: ``convexified``; of linear fits: ``linear_fit``
- what an engine leaves open, for the next: ``partial_answers``
- good sets without proof: ``warm_start``, ``local_search``; valid sets near given ones: ``nearest_valid``
- the account of a search, and its result: ``run``; solvers by name: ``auto_solver``
- checks that share no code with all this: ``verification``
"""
