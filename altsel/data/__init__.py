"""What is read and checked: tables, their columns, and Bayesian networks."""

from altsel.data.binning import binned
from altsel.data.dataset import Dataset
from altsel.data.networks.conditional_gaussian import ConditionalGaussian
from altsel.data.networks.network import BayesianNetwork
from altsel.data.reading import Reading
from altsel.data.scanning import Scan, Statistics
from altsel.data.schema import Kind, Task

__all__ = [
    "BayesianNetwork",
    "ConditionalGaussian",
    "Dataset",
    "Kind",
    "Reading",
    "Scan",
    "Statistics",
    "Task",
    "binned",
]
