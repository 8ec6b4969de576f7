"""What a front claims: each point's sets are the best of those as different, and none is more different."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from altsel.auditing.certificates.claim import Claim, Known, Together
from altsel.auditing.certificates.claims import claims_of
from altsel.auditing.stated_diversity import diversity_asked
from altsel.results.front import Front
from altsel.results.request import read_request
from altsel.results.stop import Stop
from altsel.search.alternatives.largest_dissimilarity import at, measure_of, step


def claims_of_front(front: Front) -> Iterator[Known | str]:
    """Take the claims of a front apart, point by point, each with a diversity of its own."""
    for number, point in enumerate(front):
        part, apart = f"point {number}", diversity_asked(point.found)
        for claim in claims_of(point.found, read_request(point.found.request), apart):
            if isinstance(claim, (Claim, Together)):
                yield replace(claim, title=f"{part}: {claim.title}", apart=apart, part=part)
            else:
                yield claim
    if front.stop is Stop.EXHAUSTED and front[-1].dissimilarity < 1:
        yield _end(front)
    elif front.stop is Stop.INFEASIBLE:
        yield "that the front has no point"


def _end(front: Front) -> Known | str:
    """Claim that no sets are more different than those of the last point."""
    last = front[-1]
    diversity = diversity_asked(last.found)
    sizes = [*map(len, front.reference), *(len(one) for one in last.found.sets)]
    reached = max(last.dissimilarity, measure_of(diversity).tau)
    apart, title = at(diversity, min(reached + step(diversity, sizes), 1.0)), "no sets are more different"
    if front.reference:
        return Claim(title, (), None, known=front.reference, apart=apart, part=title)
    total = str(read_request(last.found.request).get("total"))
    return Together(title, len(last.found), (), total, None, apart=apart, part=title)
