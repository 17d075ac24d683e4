"""Runs jobs at the gate's pace, retries what failed, and ends early on request or when a budget is used up."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import random
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ..limits import CONCURRENCY_MAX
from .gate import Gate, is_rate_limit, wanted_pause

_costs: contextvars.ContextVar[list[float] | None] = contextvars.ContextVar("spandrel_costs", default=None)
# Attempts after rate limits come on top of the retries.
_RATE_LIMIT_RETRIES_MAX = 20
# Kinds of failures whose first cause is printed, and its characters.
_CAUSES_MAX = 5
_CAUSE_CHARS_MAX = 300
_random = random.SystemRandom()


def add_cost(cost: float) -> None:
    """Called by a task or an evaluator: adds what a model call cost to the budget of `max_cost`, in its unit."""
    costs = _costs.get()
    if costs is not None:
        costs.append(float(cost))


@dataclass
class Options:
    concurrency: int = 3
    retries: int = 3
    timeout: float | None = 60
    rate_limit_errors: tuple[type[BaseException], ...] = ()
    max_cost: float | None = None
    max_duration: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.concurrency <= CONCURRENCY_MAX:
            raise ValueError(f"concurrency is {self.concurrency}; expected 1 to {CONCURRENCY_MAX}")
        for name in ("max_cost", "max_duration"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"{name} is {value}; expected more than 0")


@dataclass
class Progress:
    """Lines about long work: one that changes on a terminal, otherwise one every few seconds."""

    title: str
    total: int | None
    is_quiet: bool = False
    done: int = 0
    failed: int = 0
    _kinds: set[str] = field(default_factory=set)
    _next: float = field(default_factory=lambda: time.monotonic() + 2)
    _is_terminal: bool = field(default_factory=lambda: bool(getattr(sys.stderr, "isatty", lambda: False)()))

    def step(self, cause: str | None) -> None:
        """Counts a job, with the cause if it failed. The first cause of each kind is printed."""
        self.done += 1
        if cause is not None:
            self.failed += 1
            # Causes of one kind differ by numbers and quoted values.
            kind = re.sub(r"\d+|'[^']*'|\"[^\"]*\"", "", cause)
            if kind not in self._kinds and len(self._kinds) < _CAUSES_MAX:
                self._kinds.add(kind)
                self.say(f"{self.title}: one failed with {' '.join(cause.split())[:_CAUSE_CHARS_MAX]}")
        is_end = self.done == self.total
        now = time.monotonic()
        if self.is_quiet or now < self._next and not is_end:
            return
        self._next = now + (0.2 if self._is_terminal else 5)
        failed = f", {self.failed} failed" if self.failed else ""
        total = f" of {self.total}" if self.total is not None else ""
        line = f"{self.title}: {self.done}{total}{failed}"
        print(f"\r{line}" if self._is_terminal else line, end="\n" if is_end or not self._is_terminal else "", file=sys.stderr)

    def say(self, text: str) -> None:
        if not self.is_quiet:
            print(text, file=sys.stderr)


class Engine:
    """One piece of long work. `stop` ends it after the running jobs."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.gate = Gate(options.concurrency)
        self.pool = ThreadPoolExecutor(options.concurrency, thread_name_prefix="spandrel-task")
        self.stopped: str | None = None
        self.cost = 0.0
        # Whether what runs is to be cancelled, too.
        self.is_abandoned = False
        self._started = time.monotonic()

    def stop(self, reason: str) -> None:
        self.stopped = self.stopped or reason

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, jobs: AsyncIterator[Any] | Iterable[Any], work: Callable[[Any, int], Awaitable[str | None]], progress: Progress) -> None:
        """Works on each job, as many at a time as the gate lets. `work` gets its place, from 0; returns why it failed."""
        iterator = jobs.__aiter__() if hasattr(jobs, "__aiter__") else _to_async(jobs)
        running: set[asyncio.Task[None]] = set()
        failures: list[BaseException] = []

        place = 0

        async def one(job: Any, place: int) -> None:
            try:
                progress.step(await work(job, place))
            except Exception as error:  # noqa: BLE001 - it is raised below, after the others have ended
                failures.append(error)
                self.stop("an error")
            finally:
                self.gate.leave()

        try:
            while not self._is_over():
                await self.gate.enter()
                try:
                    if self._is_over():
                        raise StopAsyncIteration
                    job = await anext(iterator)
                except StopAsyncIteration:
                    self.gate.leave()
                    break
                task = asyncio.ensure_future(one(job, place))
                place += 1
                running.add(task)
                task.add_done_callback(running.discard)
            if running:
                await asyncio.wait(set(running))
        except asyncio.CancelledError:
            # Ctrl-C of an asynchronous program: what runs is finished first.
            self.stop("an interruption")
            if self.is_abandoned:
                for task in running:
                    task.cancel()
            if running:
                await asyncio.wait(set(running))
            raise
        if failures:
            raise failures[0]

    def _is_over(self) -> bool:
        limit = self.options
        if limit.max_duration is not None and time.monotonic() - self._started > limit.max_duration:
            self.stop(f"the budget of {limit.max_duration:g} s")
        if limit.max_cost is not None and self.cost >= limit.max_cost:
            self.stop(f"the budget of {limit.max_cost:g} (spent: {self.cost:g})")
        return self.stopped is not None

    async def call(self, function: Callable[[], Any]) -> Any:
        """Calls a function in a thread, awaits what it returns if that can be awaited, and counts its costs."""
        costs: list[float] = []
        token = _costs.set(costs)
        try:
            context = contextvars.copy_context()
            value = await asyncio.get_running_loop().run_in_executor(self.pool, lambda: context.run(function))
            if inspect.isawaitable(value):
                value = await asyncio.wait_for(value, self.options.timeout)
            return value
        finally:
            _costs.reset(token)
            self.cost += sum(costs)

    async def call_async(self, function: Callable[[], Awaitable[Any]]) -> Any:
        """Awaits a coroutine function for at most the timeout, and counts its costs."""
        costs: list[float] = []
        token = _costs.set(costs)
        try:
            return await asyncio.wait_for(function(), self.options.timeout)
        finally:
            _costs.reset(token)
            self.cost += sum(costs)

    async def retrying(self, attempt: Callable[[], Awaitable[BaseException | None]]) -> BaseException | None:
        """Calls `attempt` until it returns no error, the retries are used up, or the work is to end."""
        retries, limits = 0, 0
        while True:
            error = await attempt()
            if error is None:
                return None
            if is_rate_limit(error, self.options.rate_limit_errors):
                limits += 1
                pause = wanted_pause(error)
                self.gate.slow_down(pause)
                if limits > _RATE_LIMIT_RETRIES_MAX or self.stopped:
                    return error
                await asyncio.sleep(pause if pause is not None else _random.uniform(0, min(10.0, 0.25 * 2**limits)))
                continue
            if isinstance(error, (asyncio.TimeoutError, TimeoutError)):
                self.gate.slow_down()
            retries += 1
            if retries > self.options.retries or self.stopped:
                return error
            await asyncio.sleep(_random.uniform(0, min(5.0, 0.1 * 2**retries)))


async def _to_async(items: Iterable[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


def run_in_thread(start: Callable[[Callable[[Engine], None]], Awaitable[Any]]) -> Any:
    """Runs asynchronous work from blocking code, also inside a running event loop, in a thread with a loop of its own.

    The first Ctrl-C ends the work after its running jobs; the second cancels them.
    """
    loop = asyncio.new_event_loop()
    engines: list[Engine] = []
    done = threading.Event()
    outcome: dict[str, Any] = {}
    task: list[asyncio.Task[Any]] = []

    async def main() -> Any:
        task.append(asyncio.current_task())  # type: ignore[arg-type]
        return await start(engines.append)

    def target() -> None:
        asyncio.set_event_loop(loop)
        try:
            outcome["value"] = loop.run_until_complete(main())
        except BaseException as error:  # noqa: BLE001 - it is raised in the caller's thread
            outcome["error"] = error
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()
            done.set()

    thread = threading.Thread(target=target, name="spandrel-experiment", daemon=True)
    thread.start()
    interruptions = 0
    while not done.is_set():
        try:
            done.wait(0.5)
        except KeyboardInterrupt:
            interruptions += 1
            if interruptions == 1 and engines:
                print("Ending after the running tasks; press Ctrl-C again to cancel them.", file=sys.stderr)
                for engine in engines:
                    loop.call_soon_threadsafe(engine.stop, "an interruption")
            else:
                for engine in engines:
                    engine.is_abandoned = True
                if task:
                    loop.call_soon_threadsafe(task[0].cancel)
                if interruptions > 2:
                    raise
    if "error" in outcome:
        error = outcome["error"]
        raise KeyboardInterrupt if isinstance(error, asyncio.CancelledError) and interruptions else error
    return outcome["value"]
