"""Declarative Pyomo models: objectives, dissimilarities and what is wanted of a feature set."""

from altsel.models import domain
from altsel.models.black_box import BlackBox
from altsel.models.cfs import CFS
from altsel.models.dissimilarity import Dice, Dissimilarity, Jaccard
from altsel.models.fcbf import FCBF
from altsel.models.linear_fit import LinearFit
from altsel.models.mrmr import MRMR
from altsel.models.objective import Kind, Objective
from altsel.models.problem import Problem, formulate
from altsel.models.rule import Rule
from altsel.models.soft_diversity import Average, Penalised, SoftDiversity
from altsel.models.univariate import Univariate

__all__ = [
    "CFS",
    "FCBF",
    "MRMR",
    "Average",
    "BlackBox",
    "Dice",
    "Dissimilarity",
    "Jaccard",
    "Kind",
    "LinearFit",
    "Objective",
    "Penalised",
    "Problem",
    "Rule",
    "SoftDiversity",
    "Univariate",
    "domain",
    "formulate",
]
