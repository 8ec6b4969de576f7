"""Find a Markov blanket from data, compare it with the truth, and greedy with exact mRMR."""

from pathlib import Path

import altsel

ALARM = Path(__file__).parent / "data" / "alarm.bif"


def main() -> None:
    """Print what tests find around HR in 5,000 rows of ALARM, and two answers to the same mRMR question."""
    alarm = altsel.read_network(ALARM)
    rows = alarm.sample(5000, random_state=0)
    data = altsel.Dataset(rows.drop(columns="HR"), rows["HR"])

    test = altsel.independence.Counted(altsel.independence.GSquare(data))
    for search in (altsel.blankets.iamb, altsel.blankets.mmmb, altsel.blankets.hiton_mb):
        found = search(test, alpha=0.01)
        missed = set(alarm.blanket("HR")) - set(found[0])
        print(f"{found.search}: {', '.join(found[0])}; missed: {', '.join(sorted(missed)) or 'nothing'}")
    print(test.account, end="\n\n")

    greedy = altsel.ranking.mrmr(data, k=8)[0]
    quality = altsel.MRMR(altsel.dependence(data, altsel.measures.mutual_information))
    exact = altsel.sequential(altsel.Problem(quality, k=8), altsel.Jaccard(0), alternatives=0)[0]
    mask = [name in greedy for name in quality.features]
    print(f"greedy mRMR: {quality.score(mask):.5f} by {', '.join(step.feature for step in greedy.path)}")
    print(f"exact mRMR:  {exact.score:.5f} by {', '.join(exact)} ({exact.proof})")


if __name__ == "__main__":
    main()
