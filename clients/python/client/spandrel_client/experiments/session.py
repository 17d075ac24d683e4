"""What one piece of work on an experiment shares: the driver, the engine, the outbox and its poster, the tracer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..exceptions import ConnectionFailed, StatusError, UnexpectedAnswer
from ..frames.values import to_json_value
from ..limits import INCOMPLETE_ROWS_PER_PAGE, READ_SECONDS
from ..resources.base import Listing
from ..transport.calls import Call, Steps, part
from ..transport.drivers import AsyncDriver, Driver
from .binding import TASK_NAMES, evaluator_values, make_binder, name_of, task_values
from .engine import Engine, Options, Progress
from .evaluators import Evaluator, to_results
from .outbox import Outbox
from .poster import Poster, ServerAway
from .results import ExperimentEvaluationRun
from .tracing import Tracer, error_text

# Project of the spans of evaluators.
EVALUATORS_PROJECT = "evaluators"


def http_timeout(timeout: float | None) -> float | None:
    """Timeout of calls of the server: that of tasks, but not less than usual."""
    return timeout if timeout is None else max(timeout, READ_SECONDS)


class Session:
    """Work on one experiment. `experiment` is None in a dry run."""

    def __init__(
        self,
        driver: Driver,
        experiment: Mapping[str, Any] | None,
        options: Options,
        timeout: Any,
        is_quiet: bool,
    ) -> None:
        self.driver = driver
        self.transport = driver.transport
        self.experiment = experiment
        self.engine = Engine(options)
        self.is_quiet = is_quiet
        self._calls = ThreadPoolExecutor(4, thread_name_prefix="spandrel-calls")
        self.outbox: Outbox | None = None
        self.poster: Poster | None = None
        self._timeout = http_timeout(timeout)
        self._told_away = False

    async def io(self, steps: Steps[Any]) -> Any:
        """Performs a call without blocking the loop."""
        if isinstance(self.driver, AsyncDriver):
            return await self.driver.run(steps)
        return await asyncio.get_running_loop().run_in_executor(self._calls, self.driver.run, steps)

    async def open(self) -> int:
        """Opens the outbox and posts what an earlier process left. Returns how many results that were."""
        if self.experiment is None:
            return 0
        self.outbox = Outbox(self.transport.base_url, self.experiment["id"])
        left = self.outbox.open()
        self.poster = Poster(self.io, self.transport, self.outbox, self.experiment["id"], self._timeout)
        self.poster.on_away = self._say_away
        self.poster.start()
        for record in left:
            await self.poster.put_again(record)
        await self.poster.drain()
        return len(left)

    async def close(self) -> None:
        if self.poster is not None:
            await self.poster.stop()
        if self.outbox is not None:
            self.outbox.close()
        self.engine.close()
        self._calls.shutdown(wait=False)

    def _say_away(self, message: str) -> None:
        if not self._told_away:
            self._told_away = True
            Progress("", None, self.is_quiet).say(f"The server is away; results wait on disk. ({message})")

    def tracer(self, project: str | None) -> Tracer:
        http = self.driver.http
        return Tracer(self.transport.base_url, http.headers, project if self.experiment is not None else None)

    async def run_tasks(self, jobs: Any, total: int | None, task: Callable[..., Any], project: str | None) -> list[dict[str, Any]]:
        """Runs the task for each (example, repetition). Returns the runs of a dry run, in this order; others are on the server."""
        bind = make_binder(task, TASK_NAMES, "input")
        tracer = self.tracer(project)
        runs: dict[int, dict[str, Any]] = {}

        async def work(job: tuple[Mapping[str, Any], int], place: int) -> str | None:
            example, repetition = job
            found: dict[str, Any] = {}

            async def attempt() -> BaseException | None:
                found["run"], error = await self._run_task(example, repetition, task, bind, tracer)
                return error

            error = await self.engine.retrying(attempt)
            run = found["run"]
            if self.poster is not None:
                await self.poster.put("run", run)
            else:
                runs[place] = {**run, "id": f"DRY_RUN_{place:06x}", "experiment_id": "DRY_RUN"}
            return None if error is None else error_text(error)

        try:
            await self.engine.run(jobs, work, Progress("Runs", total, self.is_quiet))
        finally:
            await self._drain()
            await asyncio.to_thread(tracer.close)
        return [runs[place] for place in sorted(runs)]

    async def _drain(self) -> None:
        if self.poster is not None:
            try:
                await asyncio.shield(self.poster.drain())
            except ServerAway as error:
                raise self.lost(error) from None
            except (StatusError, UnexpectedAnswer) as error:
                # The results are on disk; the caller changes what the server objects to.
                print(f"Results are not posted: {error}\nAfterwards {self.resume_hint()}")
                raise

    def lost(self, error: BaseException) -> ConnectionFailed:
        count = self.outbox.unsent_count if self.outbox else 0
        where = f" {count} results are in {self.outbox.path};" if self.outbox and count else ""
        return ConnectionFailed(f"the server did not come back: {error}.{where} nothing is lost: {self.resume_hint()}")

    def resume_hint(self) -> str:
        identifier = self.experiment["id"] if self.experiment else ""
        return f"go on with client.experiments.resume_experiment(experiment_id={identifier!r}, task=…)"

    async def _run_task(
        self, example: Mapping[str, Any], repetition: int, task: Callable[..., Any], bind: Any, tracer: Tracer
    ) -> tuple[dict[str, Any], BaseException | None]:
        values = task_values(example)
        output, error = None, None
        with tracer.call(f"Task: {name_of(task)}", "CHAIN", example.get("input")) as call:
            try:
                positional, keywords = bind(values)
                output = await self._invoke(task, lambda: task(*positional, **keywords))
                output = to_json_value(output)
                call.succeed(output)
            except asyncio.CancelledError:
                raise
            except Exception as raised:  # noqa: BLE001 - it is a result of the experiment
                error = raised
                output = None
                call.fail(raised)
        run = {
            "dataset_example_id": example.get("node_id") or example["id"],
            "output": output,
            "repetition_number": repetition,
            "start_time": call.start_time.isoformat(),
            "end_time": call.end_time.isoformat(),
            "trace_id": call.trace_id,
            "error": None if error is None else error_text(error),
        }
        return run, error

    async def _invoke(self, function: Any, call: Callable[[], Any]) -> Any:
        is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))
        return await (self.engine.call_async(call) if is_async else self.engine.call(call))

    async def run_evaluators(
        self, jobs: Any, total: int | None, project: str | None
    ) -> list[ExperimentEvaluationRun]:
        """Evaluates each (run, example, evaluator). Returns the evaluations in this order."""
        tracer = self.tracer(project)
        made: dict[int, list[ExperimentEvaluationRun]] = {}
        waiting: list[tuple[int, int, asyncio.Future[str | None]]] = []

        async def work(job: tuple[Mapping[str, Any], Mapping[str, Any], Evaluator], place: int) -> str | None:
            run, example, evaluator = job
            found: list[ExperimentEvaluationRun] = []

            async def attempt() -> BaseException | None:
                found[:], error = await self._evaluate(run, example, evaluator, tracer)
                # Only limits of models are tried again; an error of an evaluator is a result.
                from .gate import is_rate_limit

                return error if error is not None and is_rate_limit(error, self.engine.options.rate_limit_errors) else None

            await self.engine.retrying(attempt)
            made[place] = found
            if self.poster is not None:
                for number, evaluation in enumerate(found):
                    waiting.append((place, number, await self.poster.put("evaluation", evaluation.to_body())))
            return next((f"{one.name}: {one.error}" for one in found if one.error is not None), None)

        try:
            await self.engine.run(jobs, work, Progress("Evaluations", total, self.is_quiet))
        finally:
            await self._drain()
            await asyncio.to_thread(tracer.close)
        from dataclasses import replace

        for place, number, future in waiting:
            if future.done() and future.result():
                made[place][number] = replace(made[place][number], id=future.result() or "")
        return [evaluation for place in sorted(made) for evaluation in made[place]]

    async def _evaluate(
        self, run: Mapping[str, Any], example: Mapping[str, Any], evaluator: Evaluator, tracer: Tracer
    ) -> tuple[list[ExperimentEvaluationRun], BaseException | None]:
        values = evaluator_values(example, run)
        given = {"input": values["input"], "output": values["output"], "expected": values["expected"], "example": dict(values["example"])}
        results: list[dict[str, Any]] = []
        error: BaseException | None = None
        with tracer.call(f"Evaluation: {evaluator.name}", "EVALUATOR", given) as call:
            try:
                if evaluator.is_async:
                    value = await self.engine.call_async(lambda: evaluator.call(values))
                else:
                    value = await self.engine.call(lambda: evaluator.call(values))
                results = to_results(evaluator.name, value)
                call.succeed(results[0] if len(results) == 1 else results)
            except asyncio.CancelledError:
                raise
            except Exception as raised:  # noqa: BLE001 - it is a result of the experiment
                error = raised
                call.fail(raised)
        common = {
            "experiment_run_id": run["id"],
            "annotator_kind": evaluator.kind,
            "start_time": call.start_time,
            "end_time": call.end_time,
            "trace_id": call.trace_id,
        }
        if error is not None:
            return [ExperimentEvaluationRun(name=evaluator.name, error=error_text(error), **common)], error
        return [
            ExperimentEvaluationRun(
                name=result["name"],
                result={key: result[key] for key in ("score", "label", "explanation") if key in result},
                metadata=result.get("metadata") or {},
                **common,
            )
            for result in results
        ], None

    async def pages(self, call: Call, page_size: int = INCOMPLETE_ROWS_PER_PAGE) -> AsyncIterator[Any]:
        """Items of a list, page after page."""
        cursor: str | None = None
        while True:
            page = await self.io(Listing(call).page(self.transport, cursor, page_size))
            for item in page.data:
                yield item
            cursor = page.next_cursor
            if not cursor or not page.data:
                return

    async def runs(self) -> list[dict[str, Any]]:
        """All runs of the experiment; none if the server knows none."""
        if self.experiment is None:
            return []
        experiment_id = self.experiment["id"]
        call = Call("GET", f"/v1/experiments/{part(experiment_id)}/runs", timeout=self._timeout)
        try:
            return [run async for run in self.pages(call)]
        except StatusError as error:
            if error.status == 404:
                return []
            raise


Start = Callable[[Callable[[Engine], None]], Awaitable[Any]]
