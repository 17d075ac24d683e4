"""Batch interfaces of vendors, also of a run that is killed while its batch runs."""

from __future__ import annotations

import asyncio
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from spandrel_evals import LLM, FakeJudge, FakeModel, async_evaluate, create_classifier, evaluate
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.runner.batches.openai import OpenAIBatches

JUDGE = FakeJudge(sensitivity=1, specificity=1)
ROWS = [{"output": f"answer {n} truth={n % 2}"} for n in range(40)]


def judge_of(llm: Any) -> Any:
    return create_classifier("ok", "Judge {{output}}", llm, {"good": 1, "bad": 0})


def run(llm: Any, rows: Any = None, **options: Any) -> Any:
    return evaluate(ROWS if rows is None else rows, [judge_of(llm)], **{"progress": False, "batch": True, **options})


def openai_of(server: FakeModelServer) -> LLM:
    return LLM(provider="openai", model="m", base_url=f"{server.url}/v1", api_key="k")


class TestBatches(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "run.checkpoint"

    def test_repairs_go_into_a_second_batch(self) -> None:
        first_time = set()

        def answer(text: str, labels: list[str]) -> Any:
            if "answer 3 " in text and text not in first_time and not first_time.add(text):
                return "prose" if "cannot be used" not in text else labels[0]
            return JUDGE.decide(text, labels)

        for provider, tail in (("openai", "/v1"), ("anthropic", "")):
            first_time.clear()
            with FakeModelServer(FakeModel(answer)) as server:
                found = run(LLM(provider=provider, model="m", base_url=f"{server.url}{tail}", api_key="k"))
                self.assertEqual((found.summary.rows, found.summary.errors, found.summary.repairs), (40, 0, 1), found.errors())
                self.assertEqual(server.model.counts()["batches"], 2)
                self.assertEqual([row.score("ok").score for row in found.rows][4:8], [0, 1, 0, 1])

    def test_a_run_that_goes_on_collects_the_batch_of_the_run_that_was_killed(self) -> None:
        async def kill(llm: Any) -> None:
            """Ends a run as a kill does: between the acceptance of the batch and its answers."""
            task = asyncio.create_task(async_evaluate(ROWS, [judge_of(llm)], progress=False, batch=True, checkpoint=self.path))
            while not self.path.exists() or b'{"b":' not in self.path.read_bytes():
                await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        for provider, tail in (("openai", "/v1"), ("anthropic", "")):
            self.path.unlink(missing_ok=True)
            with self.subTest(provider=provider), FakeModelServer(FakeModel(JUDGE)) as server:
                llm = LLM(provider=provider, model="m", base_url=f"{server.url}{tail}", api_key="k")
                asyncio.run(kill(llm))
                found = run(llm, checkpoint=self.path)
                counts = server.model.counts()
                self.assertEqual((counts["batches"], counts["answered"], counts["answered_again"]), (1, 40, 0))
                self.assertEqual((found.summary.rows, found.summary.errors, found.summary.restored), (40, 0, 0))
                self.assertEqual([row.score("ok").score for row in found.rows], [n % 2 for n in range(40)])
                self.assertEqual(run(llm, checkpoint=self.path).summary.restored, 40)
                self.assertEqual(server.model.counts()["batches"], 1)

    def test_a_batch_that_the_vendor_has_forgotten_is_sent_again(self) -> None:
        with FakeModelServer(FakeModel(JUDGE)) as server, FakeModelServer(FakeModel(JUDGE)) as other:
            llm = openai_of(server)
            run(llm, checkpoint=self.path)
            lines = self.path.read_bytes().splitlines(keepends=True)
            # The batch alone: its answers had not arrived, and it is unknown to the other server.
            self.path.write_bytes(b"".join(line for line in lines if not line.startswith(b'{"s":')).replace(server.url.encode(), other.url.encode()))
            self.assertEqual(run(openai_of(other), checkpoint=self.path).summary.errors, 0)
            self.assertEqual(other.model.counts()["answered"], 40)

    def test_a_row_that_failed_is_not_answered_from_its_old_batch(self) -> None:
        answers = {"answer 3 ": "prose"}
        with FakeModelServer(FakeModel(lambda text, labels: next((one for key, one in answers.items() if key in text), labels[0]))) as server:
            llm = openai_of(server)
            self.assertEqual(run(llm, ROWS[:6], checkpoint=self.path).summary.errors, 1)
            answers.clear()
            found = run(llm, ROWS[:6], checkpoint=self.path)
            self.assertEqual((found.summary.errors, found.summary.restored), (0, 5))

    def test_errors_while_a_batch_runs_are_tried_again(self) -> None:
        attempts: list[str] = []
        original = OpenAIBatches.has_ended

        def has_ended(self: Any, name: str) -> bool:
            attempts.append(name)
            if len(attempts) < 3:
                raise ConnectionError("away")
            return original(self, name)

        with (
            FakeModelServer(FakeModel(JUDGE)) as server,
            mock.patch.object(OpenAIBatches, "has_ended", has_ended),
            mock.patch("spandrel_evals.runner.batches.collector.RETRY_BASE_SECONDS", 0.001),
        ):
            found = run(openai_of(server))
        self.assertEqual((found.summary.rows, found.summary.errors), (40, 0), found.errors()[:1])
        self.assertGreater(len(attempts), 3)

    def test_a_vendor_without_batches_says_so(self) -> None:
        llm = LLM(provider="function", model="m", client=lambda messages: "x")
        self.assertIn("has no batch interface", run(llm, ROWS[:1]).errors()[0])


if __name__ == "__main__":
    unittest.main()
