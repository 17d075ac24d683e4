"""Ready-made evaluators: judges, which ask a model, and code, which does not.

Names are loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .code import Bleu as Bleu
    from .code import ChrF as ChrF
    from .code import CodeEvaluator as CodeEvaluator
    from .code import Contains as Contains
    from .code import Cost as Cost
    from .code import EmbeddingSimilarity as EmbeddingSimilarity
    from .code import JsonDistance as JsonDistance
    from .code import Latency as Latency
    from .code import LevenshteinDistance as LevenshteinDistance
    from .code import ListOverlap as ListOverlap
    from .code import MatchesJsonSchema as MatchesJsonSchema
    from .code import MatchesRegex as MatchesRegex
    from .code import NumericDifference as NumericDifference
    from .code import PrecisionRecallFScore as PrecisionRecallFScore
    from .code import RougeL as RougeL
    from .code import TrajectoryMatch as TrajectoryMatch
    from .code import ValidJson as ValidJson
    from .code import exact_match as exact_match
    from .judge_file import Example as Example
    from .judge_file import JudgeFile as JudgeFile
    from .judge_file import find_judge as find_judge
    from .judge_file import list_judges as list_judges
    from .judge_file import read_judge as read_judge
    from .judges import AnswerRelevanceEvaluator as AnswerRelevanceEvaluator
    from .judges import CodeCorrectnessEvaluator as CodeCorrectnessEvaluator
    from .judges import CompletenessEvaluator as CompletenessEvaluator
    from .judges import ConcisenessEvaluator as ConcisenessEvaluator
    from .judges import ContextPrecisionEvaluator as ContextPrecisionEvaluator
    from .judges import ContextRecallEvaluator as ContextRecallEvaluator
    from .judges import CorrectnessEvaluator as CorrectnessEvaluator
    from .judges import CriteriaEvaluator as CriteriaEvaluator
    from .judges import DocumentRelevanceEvaluator as DocumentRelevanceEvaluator
    from .judges import FaithfulnessEvaluator as FaithfulnessEvaluator
    from .judges import HallucinationEvaluator as HallucinationEvaluator
    from .judges import InstructionFollowingEvaluator as InstructionFollowingEvaluator
    from .judges import JudgeEvaluator as JudgeEvaluator
    from .judges import PIIDetectionEvaluator as PIIDetectionEvaluator
    from .judges import PreferenceEvaluator as PreferenceEvaluator
    from .judges import QACorrectnessEvaluator as QACorrectnessEvaluator
    from .judges import RefusalEvaluator as RefusalEvaluator
    from .judges import RetrievalRelevanceEvaluator as RetrievalRelevanceEvaluator
    from .judges import SQLEquivalenceEvaluator as SQLEquivalenceEvaluator
    from .judges import SummaryQualityEvaluator as SummaryQualityEvaluator
    from .judges import ToolInvocationEvaluator as ToolInvocationEvaluator
    from .judges import ToolResponseHandlingEvaluator as ToolResponseHandlingEvaluator
    from .judges import ToolSelectionEvaluator as ToolSelectionEvaluator
    from .judges import ToxicityEvaluator as ToxicityEvaluator
    from .judges import TranslationEvaluator as TranslationEvaluator
    from .judges import UserFrictionEvaluator as UserFrictionEvaluator

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
