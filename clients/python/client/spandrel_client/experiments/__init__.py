"""Experiments as plain functions. `client` is built from the environment when it is absent."""

from __future__ import annotations

from typing import Any

from .compare import Comparison, Difference
from .engine import add_cost
from .evaluators import BaseEvaluator, Evaluator, create_evaluator
from .results import ExperimentEvaluationRun, RanExperiment

__all__ = [
    "BaseEvaluator",
    "Comparison",
    "Difference",
    "Evaluator",
    "ExperimentEvaluationRun",
    "RanExperiment",
    "add_cost",
    "async_compare",
    "async_evaluate_experiment",
    "async_get_experiment",
    "async_resume_evaluation",
    "async_resume_experiment",
    "async_run_experiment",
    "compare",
    "create_evaluator",
    "evaluate_experiment",
    "get_experiment",
    "resume_evaluation",
    "resume_experiment",
    "run_experiment",
]


def _sync(client: Any) -> Any:
    from ..client import Client

    return (client or Client()).experiments


def _async(client: Any) -> Any:
    from ..client import AsyncClient

    return (client or AsyncClient()).experiments


def run_experiment(*, client: Any = None, **arguments: Any) -> RanExperiment:
    """`client.experiments.run_experiment`."""
    return _sync(client).run_experiment(**arguments)


async def async_run_experiment(*, client: Any = None, **arguments: Any) -> RanExperiment:
    """`run_experiment` of an AsyncClient."""
    return await _async(client).run_experiment(**arguments)


def get_experiment(*, client: Any = None, **arguments: Any) -> RanExperiment:
    """`client.experiments.get_experiment`."""
    return _sync(client).get_experiment(**arguments)


async def async_get_experiment(*, client: Any = None, **arguments: Any) -> RanExperiment:
    """`get_experiment` of an AsyncClient."""
    return await _async(client).get_experiment(**arguments)


def compare(a: Any, b: Any, *, client: Any = None) -> Comparison:
    """`client.experiments.compare`."""
    return _sync(client).compare(a, b)


async def async_compare(a: Any, b: Any, *, client: Any = None) -> Comparison:
    """`compare` of an AsyncClient."""
    return await _async(client).compare(a, b)


def resume_experiment(*, client: Any = None, **arguments: Any) -> None:
    """`client.experiments.resume_experiment`."""
    return _sync(client).resume_experiment(**arguments)


async def async_resume_experiment(*, client: Any = None, **arguments: Any) -> None:
    """`resume_experiment` of an AsyncClient."""
    return await _async(client).resume_experiment(**arguments)


def resume_evaluation(*, client: Any = None, **arguments: Any) -> None:
    """`client.experiments.resume_evaluation`."""
    return _sync(client).resume_evaluation(**arguments)


async def async_resume_evaluation(*, client: Any = None, **arguments: Any) -> None:
    """`resume_evaluation` of an AsyncClient."""
    return await _async(client).resume_evaluation(**arguments)


def evaluate_experiment(*, client: Any = None, **arguments: Any) -> RanExperiment:
    """`client.experiments.evaluate_experiment`."""
    return _sync(client).evaluate_experiment(**arguments)


async def async_evaluate_experiment(*, client: Any = None, **arguments: Any) -> RanExperiment:
    """`evaluate_experiment` of an AsyncClient."""
    return await _async(client).evaluate_experiment(**arguments)
