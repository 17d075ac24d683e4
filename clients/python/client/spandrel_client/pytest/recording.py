"""What one test records: its output and evaluations. Tests run one after another in a process, so there is one current test."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from ..exceptions import SpandrelError
from ..experiments.binding import EVALUATOR_NAMES
from ..experiments.evaluators import Evaluator, to_evaluators, to_results
from ..experiments.tracing import Tracer, error_text
from ..frames.values import to_json_value

_NOTHING = object()


class TestContextError(SpandrelError, RuntimeError):
    """A helper was called outside of a test that has the marker."""

    # Not a class of tests.
    __test__ = False


@dataclass
class Recording:
    """One test while it runs."""

    node_id: str
    input: dict[str, Any]
    repetition: int
    evaluators: list[Evaluator]
    tracer: Tracer
    output: Any = _NOTHING
    error: str | None = None
    has_passed: bool | None = None
    start_time: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    end_time: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    trace_id: str | None = None
    evaluations: list[dict[str, Any]] = field(default_factory=list)

    def add(self, evaluation: Mapping[str, Any]) -> None:
        """Adds an evaluation; a later one of the same name replaces it."""
        self.evaluations = [one for one in self.evaluations if one["name"] != evaluation["name"]] + [dict(evaluation)]

    def values(self) -> dict[str, Any]:
        """What evaluators get."""
        output = None if self.output is _NOTHING else self.output
        found = dict.fromkeys(EVALUATOR_NAMES) | {
            "input": self.input,
            "output": output,
            "metadata": {"pytest_nodeid": self.node_id},
        }
        return found | {
            "expected": {},
            "reference": {},
            "trace_id": self.trace_id,
            "example": {"id": self.node_id, "input": self.input},
        }

    def run_evaluators(self) -> None:
        """Runs the evaluators of the marker. Their errors are evaluations, not failures of the test."""
        for evaluator in self.evaluators:
            self.run_evaluator(evaluator, self.values())

    def run_evaluator(self, evaluator: Evaluator, values: Mapping[str, Any]) -> tuple[Any, BaseException | None]:
        """Runs and records one evaluator; returns what it returned, and its error."""
        with self.tracer.call(f"Evaluation: {evaluator.name}", "EVALUATOR", to_json_value(dict(values))) as call:
            raw: Any = None
            error: BaseException | None = None
            try:
                raw = _finish(evaluator.call(values))
                results = to_results(evaluator.name, raw)
                call.succeed(results[0] if len(results) == 1 else results)
            except Exception as raised:  # noqa: BLE001 - it is a result
                error = raised
                results = [{"name": evaluator.name, "error": error_text(raised)}]
                call.fail(raised)
        for result in results:
            self.add({**result, "kind": evaluator.kind, "trace_id": call.trace_id, **_times(call)})
        return raw, error


_current: Recording | None = None


def set_current(recording: Recording | None) -> None:
    global _current
    _current = recording


def _get_current(name: str) -> Recording:
    if _current is None:
        raise TestContextError(f"{name} works inside of a test that has the marker spandrel")
    return _current


def log_output(output: Any) -> None:
    """Records the output of the current test. Once a test."""
    recording = _get_current("log_output")
    if recording.output is not _NOTHING:
        raise TestContextError(f"log_output was called twice in {recording.node_id}; a test has one output")
    recording.output = to_json_value(output)


def log_evaluation(
    name: str,
    score: float | None = None,
    label: str | None = None,
    explanation: str | None = None,
    annotator_kind: str = "CODE",
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Records an evaluation of the current test. ValueError without a score, label or explanation."""
    recording = _get_current("log_evaluation")
    if not name or score is None and label is None and explanation is None:
        raise ValueError("log_evaluation needs a name, and a score, a label or an explanation")
    if annotator_kind not in ("CODE", "LLM", "HUMAN"):
        raise ValueError(f"annotator_kind is {annotator_kind!r}; expected CODE, LLM or HUMAN")
    number = None if score is None else float(score)
    if number is not None and not math.isfinite(number):
        raise ValueError(f"the score of {name!r} is {score}; expected a finite number")
    found = {"name": name, "score": number, "label": label, "explanation": explanation}
    with recording.tracer.call(f"Evaluation: {name}", "EVALUATOR", recording.input) as call:
        call.succeed({key: value for key, value in found.items() if value is not None})
    more = {"metadata": to_json_value(dict(metadata or {})), "kind": annotator_kind, "trace_id": call.trace_id, **_times(call)}
    recording.add({**found, **more})


def evaluate(evaluator: Any, /, **input: Any) -> Any:
    """Calls an evaluator with the values, records its results, and returns what it returned. Its error is recorded and raised."""
    recording = _get_current("evaluate")
    (made,) = to_evaluators(evaluator)
    raw, error = recording.run_evaluator(made, {**dict.fromkeys(EVALUATOR_NAMES), **input})
    if error is not None:
        raise error
    return raw


def _finish(value: Any) -> Any:
    """The result of a coroutine, also where a loop runs already."""
    if not inspect.isawaitable(value):
        return value

    async def wait() -> Any:
        return await value

    found: list[Any] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            found.append(asyncio.run(wait()))
        except BaseException as error:  # noqa: BLE001 - it is raised in the test
            errors.append(error)

    thread = threading.Thread(target=target, name="spandrel-evaluator")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return found[0]


def _times(call: Any) -> dict[str, str]:
    return {"start_time": call.start_time.isoformat(), "end_time": call.end_time.isoformat()}


def output_of(recording: Recording) -> Any:
    return None if recording.output is _NOTHING else recording.output
