"""Evaluators that choose one of some labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import quote
from ..limits import LABEL_COUNT_MAX
from ..llm import calls
from ..llm.graded import graded_score
from ..llm.model import LLM, schema_of_labels
from ..scores import Score
from .llm import LLMEvaluator


class ClassificationEvaluator(LLMEvaluator):
    """Asks a model for one of the labels.

    `choices`: a list of labels (no score), `{label: score}`, or `{label: (score, description)}`, whose descriptions go to the
    model. `graded` asks the vendor for probabilities of tokens and weighs the scores of the labels with them; where the
    vendor gives none, the score of the label counts. `metadata` of a score has the model, the tokens and the cost.
    """

    def __init__(
        self,
        *,
        name: str,
        llm: LLM,
        prompt_template: Any,
        choices: Any,
        include_explanation: bool = True,
        input_schema: Any = None,
        direction: str = "maximize",
        graded: bool = False,
        metadata: Mapping[str, Any] | None = None,
        **invocation_parameters: Any,
    ) -> None:
        super().__init__(
            name=name,
            llm=llm,
            prompt_template=prompt_template,
            input_schema=input_schema,
            direction=direction,
            **invocation_parameters,
        )
        self.choices = choices
        self._scores, self._descriptions = read_choices(choices)
        self.include_explanation = include_explanation
        self.graded = graded
        self._label_schema: tuple[Any, dict[str, Any]] | None = None
        # Goes into each score, such as the version of a judge.
        self._extra = dict(metadata or {})

    @property
    def labels(self) -> list[str]:
        return list(self._scores)

    @property
    def scores_by_label(self) -> dict[str, float | int | None]:
        return dict(self._scores)

    def _steps(self, eval_input: dict[str, Any]) -> Any:
        choices = self._descriptions or self.labels
        return self.llm.classification_steps(
            self._messages(eval_input),
            choices,
            self.include_explanation,
            None,
            self.invocation_parameters,
            logprobs=self.graded,
            schema=self._schema_of(choices),
        )

    def _schema_of(self, choices: Any) -> dict[str, Any]:
        """The schema of the labels, made once. A copy of the evaluator may have others."""
        known = self._label_schema
        if known is None or known[0] is not self._scores:
            known = self._label_schema = (self._scores, schema_of_labels(choices, self.include_explanation, None))
        return known[1]

    def _to_scores(self, answer: Any, record: calls.CallRecord) -> list[Score]:
        label = answer["label"]
        score = self._scores[label]
        metadata = {"model": self.llm.model, **self._extra, **record.metadata()}
        if record.logprobs and any(one is not None for one in self._scores.values()):
            graded = graded_score(record.logprobs, self._scores)
            if graded is not None:
                score, metadata["label_probabilities"] = graded
        return [
            Score(
                name=self._name,
                score=score,
                label=label,
                explanation=answer.get("explanation"),
                metadata=metadata,
                kind="llm",
                direction=self._direction,
            )
        ]

    def _told_schema(self) -> Any:
        return {"choices": self._descriptions or self.labels, "explanation": self.include_explanation}

    def fingerprint(self) -> dict[str, Any]:
        return {**super().fingerprint(), "scores": [[label, score] for label, score in self._scores.items()], "graded": self.graded}


def read_choices(choices: Any) -> tuple[dict[str, float | int | None], dict[str, str] | None]:
    """Scores by label, and descriptions by label if there are any. ValueError for fewer than two labels or equal ones."""
    scores: dict[str, float | int | None] = {}
    descriptions: dict[str, str] = {}
    if isinstance(choices, Mapping):
        pairs = list(choices.items())
    elif isinstance(choices, Sequence) and not isinstance(choices, str):
        pairs = [(label, None) for label in choices]
    else:
        raise ValueError(f"choices is {quote(repr(choices))}; expected a list of labels, or a dict of labels and scores")
    for label, value in pairs:
        if not isinstance(label, str) or not label.strip():
            raise ValueError(f"a label is {quote(repr(label))}; expected a text")
        if isinstance(value, (tuple, list)):
            if len(value) != 2 or not isinstance(value[1], str):
                raise ValueError(f"the choice {label!r} is {quote(repr(value))}; expected (score, description)")
            value, descriptions[label] = value
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value)):
            raise ValueError(f"the score of {label!r} is {quote(repr(value))}; expected a number")
        if label.strip().casefold() in (one.strip().casefold() for one in scores):
            raise ValueError(f"the label {label!r} occurs twice in choices, apart from case; rename one")
        scores[label] = value
    if not 2 <= len(scores) <= LABEL_COUNT_MAX:
        raise ValueError(f"choices has {len(scores)} labels; expected 2 to {LABEL_COUNT_MAX}")
    if descriptions and len(descriptions) < len(scores):
        raise ValueError("some choices have a description and others do not; describe all or none")
    return scores, descriptions or None


def create_classifier(
    name: str, prompt_template: Any, llm: LLM, choices: Any, direction: str = "maximize", **options: Any
) -> ClassificationEvaluator:
    """A ClassificationEvaluator."""
    return ClassificationEvaluator(
        name=name, llm=llm, prompt_template=prompt_template, choices=choices, direction=direction, **options
    )
