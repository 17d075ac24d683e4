"""run_experiment, evaluate_experiment, resume_experiment, resume_evaluation: one body for both clients."""

from __future__ import annotations

import asyncio
import inspect
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..datasets.dataset import Dataset
from ..exceptions import NotFoundError
from ..limits import CONCURRENCY_DEFAULT, TASK_RETRIES_DEFAULT
from ..transport.calls import Call, part
from ..transport.drivers import AsyncDriver, Driver
from .binding import TASK_NAMES, make_binder
from .engine import Engine, Options, run_in_thread
from .evaluators import Evaluator, to_evaluators
from .results import DRY_RUN, ExperimentEvaluationRun, RanExperiment
from .session import EVALUATORS_PROJECT, Session, http_timeout

# Examples of a dry run are the same each time.
_DRY_RUN_SEED = 42
Announce = Callable[[Engine], None]


def start(driver: Driver, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Runs the work in a thread of its own, or returns it to be awaited. Wrong arguments raise at once."""
    inspect.signature(function).bind(driver, lambda engine: None, **arguments)
    if isinstance(driver, AsyncDriver):
        return function(driver, lambda engine: None, **arguments)
    return run_in_thread(lambda announce: function(driver, announce, **arguments))


async def run(
    driver: Driver,
    announce: Announce,
    /,
    *,
    dataset: Dataset,
    task: Callable[..., Any],
    evaluators: Any = None,
    experiment_name: str | None = None,
    experiment_description: str | None = None,
    experiment_metadata: Mapping[str, Any] | None = None,
    rate_limit_errors: Any = None,
    dry_run: bool | int = False,
    print_summary: bool = True,
    timeout: float | None = 60,
    repetitions: int = 1,
    retries: int = TASK_RETRIES_DEFAULT,
    concurrency: int = CONCURRENCY_DEFAULT,
    max_cost: float | None = None,
    max_duration: float | None = None,
) -> RanExperiment:
    """Runs a task for each example and repetition, then the evaluators.

    The task gets the input, or by their names `input`, `expected`, `reference`, `metadata`, `example`. Functions run in
    threads, coroutines in the event loop, `concurrency` at a time. A failed task is tried again `retries` times; `timeout`
    ends a coroutine after so many seconds. Each result is on disk before it is posted. `dry_run` posts nothing and takes
    one example, or as many as its number. `max_duration` (seconds) and `max_cost` (what tasks report with `add_cost`) end
    the work after the running tasks; `resume_experiment` goes on. Runs and evaluations are in the order of the examples.
    """
    make_binder(task, TASK_NAMES, "input")
    chosen = to_evaluators(evaluators)
    if repetitions <= 0:
        raise ValueError(f"repetitions is {repetitions}; expected at least 1")
    options = Options(concurrency, retries, timeout, _kinds(rate_limit_errors), max_cost, max_duration)
    loader = Session(driver, None, Options(), timeout, True)
    try:
        examples = await _load(loader, dataset)
        experiment = None
        if not dry_run:
            experiment = await loader.io(
                _create(driver, dataset, experiment_name, experiment_description, experiment_metadata, repetitions, timeout)
            )
    finally:
        await loader.close()
    if not examples:
        raise ValueError(f"the dataset {dataset.name!r} has no examples")
    if dry_run:
        examples = _sample(examples, 1 if dry_run is True else int(dry_run))
    session = Session(driver, experiment, options, timeout, not print_summary)
    announce(session.engine)
    jobs = [(example, number) for example in examples for number in range(1, repetitions + 1)]
    project = experiment["project_name"] if experiment else None
    try:
        await session.open()
        runs = await session.run_tasks(jobs, len(jobs), task, project)
        if experiment is not None:
            # The server has them in the order in which they ended.
            places = {(_id(example), number): place for place, (example, number) in enumerate(jobs)}
            last = len(jobs)
            runs = sorted(
                await session.runs(),
                key=lambda run: places.get((run["dataset_example_id"], run["repetition_number"]), last),
            )
        ran = _ran(driver, experiment, dataset, runs, experiment_metadata)
        if chosen and not session.engine.stopped:
            await _evaluate_runs(session, ran, examples, chosen)
        _finish(session, ran, len(jobs), print_summary)
        return ran
    except asyncio.CancelledError:
        _say_cancelled(session)
        raise
    finally:
        await session.close()


async def evaluate(
    driver: Driver,
    announce: Announce,
    /,
    *,
    experiment: Mapping[str, Any],
    evaluators: Any,
    dry_run: bool | int = False,
    print_summary: bool = True,
    timeout: float | None = 60,
    rate_limit_errors: Any = None,
    retries: int = TASK_RETRIES_DEFAULT,
    concurrency: int = CONCURRENCY_DEFAULT,
    max_cost: float | None = None,
    max_duration: float | None = None,
) -> RanExperiment:
    """Evaluates the runs of an experiment with further evaluators; returns it with the old and the new evaluations."""
    chosen = to_evaluators(evaluators)
    is_dry = bool(dry_run) or experiment["experiment_id"] == DRY_RUN
    options = Options(concurrency, retries, timeout, _kinds(rate_limit_errors), max_cost, max_duration)
    loader = Session(driver, None, Options(), timeout, True)
    try:
        found = None
        if not is_dry:
            experiment_id = experiment["experiment_id"]
            found = await loader.io(_data(driver, Call("GET", f"/v1/experiments/{part(experiment_id)}")))
        dataset_id = part(experiment["dataset_id"])
        params = {"version_id": experiment["dataset_version_id"]}
        call = Call("GET", f"/v1/datasets/{dataset_id}/examples", params=params, timeout=http_timeout(timeout))
        examples = (await loader.io(_data(driver, call)))["examples"]
    finally:
        await loader.close()
    session = Session(driver, found, options, timeout, not print_summary)
    announce(session.engine)
    ran = RanExperiment(experiment)
    ran.url = getattr(experiment, "url", "")
    ran["evaluation_runs"] = list(experiment.get("evaluation_runs") or [])
    try:
        await session.open()
        await _evaluate_runs(session, ran, examples, chosen)
        _finish(session, ran, len(ran["task_runs"]), print_summary)
        return ran
    finally:
        await session.close()


async def resume(
    driver: Driver,
    announce: Announce,
    /,
    *,
    experiment_id: str,
    task: Callable[..., Any],
    evaluators: Any = None,
    print_summary: bool = True,
    timeout: float | None = 60,
    rate_limit_errors: Any = None,
    retries: int = TASK_RETRIES_DEFAULT,
    concurrency: int = CONCURRENCY_DEFAULT,
    max_cost: float | None = None,
    max_duration: float | None = None,
) -> None:
    """Posts the results that are on disk, then runs what is missing or failed, then the evaluators that are missing."""
    make_binder(task, TASK_NAMES, "input")
    chosen = to_evaluators(evaluators)
    options = Options(concurrency, retries, timeout, _kinds(rate_limit_errors), max_cost, max_duration)
    session = await _open_existing(driver, experiment_id, options, timeout, print_summary)
    announce(session.engine)
    try:
        sent = await session.open()
        if sent and print_summary:
            print(f"{sent} results were on disk and are posted.")
        experiment = await session.io(_data(driver, Call("GET", f"/v1/experiments/{part(experiment_id)}")))
        missing = experiment["example_count"] * experiment["repetitions"] - experiment["successful_run_count"]
        if missing > 0:
            await session.run_tasks(_incomplete(session, experiment_id), missing, task, experiment["project_name"])
        elif print_summary:
            print("No run is missing.")
        if chosen and not session.engine.stopped:
            await _resume_evaluators(session, experiment_id, chosen)
        if session.engine.stopped and print_summary:
            print(f"Ended early by {session.engine.stopped}; {session.resume_hint()}")
        if print_summary:
            print(f"Experiment: {experiment_url(driver.transport.base_url, experiment['dataset_id'], experiment_id)}")
    except asyncio.CancelledError:
        _say_cancelled(session)
        raise
    finally:
        await session.close()


async def resume_evaluation(
    driver: Driver,
    announce: Announce,
    /,
    *,
    experiment_id: str,
    evaluators: Any,
    print_summary: bool = True,
    timeout: float | None = 60,
    rate_limit_errors: Any = None,
    retries: int = TASK_RETRIES_DEFAULT,
    concurrency: int = CONCURRENCY_DEFAULT,
    max_cost: float | None = None,
    max_duration: float | None = None,
) -> None:
    """Evaluates the successful runs that lack a successful evaluation of these names."""
    chosen = to_evaluators(evaluators)
    if not chosen:
        raise ValueError("there are no evaluators; expected at least one")
    options = Options(concurrency, retries, timeout, _kinds(rate_limit_errors), max_cost, max_duration)
    session = await _open_existing(driver, experiment_id, options, timeout, print_summary)
    announce(session.engine)
    try:
        await session.open()
        await _resume_evaluators(session, experiment_id, chosen)
    finally:
        await session.close()


async def _open_existing(
    driver: Driver, experiment_id: str, options: Options, timeout: Any, is_loud: bool
) -> Session:
    loader = Session(driver, None, Options(), timeout, True)
    try:
        call = Call("GET", f"/v1/experiments/{part(experiment_id)}", timeout=http_timeout(timeout))
        found = await loader.io(_data(driver, call))
    except NotFoundError:
        raise ValueError(f"there is no experiment {experiment_id!r}") from None
    finally:
        await loader.close()
    return Session(driver, found, options, timeout, not is_loud)


async def _incomplete(session: Session, experiment_id: str) -> AsyncIterator[tuple[Mapping[str, Any], int]]:
    async for item in session.pages(Call("GET", f"/v1/experiments/{part(experiment_id)}/incomplete-runs")):
        for number in item["repetition_numbers"]:
            yield item["dataset_example"], number


async def _resume_evaluators(session: Session, experiment_id: str, chosen: Sequence[Evaluator]) -> None:
    by_name = {evaluator.name: evaluator for evaluator in chosen}
    params = {"evaluation_name": list(by_name)}
    call = Call("GET", f"/v1/experiments/{part(experiment_id)}/incomplete-evaluations", params=params)

    async def jobs() -> AsyncIterator[tuple[Any, Any, Evaluator]]:
        async for item in session.pages(call):
            for name in item["evaluation_names"]:
                yield item["experiment_run"], item["dataset_example"], by_name[name]

    project = (session.experiment or {}).get("project_name")
    await session.run_evaluators(jobs(), None, project)


async def _evaluate_runs(
    session: Session, ran: RanExperiment, examples: Sequence[Mapping[str, Any]], chosen: Sequence[Evaluator]
) -> None:
    by_id = {_id(example): example for example in examples}
    jobs = [
        (run, by_id[run["dataset_example_id"]], evaluator)
        for run in ran["task_runs"]
        if run["dataset_example_id"] in by_id
        for evaluator in chosen
    ]
    project = EVALUATORS_PROJECT if session.experiment is not None else None
    ran["evaluation_runs"] = [*ran["evaluation_runs"], *(await session.run_evaluators(jobs, len(jobs), project))]


def _id(example: Mapping[str, Any]) -> str:
    return example.get("node_id") or example["id"]


def _say_cancelled(session: Session) -> None:
    if session.experiment is not None:
        print(f"Ended early by an interruption; {session.resume_hint()}")


def _finish(session: Session, ran: RanExperiment, expected: int, is_loud: bool) -> None:
    ran["stopped"] = session.engine.stopped
    rejections = session.poster.rejections if session.poster else []
    if rejections:
        print(f"The server did not take {len(rejections)} results; the first: {rejections[0]}")
    if session.engine.stopped:
        print(f"Ended early by {session.engine.stopped}: {len(ran['task_runs'])} of {expected} runs; {session.resume_hint()}")
    elif len(ran["task_runs"]) < expected:
        print(f"Only {len(ran['task_runs'])} of {expected} runs are stored; {session.resume_hint()}")
    if is_loud:
        ran.print_summary()


async def _load(session: Session, dataset: Dataset) -> list[Mapping[str, Any]]:
    if not isinstance(dataset, Dataset):
        raise ValueError("expected a Dataset, as get_dataset and create_dataset return it")
    if dataset._examples is None and isinstance(session.driver, AsyncDriver):
        await dataset.load()
    elif dataset._examples is None:
        await asyncio.to_thread(lambda: dataset.examples)
    return list(dataset.examples)


def _create(
    driver: Driver,
    dataset: Dataset,
    name: str | None,
    description: str | None,
    metadata: Mapping[str, Any] | None,
    repetitions: int,
    timeout: Any,
) -> Any:
    from ..resources.experiments import Experiments

    experiments: Experiments[Any] = Experiments(driver)
    return experiments.create.steps(
        dataset_id=dataset.id,
        dataset_version_id=dataset.version_id,
        experiment_name=name,
        experiment_description=description,
        experiment_metadata=metadata,
        splits=dataset._filtered_split_names,
        repetitions=repetitions,
        timeout=http_timeout(timeout),
    )


def _data(driver: Driver, call: Call) -> Any:
    from ..resources.base import Resource

    resource: Resource[Any] = Resource(driver)
    return resource._data(call)


def _kinds(errors: Any) -> tuple[type[BaseException], ...]:
    if errors is None:
        return ()
    return tuple(errors) if isinstance(errors, (list, tuple, set, frozenset)) else (errors,)


def _sample(examples: list[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    # A generator of its own: the program's global one is left as it is.
    return random.Random(_DRY_RUN_SEED).sample(examples, min(count, len(examples)))


def _ran(
    driver: Driver,
    experiment: Mapping[str, Any] | None,
    dataset: Dataset,
    runs: list[dict[str, Any]],
    metadata: Mapping[str, Any] | None,
) -> RanExperiment:
    ran = RanExperiment(
        experiment_id=experiment["id"] if experiment else DRY_RUN,
        dataset_id=dataset.id,
        dataset_version_id=experiment["dataset_version_id"] if experiment else dataset.version_id,
        task_runs=runs,
        evaluation_runs=[],
        experiment_metadata=dict(experiment["metadata"] if experiment else metadata or {}),
        project_name=experiment.get("project_name") if experiment else None,
    )
    if experiment:
        ran.url = experiment_url(driver.transport.base_url, dataset.id, experiment["id"])
    return ran


def from_server(
    base_url: str, experiment: Mapping[str, Any], runs: Sequence[Any], records: Sequence[Mapping[str, Any]]
) -> RanExperiment:
    """An experiment from what the server stores of it."""
    by_key = {(run["dataset_example_id"], run["repetition_number"]): run["id"] for run in runs}
    evaluations = []
    for record in records:
        run_id = by_key.get((record["example_id"], record["repetition_number"]))
        for one in record["annotations"] if run_id else ():
            result = {key: one[key] for key in ("label", "score", "explanation") if one.get(key) is not None} or None
            if result is None and one.get("error") is None:
                continue
            evaluations.append(
                ExperimentEvaluationRun(
                    experiment_run_id=run_id or "",
                    start_time=datetime.fromisoformat(one["start_time"].replace("Z", "+00:00")),
                    end_time=datetime.fromisoformat(one["end_time"].replace("Z", "+00:00")),
                    name=one["name"],
                    annotator_kind=one["annotator_kind"],
                    error=one.get("error"),
                    result=result,
                    trace_id=one.get("trace_id"),
                    metadata=one.get("metadata") or {},
                )
            )
    ran = RanExperiment(
        experiment_id=experiment["id"],
        dataset_id=experiment["dataset_id"],
        dataset_version_id=experiment["dataset_version_id"],
        task_runs=list(runs),
        evaluation_runs=evaluations,
        experiment_metadata=dict(experiment["metadata"]),
        project_name=experiment.get("project_name"),
    )
    ran.url = experiment_url(base_url, experiment["dataset_id"], experiment["id"])
    return ran


def web_url(base_url: str) -> str:
    return base_url if base_url.endswith("/") else f"{base_url}/"


def experiment_url(base_url: str, dataset_id: str, experiment_id: str) -> str:
    return f"{web_url(base_url)}datasets/{dataset_id}/compare?experimentId={experiment_id}"
