"""
Copies are one feature
======================

Neighbouring channels of a spectrum are nearly copies, so "alternatives" would be the same window, shifted by a channel.
Grouped, an alternative is another band.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import altsel

random = np.random.default_rng(0)
channel = np.arange(80)
amounts = random.lognormal(sigma=0.6, size=(150, 5))
bands = np.exp(-(((channel - np.array([[12], [26], [40], [56], [70]])) / 4.0) ** 2))
mixed = amounts @ bands + 0.005 * random.normal(size=(150, 80))
spectra = pd.DataFrame(mixed, columns=[f"x_{j:02d}" for j in channel])
substance = amounts[:, 0] + 0.8 * amounts[:, 2] + 0.6 * amounts[:, 4] + 0.1 * random.normal(size=150)

plain = altsel.Dataset(spectra, substance)
fig, axes = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
for ax, data, title in [(axes[0], plain, "columns"), (axes[1], plain.grouped(0.98), "groups of near copies")]:
    quality = altsel.Univariate(altsel.dependence(data, altsel.measures.absolute_pearson))
    found = altsel.sequential(altsel.Problem(quality, k=3), altsel.Dice(0.5), alternatives=3)
    ax.plot(channel, spectra.mean(), color="0.7")
    for row, one in enumerate(found):
        places = [spectra.columns.get_loc(f) for f in one]
        ax.plot(places, [0.15 * row] * len(places), "o", label="best" if row == 0 else f"alternative {row}")
    ax.set_title(f"Sets of three {title}")
    ax.set_ylabel("mean signal")
axes[0].legend(fontsize="small", loc="upper right")
axes[1].set_xlabel("channel")
