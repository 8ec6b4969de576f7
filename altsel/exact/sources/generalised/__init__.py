"""Branch and bound for the fit of regularised models, on the tangents of their losses.

For any predictors, with slopes g of the loss there, the loss of a set is at least a constant less a price
``|x_j'g|^2 / (2 ridge)`` for each of its features (`altsel.stats.generalised`): the features chosen, and the
q most expensive of those that may be, bound all sets of a node. The best predictors are those of the
perspective relaxation (Frangioni and Gentile 2006; Pilanci, Wainwright and El Ghaoui 2015), the model of all
features whose ridge is divided by shares that add up to q. Features are fixed whose prices leave no choice
(safe screening: Atamtürk and Gómez 2020). The last two features are listed, most pairs by a mixture of the
slopes of models with one of them.
"""
