"""Runs: sources, errors, checkpoint, cache, budget, batches, limits, streams."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from spandrel_evals import (
    LLM,
    FakeJudge,
    FakeModel,
    Score,
    async_evaluate,
    async_evaluate_stream,
    bind_evaluator,
    create_classifier,
    create_evaluator,
    evaluate,
    evaluate_stream,
)
from spandrel_evals.errors import CheckpointError, EvaluationError, InputError, RunStopped
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.fingerprints import function_digest
from spandrel_evals.llm import calls
from spandrel_evals.metrics import CodeEvaluator
from spandrel_evals.runner.cache import Cache
from spandrel_evals.runner.progress import Progress

JUDGE = FakeJudge(sensitivity=1, specificity=1)
ROWS = [{"output": f"answer {n} truth={n % 2}"} for n in range(40)]


def judge_of(llm: Any, name: str = "ok", template: str = "Judge {{output}}") -> Any:
    return create_classifier(name, template, llm, {"good": 1, "bad": 0})


@create_evaluator(name="size")
def size(output: str) -> int:
    return len(output)


def run(data: Any, evaluators: Any, **options: Any) -> Any:
    return evaluate(data, evaluators, **{"progress": False, **options})


class TestSources(unittest.TestCase):
    def test_rows_of_every_kind_of_data_get_the_same_scores(self) -> None:
        import pandas
        import polars

        frame = pandas.DataFrame(ROWS)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            frame.to_csv(folder / "a.csv", index=False)
            frame.to_csv(folder / "a.tsv", index=False, sep="\t")
            frame.to_json(folder / "a.jsonl", orient="records", lines=True)
            frame.to_json(folder / "a.json", orient="records")
            frame.to_parquet(folder / "a.parquet")
            sources = {path.name: path for path in folder.iterdir()}
            sources |= {"pandas": frame, "polars": polars.DataFrame(ROWS), "lazy": polars.LazyFrame(ROWS), "list": ROWS, "iterator": iter(ROWS)}
            self.assertEqual(len(sources), 10)
            for kind, data in sources.items():
                with self.subTest(source=kind):
                    found = run(data, [judge_of(FakeModel(JUDGE).llm()), size])
                    self.assertEqual([row.score("ok").score for row in found.rows], [n % 2 for n in range(40)])
                    self.assertEqual(found.summary.scores["size"].count, 40)

    def test_sources_that_cannot_be_read_are_one_line(self) -> None:
        import pandas

        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for file, text, message in (
                ("a.csv", "a,a\n1,2\n", "two columns of one name"),
                ("b.csv", "a,b\n1,2,3\n", "line 2: there are more values than columns"),
                ("c.jsonl", '{"a": 1}\n{"a"\n', "line 2: no JSON"),
                ("d.jsonl", "5\n", "line 1: 5; expected a JSON object"),
                ("e.json", "{}", "expected a list"),
                ("f.txt", "", "unknown ending"),
                ("g.csv", b"a\n1\n\xff\n", "no UTF-8"),
            ):
                (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
                with self.subTest(file=file), self.assertRaisesRegex((InputError, RunStopped), message):
                    run(folder / file, [size])
            for data, message in (
                ("nowhere.csv", "there is no file"),
                ({"a": 1}, "one dict"),
                (5, "expected a frame"),
                ([5], "row 0 is 5; expected a dict"),
                (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "two columns have the name 'a'"),
            ):
                with self.assertRaisesRegex((InputError, RunStopped), message):
                    run(data, [size])

    def test_evaluators_and_options_that_cannot_be_used_are_rejected(self) -> None:
        for evaluators, options, message in (
            ([size, size], {}, "two evaluators have the name 'size'"),
            ([], {}, "there are no evaluators"),
            ([5], {}, "expected an Evaluator or a function"),
            ([size], {"concurrency": 0}, "from 1 to 1024"),
            ([size], {"repetitions": 1.5}, "whole number"),
            ([size], {"colour": 1}, "colour"),
            ([size], {"timeout": -1}, "seconds above 0"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex((ValueError, TypeError), message):
                run(ROWS, evaluators, **options)


class TestRows(unittest.TestCase):
    def test_every_row_ends_as_score_or_error_and_nothing_stops_the_others(self) -> None:
        judge = judge_of(FakeModel(JUDGE).llm())
        rows = [
            {"output": "fine truth=1"},
            {"answer": "no output"},
            {"output": float("nan")},
            {"output": ["a", "list", "truth=1"]},
            {"output": "x" * 10_000_000},
            {"output": "</output> {{output}} {0.__class__} <script> '; DROP TABLE x; truth=1"},
        ]

        found = run(rows, [judge])

        statuses = [row.results["ok"].status for row in found.rows]
        self.assertEqual(statuses, ["COMPLETED", "FAILED", "FAILED", "COMPLETED", "FAILED", "COMPLETED"])
        self.assertEqual(found.summary.errors, 3)
        lines = found.errors()
        self.assertRegex(lines[0], "^row 1, ok: Missing required field 'output'; the row has answer; add it")
        self.assertRegex(lines[1], "^row 2, ok: .*output is missing.*fill it")
        self.assertRegex(lines[2], "^row 4, ok: .*10,000,000 characters.*shorten the row")
        self.assertTrue(all("\n" not in line and len(line) < 500 for line in lines))

    def test_labels_outside_the_choices_are_counted_apart(self) -> None:
        answers = {"1 ": {"label": "superb", "explanation": "e"}, "2 ": "prose only"}
        found = run([{"output": f"{n} "} for n in range(4)], [judge_of(FakeModel(answers).llm("apart"))])
        self.assertEqual((found.summary.errors, found.summary.label_errors, found.summary.repairs), (2, 1, 2))
        self.assertIn("1 with a label outside the choices", str(found))

    def test_an_error_of_an_evaluator_may_end_the_run(self) -> None:
        @create_evaluator(name="fails")
        def fails(output: str) -> int:
            raise ValueError("never")

        self.assertEqual(run(ROWS, [fails]).summary.errors, 40)
        found = run(ROWS, [fails], exit_on_error=True, concurrency=1)
        self.assertRegex(found.stopped, "row 0, fails: ValueError: never")
        self.assertLess(found.summary.errors, 5)

    def test_results_and_rows_of_no_form_fail_alone(self) -> None:
        class Odd(CodeEvaluator):
            def _evaluate(self, eval_input: dict[str, Any]) -> Any:
                bad = {0: Score(score=float("nan")), 1: [Score(score=float("inf"))], 2: ["x"]}
                return bad.get(eval_input["output"], [Score(name="odd", score=1, metadata={"deep": eval_input["output"]})])

        deep: Any = []
        for _ in range(500):
            deep = [deep]
        rows = [{"output": one} for one in (0, 1, 2, deep, "\ud800", "fine")]
        with tempfile.TemporaryDirectory() as name:
            output = Path(name) / "out.jsonl"
            found = run(rows, [Odd("odd")], checkpoint=Path(name) / "c", output=output)
            self.assertEqual([row.results["odd"].status for row in found.rows], ["FAILED"] * 4 + ["COMPLETED"] * 2)
            self.assertEqual(found.rows[4].row["output"], "\ud800")
            self.assertRegex(found.errors()[0], "row 0, odd: the evaluator returned Score; expected a list")
            with self.assertRaisesRegex(InputError, "which it would overwrite"):
                run(output, [size], output=output)
            self.assertEqual(len(output.read_text().splitlines()), 6)
            if os.path.exists("/dev/full"):
                with self.assertRaisesRegex((RunStopped, EvaluationError), "the output /dev/full cannot be written: No space left"):
                    run([{"output": "x" * 20_000}] * 3, [size], output="/dev/full")

    def test_a_mapping_of_the_run_is_for_evaluators_that_have_none(self) -> None:
        bound = bind_evaluator(evaluator=size, input_mapping={"output": "long"})

        def other(output: str) -> int:
            return len(output)

        [row] = run([{"long": "12345", "short": "1"}], [bound, other], input_mapping={"output": "short"}).rows
        self.assertEqual((row.score("size").score, row.score("other").score), (5, 1))

    def test_what_may_pass_is_tried_again_and_what_lasts_is_not(self) -> None:
        counts = {"passing": 0, "lasting": 0}

        def passing(output: str) -> int:
            counts["passing"] += 1
            if counts["passing"] % 3:
                raise RuntimeError("busy")
            return 1

        def lasting(output: str) -> int:
            counts["lasting"] += 1
            raise KeyError("x")

        with mock.patch("spandrel_evals.runner.engine.RETRY_BASE_SECONDS", 0.001):
            found = run(ROWS[:2], [passing, lasting], concurrency=1)
        [first, _] = found.rows
        self.assertEqual(first.results["passing"].status, "COMPLETED WITH RETRIES")
        self.assertEqual(first.results["passing"].exceptions, ["RuntimeError('busy')"] * 2)
        self.assertEqual((first.results["lasting"].status, counts["lasting"]), ("FAILED", 2))

    def test_a_slow_function_meets_the_timeout_and_does_not_block_the_others(self) -> None:
        ended = threading.Event()
        self.addCleanup(ended.set)

        def slow(output: str) -> int:
            if output.startswith("answer 0"):
                ended.wait()
            return 1

        found = run(ROWS[:6], [slow], timeout=0.5, max_retries=0, concurrency=3)
        self.assertEqual([row.results["slow"].status for row in found.rows], ["FAILED", *["COMPLETED"] * 5])
        self.assertIn("slow gave no result within 0.5 s", found.errors()[0])

    def test_functions_that_never_return_end_as_errors_and_do_not_keep_the_process(self) -> None:
        code = """
import threading, time
from spandrel_evals import LLM, create_classifier, evaluate

def hang(messages):
    threading.Event().wait()

def stuck(output):
    threading.Event().wait()

judge = create_classifier("judge", "{{output}}", LLM(provider="function", model="mine", client=hang), ["good", "bad"])
print(*evaluate([{"output": "x"}], [judge, stuck], timeout=0.1, max_retries=0, progress=False).errors(), sep="\\n")
"""
        ended = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("judge: mine gave no complete answer within 0.1 s", ended.stdout)
        self.assertIn("stuck: stuck gave no result within 0.1 s", ended.stdout)

    def test_repetitions_judge_each_row_again(self) -> None:
        model = FakeModel(FakeJudge(sensitivity=0.5, specificity=0.5), is_repeatable=False)
        found = run(ROWS[:20], [judge_of(model.llm("again"))], repetitions=3)
        self.assertEqual([(row.index, row.repetition) for row in found.rows][:4], [(0, 0), (0, 1), (0, 2), (1, 0)])
        self.assertEqual(model.counts()["answered"], 60)
        by_row = {row.index: {other.score("ok").label for other in found.rows if other.index == row.index} for row in found.rows}
        self.assertTrue(any(len(labels) == 2 for labels in by_row.values()))

    def test_a_budget_is_not_exceeded(self) -> None:
        price = {"prompt": {"input": 1_000}, "completion": {"output": 10_000}}
        for limit in (1.0, 20.0):
            llm = LLM(provider="fake", model=f"dear {limit}", client=FakeModel(JUDGE), price=price)
            found = run(({"output": f"answer {n}"} for n in range(1_000)), [judge_of(llm)], max_cost=limit)
            self.assertIn("max_cost", found.stopped)
            self.assertLessEqual(found.summary.cost or 0, limit)
        self.assertGreater(found.summary.rows, 20)
        with self.assertRaisesRegex(InputError, "needs the price of nobody"):
            run(ROWS, [judge_of(FakeModel().llm("nobody"))], max_cost=1.0)


class TestLoops(unittest.TestCase):
    def test_a_run_leaves_the_threads_of_its_event_loop_alone(self) -> None:
        def waits(output: str) -> int:
            time.sleep(0.001)
            return 1

        async def both() -> str:
            found = await async_evaluate(ROWS[:8], [waits], progress=False, concurrency=2)
            self.assertEqual(found.summary.errors, 0)
            return await asyncio.to_thread(lambda: threading.current_thread().name)

        self.assertNotIn("evaluators", asyncio.run(both()))

    def test_two_runs_of_one_loop_can_ask_one_model(self) -> None:
        with FakeModelServer(FakeModel(JUDGE, latency=0.01)) as server:
            llm = LLM(provider="openai-compatible", model="m", base_url=f"{server.url}/v1", api_key="k")

            async def both() -> list[int]:
                runs = (async_evaluate(rows, [judge_of(llm)], progress=False, concurrency=4) for rows in (ROWS[:4], ROWS))
                return [found.summary.errors for found in await asyncio.gather(*runs)]

            self.assertEqual(asyncio.run(both()), [0, 0])


class TestStreams(unittest.TestCase):
    def test_a_stream_gives_rows_while_the_run_goes_on_and_waits_for_its_reader(self) -> None:
        read = 0

        def rows() -> Any:
            nonlocal read
            for number in range(100_000):
                read = number
                yield {"output": f"{number} truth=1"}

        stream = evaluate_stream(rows(), [judge_of(FakeModel(JUDGE, counts_prompts=False).llm())], progress=False)
        first = [next(stream) for _ in range(10)]
        self.assertEqual({row.score("ok").score for row in first}, {1})
        time.sleep(0.1)
        self.assertLess(read, 5_000)
        stream.close()

    def test_async_rows_are_read_as_they_come(self) -> None:
        async def rows() -> Any:
            for row in ROWS:
                await asyncio.sleep(0)
                yield row

        async def both() -> tuple[int, int]:
            found = await async_evaluate(rows(), [size], progress=False)
            streamed = [row async for row in async_evaluate_stream(rows(), [size], progress=False)]
            return found.summary.rows, len(streamed)

        self.assertEqual(asyncio.run(both()), (40, 40))

    def test_evaluate_works_inside_of_a_running_event_loop(self) -> None:
        async def inside() -> int:
            return run(ROWS, [size]).summary.rows

        self.assertEqual(asyncio.run(inside()), 40)

    def test_memory_stays_bounded_while_rows_go_to_a_file(self) -> None:
        judge = judge_of(FakeModel(JUDGE, counts_prompts=False).llm())
        with tempfile.TemporaryDirectory() as name:
            output = Path(name) / "out.jsonl"
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            found = run(({"output": f"{n} truth=1 " + "x" * 500} for n in range(5_000)), [judge], output=output)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            self.assertEqual(len(output.read_text().splitlines()), 5_000)
            self.assertEqual(found.rows[4_999].score("ok").label, "good")
        self.assertLess(grown, 40_000)

    def test_progress_is_plain_lines_without_a_terminal(self) -> None:
        progress = Progress(1_000)
        found = run(ROWS, [size])
        found.summary.cost = 0.5
        self.assertRegex(progress.line(found.summary, progress._started + 4), r"^40 of 1,000 rows  10\.0/s  0 errors  \$0\.50  0:01:36 left$")


class TestCheckpoint(unittest.TestCase):
    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.path = Path(self._folder.name) / "run.checkpoint"

    def test_a_stopped_run_goes_on_and_asks_nothing_twice(self) -> None:
        model = FakeModel(JUDGE)
        judge = judge_of(model.llm())
        run(ROWS[:25], [judge, size], checkpoint=self.path)

        found = run(ROWS, [judge, size], checkpoint=self.path)

        self.assertEqual((model.counts()["answered"], model.counts()["answered_again"]), (40, 0))
        self.assertEqual((found.summary.rows, found.summary.restored), (40, 25))
        self.assertEqual([row.score("ok").score for row in found.rows], [n % 2 for n in range(40)])

    def test_a_failed_row_is_asked_again(self) -> None:
        bad = judge_of(FakeModel({"answer 3 ": "prose"}).llm("same"))
        self.assertEqual(run(ROWS[:6], [bad], checkpoint=self.path).summary.errors, 1)
        model = FakeModel(JUDGE)
        self.assertEqual(run(ROWS[:6], [judge_of(model.llm("same"))], checkpoint=self.path).summary.errors, 0)
        self.assertEqual(model.counts()["answered"], 1)

    def test_the_file_of_another_run_is_refused(self) -> None:
        judge = judge_of(FakeModel(JUDGE).llm())
        run(ROWS, [judge], checkpoint=self.path)
        for data, evaluators, message in (
            (ROWS, [judge, size], "with other evaluators"),
            (ROWS, [judge_of(FakeModel(JUDGE).llm("another"))], "with another prompt, model or code"),
            (ROWS, [judge_of(FakeModel(JUDGE).llm(), template="Other {{output}}")], "with another prompt, model or code"),
            ([{"output": "changed"}], [judge], "row 0 differs"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex((CheckpointError, RunStopped), message):
                run(data, evaluators, checkpoint=self.path)
        self.path.write_text("a diary\n")
        with self.assertRaisesRegex(CheckpointError, "is no checkpoint"):
            run(ROWS, [judge], checkpoint=self.path)

    def test_half_a_line_at_the_end_is_dropped(self) -> None:
        model = FakeModel(JUDGE)
        run(ROWS, [judge_of(model.llm())], checkpoint=self.path)
        whole = self.path.read_bytes()
        self.path.write_bytes(whole[:-30])
        run(ROWS, [judge_of(model.llm())], checkpoint=self.path)
        self.assertEqual(model.counts()["answered"], 41)
        self.assertEqual(len(self.path.read_bytes().splitlines()), 41)

    def test_a_line_that_cannot_be_read_costs_its_result_alone(self) -> None:
        model = FakeModel(JUDGE)
        run(ROWS, [judge_of(model.llm())], checkpoint=self.path)
        lines = self.path.read_bytes().splitlines(keepends=True)
        lines[5] = b"\0" * (len(lines[5]) - 1) + b"\n"
        self.path.write_bytes(b"".join(lines))
        with self.assertWarnsRegex(UserWarning, "has 1 lines that cannot be read"):
            found = run(ROWS, [judge_of(model.llm())], checkpoint=self.path)
        self.assertEqual((found.summary.restored, model.counts()["answered"]), (39, 41))

    def test_functions_are_told_apart_by_what_they_depend_on(self) -> None:
        def longer(limit: int, names: Any = ()) -> Any:
            def long(output: str) -> bool:
                return len(output) > limit and output not in names

            return long

        digests = [function_digest(longer(*one)) for one in ((3,), (4,), (3, {"a", "b"}), (3, {"b", "a"}), (3,))]
        self.assertEqual((digests[0], digests[2]), (digests[4], digests[3]))
        self.assertEqual(len(set(digests)), 3)
        run(ROWS[:3], [longer(3)], checkpoint=self.path)
        for evaluators, options in (([longer(4)], {}), ([longer(3)], {"input_mapping": {"output": "output"}})):
            with self.assertRaisesRegex(CheckpointError, "belongs to a run with other"):
                run(ROWS[:3], evaluators, checkpoint=self.path, **options)

    def test_two_runs_cannot_write_one_file(self) -> None:
        def nested(output: str) -> int:
            with self.assertRaisesRegex(CheckpointError, "another run writes"):
                run(ROWS, [size], checkpoint=self.path)
            return 1

        self.assertEqual(run(ROWS[:1], [nested], checkpoint=self.path).summary.errors, 0)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_ends_the_run_with_one_line(self) -> None:
        with self.assertRaisesRegex(CheckpointError, "cannot be written: No space left on device; free space"):
            run(ROWS, [size], checkpoint="/dev/full")

    def test_a_killed_run_asks_no_row_twice_but_those_in_flight(self) -> None:
        with FakeModelServer(FakeModel(JUDGE, latency=0.01)) as server:
            code = (
                "import sys; sys.path[:0] = sys.argv[3:]\n"
                "from spandrel_evals import *\n"
                "llm = LLM(provider='openai-compatible', model='m', base_url=sys.argv[1], api_key='k')\n"
                "judge = create_classifier('ok', 'Judge {{output}}', llm, {'good': 1, 'bad': 0})\n"
                "rows = ({'output': f'answer {n} truth={n % 2}'} for n in range(600))\n"
                "found = evaluate(rows, [judge], checkpoint=sys.argv[2], concurrency=8, progress=False)\n"
                "print(found.summary.rows, found.summary.errors, found.summary.scores['ok'].mean)\n"
            )
            code = code.replace("from spandrel_evals import *", "from spandrel_evals import LLM, create_classifier, evaluate")
            command = [sys.executable, "-c", code, f"{server.url}/v1", str(self.path), *sys.path]
            first = subprocess.Popen(command, stdout=subprocess.PIPE)
            deadline = time.monotonic() + 60
            while server.model.counts()["requests"] < 200 and time.monotonic() < deadline:
                time.sleep(0.005)
            first.send_signal(signal.SIGKILL)
            first.communicate()
            stored = len(self.path.read_bytes().splitlines()) - 1
            second = subprocess.run(command, capture_output=True, text=True, check=True)
            counts = server.model.counts()

        self.assertEqual(second.stdout.split(), ["600", "0", "0.5"])
        self.assertGreater(stored, 150)
        self.assertLess(stored, 600)
        self.assertLessEqual(counts["answered_again"], 8)


class TestCache(unittest.TestCase):
    def test_equal_requests_are_answered_from_the_cache(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "cache.sqlite"
            model = FakeModel(JUDGE)
            first = run(ROWS, [judge_of(model.llm())], cache=path)
            second = run(ROWS, [judge_of(model.llm())], cache=path)
            self.assertEqual((model.counts()["answered"], second.summary.cached, second.summary.requests), (40, 40, 0))
            self.assertEqual([row.score("ok").label for row in first.rows], [row.score("ok").label for row in second.rows])
            self.assertTrue(second.rows[0].score("ok").metadata["cached"])
            # Everything that an answer depends on is in the key.
            run(ROWS, [judge_of(model.llm("other"))], cache=path)
            run(ROWS, [judge_of(model.llm(), template="Rate {{output}}")], cache=path)
            run(ROWS, [create_classifier("ok", "Judge {{output}}", model.llm(), {"good": 1, "bad": 0}, temperature=1)], cache=path)
            self.assertEqual(model.counts()["answered"], 160)
            run(ROWS, [judge_of(model.llm())], cache=path, repetitions=2)
            self.assertEqual(model.counts()["answered"], 200)
            with mock.patch("time.time", return_value=time.time() + 100):
                run(ROWS, [judge_of(model.llm())], cache=Cache(path, max_age_seconds=60))
            self.assertEqual(model.counts()["answered"], 240)
            path.with_name("broken").write_text("no database" * 100)
            with self.assertRaisesRegex(InputError, "cannot be opened"):
                run(ROWS, [judge_of(model.llm())], cache=path.with_name("broken"))


    def test_a_cache_that_is_damaged_costs_requests_and_functions_do_not_share_answers(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "cache.sqlite"

            def saying(label: str) -> Any:
                return lambda messages: {"label": label, "explanation": ""}

            for label in ("good", "bad"):
                llm = LLM(provider="function", model="mine", client=saying(label))
                self.assertEqual(run(ROWS[:2], [judge_of(llm)], cache=path).rows[0].score("ok").label, label)
            with sqlite3.connect(path) as db:
                db.execute("UPDATE answers SET reply = 'half of'")
            db.close()
            with self.assertWarnsRegex(UserWarning, "cannot be read"):
                found = run(ROWS[:2], [judge_of(llm)], cache=path)
            self.assertEqual((found.summary.cached, found.summary.errors), (0, 0))


class TestLimits(unittest.TestCase):
    def test_limits_of_the_vendor_lose_no_row(self) -> None:
        for states_limits in (True, False):
            model = FakeModel(JUDGE, requests_per_second=100, burst=10, refusal_bursts=(0.8, 0.1), states_limits=states_limits)
            with FakeModelServer(model) as server:
                llm = LLM(provider="openai-compatible", model="m", base_url=f"{server.url}/v1", api_key="k")
                found = run(({"output": f"{n} truth=1"} for n in range(150)), [judge_of(llm)], concurrency=16)
                self.assertEqual((found.summary.rows, found.summary.errors), (150, 0))
                self.assertEqual(found.summary.scores["ok"].mean, 1)

    def test_failures_of_the_vendor_are_tried_again_and_counted(self) -> None:
        model = FakeModel(JUDGE, error_rate=0.1, half_rate=0.05, seed=4)
        with FakeModelServer(model) as server, mock.patch("spandrel_evals.llm.calls.RETRY_BASE_SECONDS", 0.01):
            llm = LLM(provider="openai-compatible", model="m", base_url=f"{server.url}/v1", api_key="k")
            found = run(({"output": f"{n} truth=1"} for n in range(80)), [judge_of(llm)], concurrency=16)
        self.assertEqual((found.summary.rows, found.summary.errors), (80, 0))
        self.assertGreater(found.summary.retries, 3)
        retried = [row.results["ok"] for row in found.rows if row.results["ok"].exceptions]
        self.assertEqual({one.status for one in retried}, {"COMPLETED WITH RETRIES"})


class TestSettings(unittest.TestCase):
    def test_records_add_up_and_failures_give_back_what_was_reserved(self) -> None:
        with calls.recording() as outer:
            judge_of(FakeModel(JUDGE).llm()).evaluate(ROWS[0])
            judge_of(FakeModel(JUDGE).llm()).evaluate(ROWS[1])
        self.assertEqual(outer.requests, 2)
        self.assertGreater(outer.prompt_tokens, 4)
        self.assertEqual(json.loads(json.dumps(outer.metadata()))["completion_tokens"], outer.completion_tokens)


if __name__ == "__main__":
    unittest.main()
