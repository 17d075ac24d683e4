"""FakeModel: answers by script or by a judge, with delays, limits and failures by seed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ModelTimeoutError, RateLimitError, TransientModelError
from ..json_values import dump_json
from ..llm.contract import ModelReply, ModelRequest, Usage
from ..llm.messages import text_of
from ..llm.structured import label_names
from .conditions import Conditions
from .judge import FakeJudge

__all__ = ["FakeJudge", "FakeModel"]


class FakeModel:
    """A model whose every answer is known.

    `answer`: a FakeJudge, a text or object, a list of them (taken in turn, the last one stays), a dict (the first key that
    occurs in the prompt), or a function of the prompt's text and the labels. Without it the first label is chosen.
    `latency`: seconds, or `(median, sigma)` of a log-normal distribution. Limits and failures: see `Conditions`.
    `supports`: which forms of structured answers it accepts (`schema`, `tool`). Counts are in `counts()`.
    """

    def __init__(
        self,
        answer: Any = None,
        *,
        latency: float | Sequence[float] = 0.0,
        requests_per_second: float | None = None,
        burst: float | None = None,
        tokens_per_minute: float | None = None,
        refusal_bursts: Sequence[float] | None = None,
        error_rate: float = 0.0,
        hang_rate: float = 0.0,
        half_rate: float = 0.0,
        endless_rate: float = 0.0,
        states_limits: bool = True,
        supports: Sequence[str] = ("schema", "tool"),
        api_key: str | None = None,
        is_repeatable: bool = True,
        counts_prompts: bool = True,
        seed: int = 0,
    ) -> None:
        self.seed = seed
        self.supports = tuple(supports)
        self.api_key = api_key
        self.conditions = Conditions(
            latency=latency,
            requests_per_second=requests_per_second,
            burst=burst,
            tokens_per_minute=tokens_per_minute,
            refusal_bursts=refusal_bursts,
            error_rate=error_rate,
            hang_rate=hang_rate,
            half_rate=half_rate,
            endless_rate=endless_rate,
            states_limits=states_limits,
            seed=seed,
        )
        self.is_immediate = self.conditions.is_immediate
        self._answer = answer
        self._is_repeatable = is_repeatable
        self._counts_prompts = counts_prompts
        self._lock = threading.Lock()
        self._turn = 0
        self._prompts: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._in_flight = 0
        self._in_flight_max = 0

    def llm(self, model: str = "fake-model") -> Any:
        """An LLM that asks this model in this process."""
        from ..llm.model import LLM

        return LLM(provider="fake", model=model, client=self)

    # Counts

    def counts(self) -> dict[str, Any]:
        """How often it was asked: `requests`, by outcome (`answered`, `refused`, `failed` …), and prompts asked again."""
        with self._lock:
            again = sum(count - 1 for count in self._prompts.values())
            outcomes = dict(self._outcomes)
        return {
            "requests": sum(outcomes.values()),
            **outcomes,
            "prompts": len(self._prompts),
            "answered_again": again,
            "in_flight_max": self._in_flight_max,
        }

    def asked(self, part: str) -> int:
        """How many answers were given to prompts with this text."""
        with self._lock:
            return sum(count for prompt, count in self._prompts.items() if part in prompt)

    def reset(self) -> None:
        with self._lock:
            self._prompts.clear()
            self._outcomes.clear()
            self._in_flight_max = 0
            self._turn = 0

    def count(self, outcome: str) -> None:
        with self._lock:
            self._outcomes[outcome] += 1

    def enter(self) -> None:
        with self._lock:
            self._in_flight += 1
            self._in_flight_max = max(self._in_flight_max, self._in_flight)

    def leave(self) -> None:
        with self._lock:
            self._in_flight -= 1

    # Answers

    def decide(self, request: ModelRequest) -> ModelReply:
        """The answer to a request, without delays and failures."""
        text = "\n".join(text_of(message) for message in request.messages)
        user = "\n".join(text_of(message) for message in request.messages if message.get("role") != "system")
        schema = request.schema
        labels = label_names(schema) if schema is not None and "label" in schema.get("properties", {}) else []
        repetition = 0
        with self._lock:
            if self._counts_prompts:
                repetition = 0 if self._is_repeatable else self._prompts[text]
                self._prompts[text] += 1
            self._outcomes["answered"] += 1
            turn = self._turn
            self._turn += 1
        value = self._value(user, labels, repetition, turn)
        reply = self._shape(value, schema, labels, request)
        reply.usage = Usage(max(len(text) // 4, 1), max(len(reply.text) // 4, 1), 0)
        if request.logprobs and labels and isinstance(reply.data, Mapping):
            reply.logprobs = self._logprobs(reply, user, labels)
        return reply

    def _value(self, text: str, labels: list[str], repetition: int, turn: int) -> Any:
        answer = self._answer
        if isinstance(answer, FakeJudge):
            return answer.decide(text, labels or ["yes", "no"], repetition)
        if callable(answer):
            return answer(text, labels)
        if isinstance(answer, Mapping) and not {"label", "score"} & set(answer):
            return next((value for key, value in answer.items() if key in text), labels[0] if labels else "")
        if isinstance(answer, (list, tuple)):
            return answer[min(turn, len(answer) - 1)] if answer else ""
        if answer is None:
            return labels[0] if labels else "A plain answer of the fake model."
        return answer

    def _shape(self, value: Any, schema: Any, labels: list[str], request: ModelRequest) -> ModelReply:
        if isinstance(value, Mapping):
            return ModelReply(text=dump_json(value), data=dict(value))
        text = str(value)
        if schema is None or (labels and text not in labels):
            return ModelReply(text=text)
        data: dict[str, Any] = {}
        for name, one in schema["properties"].items():
            if name == "label" and labels:
                data[name] = text
            elif name in schema.get("required", ()):
                data[name] = _filler(name, one, text)
        return ModelReply(text=dump_json(data), data=data)

    def _logprobs(self, reply: ModelReply, text: str, labels: list[str]) -> list[dict[str, Any]]:
        import math

        chosen = reply.data["label"]
        positive = labels[0]
        probability = 0.9
        if isinstance(self._answer, FakeJudge):
            positive = self._answer.positive if self._answer.positive in labels else labels[0]
            probability = self._answer.probability(text)
        shares = {label: probability if label == positive else (1 - probability) / (len(labels) - 1) for label in labels}
        before, _, after = reply.text.rpartition(dump_json(chosen))
        top = [{"token": label, "logprob": math.log(max(share, 1e-9))} for label, share in shares.items()]
        label_token = {"token": chosen, "logprob": math.log(max(shares[chosen], 1e-9)), "top_logprobs": top}
        plain = [{"token": f'{before}"', "logprob": 0.0, "top_logprobs": []}]
        return [*plain, label_token, {"token": f'"{after}', "logprob": 0.0, "top_logprobs": []}]

    # In this process

    def reply(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        if self.is_immediate:
            return self.decide(request)
        return self._finish(request, time.sleep(self._delay(request, timeout)))

    async def async_reply(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        if self.is_immediate:
            return self.decide(request)
        self.enter()
        try:
            return self._finish(request, await asyncio.sleep(self._delay(request, timeout)))
        finally:
            self.leave()

    def _delay(self, request: ModelRequest, timeout: float | None) -> float:
        """The delay of an answer. Raises what a vendor's client would raise."""
        outcome = self.conditions.next(_size(request))
        if outcome.kind == "refused":
            self.count("refused")
            raise RateLimitError("the fake model limits requests", outcome.retry_after)
        if outcome.kind in ("failed", "half"):
            self.count(outcome.kind)
            raise TransientModelError("the fake model failed")
        if outcome.kind in ("hang", "endless"):
            self.count(outcome.kind)
            raise ModelTimeoutError(f"the fake model gave no answer within {timeout or 0:g} s")
        return outcome.delay

    def _finish(self, request: ModelRequest, _: None) -> ModelReply:
        reply = self.decide(request)
        reply.headers = self.conditions.headers()
        return reply


def _size(request: ModelRequest) -> int:
    return sum(len(text_of(message)) for message in request.messages) // 4 + 1


def _filler(name: str, schema: Mapping[str, Any], text: str) -> Any:
    kind = schema.get("type")
    if schema.get("enum"):
        return schema["enum"][0]
    if kind in ("number", "integer"):
        return 1
    if kind == "boolean":
        return True
    if kind == "array":
        return []
    if kind == "object":
        return {}
    return f"The fake model chose {text}." if name == "explanation" else text


