"""evaluate: evaluators over rows of anything."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError, RunStopped
from ..evaluators.base import to_evaluators
from ..json_values import dump_json
from .cache import Cache, open_cache
from .checkpoint import Checkpoint
from .engine import Engine
from .options import Options
from .progress import Progress
from .results import EvaluatedRow, Evaluation
from .sources import open_source

# Finished rows that a stream keeps for its reader.
_STREAM_ROWS = 256


def evaluate(data: Any, evaluators: Any, **options: Any) -> Evaluation:
    """Runs evaluators over rows. Every row ends as scores or as an error; the run goes on unless it is asked to stop.

    `data`: a frame of pandas or polars, dicts in a list or an iterator, a .csv, .tsv, .jsonl, .json or .parquet file, a
    dataset of the client, or `spandrel_evals.server.spans.SpanRows`.

    Options:
    - `concurrency`: evaluations in flight for each model. Without it, 16 at first and up to 128 while the latency holds.
    - `max_retries` (10) and `timeout` (60 s) of each request to a model.
    - `exit_on_error`: ends the run with the first failed row.
    - `checkpoint`: a file from which a killed run goes on.
    - `cache`: a file or a `Cache` of answers.
    - `repetitions`: how often each row is judged; answers of a cache are kept apart.
    - `max_cost`: US dollars after which no request is sent.
    - `batch`: uses the batch interface of OpenAI or Anthropic, which is cheaper and takes up to a day.
    - `output`: a JSONL file for the rows, which then do not stay in memory. `keep_rows=False` keeps neither.
    - `input_mapping`: for evaluators that have none of their own.
    - `progress`: True shows it, False hides it; by default on a terminal, and after ten seconds elsewhere.
    - `trace_project`, `client`: traces of the judges go to this project of the client's server.

    RunStopped for a key that is not accepted, a checkpoint that cannot be used and an unreadable source; its `evaluation` has
    the results so far.
    """
    run = _Run(data, evaluators, options)
    return _run_in_loop(run.run, run)


async def async_evaluate(data: Any, evaluators: Any, **options: Any) -> Evaluation:
    """`evaluate` in a running event loop."""
    return await _Run(data, evaluators, options).run()


async def async_evaluate_stream(data: Any, evaluators: Any, **options: Any) -> AsyncIterator[EvaluatedRow]:
    """Rows as they finish, which need not be their order. The run waits for a slow reader."""
    run = _Run(data, evaluators, {**options, "keep_rows": False})
    queue: asyncio.Queue[EvaluatedRow | None] = asyncio.Queue(_STREAM_ROWS)

    def sink(row: EvaluatedRow) -> Awaitable[None] | None:
        if queue.full():
            return queue.put(row)
        queue.put_nowait(row)
        return None

    async def produce() -> Evaluation:
        try:
            return await run.run(sink)
        finally:
            await queue.put(None)

    task = asyncio.create_task(produce())
    try:
        while (row := await queue.get()) is not None:
            yield row
        await task
    finally:
        if not task.done():
            task.cancel()
            # The producer may wait for room in the queue.
            while not queue.empty():
                queue.get_nowait()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def evaluate_stream(data: Any, evaluators: Any, **options: Any) -> Iterator[EvaluatedRow]:
    """Rows as they finish, from a loop in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="evaluate-stream", daemon=True)
    thread.start()
    rows = async_evaluate_stream(data, evaluators, **options)

    async def next_rows() -> list[EvaluatedRow]:
        # Rows that are ready go together, because a change of threads costs more than a row.
        found: list[EvaluatedRow] = []
        async for row in rows:
            found.append(row)
            if len(found) >= 64 or not _has_ready(rows):
                break
        return found

    try:
        while found := asyncio.run_coroutine_threadsafe(next_rows(), loop).result():
            yield from found
    finally:
        asyncio.run_coroutine_threadsafe(rows.aclose(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _has_ready(rows: Any) -> bool:
    frame = getattr(rows, "ag_frame", None)
    queue = frame.f_locals.get("queue") if frame is not None else None
    return queue is not None and not queue.empty()


class _Run:
    """One run with the files that it opens."""

    def __init__(self, data: Any, evaluators: Any, options: dict[str, Any]) -> None:
        self.evaluators = to_evaluators(evaluators)
        try:
            self.options = Options(**options)
        except TypeError as error:
            raise InputError(f"evaluate: {error}") from None
        self.source = open_source(data)
        self.engine: Engine | None = None
        self._rows: list[EvaluatedRow] = []

    async def run(self, sink: Callable[[EvaluatedRow], Any] | None = None) -> Evaluation:
        options = self.options
        own_cache = options.cache is not None and not isinstance(options.cache, Cache)
        cache = open_cache(options.cache)
        checkpoint = None
        with contextlib.ExitStack() as stack:
            if cache is not None:
                stack.callback(cache.close if own_cache else cache.flush)
            if options.checkpoint is not None:
                checkpoint = Checkpoint(options.checkpoint, self._identity())
                stack.callback(checkpoint.close)
            output = Path(options.output) if options.output is not None else None
            file = stack.enter_context(output.open("w", encoding="utf-8")) if output is not None else None
            if options.trace_project is not None:
                stack.enter_context(_traced(options))
            engine = self.engine = Engine(self.source, self.evaluators, options, checkpoint, cache)
            progress = Progress(self._total(), is_shown=options.progress is not False)

            def take(row: EvaluatedRow) -> Any:
                progress.update(engine.summary)
                if options.on_progress is not None:
                    options.on_progress(engine.summary)
                if file is not None:
                    file.write(dump_json(row.to_json()) + "\n")
                elif options.keep_rows and sink is None:
                    self._rows.append(row)
                return sink(row) if sink is not None else None

            await engine.run(take)
            progress.finish(engine.summary)
        evaluation = Evaluation([one.name for one in self.evaluators], engine.summary, self._rows, output)
        evaluation.stopped = engine.stopped
        if engine.fatal is not None:
            raise RunStopped(str(engine.fatal), evaluation) from engine.fatal
        return evaluation

    def _identity(self) -> dict[str, Any]:
        return {"evaluators": [one.fingerprint() for one in self.evaluators], "repetitions": self.options.repetitions}

    def _total(self) -> int | None:
        return None if self.source.count is None else self.source.count * self.options.repetitions


def _traced(options: Options) -> Any:
    from .. import tracing

    transport = getattr(options.client, "_transport", None)
    base_url = getattr(transport, "base_url", None) or getattr(options.client, "base_url", None)
    if base_url is None:
        raise InputError("trace_project needs client=, a Client of spandrel_client")
    headers = getattr(transport, "headers", None) or {}
    return tracing.project(options.trace_project or "", base_url=str(base_url), headers=headers)


def _run_in_loop(run: Callable[[], Awaitable[Any]], owner: _Run) -> Any:
    """Runs in this thread, or in another one where an event loop runs already, such as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_with_interrupt(run, owner))
    result: list[Any] = []

    def in_thread() -> None:
        try:
            result.extend((True, asyncio.run(_with_interrupt(run, owner))))
        except BaseException as error:
            result.extend((False, error))

    thread = threading.Thread(target=in_thread, name="evaluate")
    thread.start()
    thread.join()
    if result[0]:
        return result[1]
    raise result[1]


async def _with_interrupt(run: Callable[[], Awaitable[Any]], owner: _Run) -> Any:
    """The first Ctrl-C ends the run with the results so far; the next one is Python's."""
    if threading.current_thread() is not threading.main_thread():
        return await run()
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        if owner.engine is not None:
            owner.engine.stop("interrupted")

    try:
        loop.add_signal_handler(signal.SIGINT, interrupt)
    except (NotImplementedError, ValueError, RuntimeError):
        return await run()
    try:
        return await run()
    finally:
        loop.remove_signal_handler(signal.SIGINT)
