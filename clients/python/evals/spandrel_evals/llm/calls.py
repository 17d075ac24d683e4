"""Runs requests to a model: cache, limiter, retries, budget, and the record of what they cost.

Steps are generators that yield requests and get replies, so that one text of code serves both sync and async callers.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from ..errors import CredentialError, ModelError, ModelRequestError, ModelTimeoutError, RateLimitError
from ..limits import (
    EXCEPTION_COUNT_MAX,
    RETRIES_DEFAULT,
    RETRY_AFTER_SECONDS_MAX,
    RETRY_BASE_SECONDS,
    RETRY_DELAY_SECONDS_MAX,
    TIMEOUT_SECONDS_DEFAULT,
)
from .contract import ModelReply, ModelRequest
from .first_answer import FirstAnswer
from .limit_headers import retry_after_seconds
from .prices import cost_of

# Refusals of one request after which it waits in the line of the limiter alone.
_UNDELAYED_REFUSALS = 3

Steps = Generator[tuple[Any, ModelRequest], ModelReply, Any]


@dataclass(slots=True)
class CallRecord:
    """What the requests of one evaluation did and cost."""

    requests: int = 0
    retries: int = 0
    repairs: int = 0
    cached: int = 0
    refused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    exceptions: list[str] = field(default_factory=list)
    logprobs: list[dict[str, Any]] | None = None

    def add(self, other: CallRecord) -> None:
        self.requests += other.requests
        self.retries += other.retries
        self.repairs += other.repairs
        self.cached += other.cached
        self.refused += other.refused
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        if other.cost is not None:
            self.cost = (self.cost or 0.0) + other.cost
        if other.exceptions:
            self.exceptions.extend(other.exceptions[: EXCEPTION_COUNT_MAX - len(self.exceptions)])

    def take(self, llm: Any, reply: ModelReply) -> None:
        self.logprobs = reply.logprobs
        if reply.usage is not None:
            self.prompt_tokens += reply.usage.prompt_tokens
            self.completion_tokens += reply.usage.completion_tokens
            if not reply.is_cached:
                cost = cost_of(llm.model, reply.usage, llm.price)
                if cost is not None:
                    self.cost = (self.cost or 0.0) + cost

    def note(self, error: BaseException) -> None:
        if len(self.exceptions) < EXCEPTION_COUNT_MAX:
            self.exceptions.append(repr(error))

    def metadata(self) -> dict[str, Any]:
        """What a score says about its requests: tokens, cost in US dollars, repairs, cache."""
        found: dict[str, Any] = {}
        if self.prompt_tokens or self.completion_tokens:
            found["prompt_tokens"] = self.prompt_tokens
            found["completion_tokens"] = self.completion_tokens
        if self.cost is not None:
            found["cost"] = round(self.cost, 10)
        if self.repairs:
            found["repairs"] = self.repairs
        if self.cached:
            found["cached"] = True
        return found


@dataclass
class Settings:
    """What a run decides about the requests of its evaluators."""

    cache: Any = None
    repetition: int = 0
    max_retries: int | None = None
    timeout: float | None = TIMEOUT_SECONDS_DEFAULT
    budget: Any = None
    batch: Any = None
    # The FirstAnswer of each model, by its identity in this process.
    first_answers: Mapping[int, FirstAnswer] = field(default_factory=dict)


_record: ContextVar[CallRecord | None] = ContextVar("spandrel_evals_record", default=None)
_slot: ContextVar[int] = ContextVar("spandrel_evals_slot", default=0)
_settings: ContextVar[Settings] = ContextVar("spandrel_evals_settings", default=Settings())


class recording:
    """A record of the requests inside; it is added to the one outside, also after an error. Each evaluation has two of them."""

    __slots__ = ("_outer", "_record", "_token")

    def __enter__(self) -> CallRecord:
        self._outer = _record.get()
        self._record = CallRecord()
        self._token = _record.set(self._record)
        return self._record

    def __exit__(self, *_: object) -> None:
        _record.reset(self._token)
        if self._outer is not None:
            self._outer.add(self._record)


@contextmanager
def using(settings: Settings) -> Iterator[None]:
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)


def settings() -> Settings:
    return _settings.get()


def set_slot(slot: int) -> None:
    """The place of an evaluation in its run, by which a batch that outlives the process finds it again."""
    _slot.set(slot)


def current_slot() -> int:
    return _slot.get()


def current_record() -> CallRecord:
    return _record.get() or CallRecord()


def run_sync(steps: Steps) -> Any:
    """The result of steps. Blocks."""
    reply: ModelReply | None = None
    error: BaseException | None = None
    while True:
        try:
            llm, request = steps.send(reply) if error is None else steps.throw(error)  # type: ignore[arg-type]
        except StopIteration as stop:
            return stop.value
        reply = error = None
        try:
            reply = _perform_sync(llm, request)
        except ModelError as failed:
            error = failed


async def run_async(steps: Steps) -> Any:
    """The result of steps."""
    reply: ModelReply | None = None
    error: BaseException | None = None
    while True:
        try:
            llm, request = steps.send(reply) if error is None else steps.throw(error)  # type: ignore[arg-type]
        except StopIteration as stop:
            return stop.value
        reply = error = None
        try:
            reply = await _perform_async(llm, request)
        except ModelError as failed:
            error = failed


def _find_cached(llm: Any, request: ModelRequest) -> tuple[bytes | None, ModelReply | None]:
    """The key of the request if there is a cache, and its answer."""
    used = _settings.get()
    if used.cache is None:
        return None, None
    key = used.cache.key(llm, request, used.repetition)
    reply = used.cache.find(key)
    if reply is not None:
        reply.is_cached = True
        record = current_record()
        record.cached += 1
        record.take(llm, reply)
    return key, reply


def _perform_sync(llm: Any, request: ModelRequest) -> ModelReply:
    key, reply = _find_cached(llm, request)
    if reply is not None:
        return reply
    call = _Call(llm, request, key)
    call.reserve()
    while True:
        sent_at = 0.0 if call.limiter is None else call.limiter.acquire()
        call.start()
        try:
            reply = llm.adapter().send(request, call.timeout)
        except BaseException as failed:
            time.sleep(call.fail(failed, sent_at))
            continue
        return call.succeed(reply)


async def _perform_async(llm: Any, request: ModelRequest) -> ModelReply:
    key, reply = _find_cached(llm, request)
    if reply is not None:
        return reply
    call = _Call(llm, request, key)
    call.reserve()
    try:
        if call.settings.batch is not None and not llm.adapter().is_local:
            call.start()
            return call.take(await call.settings.batch.send(llm, request))
        await call.enter()
        while True:
            adapter = llm.adapter()
            sent_at = 0.0 if call.limiter is None else await call.limiter.acquire_async()
            call.start()
            try:
                if adapter.is_local or call.timeout is None:
                    reply = await adapter.async_send(request, call.timeout)
                else:
                    # A vendor that sends a byte now and then never meets the timeout of a read, so the whole call has one.
                    seconds = call.timeout + 1 if adapter.has_timeout else call.timeout
                    reply = await asyncio.wait_for(adapter.async_send(request, call.timeout), seconds)
            except BaseException as failed:
                await asyncio.sleep(call.fail(failed, sent_at))
                continue
            return call.succeed(reply)
    finally:
        call.leave()


class _Call:
    """One request with its attempts."""

    def __init__(self, llm: Any, request: ModelRequest, key: bytes | None) -> None:
        self.llm = llm
        self.request = request
        self.settings = settings()
        self.record = current_record()
        adapter = llm.adapter()
        self.limiter = None if adapter.is_local else llm.limiter()
        self.timeout = self.settings.timeout
        self.retries_max = RETRIES_DEFAULT if self.settings.max_retries is None else self.settings.max_retries
        self.attempt = 0
        self.started = 0.0
        # Of the cache, if there is one.
        self.key = key
        self.reserved: float | None = None
        # Set while this is the only request to the model.
        self.first_answer: FirstAnswer | None = None

    async def enter(self) -> None:
        """Waits while another request is the first to the model."""
        first_answer = self.settings.first_answers.get(id(self.llm))
        if first_answer is not None and await first_answer.enter():
            self.first_answer = first_answer

    def answered(self, error: BaseException | None) -> None:
        if self.first_answer is not None:
            self.first_answer.leave(error)
            self.first_answer = None

    def leave(self) -> None:
        """After the last attempt, whatever came of it."""
        self.answered(asyncio.CancelledError())
        self.release()

    def reserve(self) -> None:
        if self.settings.budget is not None:
            self.reserved = self.settings.budget.reserve(self.llm, self.request)

    def release(self, cost: float | None = None, output_tokens: int = 0) -> None:
        if self.settings.budget is not None and self.reserved is not None:
            self.settings.budget.settle(self.reserved, cost, output_tokens)
            self.reserved = None

    def start(self) -> None:
        self.record.requests += 1
        self.started = time.perf_counter()

    def take(self, reply: ModelReply) -> ModelReply:
        self.record.take(self.llm, reply)
        if self.reserved is not None:
            usage = reply.usage
            self.release(cost_of(self.llm.model, usage, self.llm.price), usage.completion_tokens if usage is not None else 0)
        if self.key is not None:
            self.settings.cache.store(self.key, reply)
        return reply

    def succeed(self, reply: ModelReply) -> ModelReply:
        if self.limiter is not None:
            usage = reply.usage
            tokens = 0 if usage is None else usage.prompt_tokens + usage.completion_tokens
            self.limiter.succeeded(time.perf_counter() - self.started, reply.headers, tokens)
        self.llm.has_answered = True
        self.answered(None)
        return self.take(reply)

    def fail(self, failed: BaseException, sent_at: float) -> float:
        """Seconds until the next attempt. Raises the error if there is none."""
        if not isinstance(failed, Exception):
            if self.limiter is not None:
                self.limiter.failed(False)
            self.release()
            raise failed
        error = self._to_error(failed)
        self.answered(error)
        asked: float | None = None
        if isinstance(error, RateLimitError):
            self.record.refused += 1
            headers = getattr(failed, "headers", None) or getattr(getattr(failed, "response", None), "headers", None)
            asked = error.retry_after if error.retry_after is not None else retry_after_seconds(headers)
            if self.limiter is not None:
                self.limiter.refused_at(sent_at, asked, headers)
        elif self.limiter is not None:
            self.limiter.failed(isinstance(error, ModelTimeoutError))
        if not error.is_transient or self.attempt >= self.retries_max:
            self.release()
            raise error from (failed if error is not failed else None)
        self.record.retries += 1
        self.record.note(error)
        attempt, self.attempt = self.attempt, self.attempt + 1
        if isinstance(error, RateLimitError):
            if self.limiter is not None and attempt < _UNDELAYED_REFUSALS:
                # The limiter holds back all requests of the model, and this one waits in its line.
                return 0.0
            if self.limiter is None and asked:
                return min(asked, RETRY_AFTER_SECONDS_MAX)
        return min(RETRY_BASE_SECONDS * 2**attempt, RETRY_DELAY_SECONDS_MAX) * random.uniform(0.5, 1)

    def _to_error(self, failed: Exception) -> ModelError:
        if isinstance(failed, (asyncio.TimeoutError, TimeoutError)) and not isinstance(failed, ModelTimeoutError):
            within = "" if self.timeout is None else f" within {self.timeout:g} s"
            return ModelTimeoutError(f"{self.llm.model} gave no complete answer{within}")
        error = failed if isinstance(failed, ModelError) else self.llm.adapter().to_error(failed)
        if isinstance(error, CredentialError) and error.status == 403 and self.llm.has_answered:
            # The key is good, so something in front of the model rejects this prompt.
            return ModelRequestError(f"the vendor rejects this request, and not others with this key: {error}")
        return error
