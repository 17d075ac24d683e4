"""Evaluators of the ready-made judges."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Generator, Sequence
from typing import Any, ClassVar

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


class ReadyMadeJudge(JudgeEvaluator):
    """Base of the judges below. Inputs, labels and scores are those of the file of the judge (`describe()`, `labels`)."""

    judge_name: ClassVar[str]

    def __init__(self, llm: LLM, **options: Any) -> None:
        super().__init__(llm, self.judge_name, **options)


class AnswerRelevanceEvaluator(ReadyMadeJudge):
    """Whether an answer addresses the question."""

    judge_name = "answer_relevance"


class CodeCorrectnessEvaluator(ReadyMadeJudge):
    """Whether code does what was requested."""

    judge_name = "code_correctness"


class CompletenessEvaluator(ReadyMadeJudge):
    """Whether everything that was asked for was dealt with."""

    judge_name = "completeness"


class ConcisenessEvaluator(ReadyMadeJudge):
    """Whether an answer contains only what is needed."""

    judge_name = "conciseness"


class ContextPrecisionEvaluator(ReadyMadeJudge):
    """Whether the context helps throughout."""

    judge_name = "context_precision"


class ContextRecallEvaluator(ReadyMadeJudge):
    """Whether the context has what the reference needs."""

    judge_name = "context_recall"


class CorrectnessEvaluator(ReadyMadeJudge):
    """Whether an answer is accurate, complete and consistent."""

    judge_name = "correctness"


class CriteriaEvaluator(ReadyMadeJudge):
    """Whether an answer meets criteria in your own words."""

    judge_name = "criteria"


class DocumentRelevanceEvaluator(ReadyMadeJudge):
    """Whether a document helps to answer."""

    judge_name = "document_relevance"


class FaithfulnessEvaluator(ReadyMadeJudge):
    """Whether the context supports an answer."""

    judge_name = "faithfulness"


class HallucinationEvaluator(ReadyMadeJudge):
    """Whether a reply claims what its conversation does not."""

    judge_name = "hallucination"


class InstructionFollowingEvaluator(ReadyMadeJudge):
    """Whether every instruction is followed."""

    judge_name = "instruction_following"


class PIIDetectionEvaluator(ReadyMadeJudge):
    """Whether personal data occurs."""

    judge_name = "pii_detection"


class QACorrectnessEvaluator(ReadyMadeJudge):
    """Whether an answer agrees with a reference answer."""

    judge_name = "qa_correctness"


class RefusalEvaluator(ReadyMadeJudge):
    """Whether a reply declines to answer."""

    judge_name = "refusal"


class RetrievalRelevanceEvaluator(ReadyMadeJudge):
    """Whether what was retrieved helps."""

    judge_name = "retrieval_relevance"


class SQLEquivalenceEvaluator(ReadyMadeJudge):
    """Whether two queries give the same result."""

    judge_name = "sql_equivalence"


class SummaryQualityEvaluator(ReadyMadeJudge):
    """Whether a summary is true and has the main points."""

    judge_name = "summary_quality"


class ToolInvocationEvaluator(ReadyMadeJudge):
    """Whether tools get suitable arguments."""

    judge_name = "tool_invocation"


class ToolResponseHandlingEvaluator(ReadyMadeJudge):
    """Whether a tool's result is used well."""

    judge_name = "tool_response_handling"


class ToolSelectionEvaluator(ReadyMadeJudge):
    """Whether the right tools are chosen."""

    judge_name = "tool_selection"


class ToxicityEvaluator(ReadyMadeJudge):
    """Whether a text is hateful, demeaning, abusive or threatening."""

    judge_name = "toxicity"


class TranslationEvaluator(ReadyMadeJudge):
    """Whether a translation says what the original says."""

    judge_name = "translation"


class UserFrictionEvaluator(ReadyMadeJudge):
    """Whether a user has trouble with the assistant."""

    judge_name = "user_friction"
