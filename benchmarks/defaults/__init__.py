"""Which measure, and which size, should be the default? Features that matter found, and losses on other rows.

    python -m benchmarks.defaults generated [--seeds 30] [--rows 60 100 300 …]
    python -m benchmarks.defaults sets FOLDER [FOLDER …] [--splits 2] [--records FILE]
    python -m benchmarks.defaults sizes FOLDER [FOLDER …] [--splits 3] [--records FILE]

`generated` draws eight kinds of data with five features that matter (`benchmarks.generated`); `sets` reads
data sets, adds noise columns, chooses five features on training rows and measures three models on the others;
`sizes` does so with the size that `altsel.choose_size` finds, and with that of scikit-learn's `RFECV`. Each
prints its page whole. What is in FILE is not done again.
"""
