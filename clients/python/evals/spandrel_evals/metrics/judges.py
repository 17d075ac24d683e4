"""Evaluators of the ready-made judges."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Generator, Sequence
from typing import Any

from ..evaluators.classification import ClassificationEvaluator, read_choices
from ..llm.model import LLM
from ..templates.template import to_template
from .judge_file import Example, JudgeFile, find_judge


class JudgeEvaluator(ClassificationEvaluator):
    """Asks a model for one of the labels of a judge.

    `judge` is the name of a ready-made one, or a `JudgeFile`. `examples` go into its prompt. The metadata of a score has
    `judge` and `judge_version`: scores of different prompts must not be compared. Other options are those of
    `ClassificationEvaluator`, and parameters of the model.
    """

    def __init__(
        self,
        llm: LLM,
        judge: str | JudgeFile,
        *,
        name: str | None = None,
        examples: Sequence[Example] = (),
        choices: Any = None,
        direction: str | None = None,
        **options: Any,
    ) -> None:
        file = find_judge(judge) if isinstance(judge, str) else judge
        self.judge = file.with_examples([*file.examples, *examples]) if examples else file
        super().__init__(
            name=name or file.name,
            llm=llm,
            # Variables come from the part that depends on the row: an example may contain braces.
            prompt_template=self.judge.template()[1:],
            choices=choices or file.scores,
            direction=direction or file.direction,
            metadata={"judge": file.name, "judge_version": self.judge.version_name()},
            **options,
        )

    def _messages(self, eval_input: dict[str, Any]) -> list[dict[str, Any]]:
        return self.judge.messages(eval_input)

    def with_judge(self, judge: JudgeFile) -> JudgeEvaluator:
        """A copy with another judge file: other examples, or the same labels in another order or with other names."""
        made = copy.copy(self)
        made.judge = judge
        if set(self.judge.labels) == set(judge.labels):
            scores = {label: self._scores.get(label) for label in judge.labels}
        else:
            scores = dict(zip(judge.labels, self._scores.values(), strict=True))
        made.choices = scores
        made._scores, made._descriptions = read_choices(scores)
        made.prompt_template = to_template(judge.template()[1:])
        made._extra = {**self._extra, "judge": judge.name, "judge_version": judge.version_name()}
        return made

    def prompt_version(self) -> str:
        return hashlib.sha256(f"{self.judge.rules()}\0{super().prompt_version()}".encode()).hexdigest()[:16]


class PreferenceEvaluator(JudgeEvaluator):
    """Which of two answers is better: `first`, `second` or `tie`. Score 1, 0 or 0.5.

    The model is asked in both orders. If it contradicts itself, the answers are a tie; the metadata has both verdicts, so that
    the share of such rows shows how much the order decides.
    """

    def __init__(self, llm: LLM, **options: Any) -> None:
        super().__init__(llm, options.pop("judge", "preference"), **options)
        if self.judge.swap is None:
            raise ValueError(f"the judge {self.judge.name} does not compare: its file has no swap")

    def _steps(self, eval_input: dict[str, Any]) -> Generator[Any, Any, dict[str, Any]]:
        swap = self.judge.swap
        assert swap is not None
        first, second = swap.variables
        answer = yield from super()._steps(eval_input)
        swapped = yield from super()._steps({**eval_input, first: eval_input[second], second: eval_input[first]})
        exchanged = dict(zip(swap.labels, reversed(swap.labels), strict=True))
        other = exchanged.get(swapped["label"], swapped["label"])
        orders = {"orders": [answer["label"], other], "orders_agree": answer["label"] == other}
        label = answer["label"] if answer["label"] == other else self._tie(answer["label"])
        explanation = answer.get("explanation")
        if label != answer["label"]:
            explanation = f"In this order: {explanation} In the other order: {swapped.get('explanation')}"
        return {"label": label, "explanation": explanation, "orders": orders}

    def _tie(self, label: str) -> str:
        """The label that is neither of the two places."""
        swap = self.judge.swap
        assert swap is not None
        return next((each for each in self.labels if each not in swap.labels), label)

    def _to_scores(self, answer: Any, record: Any) -> list[Any]:
        # Probabilities are those of the second order only.
        record.logprobs = None
        return [
            score.replace(metadata={**score.metadata, **answer["orders"]}) for score in super()._to_scores(answer, record)
        ]


def _named(judge: str, class_name: str, summary: str) -> type[JudgeEvaluator]:
    def __init__(self: JudgeEvaluator, llm: LLM, **options: Any) -> None:
        JudgeEvaluator.__init__(self, llm, judge, **options)

    file_note = "Inputs, labels and scores are those of the file of the judge (`describe()`, `labels`)."
    doc = f"{summary}\n\n    {file_note}\n    "
    return type(class_name, (JudgeEvaluator,), {"__init__": __init__, "__doc__": doc, "__module__": __name__})


AnswerRelevanceEvaluator = _named("answer_relevance", "AnswerRelevanceEvaluator", "Whether an answer addresses the question.")
CodeCorrectnessEvaluator = _named("code_correctness", "CodeCorrectnessEvaluator", "Whether code does what was requested.")
CompletenessEvaluator = _named("completeness", "CompletenessEvaluator", "Whether everything that was asked for was dealt with.")
ConcisenessEvaluator = _named("conciseness", "ConcisenessEvaluator", "Whether an answer contains only what is needed.")
ContextPrecisionEvaluator = _named("context_precision", "ContextPrecisionEvaluator", "Whether the context helps throughout.")
ContextRecallEvaluator = _named("context_recall", "ContextRecallEvaluator", "Whether the context has what the reference needs.")
CorrectnessEvaluator = _named("correctness", "CorrectnessEvaluator", "Whether an answer is accurate, complete and consistent.")
CriteriaEvaluator = _named("criteria", "CriteriaEvaluator", "Whether an answer meets criteria in your own words.")
DocumentRelevanceEvaluator = _named("document_relevance", "DocumentRelevanceEvaluator", "Whether a document helps to answer.")
FaithfulnessEvaluator = _named("faithfulness", "FaithfulnessEvaluator", "Whether the context supports an answer.")
HallucinationEvaluator = _named("hallucination", "HallucinationEvaluator", "Whether a reply claims what its conversation does not.")
InstructionFollowingEvaluator = _named("instruction_following", "InstructionFollowingEvaluator", "Whether every instruction is followed.")
PIIDetectionEvaluator = _named("pii_detection", "PIIDetectionEvaluator", "Whether personal data occurs.")
QACorrectnessEvaluator = _named("qa_correctness", "QACorrectnessEvaluator", "Whether an answer agrees with a reference answer.")
RefusalEvaluator = _named("refusal", "RefusalEvaluator", "Whether a reply declines to answer.")
RetrievalRelevanceEvaluator = _named("retrieval_relevance", "RetrievalRelevanceEvaluator", "Whether what was retrieved helps.")
SQLEquivalenceEvaluator = _named("sql_equivalence", "SQLEquivalenceEvaluator", "Whether two queries give the same result.")
SummaryQualityEvaluator = _named("summary_quality", "SummaryQualityEvaluator", "Whether a summary is true and has the main points.")
ToolInvocationEvaluator = _named("tool_invocation", "ToolInvocationEvaluator", "Whether tools get suitable arguments.")
ToolResponseHandlingEvaluator = _named("tool_response_handling", "ToolResponseHandlingEvaluator", "Whether a tool's result is used well.")
ToolSelectionEvaluator = _named("tool_selection", "ToolSelectionEvaluator", "Whether the right tools are chosen.")
ToxicityEvaluator = _named("toxicity", "ToxicityEvaluator", "Whether a text is hateful, demeaning, abusive or threatening.")
TranslationEvaluator = _named("translation", "TranslationEvaluator", "Whether a translation says what the original says.")
UserFrictionEvaluator = _named("user_friction", "UserFrictionEvaluator", "Whether a user has trouble with the assistant.")
