"""The engine: evaluators over rows, many at a time, each row ending as scores or errors."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from ..errors import CheckpointError, CredentialError, EvaluationError, InputError, quote
from ..evaluators.base import Evaluator
from ..limits import EXCEPTION_CHARACTER_COUNT_MAX, EXCEPTION_COUNT_MAX, RETRY_BASE_SECONDS, RETRY_DELAY_SECONDS_MAX
from ..llm import calls
from ..llm.first_answer import FirstAnswer
from ..scores import check_scores
from ..threads import DaemonPool, using_pool
from .budget import Budget, BudgetReached
from .cache import Cache
from .checkpoint import Checkpoint, digest_of_row
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
    __slots__ = ("_digest", "index", "number", "repetition", "results", "row", "waiting")

    def __init__(self, number: int, index: int, repetition: int, row: dict[str, Any], waiting: int) -> None:
        self.number = number
        self.index = index
        self.repetition = repetition
        self.row = row
        self.waiting = waiting
        self.results: dict[str, EvaluatorResult] = {}
        self._digest: str | None = None

    @property
    def digest(self) -> str:
        """By which a checkpoint knows the row again."""
        if self._digest is None:
            self._digest = digest_of_row(self.row)
        return self._digest


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
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Event | None = None
        self._numbers = 0
        self._async_lock: asyncio.Lock | None = None
        self._pending: list[tuple[_Row, int]] = []
        self._syncing: Any = None
        self._rows_read = 0
        # Mappings of the run are for evaluators that have none.
        self._mappings = [options.input_mapping if one.input_mapping is None else None for one in evaluators]
        # Evaluators that ask a model have a timeout for each request.
        self._has_timeout = [options.timeout is not None and not asks_model(one) for one in evaluators]
        self.llms = unique_llms(evaluators)
        self.budget = Budget(options.max_cost, self.llms) if options.max_cost is not None else None

    async def run(self, sink: Sink) -> None:
        pool = DaemonPool(min(self.options.workers, _THREADS_MAX), "evaluators")
        self._pool = pool
        try:
            with using_pool(pool):
                await self._run_workers(sink)
        finally:
            pool.shutdown()

    async def _run_workers(self, sink: Sink) -> None:
        self._sink = sink
        self._began = time.monotonic()
        batch = None
        if self.options.batch:
            from .batches.collector import BatchCollector

            batch = BatchCollector(self.checkpoint)
        for llm in self.llms:
            llm.limiter().configure(self.options.concurrency)
        first_answers = {id(llm): FirstAnswer(llm) for llm in self.llms if llm.adapter().has_key}
        self._settings = calls.Settings(
            cache=self.cache,
            max_retries=self.options.max_retries,
            timeout=self.options.timeout,
            budget=self.budget,
            batch=batch,
            first_answers=first_answers,
        )
        self._iterator = self._units() if self.source.rows is not None and not self.source.blocks else None
        self._async_rows = self.source.iterate_async()
        self._async_lock = asyncio.Lock()
        try:
            count = batch.window if batch is not None else self.options.workers * max(len(self.llms), 1)
            # One worker starts the next, so that a run without waiting needs only one.
            self._worker_count_max = count
            self._ended = asyncio.Event()
            self._start_worker()
            await self._ended.wait()
            # Rows that were begun when the run stopped.
            for row in sorted(self._started.values(), key=lambda one: one.number):
                await self._emit(row)
        finally:
            self.summary.seconds = time.monotonic() - self._began
            self._started.clear()
            self.stopped = self.stopped or ("cancelled" if self._tasks else None)
            tasks = list(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._async_rows.aclose()
            if self._syncing is not None:
                await asyncio.gather(self._syncing, return_exceptions=True)
            if batch is not None:
                await batch.aclose()
            for first_answer in first_answers.values():
                await first_answer.aclose()
            for llm in self.llms:
                await llm.adapter().aclose()

    def stop(self, reason: str | None, error: BaseException | None = None) -> None:
        """No evaluation starts any more. With an error, or an interrupt, those in flight end too."""
        if self.stopped is None or (error is not None and self.fatal is None):
            self.stopped = reason or str(error)
            self.fatal = error
        if error is not None or reason == "interrupted":
            current = asyncio.current_task()
            for task in list(self._tasks):
                if task is not current:
                    task.cancel()

    def _start_worker(self) -> None:
        if len(self._tasks) < self._worker_count_max and self.stopped is None:
            task = asyncio.get_running_loop().create_task(self._work())
            self._tasks.add(task)
            task.add_done_callback(self._end_worker)

    def _end_worker(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.stop(None, task.exception())
        if not self._tasks and self._ended is not None:
            self._ended.set()

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
                    row = await self._async_rows.__anext__()
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
                result = self.checkpoint.find(slot, row.digest)
            if result is not None:
                self.summary.restored += position == len(self.evaluators) - 1
            else:
                if self.options.batch:
                    calls.set_slot(slot)
                result = await self._run(row, position)
                if result is None:
                    return
                if self.checkpoint is not None:
                    try:
                        self.checkpoint.store(slot, row.index, row.digest, result)
                    except InputError as error:
                        # Metadata that are no JSON.
                        result = _failed(error, result.exceptions, result.execution_seconds)
                        self.checkpoint.store(slot, row.index, row.digest, result)
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

    async def _run(self, row: _Row, position: int) -> EvaluatorResult | None:
        if self.options.repetitions > 1:
            with calls.using(dataclasses.replace(self._settings, repetition=row.repetition)):
                return await self._attempts(row, position)
        return await self._attempts(row, position)

    async def _attempts(self, row: _Row, position: int) -> EvaluatorResult | None:
        started = time.perf_counter()
        exceptions: list[str] = []
        attempt = 0
        with calls.recording() as record:
            try:
                while True:
                    try:
                        scores = check_scores(await self._ask(row.row, position))
                        break
                    except BudgetReached as error:
                        self.stop(str(error))
                        return None
                    except CredentialError as error:
                        self.stop(None, error)
                        return None
                    except Exception as error:
                        if isinstance(error, _LASTING) or attempt >= self.options.max_retries:
                            return _failed(error, [*record.exceptions, *exceptions], time.perf_counter() - started)
                        exceptions.append(repr(error)[:EXCEPTION_CHARACTER_COUNT_MAX])
                        await asyncio.sleep(min(RETRY_BASE_SECONDS * 2**attempt, RETRY_DELAY_SECONDS_MAX))
                        attempt += 1
            finally:
                self.summary.add_calls(record)
        exceptions = [*record.exceptions, *exceptions][:EXCEPTION_COUNT_MAX]
        status = COMPLETED_WITH_RETRIES if exceptions else COMPLETED
        return EvaluatorResult(status, scores, exceptions, time.perf_counter() - started)

    async def _ask(self, row: dict[str, Any], position: int) -> list[Any]:
        evaluator = self.evaluators[position]
        asked = evaluator.async_evaluate(row, self._mappings[position])
        # Quick functions cannot be interrupted.
        if not self._has_timeout[position] or getattr(evaluator, "_is_quick", False):
            return await asked
        try:
            return await asyncio.wait_for(asked, self.options.timeout)
        except (asyncio.TimeoutError, TimeoutError):
            raise _EvaluatorTimeout(f"{evaluator.name} gave no result within {self.options.timeout:g} s") from None

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


def _failed(error: Exception, exceptions: list[str], seconds: float) -> EvaluatorResult:
    text = repr(error)[:EXCEPTION_CHARACTER_COUNT_MAX]
    shown = str(error) if isinstance(error, (EvaluationError, _EvaluatorTimeout)) else f"{type(error).__name__}: {error}"
    kept = [*exceptions, text][-EXCEPTION_COUNT_MAX:]
    return EvaluatorResult(FAILED, [], kept, seconds, quote(shown, EXCEPTION_CHARACTER_COUNT_MAX), type(error).__name__)


def asks_model(evaluator: Evaluator) -> bool:
    return hasattr(getattr(evaluator, "llm", None), "limiter")


def unique_llms(evaluators: list[Evaluator]) -> list[Any]:
    """The models that the evaluators ask."""
    found: dict[int, Any] = {}
    for evaluator in evaluators:
        if asks_model(evaluator):
            llm: Any = getattr(evaluator, "llm", None)
            found[id(llm)] = llm
    return list(found.values())
