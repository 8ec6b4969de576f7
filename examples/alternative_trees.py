"""Train trees that share few features: alternatives embedded in training, on real data."""

from pathlib import Path

from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

import altsel

PATH = Path(__file__).parent / "data" / "ionosphere.csv.gz"


def main() -> None:
    """Print four sets of five features, and what a tree of each reaches on rows it has not seen."""
    data = altsel.Dataset(PATH, "target")
    X, X_test, y, y_test = train_test_split(data.X, data.y, random_state=0, stratify=data.y)
    earlier: list[tuple[str, ...]] = []
    for _ in range(4):
        tree = altsel.AlternativeTreeClassifier(
            k=5,
            dissimilarity=altsel.Dice(0.6),
            earlier=earlier,
            tree=DecisionTreeClassifier(min_samples_leaf=5),
        ).fit(X, y)
        earlier.append(tree.selected_features_)
        print(", ".join(tree.selected_features_), f"accuracy {tree.score(X_test, y_test):.3f}", sep="; ")


if __name__ == "__main__":
    main()
