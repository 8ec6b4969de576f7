"""Solutions to show: with names that would do harm if a page took them for more than text."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from altsel import FeatureSet, Proof, Solutions, Stop
from altsel.results.feature_set import Role, Verdict

HOSTILE = (
    "<img src=x onerror=window.harmed=1>",
    "</script><script>window.harmed=1</script>",
    "</SCRIPT ><svg onload=window.harmed=1>",
    "<!--<script>",
    "-->",
    "]]>",
    "</style><script>window.harmed=1</script>",
    "</title><script>window.harmed=1</script>",
    "</textarea><script>window.harmed=1</script>",
    "<svg/onload=window.harmed=1>",
    "<iframe srcdoc='<script>parent.harmed=1</script>'>",
    "<a href=javascript:window.harmed=1>x</a>",
    "<base href=http://127.0.0.1:9/>",
    "<link rel=stylesheet href=http://127.0.0.1:9/a.css>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<style>*{display:none}</style>",
    "<body onload=window.harmed=1>",
    "<input autofocus onfocus=window.harmed=1>",
    "<details open ontoggle=window.harmed=1>",
    '" onmouseover="window.harmed=1',
    "' onclick='window.harmed=1",
    '"><b id=injected>',
    "'><b id=injected>",
    "` onclick=window.harmed=1 `",
    "javascript:window.harmed=1",
    "data:text/html,<script>window.harmed=1</script>",
    "&lt;b&gt; &amp; &#60;b&#62;",
    "&lt/script&gt",
    "{{7*7}} ${7*7} #{7*7} <%= 7*7 %>",
    "${window.harmed=1}",
    "'; window.harmed=1; //",
    "\\u003cscript\\u003ewindow.harmed=1",
    '\\", "x": "',
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "right\u202eot\u202ctfel",
    "isolate\u2067x\u2069",
    "two\nlines\r\nand\ttab",
    "line\u2028separator\u2029paragraph",
    "zero\u200bwidth\ufeffmark",
    "nul\x00 escape\x1b[31m bell\x07",
    "عربي עברית",
    "漢字 かな 😀 👩‍👩‍👧",
    "e\u0301\u0327 combining Z\u0351\u036b\u0343",
    "a very long name " * 30,
    " ",
)
"""Forty-eight names of columns."""


def hostile() -> Solutions:
    """Return thirty sets of hostile names, with verdicts, members and a request full of them."""
    members = {HOSTILE[1]: (HOSTILE[1], "<u>copy</u>", "\u202ecopy")}
    sets = []
    for number in range(30):
        places = {2 * number, 2 * number + 1, 5 * number + 7, 11 * number + 3}
        features = tuple(HOSTILE[j] for j in sorted({place % len(HOSTILE) for place in places}))
        verdicts = tuple(Verdict(name, Role.MEMBER, -5.0, features) for name in HOSTILE[:3])
        sets.append(FeatureSet(features, 3.0 - number / 10, Proof.TESTED, verdicts=verdicts))
    return Solutions(
        tuple(sets),
        Stop.EXHAUSTED,
        HOSTILE,
        f"criterion of {HOSTILE[0]}",
        HOSTILE[1],
        f"search {HOSTILE[1]}",
        versions={"<b>": "</script>"},
        members=members,
        request={"known": [list(HOSTILE[:4])], "</script>": HOSTILE[0]},
    )


def many(count: int = 1000, size: int = 500) -> Solutions:
    """Return so many sets of ten of so many features each, all different."""
    names = tuple(f"gene {number:03d}" for number in range(size))
    sets = [
        frozenset((i * (7 + step) + step * step * 13 + i // size * (step + 2)) % size for step in range(10))
        for i in range(count)
    ]
    made = [
        FeatureSet(tuple(names[j] for j in sorted(one)), 9 - i / 200, Proof.OPTIMAL, 9 - i / 200, 0.0)
        for i, one in enumerate(sets)
    ]
    return Solutions(tuple(made), Stop.COUNT, names, "sum of relevances", "y", "made")


def few() -> Solutions:
    """Return a, b, one of c and d, and one of e to h, or i and j with c; and a with k: ten sets."""
    endings = ("e", "f", "g", "h", "ij")
    words = [f"ab{one}{ending}" for one, ending in product("cd", endings) if (one, ending) != ("d", "ij")]
    sets = [tuple(word) for word in [*words, "ak"]]
    scores = [10.0 - 0.5 * number for number in range(len(sets))]
    made = [
        FeatureSet(one, score, Proof.FEASIBLE, score + 1, 0.1)
        for one, score in zip(sets, scores, strict=True)
    ]
    return Solutions(tuple(made), Stop.LIMIT, tuple("abcdefghijkl"), "sum", "y", "made")


def wide() -> Solutions:
    """Return twelve sets of forty long names, with all the numbers that a search can say of a set."""
    names = tuple(f"Mean arterial pressure over the first {j} measurements, left arm" for j in range(40))
    made = []
    for number in range(12):
        places = sorted({(3 * number + step * (1 + number % 4)) % 40 for step in range(8)})
        score = 1.234567 - number / 100
        features = tuple(names[j] for j in places)
        one = FeatureSet(features, score, Proof.FEASIBLE, score + 0.0123456, 0.01)
        made.append(replace(one, holdout=score - 0.1, p_null=0.05))
    return Solutions(tuple(made), Stop.LIMIT, names, "sum of association", "y", "made", permutations=19)
