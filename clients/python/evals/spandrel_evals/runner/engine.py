"""The engine: evaluators over rows, many at a time, each row ending as scores or errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..errors import (
    CheckpointError,
    CredentialError,
    EvaluationError,
    quote,
)
from ..evaluators.base import Evaluator
from ..limits import EXCEPTION_CHARACTER_COUNT_MAX, EXCEPTION_COUNT_MAX, RETRY_BASE_SECONDS, RETRY_DELAY_SECONDS_MAX
from ..llm import calls
from .budget import Budget, BudgetReached
from .cache import Cache
from .checkpoint import Checkpoint
from .options import Options
from .results import COMPLETED, COMPLETED_WITH_RETRIES, FAILED, EvaluatedRow, EvaluatorResult, Summary
from .sources import Source, check_async_row

# Evaluations between two turns of the event loop, when nothing waits.
_TURN_COUNT = 32
_THREADS_MAX = 64
# Asking again gives the same error.
_LASTING = (EvaluationError, ValueError, TypeError, LookupError, AttributeError, NotImplementedError, ArithmeticError, AssertionError, NameError, RecursionError)

Sink = Callable[[EvaluatedRow], "Awaitable[None] | None"]


class _Row:
    __slots__ = ("index", "number", "repetition", "results", "row", "waiting")

    def __init__(self, number: int, index: int, repetition: int, row: dict[str, Any], waiting: int) -> None:
        self.number = number
        self.index = index
        self.repetition = repetition
        self.row = row
        self.waiting = waiting
        self.results: dict[str, EvaluatorResult] = {}


class Engine:
    """One run. `run` gives each finished row to the sink."""

    def __init__(self, source: Source, evaluators: list[Evaluator], options: Options, checkpoint: Checkpoint | None, cache: Cache | None) -> None:
        self.source = source
        self.evaluators = evaluators
        self.options = options
        self.checkpoint = checkpoint
        self.cache = cache
        self.summary = Summary()
        self.stopped: str | None = None
        self.fatal: BaseException | None = None
        self._sink: Sink | None = None
        self._started: dict[int, _Row] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._numbers = 0
        self._async_lock: asyncio.Lock | None = None
        self._pending: list[tuple[_Row, int]] = []
        self._syncing: Any = None
        self._rows_read = 0
        self.llms = unique_llms(evaluators)
        self.budget = Budget(options.max_cost, self.llms) if options.max_cost is not None else None

    async def run(self, sink: Sink) -> None:
        self._sink = sink
        self._began = time.monotonic()
        loop = asyncio.get_running_loop()
        pool = ThreadPoolExecutor(min(self.options.workers, _THREADS_MAX), thread_name_prefix="evaluators")
        self._pool = pool
        loop.set_default_executor(pool)
        batch = None
        if self.options.batch:
            from .batches.collector import BatchCollector

            batch = BatchCollector(self.checkpoint)
        for llm in self.llms:
            llm.limiter().configure(self.options.concurrency)
        self._settings = calls.Settings(
            cache=self.cache,
            max_retries=self.options.max_retries,
            timeout=self.options.timeout,
            budget=self.budget,
            batch=batch,
            concurrency=self.options.concurrency,
        )
        self._iterator = self._units() if self.source.rows is not None else None
        self._async_lock = asyncio.Lock()
        try:
            count = batch.window if batch is not None else self.options.workers * max(len(self.llms), 1)
            # One worker starts the next, so that a run without waiting needs only one.
            self._worker_count_max = count
            self._start_worker()
            while self._tasks:
                done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
                self._tasks = [task for task in self._tasks if task not in done]
                for task in done:
                    if not task.cancelled() and task.exception() is not None:
                        self.stop(None, task.exception())
        finally:
            self.summary.seconds = time.monotonic() - self._began
            for row in sorted(self._started.values(), key=lambda one: one.number):
                await self._emit(row)
            self._started.clear()
            if batch is not None:
                await batch.aclose()
            for llm in self.llms:
                await llm.adapter().aclose()
            pool.shutdown(wait=False, cancel_futures=True)

    def stop(self, reason: str | None, error: BaseException | None = None) -> None:
        """No evaluation starts any more. With an error, or an interrupt, those in flight end too."""
        if self.stopped is None:
            self.stopped = reason or str(error)
            self.fatal = error
        if error is not None or reason == "interrupted":
            current = asyncio.current_task()
            for task in self._tasks:
                if task is not current:
                    task.cancel()

    def _start_worker(self) -> None:
        if len(self._tasks) < self._worker_count_max and self.stopped is None:
            self._tasks.append(asyncio.get_running_loop().create_task(self._work()))

    async def _work(self) -> None:
        has_started_next = False
        turns = 0
        with calls.using(self._settings):
            while self.stopped is None:
                unit = self._next() if self._iterator is not None else await self._next_async()
                if unit is None:
                    return
                if not has_started_next:
                    # The next worker begins as soon as this one waits.
                    has_started_next = True
                    self._start_worker()
                await self._evaluate(*unit)
                turns += 1
                if turns % _TURN_COUNT == 0:
                    await asyncio.sleep(0)

    # Units

    def _next(self) -> tuple[_Row, int] | None:
        try:
            return next(self._iterator)  # type: ignore[arg-type]
        except StopIteration:
            return None

    async def _next_async(self) -> tuple[_Row, int] | None:
        async with self._async_lock:  # type: ignore[union-attr]
            while not self._pending:
                try:
                    row = await self.source.async_rows.__anext__()
                except StopAsyncIteration:
                    return None
                self._pending = list(self._units_of(check_async_row(self._rows_read, row)))[::-1]
            return self._pending.pop()

    def _units(self) -> Iterator[tuple[_Row, int]]:
        for row in self.source.rows or ():
            yield from self._units_of(row)

    def _units_of(self, row: dict[str, Any]) -> Iterator[tuple[_Row, int]]:
        index = self._rows_read
        self._rows_read += 1
        for repetition in range(self.options.repetitions):
            started = _Row(self._numbers, index, repetition, row, len(self.evaluators))
            self._numbers += 1
            self._started[started.number] = started
            for position in range(len(self.evaluators)):
                yield started, position

    # One evaluation

    async def _evaluate(self, row: _Row, position: int) -> None:
        evaluator = self.evaluators[position]
        slot = row.number * len(self.evaluators) + position
        result = None
        try:
            if self.checkpoint is not None:
                result = self.checkpoint.find(slot, row.row)
            if result is not None:
                self.summary.restored += position == len(self.evaluators) - 1
            else:
                result = await self._run(row, evaluator)
                if result is None:
                    return
                if self.checkpoint is not None:
                    self.checkpoint.store(slot, row.index, row.row, result)
                    self._sync()
        except CheckpointError as error:
            self.stop(None, error)
            return
        row.results[evaluator.name] = result
        row.waiting -= 1
        if not row.waiting:
            await self._emit(row)
        if result.status == FAILED and self.options.exit_on_error:
            self.stop(f"row {row.index}, {evaluator.name}: {result.error}")

    async def _run(self, row: _Row, evaluator: Evaluator) -> EvaluatorResult | None:
        started = time.perf_counter()
        if self.options.repetitions > 1:
            with calls.using(_with_repetition(self._settings, row.repetition)):
                return await self._attempts(row, evaluator, started)
        return await self._attempts(row, evaluator, started)

    async def _attempts(self, row: _Row, evaluator: Evaluator, started: float) -> EvaluatorResult | None:
        exceptions: list[str] = []
        attempt = 0
        with calls.recording() as record:
            try:
                while True:
                    try:
                        scores = await self._ask(evaluator, row.row)
                        break
                    except BudgetReached as error:
                        self.stop(str(error))
                        return None
                    except CredentialError as error:
                        self.stop(None, error)
                        return None
                    except Exception as error:
                        if isinstance(error, _LASTING) or attempt >= self.options.max_retries:
                            return self._failed(row, evaluator, error, [*record.exceptions, *exceptions], started)
                        exceptions.append(repr(error)[:EXCEPTION_CHARACTER_COUNT_MAX])
                        await asyncio.sleep(min(RETRY_BASE_SECONDS * 2**attempt, RETRY_DELAY_SECONDS_MAX))
                        attempt += 1
            finally:
                self.summary.add_calls(record)
        exceptions = [*record.exceptions, *exceptions][:EXCEPTION_COUNT_MAX]
        status = COMPLETED_WITH_RETRIES if exceptions else COMPLETED
        return EvaluatorResult(status, scores, exceptions, time.perf_counter() - started)

    async def _ask(self, evaluator: Evaluator, row: dict[str, Any]) -> list[Any]:
        asked = evaluator.async_evaluate(row, self.options.input_mapping)
        # Evaluators that ask a model have a timeout for each request; quick functions cannot be interrupted.
        if self.options.timeout is None or evaluator.kind == "llm" or getattr(evaluator, "_is_quick", False):
            return await asked
        try:
            return await asyncio.wait_for(asked, self.options.timeout)
        except (asyncio.TimeoutError, TimeoutError):
            raise _EvaluatorTimeout(f"{evaluator.name} gave no result within {self.options.timeout:g} s") from None

    def _failed(self, row: _Row, evaluator: Evaluator, error: Exception, exceptions: list[str], started: float) -> EvaluatorResult:
        text = repr(error)[:EXCEPTION_CHARACTER_COUNT_MAX]
        shown = str(error) if isinstance(error, (EvaluationError, _EvaluatorTimeout)) else f"{type(error).__name__}: {error}"
        return EvaluatorResult(
            FAILED,
            [],
            [*exceptions, text][-EXCEPTION_COUNT_MAX:],
            time.perf_counter() - started,
            quote(shown, EXCEPTION_CHARACTER_COUNT_MAX),
            type(error).__name__,
        )

    async def _emit(self, row: _Row) -> None:
        self._started.pop(row.number, None)
        ordered = {one.name: row.results.get(one.name) or EvaluatorResult() for one in self.evaluators}
        finished = EvaluatedRow(row.index, row.row, ordered, row.repetition)
        self.summary.add_row(finished)
        waiting = self._sink(finished) if self._sink is not None else None
        if waiting is not None:
            await waiting

    def _sync(self) -> None:
        if self._syncing is not None and not self._syncing.done():
            return
        if self.checkpoint is not None and self.checkpoint.wants_sync():
            self._syncing = asyncio.get_running_loop().run_in_executor(self._pool, self.checkpoint.sync)


class _EvaluatorTimeout(Exception):
    """An evaluator without a model took too long. It is tried again."""


def _with_repetition(settings: calls.Settings, repetition: int) -> calls.Settings:
    import dataclasses

    return dataclasses.replace(settings, repetition=repetition)


def unique_llms(evaluators: list[Evaluator]) -> list[Any]:
    """The models that the evaluators ask."""
    found: dict[int, Any] = {}
    for evaluator in evaluators:
        llm = getattr(evaluator, "llm", None)
        if hasattr(llm, "limiter"):
            found[id(llm)] = llm
    return list(found.values())


