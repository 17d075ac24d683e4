"""The pytest plugin: runs of pytest, with and without a server, alone and with xdist.

One of them is a new process, and the others are forks of one process that has imported pytest and what the plugin imports.
"""

import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest import mock

from pytest import UsageError

from spandrel_client import Client
from spandrel_client.pytest import PhoenixContextError, TestContextError, log_output
from spandrel_client.pytest.acceptance import parse_criterion
from spandrel_client.pytest.bounds import interval, student_quantile
from spandrel_client.pytest.examples import base_id
from spandrel_client.pytest.settings import read_settings
from support import SERVER_URL, eventually, unique

HERE = Path(__file__).resolve().parent
FORK_RUNS = HERE.parents[3] / "test/clients/python/fork_runs.py"
EXAMPLE = '''
import pytest
from spandrel_client.pytest import evaluate, log_evaluation, log_output

class Score:
    score, label, explanation, metadata, name = 0.5, "mid", "because", {"k": 1}, None

class Library:
    """As evaluators of evaluation libraries are."""
    name, kind = "library", "llm"
    def evaluate(self, eval_input):
        assert set(eval_input) >= {"input", "output", "expected", "metadata"}
        return [Score()]

def length(output, input):
    return len(str(output)) + input["q"]

@pytest.mark.spandrel(dataset=NAME, dataset_description="capitals", experiment_metadata={"k": 1}, evaluators=[Library(), length],
                      repetitions=2, accept={"correct": 0.3, "cost": "<= 0.5"})
@pytest.mark.parametrize("q", [1, 2, 3, 4, 5, 6])
def test_answers(q):
    log_output({"answer": q})
    log_evaluation("correct", score=q != 6, explanation="compared", metadata={"q": q})
    log_evaluation("cost", score=q / 100, annotator_kind="HUMAN")
    assert evaluate(lambda output: output == 3, output=3) is True

@pytest.mark.spandrel(dataset=NAME)
class TestOutcomes:
    def test_passes(self): pass
    def test_fails(self): assert 1 == 2, "boom"
    @pytest.mark.skip
    def test_skipped(self): pass
    @pytest.mark.xfail
    def test_expected_failure(self): assert 0
    @pytest.mark.xfail
    def test_unexpected_pass(self): pass
    @pytest.mark.xfail(strict=True)
    def test_strict_pass(self): pass
    def test_setup_fails(self, broken): pass
    def test_teardown_fails(self, broken_later): pass
    def test_helper_that_raises(self):
        async def judge(output): raise ValueError("no judge")
        with pytest.raises(ValueError): evaluate(judge, output=1)
        log_output(1)
        with pytest.raises(RuntimeError): log_output(2)

@pytest.fixture
def broken(): raise OSError("no fixture")
@pytest.fixture
def broken_later():
    yield
    raise OSError("late")

def test_unmarked(): pass
'''


OPTIONS = ["-q", "-p", "no:phoenix", "-p", "no:cacheprovider", "-p", "spandrel_client.pytest.plugin"]


def environment(folder, url, env):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPANDREL_", "PHOENIX_", "PYTEST_"))}
    return {**kept, "SPANDREL_ENDPOINT": url, "SPANDREL_SPILL_DIR": f"{folder}/spans", **env}


def run_alone(folder, *arguments, url=SERVER_URL, **env):
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *OPTIONS, *arguments],
        cwd=folder,
        env=environment(folder, url, env),
        capture_output=True,
        text=True,
        timeout=120,
    )
    return ended.returncode, ended.stdout + ended.stderr


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = [sys.executable, "-B", str(FORK_RUNS), "pytest", "httpx", "opentelemetry.sdk.trace", "spandrel_client.pytest.plugin"]
        cls.forks = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.forks.communicate()

    def run_fork(self, *arguments, url=SERVER_URL, **env):
        request = {
            "argv": [str(HERE / "run_pytest.py"), *OPTIONS, *arguments],
            "env": environment(self.folder, url, env),
            "cwd": str(self.folder),
        }
        self.forks.stdin.write(json.dumps(request) + "\n")
        self.forks.stdin.flush()
        ended = json.loads(self.forks.stdout.readline())
        return ended["status"], ended["stdout"] + ended["stderr"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.client = Client(base_url=SERVER_URL)
        self.addCleanup(self.client.close)

    def write(self, text, name="test_example.py"):
        (self.folder / name).write_text(text)

    def example(self):
        dataset = unique("tests")
        self.write(EXAMPLE.replace("NAME", repr(dataset)))
        return dataset

    def results(self, dataset):
        found = self.client.datasets.get_dataset(dataset=dataset)
        (experiment,) = self.client.experiments.list(dataset_id=found.id)
        ran = self.client.experiments.get_experiment(experiment_id=experiment["id"])
        names = {example["node_id"]: example["metadata"]["pytest_nodeid"].rpartition("::")[2] for example in found.examples}
        runs = {}
        for one in ran["task_runs"]:
            runs.setdefault(names[one["dataset_example_id"]], []).append(one)
        evaluations = {}
        for one in ran["evaluation_runs"]:
            evaluations.setdefault(one.experiment_run_id, {})[one.name] = one
        return found, experiment, runs, evaluations

    def test_tests_are_examples_and_runs_with_evaluations(self):
        dataset = self.example()
        code, output = run_alone(self.folder, "--spandrel-report", "out/report.md", "--junitxml", "junit.xml")
        self.assertEqual(code, 1, output)
        found, experiment, runs, evaluations = self.results(dataset)
        self.assertEqual(found.description, "capitals")
        self.assertEqual((experiment["repetitions"], experiment["metadata"]["k"]), (2, 1))
        questions = {f"test_answers[{q}]" for q in range(1, 7)}
        outcomes = {
            "test_passes",
            "test_fails",
            "test_unexpected_pass",
            "test_strict_pass",
            "test_setup_fails",
            "test_teardown_fails",
            "test_helper_that_raises",
        }
        self.assertEqual(set(runs), questions | outcomes)
        self.assertEqual({len(runs[name]) for name in questions}, {2})
        by_name = {name: evaluations[many[0]["id"]] for name, many in runs.items()}
        passed = {name: scores["pass"].result["label"] for name, scores in by_name.items()}
        failing = {"test_fails", "test_strict_pass", "test_setup_fails", "test_teardown_fails"}
        self.assertEqual({name for name, label in passed.items() if label == "fail"}, failing)
        self.assertEqual({name for name, many in runs.items() if many[0]["error"]}, failing)
        scores = by_name["test_answers[6]"]
        self.assertEqual(scores["correct"].result["score"], 0)
        self.assertEqual((scores["correct"].metadata, scores["cost"].annotator_kind), ({"q": 6}, "HUMAN"))
        self.assertEqual(
            (scores["library"].result["score"], scores["library"].annotator_kind, scores["library"].metadata),
            (0.5, "LLM", {"k": 1}),
        )
        self.assertEqual(scores["length"].result["score"], len("{'answer': 6}") + 6)
        self.assertIn("no judge", by_name["test_helper_that_raises"]["judge"].error)
        self.assertNotIn("library", by_name["test_setup_fails"])
        # Spans of the tests are in the project of the experiment.
        trace = runs["test_answers[1]"][0]["trace_id"]

        def spans():
            named = {
                span["name"]
                for span in self.client.spans.get_spans(project_identifier=experiment["project_name"], trace_ids=[trace])
            }
            self.assertEqual(named, {"Test: test_example.py::test_answers[1]"})

        eventually(spans)
        self.assertIn("trace ", output)
        self.assertIn("accepted: correct >= 0.3", output)
        self.assertIn("accepted: cost <= 0.5", output)
        report = (self.folder / "out/report.md").read_text()
        self.assertIn("| correct | 0.833 | 0.436 to 0.970 | 6 |", report)
        self.assertIn("| correct >= 0.3 | yes |", report)
        properties = {one.get("name"): one.get("value") for one in ET.parse(self.folder / "junit.xml").iter("property")}
        self.assertEqual((properties["spandrel.dataset"], properties["spandrel.evaluation.library"]), (dataset, "0.5"))
        self.assertTrue(properties[f"spandrel.acceptance.{dataset}.correct >= 0.3"].startswith("accepted"))

    def test_xdist_gives_one_experiment_with_all_runs(self):
        dataset = self.example()
        code, output = self.run_fork("-n", "2", "-k", "answers", "--spandrel-accept", "correct >= 0.99")
        self.assertEqual(code, 1, output)
        self.assertIn("12 passed, 0 failed", output)
        self.assertIn("NOT ACCEPTED: correct >= 0.99: the lower bound at 95% confidence is 0.436", output)
        _, _, runs, _ = self.results(dataset)
        self.assertEqual(
            {name: sorted(one["repetition_number"] for one in many) for name, many in runs.items()},
            {f"test_answers[{q}]": [1, 2] for q in range(1, 7)},
        )

    def test_a_partial_run_keeps_the_other_examples_and_adds_none_twice(self):
        dataset = self.example()
        for name in ("passes", "unexpected", "unexpected"):
            self.run_fork("-k", name)
        found = self.client.datasets.get_dataset(dataset=dataset)
        names = sorted(example["metadata"]["pytest_nodeid"].rpartition("::")[2] for example in found.examples)
        self.assertEqual(names, ["test_passes", "test_unexpected_pass"])

    def test_without_a_server_tests_and_criteria_hold_with_one_warning(self):
        self.example()
        code, output = self.run_fork("-k", "answers", url="http://127.0.0.1:9", SPANDREL_API_KEY="sk-very-secret")
        self.assertEqual(code, 0, output)
        self.assertEqual(output.count("are not recorded: GET"), 1, output)
        self.assertIn("accepted: correct >= 0.3", output)
        self.assertNotIn("sk-very-secret", output)
        self.assertNotIn("Traceback", output)

    def test_results_that_a_server_did_not_take_are_posted_by_the_next_run(self):
        dataset = unique("tests")
        self.write(f"import pytest\n@pytest.mark.spandrel(dataset={dataset!r})\ndef test_one(): pass\n")
        outbox = {"SPANDREL_OUTBOX_DIR": f"{self.folder}/outbox"}
        # The server goes away while the test runs: afterwards, nobody listens at the address.
        self.write(
            "import spandrel_client.pytest.tracking as tracking\n"
            "def pytest_collection_finish(session):\n"
            "    def fail(self, *_): raise ConnectionError('the server is away')\n"
            "    tracking.Tracking._post = fail\n",
            "conftest.py",
        )
        code, output = self.run_fork(**outbox)
        self.assertEqual(code, 0, output)
        self.assertIn("1 results of tests wait in", output)
        (self.folder / "conftest.py").unlink()
        code, output = self.run_fork(**outbox)
        self.assertEqual((code, list((self.folder / "outbox/tests").iterdir())), (0, []), output)
        found = self.client.datasets.get_dataset(dataset=dataset)
        for experiment in self.client.experiments.list(dataset_id=found.id):
            self.assertEqual(experiment["successful_run_count"], 1)
            ran = self.client.experiments.get_experiment(experiment_id=experiment["id"])
            self.assertEqual([one.name for one in ran["evaluation_runs"]], ["pass"])

    def test_the_example_of_the_readme_runs_without_tracking_and_is_not_accepted(self):
        text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
        (self.folder / "evals").mkdir()
        self.write(re.search(r"^```python test\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1], "evals/test_capitals.py")
        # The setting comes before the marker; the name of the file is for tests without either.
        self.write("import pytest\n@pytest.mark.spandrel\ndef test_one(): pass\n", "evals/test_sql.py")
        code, output = self.run_fork(SPANDREL_TEST_TRACKING="off", SPANDREL_TEST_REPETITIONS="2", url="http://127.0.0.1:9")
        self.assertEqual(code, 1, output)
        self.assertIn("capitals: 6 passed, 0 failed", output)
        self.assertIn("NOT ACCEPTED: correct >= 0.7: the lower bound at 95% confidence is 0.342", output)
        self.assertIn("evals/test_sql: 2 passed", output)
        self.assertNotIn("not recorded", output)


class Parts(unittest.TestCase):
    def test_helpers_outside_of_a_test_say_so(self):
        self.assertIs(PhoenixContextError, TestContextError)
        with self.assertRaisesRegex(TestContextError, "inside of a test that has the marker"):
            log_output(1)

    def test_settings_say_what_they_expect(self):
        def config(accept=(), confidence=""):
            found = {
                "spandrel_accept": list(accept),
                "spandrel_confidence": confidence,
                "spandrel_dataset": "",
                "spandrel_report": "",
            }
            return types.SimpleNamespace(getini=found.get, getoption=lambda name: None)

        rows = [
            (
                {},
                {"SPANDREL_TEST_TRACKING": "maybe"},
                "SPANDREL_TEST_TRACKING is 'maybe'; expected 1, true, yes, on, 0, false, no or off",
            ),
            ({}, {"PHOENIX_TEST_REPETITIONS": "0"}, "SPANDREL_TEST_REPETITIONS is '0'; expected a whole number from 1 to 1000"),
            ({"accept": ["correct"]}, {}, "expected a name, >= or <=, and a number"),
            ({"confidence": "95"}, {}, "spandrel_confidence is '95'; expected a number between 0 and 1"),
        ]
        for options, env, expected in rows:
            with (
                self.subTest(options=options, env=env),
                mock.patch.dict(os.environ, env),
                self.assertRaises(UsageError) as raised,
            ):
                read_settings(config(**options))
            self.assertIn(expected, str(raised.exception))

    def test_a_run_of_pytest_without_marked_tests_loads_next_to_nothing(self):
        code = "import sys, pytest, spandrel_client.pytest.plugin; print(sorted({'httpx', 'opentelemetry', 'asyncio'} & set(sys.modules)))"
        output = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=True).stdout
        self.assertEqual(output, "[]\n")

    def test_node_ids_lose_only_the_repetition(self):
        for given, expected in [
            ("a.py::t", "a.py::t"),
            ("t[sprep2]", "t"),
            ("t[x-sprep12]", "t[x]"),
            ("t[sprep1-x]", "t[x]"),
            ("t[sprep]", "t[sprep]"),
        ]:
            self.assertEqual(base_id(given), expected)

    def test_quantiles_are_those_of_tables(self):
        rows = {
            (0.975, 1): 12.706,
            (0.975, 2): 4.303,
            (0.975, 3): 3.182,
            (0.975, 4): 2.776,
            (0.95, 9): 1.833,
            (0.975, 30): 2.042,
            (0.995, 7): 3.499,
        }
        for (probability, freedom), expected in rows.items():
            self.assertAlmostEqual(student_quantile(probability, freedom), expected, places=3)

    def test_intervals_cover_the_mean_as_often_as_they_say(self):
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        makers = [(lambda: float(chance.random() < 0.7), 0.7), (lambda: chance.gauss(2, 1), 2), (lambda: chance.random(), 0.5)]
        for make, mean in makers:
            hits = 0
            for _ in range(400):
                low, high = interval([make() for _ in range(12)], 0.9)
                hits += low <= mean <= high
            with self.subTest(seed=seed, mean=mean):
                # Five standard deviations of a share of 0.9.
                self.assertGreater(hits / 400, 0.9 - 5 * math.sqrt(0.09 / 400))

    def test_few_or_equal_values_are_not_certain(self):
        self.assertIsNone(interval([], 0.95))
        self.assertIsNone(interval([0.4], 0.95))
        self.assertLess(interval([1, 1, 1], 0.95)[0], 0.5)
        self.assertLess(interval([0.9, 0.9, 0.9], 0.95)[0], 0.5)
        self.assertLess(interval([0.2, 0.4], 0.95)[0], 0)

    def test_criteria_are_a_name_a_sign_and_a_number(self):
        self.assertEqual(str(parse_criterion(" is right >= .5 ")), "is right >= 0.5")
        for text in ("x", "x > 1", ">= 1", "x >= nan", "x >= 1.2.3", json.dumps({"x": 1})):
            with self.assertRaisesRegex(ValueError, "expected a name"):
                parse_criterion(text)


if __name__ == "__main__":
    unittest.main()
