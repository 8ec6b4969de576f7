"""Figures that PPFS prints: tables 2 to 7, rows whose data are in hand."""

from __future__ import annotations

METHODS = {"All": "all", "PIFS": "PIFS", "SFS": "SFS", "MMB": "grow-shrink, likelihood ratios",
           "PPFS": "PPFS as printed"}  # fmt: skip
"""The paper's methods, and what they are called in our page of results."""
ROWS = {
    "statlog-heart": 270, "ionosphere": 351, "sonar": 208, "wdbc": 569, "credit-approval": 653, "ecoli": 336,
    "arcene": 100, "madelon": 2000,
}  # fmt: skip
FIGURES = {
    "2": {
        "statlog-heart": ".711 .739 .742 .773 .837",
        "ionosphere": ".880 .884 .897 .884 .923",
        "sonar": ".716 .751 .754 .807 .784",
        "wdbc": ".933 .922 .937 .928 .949",
        "credit-approval": ".831 .842 .849 .846 .864",
        "ecoli": ".807 .805 .816 .813 .822",
    },
    "3": {
        "statlog-heart": ".833 .839 .840 .848 .844",
        "ionosphere": ".940 .940 .943 .906 .946",
        "sonar": ".851 .851 .852 .783 .856",
        "wdbc": ".971 .971 .973 .953 .979",
        "credit-approval": ".860 .862 .865 .859 .867",
        "ecoli": ".863 .869 .871 .872 .875",
    },
    "4": {"arcene": ".180 .172 .170 - .153", "madelon": ".351 .217 .191 - .131"},
    "5": {"desharnais": "3917 3877 3811 3830 2732", "maxwell": "7624 6702 6555 6301 5387"},
}
"""Accuracy (2, 3), error (4), root mean squared error (5); of table 4 SGAI is not ours."""
FEATURES = {
    "statlog-heart": "13 10 8 8 3",
    "ionosphere": "33 27 23 12 14",
    "sonar": "60 32 24 9 7",
    "wdbc": "30 22 13 7 9",
    "credit-approval": "15 8 7 4 2",
    "ecoli": "7 6 6 6 6",
    "desharnais": "11 10 10 2 4",
    "maxwell": "26 9 6 4 3",
    "arcene": "10000 902 459 - 304",
    "madelon": "500 210 85 - 12",
}
"""Numbers of features: tables 6 and 7."""
AVERAGES = dict(zip(METHODS, ["24.4", "15.5", "12.1", "6.4", "6"], strict=True))
"""Last row of table 6; MMB's own column has a mean of 6.5."""
