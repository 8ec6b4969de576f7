"""
All Markov blankets as one graph
================================

Where columns carry the same information there are several Markov blankets. Every path from left to
right through the multiple-solutions graph is one of them.
"""

import numpy as np
import pandas as pd

import altsel

random = np.random.default_rng(1)
x = pd.DataFrame(random.normal(size=(500, 4)), columns=["dose", "age", "pulse", "noise"])
x["dose_mg"], x["pulse_hz"] = 1000 * x["dose"] + 3, x["pulse"] / 60
x["total"] = x["age"] + x["dose"]
y = x["dose"] + x["age"] - x["pulse"] + random.normal(size=500)

test = altsel.independence.PartialCorrelation(altsel.Dataset(x, y))
blankets = altsel.blankets.tmfbs(test, alpha=0.001)
altsel.msg(blankets).plot()

# %%
print(blankets)
