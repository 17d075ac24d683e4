"""Ready-made evaluators: judges, which ask a model, and code, which does not.

Names are loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import Any

_JUDGES = (
    *("AnswerRelevanceEvaluator", "CodeCorrectnessEvaluator", "CompletenessEvaluator", "ConcisenessEvaluator"),
    *("ContextPrecisionEvaluator", "ContextRecallEvaluator", "CorrectnessEvaluator", "CriteriaEvaluator"),
    *("DocumentRelevanceEvaluator", "FaithfulnessEvaluator", "HallucinationEvaluator", "InstructionFollowingEvaluator"),
    *("JudgeEvaluator", "PIIDetectionEvaluator", "PreferenceEvaluator", "QACorrectnessEvaluator", "RefusalEvaluator"),
    *("RetrievalRelevanceEvaluator", "SQLEquivalenceEvaluator", "SummaryQualityEvaluator", "ToolInvocationEvaluator"),
    *("ToolResponseHandlingEvaluator", "ToolSelectionEvaluator", "ToxicityEvaluator", "TranslationEvaluator"),
    "UserFrictionEvaluator",
)
_CODE = (
    *("Bleu", "ChrF", "CodeEvaluator", "Contains", "Cost", "EmbeddingSimilarity", "JsonDistance", "Latency"),
    *("LevenshteinDistance", "ListOverlap", "MatchesJsonSchema", "MatchesRegex", "NumericDifference"),
    *("PrecisionRecallFScore", "RougeL", "TrajectoryMatch", "ValidJson", "exact_match"),
)
_FILES = ("Example", "JudgeFile", "find_judge", "list_judges", "read_judge")
_MODULES = {
    **dict.fromkeys(_JUDGES, "judges"),
    **dict.fromkeys(_CODE, "code"),
    **dict.fromkeys(_FILES, "judge_file"),
}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
