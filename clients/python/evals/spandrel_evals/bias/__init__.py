"""Biases of a judge: what changes its verdicts though it must not.

    report = check_biases(CorrectnessEvaluator(llm), "labelled.csv")
    print(report)
"""

from .check import CHECKS, check_biases
from .families import family_of
from .finding import Finding
from .report import BiasReport

__all__ = ["CHECKS", "BiasReport", "Finding", "check_biases", "family_of"]
