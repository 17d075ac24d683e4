"""Evaluation of LLM applications.

Names are loaded on first use, so that the import itself costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .errors import EvaluationError as EvaluationError
    from .evaluators.base import Evaluator as Evaluator
    from .evaluators.base import bind_evaluator as bind_evaluator
    from .evaluators.classification import ClassificationEvaluator as ClassificationEvaluator
    from .evaluators.classification import create_classifier as create_classifier
    from .evaluators.function import create_evaluator as create_evaluator
    from .evaluators.llm import LLMEvaluator as LLMEvaluator
    from .fake_model.model import FakeJudge as FakeJudge
    from .fake_model.model import FakeModel as FakeModel
    from .frames.annotations import to_annotation_dataframe as to_annotation_dataframe
    from .frames.evaluate import async_evaluate_dataframe as async_evaluate_dataframe
    from .frames.evaluate import evaluate_dataframe as evaluate_dataframe
    from .llm.model import LLM as LLM
    from .llm.providers import show_provider_availability as show_provider_availability
    from .runner.evaluate import async_evaluate as async_evaluate
    from .runner.evaluate import evaluate as evaluate
    from .runner.streams import async_evaluate_stream as async_evaluate_stream
    from .runner.streams import evaluate_stream as evaluate_stream
    from .scores import EvalInput as EvalInput
    from .scores import KindType as KindType
    from .scores import Score as Score
    from .scores import ToolSchema as ToolSchema
    from .scores import to_score as to_score
    from .templates.stored_prompt import phoenix_prompt_to_prompt_template as phoenix_prompt_to_prompt_template
    from .templates.stored_prompt import prompt_to_template as prompt_to_template
    from .templates.template import PromptTemplate as PromptTemplate

# One line for each public name: where it is defined.
_LAZY = {
    "ClassificationEvaluator": "evaluators.classification",
    "EvalInput": "scores",
    "EvaluationError": "errors",
    "Evaluator": "evaluators.base",
    "FakeJudge": "fake_model.model",
    "FakeModel": "fake_model.model",
    "KindType": "scores",
    "LLM": "llm.model",
    "LLMEvaluator": "evaluators.llm",
    "PromptTemplate": "templates.template",
    "Score": "scores",
    "ToolSchema": "scores",
    "async_evaluate": "runner.evaluate",
    "async_evaluate_dataframe": "frames.evaluate",
    "async_evaluate_stream": "runner.streams",
    "bind_evaluator": "evaluators.base",
    "create_classifier": "evaluators.classification",
    "create_evaluator": "evaluators.function",
    "evaluate": "runner.evaluate",
    "evaluate_dataframe": "frames.evaluate",
    "evaluate_stream": "runner.streams",
    "phoenix_prompt_to_prompt_template": "templates.stored_prompt",
    "prompt_to_template": "templates.stored_prompt",
    "show_provider_availability": "llm.providers",
    "to_annotation_dataframe": "frames.annotations",
    "to_score": "scores",
}
_MODULES = (
    "errors",
    "evaluators",
    "fake_model",
    "frames",
    "llm",
    "mapping",
    "runner",
    "server",
    "templates",
    "tracing",
    "utils",
)
# Modules of measurement: metrics, and how good a judge is.
_MEASURES = ("bias", "calibration", "improve", "metrics", "statistics")
__all__ = [*sorted(_LAZY), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        value = getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
        globals()[name] = value
        return value
    if name == "templating":
        # The former name of the module of templates.
        return importlib.import_module(".templates", __name__)
    if name in _MODULES or name in _MEASURES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, *_MEASURES, "templating"])
