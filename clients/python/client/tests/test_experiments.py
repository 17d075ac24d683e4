"""Experiments: results, retries, budgets, dry runs, interruption, and results that outlive a kill."""

import asyncio
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from phoenix.client import Client as PublicClient

from slow_experiment import CONCURRENCY, COUNT
from spandrel_client import AsyncClient, Client
from spandrel_client.experiments import BaseEvaluator, add_cost, create_evaluator
from spandrel_client.exceptions import NotFoundError
from support import SERVER_URL, unique

HERE = Path(__file__).parent


class RateLimitError(Exception):
    """As the packages of vendors raise it."""

    class response:
        status_code = 429
        headers = {"x-ratelimit-reset-requests": "50ms"}


class Experiments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["SPANDREL_OUTBOX_DIR"] = cls.folder.name
        os.environ["SPANDREL_SPILL_DIR"] = f"{cls.folder.name}/spans"
        cls.client = Client(base_url=SERVER_URL)
        cls.public = PublicClient(base_url=SERVER_URL)
        cls.dataset = cls.new_dataset(12)

    @classmethod
    def tearDownClass(cls):
        del os.environ["SPANDREL_OUTBOX_DIR"], os.environ["SPANDREL_SPILL_DIR"]
        cls.folder.cleanup()

    @classmethod
    def new_dataset(cls, count):
        examples = [{"input": {"n": n}, "output": {"m": n + 1}, "metadata": {"k": n}} for n in range(count)]
        return cls.client.datasets.create_dataset(name=unique("experiment"), examples=examples)

    def run_quietly(self, **arguments):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return self.client.experiments.run_experiment(**{"dataset": self.dataset, "print_summary": False, **arguments})

    def outbox_files(self):
        return list(Path(self.folder.name).rglob("*.jsonl"))

    def test_results_are_those_that_the_public_client_reads(self):
        class Length(BaseEvaluator):
            name = "length"
            kind = "LLM"

            def evaluate(self, output, **kwargs):
                return len(output), "long", "because"

        @create_evaluator(kind="LLM", name="named", scorer=lambda value: value / 10)
        def scored(reference):
            return reference["m"]

        async def awaited(input, expected):
            await asyncio.sleep(0)
            return {"score": 1, "metadata": {"seen": input["n"]}}

        def several(output):
            return [{"score": 1, "name": "first"}, {"label": "x"}]

        def wrong(output):
            return None

        ran = self.run_quietly(
            task=lambda input, metadata, example: [input["n"], metadata["k"], example.output["m"]],
            evaluators=[Length(), scored, awaited, several, wrong],
            experiment_name="named",
            experiment_metadata={"a": 1},
            repetitions=2,
        )
        ours = self.client.experiments.get_experiment(experiment_id=ran["experiment_id"])
        theirs = self.public.experiments.get_experiment(experiment_id=ran["experiment_id"])

        self.assertEqual(sorted(ours["task_runs"], key=lambda one: one["id"]), sorted(theirs["task_runs"], key=lambda one: one["id"]))
        self.assertEqual((len(ran["task_runs"]), len(ran["evaluation_runs"])), (24, 24 * 6))
        for key in ("experiment_id", "dataset_id", "dataset_version_id", "project_name", "experiment_metadata"):
            self.assertEqual(ours[key], theirs[key])
        fields = lambda run: (run.experiment_run_id, run.name, run.annotator_kind, (run.result or {}).get("score"))
        good = [run for run in ours["evaluation_runs"] if run.error is None]
        self.assertEqual(sorted(map(fields, good)), sorted(fields(run) for run in theirs["evaluation_runs"] if run.error is None))
        by_name = {run.name: run for run in ours["evaluation_runs"]}
        self.assertEqual(set(by_name), {"length", "named", "awaited", "first", "several-2", "wrong"})
        self.assertEqual(by_name["length"].result, {"score": 3, "label": "long", "explanation": "because"})
        self.assertIn("seen", by_name["awaited"].metadata)
        self.assertIn("returned NoneType", by_name["wrong"].error)
        self.assertTrue(all(run["trace_id"] for run in ran["task_runs"]))
        self.assertEqual(self.outbox_files(), [])
        shown = ran._repr_html_()
        for text in (">24, 0 failed</td>", ">24</td><td style='text-align:right;white-space:nowrap'>0</td>", ">3.000</td>", ">long: 24</td>", f'<a href="{ran.url}"'):
            self.assertIn(text, shown)

    def test_spans_of_other_tracers_belong_to_the_project_of_the_task_or_the_evaluator(self):
        exporter = InMemorySpanExporter()
        other = TracerProvider(resource=Resource({"service.name": "app", "openinference.project.name": "app"}), shutdown_on_exit=False)
        other.add_span_processor(SimpleSpanProcessor(exporter))
        model = other.get_tracer("model")

        def call_model(name):
            with model.start_as_current_span(name):
                return name

        async def judge(output):
            return len(call_model("judge"))

        ran = self.run_quietly(task=lambda input: call_model("task"), evaluators={"judge": judge})
        call_model("outside")
        projects = {}
        for span in exporter.get_finished_spans():
            self.assertEqual(span.resource.attributes["service.name"], "app")
            projects.setdefault(span.name, set()).add(span.resource.attributes["openinference.project.name"])
        self.assertEqual(projects, {"task": {ran["project_name"]}, "judge": {"evaluators"}, "outside": {"app"}})
        # They are children of the task's own span.
        traces = {format(span.context.trace_id, "032x") for span in exporter.get_finished_spans() if span.name == "task"}
        self.assertEqual(traces, {run["trace_id"] for run in ran["task_runs"]})
        # Evaluations that are made up for are in the project of the experiment.
        exporter.clear()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.client.experiments.resume_evaluation(experiment_id=ran["experiment_id"], evaluators={"later": judge}, print_summary=False)
        found = {span.resource.attributes["openinference.project.name"] for span in exporter.get_finished_spans()}
        self.assertEqual(found, {ran["project_name"]})

    def test_retries_what_failed_and_nothing_else(self):
        calls = []

        def task(input):
            calls.append(input["n"])
            if input["n"] == 3 and calls.count(3) < 3:
                raise ValueError("once more")
            if input["n"] == 4:
                raise KeyError("never")
            if input["n"] == 5 and calls.count(5) < 6:
                raise RateLimitError("slow down")
            return input["n"]

        ran = self.run_quietly(task=task, retries=2)

        self.assertEqual([calls.count(n) for n in range(12)], [1, 1, 1, 3, 3, 6, 1, 1, 1, 1, 1, 1])
        self.assertEqual([run["error"] for run in ran["task_runs"] if run["error"]], ["KeyError('never')"])
        with contextlib.redirect_stdout(io.StringIO()) as told:
            self.client.experiments.resume_experiment(
                experiment_id=ran["experiment_id"], task=lambda input: "now", evaluators=lambda output: True
            )
            self.client.experiments.resume_experiment(
                experiment_id=ran["experiment_id"], task=task, evaluators={"later": lambda output: 0.5}
            )
        self.assertIn("No run is missing.", told.getvalue())
        after = self.client.experiments.get_experiment(experiment_id=ran["experiment_id"])
        self.assertEqual([run["output"] for run in after["task_runs"] if run["error"] is None].count("now"), 1)
        # A resumed experiment evaluates even when no run is missing.
        self.assertEqual(sum(run.name == "later" for run in after["evaluation_runs"]), 12)

    def test_runs_threads_and_coroutines_side_by_side(self):
        active, peak, lock = 0, [], threading.Lock()

        def task(input):
            nonlocal active
            with lock:
                active += 1
                peak.append(active)
            time.sleep(0.05)
            with lock:
                active -= 1

        self.run_quietly(task=task, dry_run=12)
        self.assertEqual(max(peak), 3)

        async def both():
            async with AsyncClient(base_url=SERVER_URL) as client:
                async def wait(input):
                    await asyncio.sleep(0.3)
                    return input["n"]

                start = time.monotonic()
                dataset = await client.datasets.get_dataset(dataset=self.dataset.id)
                ran = await client.experiments.run_experiment(
                    dataset=dataset, task=wait, evaluators=[lambda output: output > 3], concurrency=12, print_summary=False
                )
                return ran, time.monotonic() - start

        ran, seconds = asyncio.run(both())
        self.assertEqual(ran.summary()[0]["labels"], {"True": 8, "False": 4})
        self.assertLess(seconds, 2.5)

        async def in_a_running_loop():
            return self.run_quietly(task=lambda input: 1, dry_run=2)

        self.assertEqual(len(asyncio.run(in_a_running_loop())["task_runs"]), 2)

    def test_a_timeout_ends_a_coroutine(self):
        async def task(input):
            await asyncio.sleep(60 if input["n"] == 0 else 0)

        ran = self.run_quietly(task=task, timeout=0.2, retries=0)
        self.assertEqual(sum("TimeoutError" in (run["error"] or "") for run in ran["task_runs"]), 1)

    def test_results_are_in_the_order_of_the_examples_whatever_ends_first(self):
        async def task(input):
            await asyncio.sleep((11 - input["n"]) / 50)
            return input["n"]

        async def first(output):
            await asyncio.sleep((11 - output) / 50)
            return output

        for dry_run in (False, 12):
            ran = self.run_quietly(
                task=task, evaluators={"first": first, "second": lambda output: -output}, dry_run=dry_run, concurrency=12
            )

            order = [run["output"] for run in ran["task_runs"]]
            # A dry run takes the examples in the order of its sample.
            self.assertEqual(order if not dry_run else sorted(order), list(range(12)))
            self.assertEqual(
                [(run.experiment_run_id, run.name) for run in ran["evaluation_runs"]],
                [(run["id"], name) for run in ran["task_runs"] for name in ("first", "second")],
            )
            self.assertEqual([run.result["score"] for run in ran["evaluation_runs"]], [n * sign for n in order for sign in (1, -1)])

    def test_a_dry_run_posts_nothing_and_leaves_the_global_generator(self):
        random.seed(7)
        before = random.getstate()
        count = len(self.client.experiments.list(dataset_id=self.dataset.id))
        runs = [self.run_quietly(task=lambda input: input["n"], evaluators=lambda output: 1.0, dry_run=4) for _ in range(2)]

        self.assertEqual(random.getstate(), before)
        self.assertEqual([one["output"] for one in runs[0]["task_runs"]], [one["output"] for one in runs[1]["task_runs"]])
        self.assertEqual((runs[0]["experiment_id"], len(runs[0]["evaluation_runs"])), ("DRY_RUN", 4))
        self.assertEqual(len(self.client.experiments.list(dataset_id=self.dataset.id)), count)

    def test_budgets_end_early_and_say_how_to_go_on(self):
        def task(input):
            add_cost(0.5)
            time.sleep(0.03)
            return 1

        with contextlib.redirect_stdout(io.StringIO()) as told:
            ran = self.client.experiments.run_experiment(
                dataset=self.dataset, task=task, max_cost=2, concurrency=1, print_summary=False
            )
        self.assertEqual(len(ran["task_runs"]), 4)
        self.assertIn("the budget of 2 (spent: 2)", told.getvalue())
        self.assertIn(f"resume_experiment(experiment_id={ran['experiment_id']!r}", told.getvalue())
        ran = self.run_quietly(task=task, max_duration=0.1, concurrency=1)
        self.assertLess(len(ran["task_runs"]), 12)

    def test_an_experiment_that_is_deleted_ends_with_one_error(self):
        made = []

        def task(input):
            if not made:
                made.append(self.client.experiments.list(dataset_id=dataset.id)[0]["id"])
                self.client.experiments.delete(experiment_id=made[0])
            return 1

        dataset = self.new_dataset(30)
        with contextlib.redirect_stdout(io.StringIO()) as told, self.assertRaisesRegex(NotFoundError, "404"):
            self.client.experiments.run_experiment(dataset=dataset, task=task, print_summary=False, concurrency=2)
        self.assertIn("Results are not posted", told.getvalue())
        for path in self.outbox_files():
            path.unlink()

    def test_ctrl_c_of_an_asynchronous_program_ends_after_the_running_tasks(self):
        finished = []

        async def task(input):
            await asyncio.sleep(0.2)
            finished.append(input["n"])
            return input["n"]

        async def work():
            async with AsyncClient(base_url=SERVER_URL) as client:
                await client.experiments.run_experiment(dataset=self.dataset, task=task, concurrency=3, print_summary=False)

        async def interrupted():
            running = asyncio.ensure_future(work())
            while not finished:
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

        with contextlib.redirect_stdout(io.StringIO()) as told:
            asyncio.run(interrupted())
        experiment = self.client.experiments.list(dataset_id=self.dataset.id)[0]
        self.assertLess(len(finished), 12)
        self.assertEqual(experiment["successful_run_count"], len(finished))
        self.assertIn(f"resume_experiment(experiment_id={experiment['id']!r}", told.getvalue())

    def test_wrong_tasks_are_rejected_at_once(self):
        for message, arguments in (
            ("has the parameter 'prompt'", {"task": lambda prompt, input: 1}),
            ("takes no parameter", {"task": lambda: 1}),
            ("repetitions is 0", {"task": lambda input: 1, "repetitions": 0}),
            ("concurrency is 0", {"task": lambda input: 1, "concurrency": 0}),
        ):
            with self.assertRaisesRegex(ValueError, message):
                self.run_quietly(**arguments)
        with self.assertRaisesRegex(TypeError, "does not accept \\*\\*kwargs"):
            type("Bad", (BaseEvaluator,), {"evaluate": lambda self, output: 1})

    def test_outputs_of_any_kind_are_stored(self):
        class Thing:
            def __init__(self):
                self.a = {1: float("nan"), "b": (1, 2)}

        ran = self.run_quietly(task=lambda input: Thing() if input["n"] else sys.stdin)
        outputs = [run["output"] for run in ran["task_runs"] if run["error"] is None]
        self.assertEqual(len(outputs), 12)
        self.assertIn({"a": {"1": None, "b": [1, 2]}}, outputs)

    def test_compares_pairs_of_examples(self):
        def scores(shift):
            return {"quality": lambda input: (input["n"] % 4) / 4 + shift + (input["n"] % 2) / 100, "same": lambda output: 1.0}

        a, b = (self.run_quietly(task=lambda input: 1, evaluators=scores(shift)) for shift in (0, 0.25))
        found = self.client.experiments.compare(a, b["experiment_id"])
        quality = found["quality"]
        self.assertAlmostEqual(quality.difference, 0.25)
        self.assertTrue(quality.is_significant and quality.interval[0] <= 0.25 <= quality.interval[1] + 1e-9)
        self.assertEqual((quality.pair_count, found["same"].is_significant), (12, False))
        self.assertRegex(str(found), r"quality: 0\.\d+ → 0\.\d+, better on quality by 0\.25 \(0\.25 to 0\.25\), n = 12")
        self.assertRegex(found._repr_html_(), r">quality</td>.*>\+0\.250 to \+0\.250</td><td style='text-align:right;white-space:nowrap'>12</td>")
        self.assertIn("latencyMs", found)

    def test_prints_the_first_cause_of_each_kind_of_failure(self):
        def task(input):
            if input["n"] < 4:
                raise ValueError(f"no {input['n']}")
            if input["n"] < 6:
                raise KeyError("another\nkind")

        def broken(output):
            raise RuntimeError("out")

        errors = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            self.client.experiments.run_experiment(dataset=self.dataset, task=task, evaluators=[broken], retries=0, dry_run=12)
        lines = sorted(line for line in errors.getvalue().splitlines() if "failed with" in line)
        self.assertEqual(len(lines), 3, lines)
        self.assertRegex(lines[0], r"^Evaluations: one failed with broken: RuntimeError\('out'\)$")
        self.assertRegex(lines[1], r"^Runs: one failed with KeyError\('another\\nkind'\)$")
        self.assertRegex(lines[2], r"^Runs: one failed with ValueError\('no \d'\)$")

    def test_compares_two_pairs_as_the_server_does(self):
        dataset = self.client.datasets.create_dataset(name=unique("pairs"), inputs=[{"n": 0}, {"n": 1}])
        a, b = (self.run_quietly(dataset=dataset, task=lambda input: 1, evaluators={"same": lambda output: score}) for score in (0, 1))
        found = self.client.experiments.compare(a, b)
        self.assertEqual((found["same"].difference, found["same"].interval, found["same"].pair_count), (1, None, 2))
        self.assertIn("too few examples to compare same: n = 2, at least 6 are needed", str(found))
        self.assertIn("too few", found._repr_html_())

    def test_a_dry_run_cannot_be_compared(self):
        ran = self.run_quietly(task=lambda input: 1, dry_run=True)
        with self.assertRaisesRegex(ValueError, "a dry run cannot be compared"):
            self.client.experiments.compare(ran, ran)

    def test_an_unwritable_outbox_is_one_warning(self):
        os.environ["SPANDREL_OUTBOX_DIR"] = "/proc/nowhere"
        try:
            with self.assertWarnsRegex(UserWarning, "results are not kept on disk"):
                ran = self.run_quietly(task=lambda input: 1)
        finally:
            os.environ["SPANDREL_OUTBOX_DIR"] = self.folder.name
        self.assertEqual(len(ran["task_runs"]), 12)


class Killed(unittest.TestCase):
    def start(self, folder, *arguments):
        environment = {**os.environ, "SPANDREL_OUTBOX_DIR": str(folder / "outbox")}
        command = [sys.executable, str(HERE / "slow_experiment.py"), *arguments]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def wait_for_calls(self, folder, count):
        deadline = time.monotonic() + 60
        while not (folder / "calls").exists() or len((folder / "calls").read_text().split()) < count:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def finish(self, folder):
        client = Client(base_url=SERVER_URL)
        dataset = client.datasets.get_dataset(dataset=f"slow {folder.name}")
        [experiment] = client.experiments.list(dataset_id=dataset.id)
        process = self.start(folder, "resume", str(folder), experiment["id"])
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, output)
        ran = client.experiments.get_experiment(experiment_id=experiment["id"])
        calls = [int(text) for text in (folder / "calls").read_text().split()]

        self.assertEqual(sorted(run["output"]["twice"] for run in ran["task_runs"]), [2 * n for n in range(COUNT)])
        self.assertEqual([run["error"] for run in ran["task_runs"] if run["error"]], [])
        self.assertEqual(ran.summary()[0]["labels"], {"True": COUNT})
        self.assertEqual(list((folder / "outbox").rglob("*.jsonl")), [])
        return calls

    def test_kill_9_loses_no_result(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            process = self.start(folder, "run", str(folder))
            self.wait_for_calls(folder, 80)
            process.kill()
            process.communicate()
            calls = self.finish(folder)

            self.assertEqual(set(calls), set(range(COUNT)))
            # Only what ran in the moment of the kill ran twice.
            self.assertLessEqual(len(calls), COUNT + CONCURRENCY)

    def test_ctrl_c_ends_after_the_running_tasks(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            process = self.start(folder, "run", str(folder))
            self.wait_for_calls(folder, 40)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=30)

            self.assertEqual(process.returncode, 0, output)
            self.assertIn("go on with client.experiments.resume_experiment", output)
            self.assertNotIn("Traceback", output)
            self.assertEqual(len(self.finish(folder)), COUNT)


if __name__ == "__main__":
    unittest.main()
