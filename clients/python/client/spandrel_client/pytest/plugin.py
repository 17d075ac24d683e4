"""The hooks of pytest. Tests with the marker `spandrel` are examples of a dataset and runs of an experiment."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .examples import REPETITION, base_id, dataset_of, input_of, repetition_of, suite_of
from .settings import MARKER, Marker, Settings, criteria_of, marker_of, read_settings

_FOLDER = "spandrel_folder"


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("spandrel", "tests as experiments of Spandrel")
    group.addoption("--spandrel-report", metavar="PATH", help="write a report in Markdown")
    group.addoption(
        "--spandrel-accept",
        action="append",
        metavar="CRITERION",
        help="'name >= x' or 'name <= x': fail unless the bound of the mean's confidence interval holds",
    )
    parser.addini("spandrel_dataset", "name of the dataset of marked tests", default="")
    parser.addini("spandrel_report", "path of a report in Markdown", default="")
    parser.addini("spandrel_accept", "criteria of acceptance, one a line", type="linelist", default=[])
    parser.addini("spandrel_confidence", "confidence of intervals, 0.95 unless given", default="")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARKER}(dataset, dataset_description, experiment_description, experiment_metadata, evaluators, repetitions, "
        "accept): record the test as an example and a run of an experiment",
    )
    config.pluginmanager.register(Plugin(config, read_settings(config)), "spandrel-recorder")


class Plugin:
    """State of one process: the only one, the controller of xdist, or one of its workers."""

    def __init__(self, config: Any, settings: Settings) -> None:
        from .report import Report

        self._config = config
        self._settings = settings
        self._worker_input = getattr(config, "workerinput", None)
        self._report = Report(settings.criteria, settings.confidence)
        self._tracking: Any = None
        self._targets: dict[str, Any] = {}
        self._tracers: dict[str, Any] = {}
        self._markers: dict[str, Marker] = {}
        self._recordings: dict[str, Any] = {}
        self._shared_folder: str | None = None

    # xdist

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Gives the processes of xdist a folder in which the first of them leaves what it creates."""
        if self._shared_folder is None:
            self._shared_folder = tempfile.mkdtemp(prefix="spandrel-pytest-")
        node.workerinput[_FOLDER] = self._shared_folder

    # Collection

    def pytest_generate_tests(self, metafunc: Any) -> None:
        marker = marker_of(metafunc.definition)
        count = (marker.repetitions or self._settings.repetitions) if marker is not None else 1
        if count > 1:
            metafunc.fixturenames.append(REPETITION)
            numbers = range(1, count + 1)
            metafunc.parametrize(REPETITION, numbers, ids=[f"sprep{number}" for number in numbers])

    def pytest_collection_finish(self, session: Any) -> None:
        """Creates datasets and experiments of the marked tests."""
        tests: dict[str, list[tuple[Any, Marker]]] = {}
        for item in session.items:
            marker = marker_of(item)
            if marker is not None:
                self._markers[item.nodeid] = marker
                criteria_of(marker)
                tests.setdefault(dataset_of(self._settings, item, marker), []).append((item, marker))
        suites = [suite_of(self._config, name, items) for name, items in tests.items()]
        if not suites or not self._settings.is_tracking or self._config.getoption("collectonly"):
            return
        from ..client import Client
        from .tracking import Tracking

        folder = (self._worker_input or {}).get(_FOLDER)
        self._tracking = Tracking(Client, Path(folder) if folder else None)
        is_away = False
        for suite in suites:
            target = None if is_away else self._tracking.open(suite)
            # Where one attempt fails for each dataset, a run without a server would wait for each of them.
            is_away = is_away or target is None
            if target is not None:
                self._targets[suite.name] = target

    # Running

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: Any) -> Iterator[None]:
        marker = self._markers.get(item.nodeid) or marker_of(item)
        if marker is not None:
            from ..experiments.evaluators import to_evaluators
            from .recording import Recording

            dataset = dataset_of(self._settings, item, marker)
            self._recordings[item.nodeid] = Recording(
                node_id=base_id(item.nodeid),
                input=input_of(item),
                repetition=repetition_of(item),
                evaluators=to_evaluators(marker.evaluators),
                tracer=self._tracer_of(dataset),
            )
        yield

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        recording = self._recordings.get(item.nodeid)
        if recording is None:
            yield
            return
        from .recording import output_of, set_current

        with recording.tracer.call(f"Test: {recording.node_id}", "CHAIN", recording.input) as call:
            recording.trace_id = call.trace_id
            set_current(recording)
            try:
                outcome: Any = yield
            finally:
                set_current(None)
            error = outcome.excinfo[1] if outcome.excinfo else None
            if error is None:
                call.succeed(output_of(recording))
            else:
                call.fail(error)
        recording.start_time, recording.end_time = call.start_time, call.end_time

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        outcome: Any = yield
        report = outcome.get_result()
        recording = self._recordings.get(item.nodeid)
        if recording is None:
            return
        if report.when == "call" and not report.skipped:
            recording.has_passed = report.passed
            recording.error = None if report.passed else _error(call, report)
            recording.run_evaluators()
        elif report.failed and recording.has_passed is not False:
            # A failure of the setup, or one of the teardown, which turns a pass into a failure.
            recording.has_passed = False
            recording.error = _error(call, report)
        if report.failed and recording.trace_id is not None:
            target = self._targets.get(dataset_of(self._settings, item, self._markers[item.nodeid]))
            where = f" in project {target.project}" if target is not None else ""
            report.sections.append(("spandrel", f"trace {recording.trace_id}{where}"))
        if report.when == "teardown":
            del self._recordings[item.nodeid]
            if recording.has_passed is not None:
                self._finish(item, report, recording)

    def _finish(self, item: Any, report: Any, recording: Any) -> None:
        """Records a test: to the server, to the properties of JUnit, and to the controller of xdist by the report."""
        from .recording import output_of

        times = {"start_time": recording.start_time.isoformat(), "end_time": recording.end_time.isoformat()}
        passed = {
            "name": "pass",
            "score": float(recording.has_passed),
            "label": "pass" if recording.has_passed else "fail",
            "kind": "CODE",
        }
        recording.add({**passed, **times})
        marker = self._markers[item.nodeid]
        dataset = dataset_of(self._settings, item, marker)
        target = self._targets.get(dataset)
        record = {
            "dataset": dataset,
            "node_id": recording.node_id,
            "repetition": recording.repetition,
            "output": output_of(recording),
            "has_passed": recording.has_passed,
            "error": recording.error,
            "trace_id": recording.trace_id if target is not None else None,
            "evaluations": recording.evaluations,
            "criteria": [[one.name, one.threshold, one.is_maximum] for one in criteria_of(marker)],
            "url": target.url if target is not None else None,
            **times,
        }
        if target is not None:
            self._tracking.put(target, record)
        properties = [("spandrel.dataset", dataset)]
        if target is not None:
            properties += [("spandrel.experiment", target.experiment_id), ("spandrel.trace", recording.trace_id)]
        for evaluation in recording.evaluations:
            value = evaluation.get("score") if evaluation.get("score") is not None else evaluation.get("label")
            properties.append((f"spandrel.evaluation.{evaluation['name']}", value))
        report.user_properties = [*report.user_properties, *((name, value) for name, value in properties if value is not None)]
        report.spandrel = record

    def _tracer_of(self, dataset: str) -> Any:
        from ..experiments.tracing import Tracer

        if dataset not in self._tracers:
            target = self._targets.get(dataset)
            if target is None:
                self._tracers[dataset] = Tracer("", {}, None)
            else:
                self._tracers[dataset] = Tracer(self._tracking.base_url, self._tracking.headers(), target.project)
        return self._tracers[dataset]

    # End

    def pytest_runtest_logreport(self, report: Any) -> None:
        record = getattr(report, "spandrel", None)
        if record is not None and self._worker_input is None:
            self._report.add(record)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        for tracer in self._tracers.values():
            tracer.close()
        if self._tracking is not None:
            self._tracking.close()
        if self._worker_input is not None:
            return
        verdicts = self._report.verdicts()
        if exitstatus == 0 and not all(verdict.is_met for verdict in verdicts):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        xml = _junit(self._config)
        if xml is not None:
            for verdict in verdicts:
                state = "accepted" if verdict.is_met else "not accepted"
                xml.add_global_property(f"spandrel.acceptance.{verdict.dataset}.{verdict.criterion}", f"{state}: {verdict.text}")
        if self._settings.report and self._report.datasets:
            path = Path(self._settings.report)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self._report.markdown(), encoding="utf-8")
            except OSError as error:
                session.config.issue_config_time_warning(UserWarning(f"spandrel: {path} cannot be written: {error.strerror}"), 2)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._report.datasets:
            terminalreporter.section("spandrel")
            for line in self._report.lines():
                terminalreporter.write_line(line)

    def pytest_unconfigure(self) -> None:
        if self._shared_folder is not None:
            shutil.rmtree(self._shared_folder, ignore_errors=True)


def _error(call: Any, report: Any) -> str:
    if call.excinfo is None:
        # An unexpected pass of a strict xfail.
        return str(report.longrepr)
    from ..experiments.tracing import error_text

    return error_text(call.excinfo.value)


def _junit(config: Any) -> Any:
    try:
        from _pytest.junitxml import xml_key
    except ImportError:
        return None
    return config.stash.get(xml_key, None)
