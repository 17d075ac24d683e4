"""Datasets, experiments and results of tests on the server. A server that is away or objects is a warning, never a failure."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ..exceptions import ConflictError, NotFoundError

# Seconds that creating one dataset and its experiment, and posting what is left at the end, may take.
_CREATE_SECONDS_MAX = 15.0
_FINISH_SECONDS_MAX = 30.0
# Another process of xdist creates what this one waits for.
_WAIT_SECONDS_MAX = 120.0
# Results that wait while the server is slow; beyond that they are left out.
_WAITING_MAX = 10_000


@dataclass(frozen=True)
class Target:
    """Where the results of one dataset go. `examples` has the server's ids by node id."""

    experiment_id: str
    project: str
    url: str
    examples: Mapping[str, str]


@dataclass(frozen=True)
class Suite:
    """Tests of one dataset as they were collected. `examples` are as `create_dataset` takes them."""

    name: str
    examples: Sequence[Mapping[str, Any]]
    dataset_description: str | None
    experiment_description: str | None
    metadata: Mapping[str, Any]
    repetitions: int
    # Whether tests of the dataset were left out, so that its other examples stay.
    is_partial: bool


class Tracking:
    """Creates what is needed, and posts results in a thread. `folder` is shared by the processes of xdist, or None."""

    def __init__(self, make_client: Callable[[], Any], folder: Path | None) -> None:
        self._make_client = make_client
        self._folder = folder
        self._client: Any = None
        self._queue: queue.Queue[Callable[[], None] | None] = queue.Queue(_WAITING_MAX)
        self._thread: threading.Thread | None = None
        self._deadline: float | None = None
        self._left_out = 0
        self._reason = ""

    def open(self, suite: Suite) -> Target | None:
        """The experiment of a suite. None, with a warning, if the server does not give one."""
        try:
            if self._folder is None:
                return self._create(suite)
            return _once(self._folder, suite.name, lambda: self._create(suite))
        except Exception as error:  # noqa: BLE001 - whatever it is, tests go on
            self.warn(f"tests of {suite.name!r} are not recorded: {error}")
            return None

    def put(self, target: Target, record: Mapping[str, Any]) -> None:
        """Posts the run of a test and its evaluations, later."""
        example = target.examples.get(record["node_id"])
        if example is None:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._post_all, name="spandrel-results", daemon=True)
            self._thread.start()
        try:
            self._queue.put_nowait(lambda: self._post(target, example, record))
        except queue.Full:
            self._left_out += 1

    def close(self) -> None:
        """Posts the rest for at most 30 s, and says what is missing."""
        self._deadline = time.monotonic() + _FINISH_SECONDS_MAX
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(_FINISH_SECONDS_MAX + 5)
            if self._thread.is_alive():
                self._left_out += self._queue.qsize()
        if self._left_out:
            self.warn(f"{self._left_out} results of tests are not recorded: {self._reason or 'the server is too slow'}")
        if self._client is not None:
            self._client.close()

    def headers(self) -> Mapping[str, str]:
        return self._get_client().http_client.headers

    @property
    def base_url(self) -> str:
        return self._get_client().base_url

    def warn(self, text: str) -> None:
        # Without a line of this file, which would say nothing to the reader.
        warnings.warn_explicit(text, UserWarning, "spandrel", 1)

    def _get_client(self) -> Any:
        if self._client is None:
            self._client = self._make_client()
            self._client._driver.transport.attempt_seconds = _CREATE_SECONDS_MAX
        return self._client

    def _create(self, suite: Suite) -> Target:
        client = self._get_client()
        dataset = self._upload(client, suite)
        found = client.experiments.create(
            dataset_id=dataset.id,
            dataset_version_id=dataset.version_id,
            experiment_description=suite.experiment_description,
            experiment_metadata={**_git(), **suite.metadata},
            repetitions=suite.repetitions,
        )
        node_ids = {str(one["metadata"].get("pytest_nodeid")): one.get("node_id") or one["id"] for one in dataset.examples}
        url = client.experiments.get_experiment_url(dataset_id=dataset.id, experiment_id=found["id"])
        return Target(found["id"], found["project_name"], url, node_ids)

    def _upload(self, client: Any, suite: Suite) -> Any:
        options = {"examples": list(suite.examples), "timeout": 60}
        if not suite.is_partial:
            client.datasets.create_dataset(name=suite.name, dataset_description=suite.dataset_description, **options)
            return client.datasets.get_dataset(dataset=suite.name, timeout=60)
        try:
            known = client.datasets.get_dataset(dataset=suite.name, timeout=60)
        except (NotFoundError, ValueError):
            client.datasets.create_dataset(name=suite.name, dataset_description=suite.dataset_description, **options)
            return client.datasets.get_dataset(dataset=suite.name, timeout=60)
        have = {str(one["metadata"].get("pytest_nodeid")): one["input"] for one in known.examples}
        new = [one for one in suite.examples if have.get(one["metadata"]["pytest_nodeid"]) != one["input"]]
        if not new:
            return known
        client.datasets.add_examples_to_dataset(dataset=known, examples=new, timeout=60)
        return client.datasets.get_dataset(dataset=suite.name, timeout=60)

    def _post_all(self) -> None:
        while (post := self._queue.get()) is not None:
            if self._deadline is not None and time.monotonic() > self._deadline:
                self._left_out += 1
                continue
            try:
                post()
            except Exception as error:  # noqa: BLE001 - counted, and told once at the end
                self._left_out += 1
                self._reason = str(error)

    def _post(self, target: Target, example: str, record: Mapping[str, Any]) -> None:
        experiments = self._get_client().experiments
        try:
            run = experiments.log_run(
                experiment_id=target.experiment_id,
                dataset_example_id=example,
                output=record["output"],
                start_time=datetime.fromisoformat(record["start_time"]),
                end_time=datetime.fromisoformat(record["end_time"]),
                repetition_number=record["repetition"],
                trace_id=record["trace_id"],
                error=record["error"] if not record["has_passed"] else None,
            )
        except ConflictError:
            # A plugin that runs tests again has a success already.
            return
        for evaluation in record["evaluations"]:
            experiments.log_evaluation(
                experiment_run_id=run["id"],
                name=evaluation["name"],
                annotator_kind=evaluation.get("kind", "CODE"),
                start_time=datetime.fromisoformat(evaluation["start_time"]),
                end_time=datetime.fromisoformat(evaluation["end_time"]),
                trace_id=evaluation.get("trace_id"),
                metadata=evaluation.get("metadata"),
                **{key: evaluation.get(key) for key in ("score", "label", "explanation", "error")},
            )


def _once(folder: Path, name: str, create: Callable[[], Target]) -> Target:
    """The process that comes first creates; the others read what it wrote."""
    stem = hashlib.sha256(name.encode()).hexdigest()[:16]
    claim, done = folder / f"{stem}.claim", folder / f"{stem}.json"
    try:
        os.close(os.open(claim, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        deadline = time.monotonic() + _WAIT_SECONDS_MAX
        while not done.exists():
            if time.monotonic() > deadline:
                raise TimeoutError("another process did not create the experiment in time") from None
            time.sleep(0.05)
        found = json.loads(done.read_text(encoding="utf-8"))
        if "error" in found:
            raise RuntimeError(found["error"]) from None
        return Target(**found)
    try:
        target = create()
        text = json.dumps(asdict(target))
    except Exception as error:
        _write(done, json.dumps({"error": str(error)}))
        raise
    _write(done, text)
    return target


def _write(path: Path, text: str) -> None:
    """Whole or not at all, because others wait for it."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.replace(file.name, path)


def _git() -> dict[str, str]:
    try:
        output = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    return {"git_sha": output.strip()}
