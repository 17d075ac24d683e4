"""evaluate: evaluators over rows of anything."""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
from typing import Any

from .results import Evaluation
from .run import Run


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
    return _run_in_loop(Run(data, evaluators, options))


async def async_evaluate(data: Any, evaluators: Any, **options: Any) -> Evaluation:
    """`evaluate` in a running event loop."""
    return await Run(data, evaluators, options).run()


def _run_in_loop(run: Run) -> Evaluation:
    """Runs in this thread, or in another one where an event loop runs already, such as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_with_interrupt(run))
    result: list[Any] = []
    loops: list[asyncio.AbstractEventLoop] = []

    async def in_loop() -> Evaluation:
        loops.append(asyncio.get_running_loop())
        return await run.run()

    def in_thread() -> None:
        try:
            result.extend((True, asyncio.run(in_loop())))
        except BaseException as error:
            result.extend((False, error))

    thread = threading.Thread(target=contextvars.copy_context().run, args=(in_thread,), name="evaluate")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        for loop in loops:
            loop.call_soon_threadsafe(run.interrupt)
        thread.join()
    if result[0]:
        found: Evaluation = result[1]
        return found
    raise result[1]


async def _with_interrupt(run: Run) -> Evaluation:
    """The first Ctrl-C ends the run with the results so far; the next one is Python's."""
    if threading.current_thread() is not threading.main_thread():
        return await run.run()
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        run.interrupt()

    try:
        loop.add_signal_handler(signal.SIGINT, interrupt)
    except (NotImplementedError, ValueError, RuntimeError):
        return await run.run()
    try:
        return await run.run()
    finally:
        loop.remove_signal_handler(signal.SIGINT)
