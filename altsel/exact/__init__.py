"""How one optimisation question is answered exactly.

A search states a `altsel.exact.question.Question`: the problem, how different sets must be, the sets known,
how many are wanted, and what is maximised over them. `altsel.exact.auto.answer` gives it to the engines of
``ENGINES`` that say they can answer, in turns, the one first that is predicted to be the soonest; one that
leaves it open hands on its sets and its bound.

- one set of one problem, and all above a floor: ``sources``
- several sets at once, over any source: ``families``; the minimal sets that meet given ones: ``transversals``
- what is known of a problem: ``question``, ``dominance``; its rules as rows, and how many sets keep
  them: ``rules``
- good sets without a proof, to begin with: ``starts``; no set at all, by a solver: ``infeasibility``
- compiled loops: ``kernels``
- turns, and who is the soonest: ``turns``, ``predicted_seconds``; what an engine leaves open, for the next:
  ``partial_answers``
- the account of a search, and its result: ``run``; solvers by name: ``auto_solver``
- checks that share no code with all this: ``verification``
"""
