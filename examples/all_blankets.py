"""Find all Markov blankets of radar returns, test which are equivalent, and draw them as one graph."""

from pathlib import Path

import altsel

DATA = Path(__file__).parent / "data" / "ionosphere.csv.gz"


def main() -> None:
    """Add columns that others determine, as tables of measurements often have, and find every way out."""
    radar = altsel.Dataset(DATA, "target")
    X = radar.X.assign(gain=10 * radar.X["a05"] + 3, total=radar.X["a01"] + radar.X["a03"])
    data = altsel.Dataset(X, radar.y)

    test = altsel.independence.LikelihoodRatio(data)
    found = altsel.blankets.tmfbs(test, alpha=0.001)
    again = altsel.blankets.tie_star(
        altsel.independence.LikelihoodRatio(data), alpha=0.001, removal="hitting_set"
    )
    assert {frozenset(one) for one in found} == {frozenset(one) for one in again}
    for one in found:
        print(", ".join(one))
    print(
        f"{len(found)} blankets, {found.stop}; {found.effort.tests} tests, TIE* {again.effort.tests}",
        end="\n\n",
    )

    print(altsel.equivalence(found, data, against=None).classes(), end="\n\n")
    print(altsel.taxonomy(found, test).of("replaceable"), end="\n\n")
    print(altsel.substitutions(found)[["feature", "along with", "replaced by", "sets"]], end="\n\n")
    print(altsel.msg(found), end="\n\n")

    prices = dict.fromkeys(data.features, 3.0) | {"a01": 4.0, "gain": 1.0, "a05": 2.0}
    print("cheapest:", *found.cheapest(prices)[0])
    rules = [altsel.domain.forbid("a01"), altsel.domain.implies("gain", "total")]
    kept = altsel.blankets.tmfbs(test, alpha=0.001, limits=altsel.blankets.Limits(subject_to=rules))
    print("with rules:", *[one.features for one in kept])


if __name__ == "__main__":
    main()
