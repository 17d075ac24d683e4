"""LLM: one model of one vendor."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping
from typing import Any

from .. import tracing
from ..errors import AnswerError, InputError, ModelRequestError, UnsupportedRequestError, quote
from ..limits import REPAIR_COUNT_MAX
from . import calls
from .contract import JSON, SCHEMA, TOOL, Adapter, ModelReply, ModelRequest
from .limiter import Limiter, limiter_of
from .messages import to_messages
from .structured import check_label, check_schema, classification_schema, label_names, parse_object, repair_messages

_METHODS = {"auto": None, "tool_calling": TOOL, "structured_output": SCHEMA, "json": JSON}
# Which way of asking for objects works, by provider, address and model. Lives as long as the process.
_modes_that_work: dict[tuple[str, str, str], str] = {}

Steps = Generator[tuple[Any, ModelRequest], ModelReply, Any]


class LLM:
    """A model of a vendor.

    `provider` and `model` name it. `client` chooses among several clients of a vendor, or is a function or a FakeModel.
    Further arguments go to the vendor's client, whose own retries are off. `price` replaces the price table:
    `{"prompt": {"input": dollars for a million tokens}, "completion": {"output": ...}}`.
    """

    def __init__(
        self,
        *,
        provider: str,
        model: str,
        client: Any = None,
        initial_per_second_request_rate: float | None = None,
        sync_client_kwargs: Mapping[str, Any] | None = None,
        async_client_kwargs: Mapping[str, Any] | None = None,
        price: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        from .providers import make_adapter

        if not provider or not model:
            raise ValueError("an LLM needs provider and model, as in LLM(provider='openai', model='gpt-4o-mini')")
        self.provider = provider
        self.model = model
        self.price = dict(price) if price is not None else None
        self.has_answered = False
        self._rate = initial_per_second_request_rate
        self._limiter: Limiter | None = None
        options = {"sync": dict(sync_client_kwargs or {}), "async": dict(async_client_kwargs or {}), "both": kwargs}
        self._adapter: Adapter = make_adapter(provider, model, client, options)
        self._id = (provider, self._adapter.address, model)

    def adapter(self) -> Adapter:
        return self._adapter

    def limiter(self) -> Limiter:
        if self._limiter is None:
            self._limiter = limiter_of(self._id, self._rate)
        return self._limiter

    def identity(self) -> tuple[str, str, str]:
        """Provider, address and model: what answers depend on."""
        return self._id

    def generate_text(self, prompt: Any, **params: Any) -> str:
        """The text of the answer. `prompt` is a text or a list of messages."""
        return calls.run_sync(self.text_steps(to_messages(prompt), params))

    async def async_generate_text(self, prompt: Any, **params: Any) -> str:
        return await calls.run_async(self.text_steps(to_messages(prompt), params))

    def generate_object(self, prompt: Any, schema: Any, method: str = "auto", **params: Any) -> dict[str, Any]:
        """An object by a JSON schema. `method`: auto, structured_output, tool_calling or json."""
        return calls.run_sync(self.object_steps(to_messages(prompt), schema, method, params))

    async def async_generate_object(self, prompt: Any, schema: Any, method: str = "auto", **params: Any) -> dict[str, Any]:
        return await calls.run_async(self.object_steps(to_messages(prompt), schema, method, params))

    def generate_classification(
        self, prompt: Any, labels: Any, include_explanation: bool = True, description: str | None = None, **params: Any
    ) -> dict[str, Any]:
        """`{label, explanation?}`. `labels` is a list, or a dict of labels and descriptions. LabelError for other labels."""
        steps = self.classification_steps(to_messages(prompt), labels, include_explanation, description, params)
        return calls.run_sync(steps)

    async def async_generate_classification(
        self, prompt: Any, labels: Any, include_explanation: bool = True, description: str | None = None, **params: Any
    ) -> dict[str, Any]:
        steps = self.classification_steps(to_messages(prompt), labels, include_explanation, description, params)
        return await calls.run_async(steps)

    # Steps

    def text_steps(self, messages: list[dict[str, Any]], parameters: Mapping[str, Any]) -> Steps:
        with tracing.model_call(self.model, messages) as span:
            reply = yield (self, ModelRequest(to_messages(messages), parameters))
            span.finish(reply.text, reply)
            return reply.text

    def object_steps(
        self,
        messages: list[dict[str, Any]],
        schema: Any,
        method: str,
        parameters: Mapping[str, Any],
        *,
        labels: list[str] | None = None,
        logprobs: bool = False,
    ) -> Steps:
        # The schema of labels is our own.
        checked = check_schema(schema) if labels is None else schema
        modes = self._modes(method)
        sent = to_messages(messages)
        repairs = 0
        with tracing.model_call(self.model, sent) as span:
            while True:
                mode = modes[0]
                request = ModelRequest(sent, parameters, checked, mode, logprobs)
                try:
                    reply = yield (self, request)
                except ModelRequestError as error:
                    if len(modes) == 1 or (_modes_that_work.get(self._id) == mode and not isinstance(error, UnsupportedRequestError)):
                        raise
                    modes = modes[1:]
                    continue
                try:
                    answer = parse_object(reply, checked, mode)
                    if labels is not None:
                        answer = check_label(answer, labels)
                except AnswerError as error:
                    if repairs >= REPAIR_COUNT_MAX:
                        raise
                    repairs += 1
                    calls.current_record().repairs += 1
                    sent = repair_messages(sent, reply, error)
                    continue
                if method == "auto":
                    _modes_that_work[self._id] = mode
                span.finish(answer, reply)
                return answer

    def classification_steps(
        self,
        messages: list[dict[str, Any]],
        labels: Any,
        include_explanation: bool,
        description: str | None,
        parameters: Mapping[str, Any],
        *,
        logprobs: bool = False,
        schema: dict[str, Any] | None = None,
    ) -> Steps:
        """`schema` is that of `schema_of_labels`, if the caller has it."""
        schema = schema_of_labels(labels, include_explanation, description) if schema is None else schema
        described = isinstance(labels, Mapping)
        method = "tool_calling" if described and TOOL in self._adapter.modes else "auto"
        return self.object_steps(messages, schema, method, parameters, labels=label_names(schema), logprobs=logprobs)

    def _modes(self, method: str) -> list[str]:
        if method not in _METHODS:
            raise ValueError(f"method is {quote(method)}; expected one of {', '.join(_METHODS)}")
        mode = _METHODS[method]
        supported = list(self._adapter.modes)
        if mode is not None:
            if mode not in supported:
                raise ValueError(f"{self.provider} does not support {method}; expected auto or another method")
            return [mode]
        known = _modes_that_work.get(self._id)
        return supported[supported.index(known) :] if known in supported else supported

    def __repr__(self) -> str:
        return f"LLM(provider={self.provider!r}, model={self.model!r})"


_schemas: dict[str, dict[str, Any]] = {}
_SCHEMA_COUNT_MAX = 256


def schema_of_labels(labels: Any, include_explanation: bool, description: str | None) -> dict[str, Any]:
    """One object for equal labels, so that its JSON text is made once."""
    if isinstance(labels, str) or len(labels) < 1:
        raise InputError(f"labels is {quote(repr(labels))}; expected a list of labels, or a dict of labels and descriptions")
    pairs = list(labels.items()) if isinstance(labels, Mapping) else list(labels)
    key = hashlib.sha256(repr((pairs, include_explanation, description)).encode()).hexdigest()
    found = _schemas.get(key)
    if found is None:
        if len(_schemas) >= _SCHEMA_COUNT_MAX:
            _schemas.clear()
        found = _schemas[key] = classification_schema(labels, include_explanation, description)
    return found
