from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, List, overload

from ..exceptions import NotFoundError
from ..experiments import runner
from ..experiments.compare import QUERY, Comparison, experiment_id_of, to_comparison
from ..experiments.results import ExperimentEvaluationRun, RanExperiment
from ..transport.calls import Call, Steps, Timeout, part
from ..transport.drivers import Driver
from ..types import NOT_GIVEN, NotGiven
from .base import Awaiting, Blocking, Listing, M, P, Resource, T, changes, listing, operation
from .experiment_files import ExperimentFiles
from .graphql import GraphQL

if TYPE_CHECKING:
    from typing_extensions import Concatenate

    from ..generated import api

    class Work(Generic[P, T]):
        """A method of long work: it blocks, or is awaited of an AsyncClient."""

        @overload
        def __get__(self, resource: Resource[Blocking], owner: type) -> Callable[P, T]: ...

        @overload
        def __get__(self, resource: Resource[Awaiting], owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...

        @overload
        def __get__(self, resource: Resource[Any] | None, owner: type) -> Callable[..., Any]: ...

        def __get__(self, resource: Any, owner: type) -> Any: ...


def _work(function: Callable[Concatenate[Driver, runner.Announce, P], Coroutine[Any, Any, T]]) -> Work[P, T]:
    """A method that runs long work, with the arguments and the description of the work."""

    def method(self: Experiments[Any], **arguments: Any) -> Any:
        return runner.start(self._driver, function, arguments)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.signature(function)
    # Without the driver and what announces the engine.
    method.__signature__ = signature.replace(parameters=[own, *list(signature.parameters.values())[2:]])  # type: ignore[attr-defined]
    method.__doc__ = f"{function.__doc__}\n\n    Awaited of an AsyncClient."
    return method  # type: ignore[return-value]


class Experiments(ExperimentFiles[M]):
    """Experiments: a task run over the examples of a dataset, and evaluations of its runs."""

    @operation
    def create(
        self,
        *,
        dataset_id: str,
        dataset_version_id: str | None = None,
        experiment_name: str | None = None,
        experiment_description: str | None = None,
        experiment_metadata: Mapping[str, Any] | None = None,
        splits: Sequence[str] | None = None,
        repetitions: int = 1,
        timeout: Timeout = 60,
    ) -> Steps[api.Experiment]:
        """Creates an experiment without runs."""
        if repetitions <= 0:
            raise ValueError(f"repetitions is {repetitions}; expected at least 1")
        body: dict[str, Any] = {"repetitions": repetitions}
        for key, value in (
            ("name", experiment_name),
            ("description", experiment_description),
            ("metadata", experiment_metadata),
            ("version_id", dataset_version_id),
            ("splits", list(splits) if splits else None),
        ):
            if value is not None:
                body[key] = value
        call = Call("POST", f"/v1/datasets/{part(dataset_id)}/experiments", json=body, timeout=timeout, creates=True)
        return (yield from self._data(call))

    @operation
    def get(self, *, experiment_id: str, timeout: Timeout = 60) -> Steps[api.Experiment]:
        """One experiment with its counts of runs. NotFoundError (a ValueError) if there is none."""
        return (yield from self._data(Call("GET", f"/v1/experiments/{part(experiment_id)}", timeout=timeout)))

    @operation
    def get_experiment(self, *, experiment_id: str, timeout: Timeout = 60) -> Steps[RanExperiment]:
        """An experiment with all its runs and evaluations."""
        experiment = yield from self.get.steps(experiment_id=experiment_id, timeout=timeout)
        runs = yield from self.runs.steps(experiment_id=experiment_id, timeout=timeout)
        try:
            call = Call("GET", f"/v1/experiments/{part(experiment_id)}/json", timeout=timeout)
            records = yield from self._json(call)
        except NotFoundError:
            records = []
        return runner.from_server(self._transport.base_url, experiment, runs, records)

    @operation
    def compare(self, a: Mapping[str, Any] | str, b: Mapping[str, Any] | str) -> Steps[Comparison]:
        """Compares two experiments on one dataset, objects or IDs, with the numbers that the server also shows on its pages."""
        ids = [experiment_id_of(a), experiment_id_of(b)]
        graphql = GraphQL(self._driver)
        data = yield from graphql.execute.steps(QUERY, {"ids": ids}, is_repeatable=True)
        return to_comparison(data["report"])

    @listing
    def runs(self, *, experiment_id: str, timeout: Timeout = 60) -> Listing[api.ExperimentRun]:
        """Runs of an experiment, newest first."""
        return Listing(Call("GET", f"/v1/experiments/{part(experiment_id)}/runs", timeout=timeout))

    @listing
    def list(self, *, dataset_id: str, timeout: Timeout = 60) -> Listing[api.Experiment]:
        """Experiments of a dataset, newest first."""
        return Listing(Call("GET", f"/v1/datasets/{part(dataset_id)}/experiments", timeout=timeout), page_size=50)

    @operation
    def delete(self, *, experiment_id: str, delete_project: bool = False, timeout: Timeout = 60) -> Steps[None]:
        """Deletes an experiment, with its project if asked for."""
        params = {"delete_project": delete_project}
        yield from self._transport.send(
            Call("DELETE", f"/v1/experiments/{part(experiment_id)}", params=params, timeout=timeout)
        )

    @operation
    def log_run(
        self,
        *,
        experiment_id: str,
        dataset_example_id: str,
        output: Any,
        start_time: datetime,
        end_time: datetime,
        repetition_number: int = 1,
        trace_id: str | None = None,
        error: str | None = None,
        timeout: Timeout = 60,
    ) -> Steps[api.CreateExperimentRunResponse_Data]:
        """Stores one run. ConflictError if the example has a successful one in this repetition."""
        body = {
            "dataset_example_id": dataset_example_id,
            "output": output,
            "repetition_number": repetition_number,
            "start_time": start_time.isoformat(),
            "end_time": end_time.isoformat(),
            "trace_id": trace_id,
            "error": error,
        }
        call = Call("POST", f"/v1/experiments/{part(experiment_id)}/runs", json=body, timeout=timeout, creates=True)
        return (yield from self._data(call))

    @operation
    def log_evaluation(
        self,
        *,
        experiment_run_id: str,
        name: str,
        annotator_kind: str = "CODE",
        start_time: datetime | None = None,
        end_time: datetime | None = None,
        score: float | None = None,
        label: str | None = None,
        explanation: str | None = None,
        error: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        trace_id: str | None = None,
        timeout: Timeout = 60,
    ) -> Steps[api.UpsertExperimentEvaluationResponse_Data]:
        """Stores one evaluation of a run; it replaces the one of its name."""
        from datetime import timezone

        fields = {"score": score, "label": label, "explanation": explanation}
        result = {key: value for key, value in fields.items() if value is not None} or None
        now = datetime.now(timezone.utc)
        evaluation = ExperimentEvaluationRun(
            experiment_run_id=experiment_run_id,
            name=name,
            annotator_kind=annotator_kind,
            start_time=start_time or now,
            end_time=end_time or now,
            result=result,
            error=error,
            metadata=dict(metadata or {}),
            trace_id=trace_id,
        )
        body = evaluation.to_body()
        call = Call("POST", "/v1/experiment_evaluations", json=body, timeout=timeout, is_repeatable=True)
        return (yield from self._data(call))

    @operation
    def update(
        self,
        *,
        experiment_id: str,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
    ) -> Steps[api.Experiment]:
        """Replaces name, description and metadata; a description of None clears it."""
        body = changes({"name": name, "metadata": metadata}, {"description": description})
        call = Call("PATCH", f"/v1/experiments/{part(experiment_id)}", json=body, is_repeatable=True)
        return (yield from self._data(call))

    @operation
    def get_tags(self, *, experiment_id: str) -> Steps[List[api.ExperimentTag]]:
        """Tags of an experiment by name."""
        return (yield from self._data(Call("GET", f"/v1/experiments/{part(experiment_id)}/tags")))

    @operation
    def add_tag(self, *, experiment_id: str, name: str, description: str | None = None) -> Steps[api.ExperimentTag]:
        """Gives an experiment a tag, which moves from another experiment of the dataset. `baseline` marks the baseline."""
        body = {"name": name, **({"description": description} if description is not None else {})}
        call = Call("POST", f"/v1/experiments/{part(experiment_id)}/tags", json=body, is_repeatable=True)
        return (yield from self._data(call))

    @operation
    def remove_tag(self, *, experiment_id: str, name: str) -> Steps[None]:
        """Removes a tag."""
        yield from self._transport.send(Call("DELETE", f"/v1/experiments/{part(experiment_id)}/tags/{part(name)}"))

    def get_dataset_experiments_url(self, *, dataset_id: str) -> str:
        """Page of the experiments of a dataset."""
        return f"{runner.web_url(self._transport.base_url)}datasets/{dataset_id}/experiments"

    def get_experiment_url(self, *, dataset_id: str, experiment_id: str) -> str:
        """Page of an experiment."""
        return runner.experiment_url(self._transport.base_url, dataset_id, experiment_id)

    run_experiment = _work(runner.run)
    evaluate_experiment = _work(runner.evaluate)
    resume_experiment = _work(runner.resume)
    resume_evaluation = _work(runner.resume_evaluation)
