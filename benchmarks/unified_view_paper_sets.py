"""Figures that the unified view prints for real data: tables 9 to 19, rows whose data are in hand."""

from __future__ import annotations

METHODS = ("MMPC", "HITON-PC", "MMMB", "HITON-MB", "IAMB", "mRMR", "CMIM", "JMI")
GROUPS = {
    "many rows (tables 9 to 11)": ("mushroom", "kr-vs-kp", "madelon", "spambase"),
    "few rows, many features (tables 13 to 15)": ("prostate", "arcene", "leukemia"),
    "several classes (tables 17 to 19)": ("splice", "waveform", "lung"),
}
ACCURACY = {
    "mushroom": ".9996 .9996 .9996 .9996 1.00 .9986 1.00 1.00",
    "kr-vs-kp": ".9408 .9408 .9383 .9383 .9581 .9387 .9387 .9387",
    "madelon": ".6030 .6095 .6050 .6050 .6200 .5970 .6075 .6025",
    "spambase": ".9270 .9274 .9294 .9298 .9063 .9234 .9198 .9107",
    "prostate": ".8609 .9200 .9364 .9364 .9100 .9500 .9200 .9500",
    "arcene": ".7236 .7136 .7236 .6914 .7316 .7716 .7636 .7396",
    "leukemia": ".9321 - - - .9446 .9714 .9714 .9857",
    "splice": ".9269 .9269 .9052 .9039 .8013 .9392 .9335 .9392",
    "waveform": ".8488 .8488 .8488 .8488 .7210 .8444 .8452 .8452",
    "lung": "- - - - - .8131 .7059 .7845",
}
"""Accuracy of a support vector machine: tables 9, 13 and 17."""
SPREAD = {
    "mushroom": ".00 .00 .00 .00 .00 .00 .00 .00",
    "kr-vs-kp": ".02 .02 .02 .02 .01 .02 .02 .02",
    "madelon": ".02 .04 .03 .03 .03 .03 .04 .04",
    "spambase": ".01 .01 .01 .01 .01 .01 .01 .01",
    "prostate": ".10 .10 .05 .05 .11 .08 .10 .08",
    "arcene": ".19 .18 .19 .16 .17 .08 .18 .11",
    "leukemia": ".12 - - - .10 .06 .06 .05",
    "splice": ".01 .01 .02 .02 .02 .01 .01 .01",
    "waveform": ".01 .01 .01 .01 .02 .01 .01 .01",
    "lung": "- - - - - .16 .19 .19",
}
"""Standard deviations of the accuracy, over folds: tables 9, 13 and 17."""
FEATURES = {
    "mushroom": "10 10 20 20 3 5/15/10 5/5/5 10/5/5",
    "kr-vs-kp": "8 8 19 19 7 10/25/15 5/15/10 5/15/10",
    "madelon": "5 5 6 5 6 25/20/20 5/15/15 20/20/10",
    "spambase": "24 24 45 45 8 20/25/20 15/20/15 10/15/10",
    "prostate": "9 8 175 98 2 5/20/10 15/5/10 20/20/10",
    "arcene": "4 4 5 6 3 5/10/10 15/20/10 35/35/20",
    "leukemia": "1014 - - - 1 10/20/15 20/10/10 10/10/10",
    "splice": "28 28 50 49 3 25/5 25/5 20/5",
    "waveform": "17 17 17 17 3 10/15 10/15 15/15",
    "lung": "- - - - - 40/35 40/30 40/35",
}
"""Selected features: tables 10, 15 (of filters the best number for NBC/KNN/SVM) and 18 (two numbers)."""
SECONDS = {
    "mushroom": "0.89 1.19 42.98 44.12 0.16 0.03 0.01 0.03",
    "kr-vs-kp": "0.31 0.33 6.87 6.21 0.43 0.04 0.03 0.07",
    "madelon": "0.18 0.21 0.87 0.9448 3.07 0.4 0.03 1.53",
    "spambase": "35 37 200 203 0.7648 0.09 0.06 0.24",
    "prostate": "2 2 41568 54315 6.37 2.4 0.09 4",
    "arcene": "3 3 16 15 20 1 0.3 19",
    "leukemia": "10033 - - - 5 2 0.3 3",
    "splice": "12 14 34 34 0.30 0.08 0.08 0.25",
    "waveform": "4 4 16 16 0.2917 0.05 0.03 0.17",
    "lung": "- - - - - 0.5 0.06 0.7",
}
"""Seconds of the selection: tables 11, 14 and 19."""


def printed_set(data: str, name: str) -> tuple[str, str, str, str]:
    """Return the paper's accuracy, its standard deviation, number of features and seconds of one search."""
    index = METHODS.index(name)
    accuracy, sd, features, seconds = (
        table[data].split()[index] for table in (ACCURACY, SPREAD, FEATURES, SECONDS)
    )
    return accuracy, sd, features, seconds
