"""Missing values: what may be done with them, and what each way assumes.

================================  ==============================================================
drop rows                         ``Dataset(missing="drop rows")``: right if values are missing completely at
                                  random; wastes rows
`CompleteRows`                    a test on the rows that have what it needs: the same assumption, more rows
`AvailableCases`                  the same for tests, relevances and redundancies, of one table
``Dataset(missing="category")``   what is missing is a level of its own: no assumption, and statements are of
                                  what was recorded, not of what the values would have been
`impute`, `of_tables`             several imputed tables (`Imputations`): right if values are missing at
                                  random, given what the table shows, and the imputer's model fits
`Imputations.test`                a test for learners of blankets, pooled over the tables (`Pooled`)
`Imputations.dependence`          relevances and redundancies for criteria: means over the tables
`Imputations.stacked`             all rows with weights, for criteria that take weights
================================  ==============================================================
"""

from altsel.stats.imputation.available_cases import AvailableCases
from altsel.stats.imputation.complete_rows import CompleteRows
from altsel.stats.imputation.imputed import Imputations, impute, of_tables
from altsel.stats.imputation.pooled import Pooled

__all__ = ["AvailableCases", "CompleteRows", "Imputations", "Pooled", "impute", "of_tables"]
