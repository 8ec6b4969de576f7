"""Questions in the forms of other software, and answers from it.

======================  ====================================================================
``qubo``                a question as a QUBO, with penalties that are proved large enough
``read_qubo``           a QUBO file that `altsel.export` wrote
``read_question``       a question file (JSON): problem, dissimilarity, number of sets
``read_answer``         the sets of an answer file, judged by the question
``judged``              sets of one's own, judged by the question
======================  ====================================================================

`altsel.export` writes all of these forms, and LP and MPS files besides.
"""

from altsel.exact.interchange.answers import Answer, judged, read_answer
from altsel.exact.interchange.binary_quadratic import BinaryQuadratic
from altsel.exact.interchange.qubo import qubo
from altsel.exact.interchange.qubo_files import read_qubo
from altsel.exact.interchange.question_files import ReadQuestion, read_question

__all__ = [
    "Answer",
    "BinaryQuadratic",
    "ReadQuestion",
    "judged",
    "qubo",
    "read_answer",
    "read_qubo",
    "read_question",
]
