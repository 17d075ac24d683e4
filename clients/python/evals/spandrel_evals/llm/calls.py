"""Runs requests to a model: cache, limiter, retries, budget, and the record of what they cost.

Steps are generators that yield requests and get replies, so that one text of code serves both sync and async callers.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelError, ModelTimeoutError, RateLimitError
from ..limits import (
    EXCEPTION_COUNT_MAX,
    RETRIES_DEFAULT,
    RETRY_AFTER_SECONDS_MAX,
    RETRY_BASE_SECONDS,
    RETRY_DELAY_SECONDS_MAX,
    TIMEOUT_SECONDS_DEFAULT,
)
from .contract import ModelReply, ModelRequest
from .limit_headers import retry_after_seconds
from .prices import cost_of

Steps = Generator[tuple[Any, ModelRequest], ModelReply, Any]


@dataclass
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
        for name in ("requests", "retries", "repairs", "cached", "refused", "prompt_tokens", "completion_tokens"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.cost is not None:
            self.cost = (self.cost or 0.0) + other.cost
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
    concurrency: int | None = None


_record: ContextVar[CallRecord | None] = ContextVar("spandrel_evals_record", default=None)
_settings: ContextVar[Settings] = ContextVar("spandrel_evals_settings", default=Settings())


@contextmanager
def recording() -> Iterator[CallRecord]:
    """A record of the requests inside; it is added to the one outside, also after an error."""
    outer = _record.get()
    record = CallRecord()
    token = _record.set(record)
    try:
        yield record
    finally:
        _record.reset(token)
        if outer is not None:
            outer.add(record)


@contextmanager
def using(settings: Settings) -> Iterator[None]:
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)


def settings() -> Settings:
    return _settings.get()


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


def _perform_sync(llm: Any, request: ModelRequest) -> ModelReply:
    call = _Call(llm, request)
    reply = call.find_cached()
    if reply is not None:
        return reply
    call.reserve()
    while True:
        epoch = 0 if call.limiter is None else call.limiter.acquire()
        call.start()
        try:
            reply = llm.adapter().send(request, call.timeout)
        except BaseException as failed:
            time.sleep(call.fail(failed, epoch))
            continue
        return call.succeed(reply)


async def _perform_async(llm: Any, request: ModelRequest) -> ModelReply:
    call = _Call(llm, request)
    reply = call.find_cached()
    if reply is not None:
        return reply
    if call.settings.batch is not None and not llm.adapter().is_local:
        call.reserve()
        call.start()
        try:
            return call.take(await call.settings.batch.send(llm, request))
        finally:
            call.release()
    call.reserve()
    while True:
        adapter = llm.adapter()
        epoch = 0 if call.limiter is None else await call.limiter.acquire_async()
        call.start()
        try:
            if adapter.is_local or call.timeout is None:
                reply = await adapter.async_send(request, call.timeout)
            else:
                # A vendor that sends a byte now and then never meets the timeout of a read, so the whole call has one.
                reply = await asyncio.wait_for(adapter.async_send(request, call.timeout), call.timeout + 1)
        except BaseException as failed:
            await asyncio.sleep(call.fail(failed, epoch))
            continue
        return call.succeed(reply)


class _Call:
    """One request with its attempts."""

    def __init__(self, llm: Any, request: ModelRequest) -> None:
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
        self.key: Any = None
        self.reserved: float | None = None

    def find_cached(self) -> ModelReply | None:
        cache = self.settings.cache
        if cache is None:
            return None
        self.key = cache.key(self.llm, self.request, self.settings.repetition)
        reply = cache.find(self.key)
        if reply is not None:
            reply.is_cached = True
            self.record.cached += 1
            self.record.take(self.llm, reply)
        return reply

    def reserve(self) -> None:
        if self.settings.budget is not None:
            self.reserved = self.settings.budget.reserve(self.llm, self.request)

    def release(self, cost: float | None = None) -> None:
        if self.settings.budget is not None and self.reserved is not None:
            self.settings.budget.settle(self.reserved, cost)
            self.reserved = None

    def start(self) -> None:
        self.record.requests += 1
        self.started = time.perf_counter()

    def take(self, reply: ModelReply) -> ModelReply:
        self.record.take(self.llm, reply)
        self.release(cost_of(self.llm.model, reply.usage, self.llm.price))
        if self.key is not None:
            self.settings.cache.store(self.key, reply)
        return reply

    def succeed(self, reply: ModelReply) -> ModelReply:
        if self.limiter is not None:
            usage = reply.usage
            tokens = 0 if usage is None else usage.prompt_tokens + usage.completion_tokens
            self.limiter.succeeded(time.perf_counter() - self.started, reply.headers, tokens)
        self.llm.has_answered = True
        return self.take(reply)

    def fail(self, failed: BaseException, epoch: int) -> float:
        """Seconds until the next attempt. Raises the error if there is none."""
        if isinstance(failed, (asyncio.TimeoutError, TimeoutError)) and not isinstance(failed, ModelTimeoutError):
            error: ModelError = ModelTimeoutError(f"{self.llm.model} gave no complete answer within {self.timeout:g} s")
        elif isinstance(failed, Exception):
            error = failed if isinstance(failed, ModelError) else self.llm.adapter().to_error(failed)
        else:
            if self.limiter is not None:
                self.limiter.failed(False)
            self.release()
            raise failed
        headers = getattr(failed, "headers", None) or getattr(getattr(failed, "response", None), "headers", None)
        pause = 0.0
        if isinstance(error, RateLimitError):
            self.record.refused += 1
            asked = error.retry_after if error.retry_after is not None else retry_after_seconds(headers)
            if self.limiter is not None:
                self.limiter.refused_at(epoch, asked, headers)
            # The limiter holds back all requests of the model; without one, this request waits alone.
            pause = 0.0 if self.limiter is not None and asked else min(asked or 0.0, RETRY_AFTER_SECONDS_MAX)
        elif self.limiter is not None:
            self.limiter.failed(isinstance(error, ModelTimeoutError))
        if not error.is_transient or self.attempt >= self.retries_max:
            self.release()
            raise error from (failed if error is not failed else None)
        self.record.retries += 1
        self.record.note(error)
        if not isinstance(error, RateLimitError) or not pause:
            delay = min(RETRY_BASE_SECONDS * 2**self.attempt, RETRY_DELAY_SECONDS_MAX)
            # A refused request waits in the limiter, at its place in the line.
            pause = 0.0 if isinstance(error, RateLimitError) and self.limiter is not None and self.attempt < 3 else delay * random.uniform(0.5, 1)
        self.attempt += 1
        return pause
