"""Evaluators that need no model."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from ..errors import InputError, quote
from ..evaluators.base import Evaluator
from ..evaluators.function import create_evaluator
from ..fingerprints import function_digest
from ..json_values import is_missing
from ..llm.prices import find_price
from ..measures import json_schema, json_values, levenshtein, lists, overlap, precision_recall, trajectory
from ..scores import Score
from ..threads import run_in_thread


@create_evaluator(name="exact_match")
def exact_match(output: Any, expected: Any) -> float:
    """1.0 if both are equal, else 0.0. Nothing is normalised."""
    return 1.0 if output == expected else 0.0


class CodeEvaluator(Evaluator):
    """Base of evaluators that compute a score from fields of the row. Several fields are compared as they are, without a schema."""

    needs: tuple[str, ...] = ("output",)
    allows: tuple[str, ...] = ()

    def __init__(self, name: str, direction: str = "maximize") -> None:
        super().__init__(name=name, kind="code", direction=direction)

    def _read_fields(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.needs, self.allows

    def describe(self) -> dict[str, Any]:
        properties: dict[str, Any] = {name: {} for name in (*self.needs, *self.allows)}
        schema = {"type": "object", "properties": properties, "required": list(self.needs)}
        return {"name": self.name, "kind": self.kind, "direction": self.direction, "input_schema": schema}

    def fingerprint(self) -> dict[str, Any]:
        return {**super().fingerprint(), "options": self.options()}

    def options(self) -> dict[str, Any]:
        """Options that change the result, as JSON values."""
        return {}

    async def _async_evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        return self._evaluate(eval_input)

    def _score(self, score: float | None, label: str | None = None, explanation: str | None = None, **metadata: Any) -> list[Score]:
        return [
            Score(
                name=self._name,
                score=score,
                label=label,
                explanation=explanation,
                metadata=metadata,
                kind="code",
                direction=self._direction,
            )
        ]

    def _verdict(self, is_match: bool, explanation: str | None = None, **metadata: Any) -> list[Score]:
        return self._score(1.0 if is_match else 0.0, str(is_match), explanation, **metadata)


def _text(eval_input: Mapping[str, Any], name: str) -> str:
    value = eval_input[name]
    if is_missing(value):
        raise InputError(f"{name} is missing ({value!r}); fill it, or leave the row out")
    return value if isinstance(value, str) else json_values.canonical_json(value)


class Contains(CodeEvaluator):
    """Whether the output contains any of the words, or all."""

    def __init__(
        self,
        words: str | Sequence[str],
        *,
        case_sensitive: bool = False,
        require_all: bool = False,
        name: str = "contains",
    ) -> None:
        super().__init__(name)
        parts = words.split(",") if isinstance(words, str) else list(words)
        self.words = [word.strip() for word in parts if word.strip()]
        self.case_sensitive = case_sensitive
        self.require_all = require_all

    def options(self) -> dict[str, Any]:
        return {"words": self.words, "case_sensitive": self.case_sensitive, "require_all": self.require_all}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        output = _text(eval_input, "output")
        text = output if self.case_sensitive else output.lower()
        found = [word for word in self.words if (word if self.case_sensitive else word.lower()) in text]
        is_match = bool(self.words) and (len(found) == len(self.words) if self.require_all else bool(found))
        return self._verdict(is_match, f"{len(found)} of {len(self.words)} words occur")


class MatchesRegex(CodeEvaluator):
    """1.0 if the pattern is found anywhere in the output, or fits all of it with `full_match`."""

    def __init__(
        self,
        pattern: str | re.Pattern[str],
        name: str = "matches_regex",
        include_explanation: bool = True,
        *,
        full_match: bool = False,
    ) -> None:
        super().__init__(name)
        try:
            self.pattern = re.compile(pattern)
        except re.error as error:
            raise ValueError(f"the pattern {quote(str(pattern))} is no regular expression: {error}") from None
        self.include_explanation = include_explanation
        self.full_match = full_match

    def options(self) -> dict[str, Any]:
        return {"pattern": self.pattern.pattern, "flags": self.pattern.flags, "full_match": self.full_match}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        output = _text(eval_input, "output")
        if self.full_match:
            count = 1 if self.pattern.fullmatch(output) else 0
        elif self.include_explanation:
            count = sum(1 for _ in self.pattern.finditer(output))
        else:
            count = 1 if self.pattern.search(output) else 0
        explanation = f"The pattern {self.pattern.pattern} has {count} {'match' if count == 1 else 'matches'}"
        return self._score(1.0 if count else 0.0, None, explanation if self.include_explanation else None)


class ValidJson(CodeEvaluator):
    """Whether the output is a JSON text."""

    def __init__(self, name: str = "json_valid") -> None:
        super().__init__(name)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        try:
            json_values.parse_json(_text(eval_input, "output"))
        except InputError:
            raise
        except ValueError as error:
            return self._verdict(False, str(error))
        return self._verdict(True)


class MatchesJsonSchema(CodeEvaluator):
    """Whether the output, a JSON text or a value, fits a JSON schema. ValueError for a keyword that is not known."""

    def __init__(self, schema: Any, name: str = "json_schema") -> None:
        super().__init__(name)
        self._problems_of = json_schema.compile_schema(schema)
        self.schema = schema

    def options(self) -> dict[str, Any]:
        return {"schema": self.schema}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        value = eval_input["output"]
        if isinstance(value, str):
            try:
                value = json_values.parse_json(value)
            except ValueError as error:
                return self._verdict(False, f"no JSON: {error}")
        problems = self._problems_of(value)
        return self._verdict(not problems, "; ".join(problems) or None)


class JsonDistance(CodeEvaluator):
    """Number of differences between two JSON values; lower is better."""

    needs = ("output", "expected")

    def __init__(self, *, parse_strings: bool = True, name: str = "json_distance") -> None:
        super().__init__(name, "minimize")
        self.parse_strings = parse_strings

    def options(self) -> dict[str, Any]:
        return {"parse_strings": self.parse_strings}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        distance = json_values.json_distance(
            eval_input["expected"], eval_input["output"], parse_strings=self.parse_strings
        )
        return self._score(distance)


class LevenshteinDistance(CodeEvaluator):
    """Number of edits between two texts; lower is better. `normalized` divides by the length of the longer one."""

    needs = ("output", "expected")

    def __init__(
        self, *, case_sensitive: bool = True, normalized: bool = False, name: str = "levenshtein_distance"
    ) -> None:
        super().__init__(name, "minimize")
        self.case_sensitive = case_sensitive
        self.normalized = normalized

    def options(self) -> dict[str, Any]:
        return {"case_sensitive": self.case_sensitive, "normalized": self.normalized}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        expected, output = _text(eval_input, "expected"), _text(eval_input, "output")
        distance = levenshtein.levenshtein_distance(expected, output, case_sensitive=self.case_sensitive)
        return self._score(distance / max(len(expected), len(output), 1) if self.normalized else distance)


class NumericDifference(CodeEvaluator):
    """Distance of two numbers; lower is better."""

    needs = ("output", "expected")

    def __init__(self, *, relative: bool = False, name: str = "numeric_difference") -> None:
        super().__init__(name, "minimize")
        self.relative = relative

    def options(self) -> dict[str, Any]:
        return {"relative": self.relative}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        return self._score(lists.numeric_difference(eval_input["expected"], eval_input["output"], relative=self.relative))


class ListOverlap(CodeEvaluator):
    """F1 of two lists in any order; precision, recall and Jaccard's index are in the metadata."""

    needs = ("output", "expected")

    def __init__(self, name: str = "list_overlap") -> None:
        super().__init__(name)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        found = lists.list_overlap(eval_input["expected"], eval_input["output"])
        return self._score(found.f1, None, None, precision=found.precision, recall=found.recall, jaccard=found.jaccard)


class _TextOverlap(CodeEvaluator):
    needs = ("output", "expected")

    def _texts(self, eval_input: dict[str, Any]) -> tuple[str, str]:
        return _text(eval_input, "expected"), _text(eval_input, "output")


class Bleu(_TextOverlap):
    """BLEU of one text, from 0 to 1."""

    def __init__(self, name: str = "bleu") -> None:
        super().__init__(name)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        return self._score(overlap.bleu(*self._texts(eval_input)))


class RougeL(_TextOverlap):
    """F1 of ROUGE-L, from 0 to 1; precision and recall are in the metadata."""

    def __init__(self, name: str = "rouge_l") -> None:
        super().__init__(name)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        found = overlap.rouge_l(*self._texts(eval_input))
        return self._score(found.f1, None, None, precision=found.precision, recall=found.recall)


class ChrF(_TextOverlap):
    """chrF2 of one text, from 0 to 1."""

    def __init__(self, name: str = "chrf") -> None:
        super().__init__(name)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        return self._score(overlap.chrf(*self._texts(eval_input)))


class EmbeddingSimilarity(_TextOverlap):
    """Cosine of the vectors of two texts. `embed` is a function of a list of texts to a list of vectors; it may be async."""

    def __init__(self, embed: Callable[[list[str]], Any], name: str = "embedding_similarity") -> None:
        super().__init__(name)
        if not callable(embed):
            raise TypeError(f"embed is {type(embed).__name__}; expected a function of a list of texts to a list of vectors")
        self.embed = embed

    def options(self) -> dict[str, Any]:
        return {"embed": function_digest(self.embed)}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        found = self.embed(list(self._texts(eval_input)))
        if inspect.isawaitable(found):
            if inspect.iscoroutine(found):
                found.close()
            raise NotImplementedError("embed is a coroutine function; use async_evaluate")
        return self._similarity(found)

    async def _async_evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        texts = list(self._texts(eval_input))
        found = self.embed(texts) if inspect.iscoroutinefunction(self.embed) else await run_in_thread(self.embed, texts)
        return self._similarity(await found if isinstance(found, Awaitable) else found)

    def _similarity(self, vectors: Any) -> list[Score]:
        if len(vectors) != 2:
            raise InputError(f"embed returned {len(vectors)} vectors for 2 texts")
        first, second = ([float(number) for number in vector] for vector in vectors)
        return self._score(lists.cosine_similarity(first, second))


class TrajectoryMatch(CodeEvaluator):
    """Whether the tool calls of the output are the expected ones: `exact`, `in_order` or `any_order`."""

    needs = ("output", "expected")

    def __init__(self, mode: trajectory.TrajectoryMode = "exact", name: str = "trajectory_match") -> None:
        super().__init__(name)
        trajectory.trajectory_match([], [], mode)
        self.mode: trajectory.TrajectoryMode = mode

    def options(self) -> dict[str, Any]:
        return {"mode": self.mode}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        expected, output = (self._calls(eval_input, name) for name in ("expected", "output"))
        is_match = trajectory.trajectory_match(expected, output, self.mode)
        names = [" → ".join(trajectory.to_call(call).name for call in calls) or "no calls" for calls in (expected, output)]
        return self._verdict(is_match, None if is_match else f"expected {names[0]}, received {names[1]}")

    def _calls(self, eval_input: dict[str, Any], name: str) -> list[Any]:
        value = eval_input[name]
        if isinstance(value, str):
            value = json_values.parse_json(value)
        if not isinstance(value, Sequence):
            raise InputError(f"{name} is {type(value).__name__}; expected a list of tool calls")
        return list(value)


class PrecisionRecallFScore(CodeEvaluator):
    """Precision, recall and F of two lists of labels: three scores.

    With `positive_label`, or the average `macro` and exactly the labels 0 and 1, they are those of one label.
    """

    needs = ("expected", "output")

    def __init__(
        self,
        *,
        beta: float = 1,
        average: precision_recall.Average = "macro",
        zero_division: float = 0,
        positive_label: Any = None,
    ) -> None:
        self.f_name = "f" + (str(int(beta)) if float(beta).is_integer() else str(beta).replace(".", "_"))
        super().__init__(f"precision_recall_{self.f_name}")
        precision_recall.precision_recall_f([0], [0], beta=beta, average=average)
        self.beta = beta
        self.average: precision_recall.Average = average
        self.zero_division = zero_division
        self.positive_label = positive_label

    def options(self) -> dict[str, Any]:
        label = repr(self.positive_label)
        return {"beta": self.beta, "average": self.average, "zero_division": self.zero_division, "positive_label": label}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        found = precision_recall.precision_recall_f(
            eval_input["expected"],
            eval_input["output"],
            beta=self.beta,
            average=self.average,
            zero_division=self.zero_division,
            positive_label=self.positive_label,
        )
        suffix = "" if found.is_binary or self.average == "macro" else f"_{self.average}"
        metadata = {
            "beta": self.beta,
            "average": self.average,
            "labels": list(found.labels),
            "positive_label": found.positive_label,
        }
        values = (("precision", found.precision), ("recall", found.recall), (self.f_name, found.f))
        return [
            Score(name=f"{name}{suffix}", score=value, metadata=metadata, kind="code", direction=self._direction)
            for name, value in values
        ]


class _Limited(CodeEvaluator):
    """A number, lower is better, with a label if there is a maximum."""

    def __init__(self, name: str, maximum: float | None) -> None:
        super().__init__(name, "minimize")
        self.maximum = maximum

    def options(self) -> dict[str, Any]:
        return {"maximum": self.maximum}

    def _limited(self, value: Any, field: str) -> list[Score]:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
            raise InputError(f"{field} is {quote(repr(value))}; expected a number of at least 0")
        label = None if self.maximum is None else "within" if value <= self.maximum else "over"
        return self._score(value, label)


class Latency(_Limited):
    """Milliseconds of a row (`latency_ms`), and whether they are within a maximum."""

    needs = ("latency_ms",)

    def __init__(self, maximum_ms: float | None = None, name: str = "latency_ms") -> None:
        super().__init__(name, maximum_ms)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        return self._limited(eval_input["latency_ms"], "latency_ms")


class Cost(_Limited):
    """US dollars of a row: its `cost`, or its `prompt_tokens` and `completion_tokens` at the prices of `model`."""

    needs = ()
    allows = ("cost", "model", "prompt_tokens", "completion_tokens")

    def __init__(self, maximum: float | None = None, name: str = "cost_usd") -> None:
        super().__init__(name, maximum)

    def _has_open_input(self) -> bool:
        return True

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        if not is_missing(eval_input.get("cost")):
            return self._limited(eval_input["cost"], "cost")
        model = eval_input.get("model")
        price = find_price(model) if isinstance(model, str) else None
        if price is None:
            raise InputError(f"the price of the model {quote(repr(model))} is unknown; give the row a cost")
        tokens = [eval_input.get(name) for name in ("prompt_tokens", "completion_tokens")]
        if any(isinstance(each, bool) or not isinstance(each, (int, float)) for each in tokens):
            raise InputError(f"prompt_tokens and completion_tokens are {tokens!r}; expected numbers, or a cost")
        total = tokens[0] * price["prompt"]["input"] + tokens[1] * price["completion"]["output"]
        return self._limited(total / 1_000_000, "cost")
