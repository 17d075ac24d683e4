"""A wrong key is rejected once, and rates of vendors that state none are found."""

from __future__ import annotations

import asyncio
import time
import unittest
from collections import deque
from typing import Any
from unittest import mock

import httpx

from spandrel_evals import LLM, FakeJudge, FakeModel, create_classifier, evaluate
from spandrel_evals.errors import CredentialError, RunStopped, TransientModelError
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.llm.first_answer import FirstAnswer
from spandrel_evals.llm.found_rate import FoundRate

ROWS = [{"output": f"answer {n} truth={n % 2}"} for n in range(40)]


def judge_of(llm: Any) -> Any:
    return create_classifier("ok", "Judge {{output}}", llm, {"good": 1, "bad": 0})


class Model:
    """A model whose question about the key has a known answer."""

    has_answered = False

    def __init__(self, is_accepted: bool | None = None) -> None:
        self.is_accepted = is_accepted

    def adapter(self) -> Any:
        return self

    async def check_key(self, timeout: float) -> bool | None:
        return self.is_accepted


class TestFirstAnswer(unittest.TestCase):
    def test_a_wrong_key_is_rejected_once(self) -> None:
        for provider, tail in (("openai-compatible", "/v1"), ("openai", "/v1"), ("anthropic", "")):
            # The others would follow before the answer, which a busy machine gives late.
            wait = mock.patch("spandrel_evals.llm.first_answer.FIRST_ANSWER_SECONDS_MAX", 60)
            with self.subTest(provider=provider), wait, FakeModelServer(FakeModel(FakeJudge(), api_key="right")) as server:
                llm = LLM(provider=provider, model="m", base_url=f"{server.url}{tail}", api_key="wrong")
                with self.assertRaisesRegex(RunStopped, "does not accept the key") as caught:
                    evaluate(({"output": str(n)} for n in range(10_000)), [judge_of(llm)], concurrency=32, progress=False)
                self.assertEqual(server.model.counts()["unauthorized"], 1)
                self.assertEqual(caught.exception.evaluation.summary.errors, 0)

    def run_three(self, model: Model, end: Any, seconds_max: float = 0.05) -> list[str]:
        """What happens to three requests: the first ends as it is told, after the others have had time to begin."""
        events: list[str] = []

        async def request(first: FirstAnswer, name: str) -> None:
            alone = await first.enter()
            events.append(f"{name} {'alone' if alone else 'goes'}")
            if alone:
                await asyncio.sleep(0.1)
                events.append(f"{name} ends")
                first.leave(end)

        async def all_three() -> None:
            first = FirstAnswer(model)
            await asyncio.gather(*(request(first, name) for name in "abc"))
            await first.aclose()

        with mock.patch("spandrel_evals.llm.first_answer.FIRST_ANSWER_SECONDS_MAX", seconds_max):
            asyncio.run(all_three())
        return events

    def test_the_others_follow_an_answer_a_good_key_or_the_end_of_the_time(self) -> None:
        answered = ["a alone", "a ends", "b goes", "c goes"]
        early = ["a alone", "b goes", "c goes", "a ends"]
        self.assertEqual(self.run_three(Model(), None, 5), answered)
        self.assertEqual(self.run_three(Model(), TransientModelError("busy"), 5), answered)
        self.assertEqual(self.run_three(Model(True), None, 5), early)
        self.assertEqual(self.run_three(Model(), None), early)
        self.assertEqual(self.run_three(Model(False), None), answered, "a key that the list rejects holds beyond the time")
        rejected = ["a alone", "a ends", "b alone", "b ends", "c alone", "c ends"]
        self.assertEqual(self.run_three(Model(False), CredentialError("no")), rejected)

    def test_a_prompt_that_is_forbidden_is_an_error_of_its_row_once_the_key_is_known(self) -> None:
        seen: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            text = request.content.decode()
            seen.append(text)
            if "answer 3 " in text:
                return httpx.Response(403, json={"error": "a firewall"})
            if "answer 5 " in text and sum("answer 5 " in one for one in seen) == 1:
                return httpx.Response(200, json={"error": {"message": "the model behind the gateway failed"}})
            return httpx.Response(200, json={"choices": [{"message": {"content": '{"label": "good", "explanation": "e"}'}}]})

        llm = LLM(provider="openai-compatible", model="m", base_url="http://gateway.test/v1", transport=httpx.MockTransport(answer))
        with mock.patch("spandrel_evals.llm.calls.RETRY_BASE_SECONDS", 0.001):
            found = evaluate(ROWS[:8], [judge_of(llm)], progress=False)
        self.assertEqual((found.summary.rows, found.summary.errors, found.summary.retries), (8, 1, 1))
        self.assertRegex(found.errors()[0], "^row 3, ok: the vendor rejects this request, and not others with this key")
        forbidden = LLM(provider="openai-compatible", model="m", base_url="http://gateway.test/v1", transport=httpx.MockTransport(answer))
        with self.assertRaisesRegex(RunStopped, "HTTP 403"):
            evaluate(ROWS[3:4], [judge_of(forbidden)], progress=False)


class TestFoundRate(unittest.TestCase):
    def simulate(self, rate: float, burst: float, rows: int, pauses: tuple[float, float] | None, at_once: int = 64, latency: float = 0.05) -> tuple[float, float]:
        """Seconds and share of refusals of a run against a bucket, in the time of the simulation."""
        found = FoundRate()
        now = paused_until = 0.0
        level, at = burst, 0.0
        left, refused = rows, 0
        flights: deque[float] = deque()
        while left or flights:
            if flights and (flights[0] <= now or len(flights) >= at_once or not left):
                now = max(now, flights.popleft())
                continue
            now = max(now, paused_until, found.next_at)
            found.send(now)
            level, at = min(level + (now - at) * rate, burst), now
            is_pause = pauses is not None and now % pauses[0] > pauses[0] - pauses[1]
            if is_pause or level < 1:
                refused += 1
                wait = pauses[0] - now % pauses[0] if is_pause and pauses else max((1 - level) / rate, 0.01)
                paused_until = max(paused_until, now + wait)
                found.refuse(now, now, paused_until)
                continue
            level -= 1
            left -= 1
            flights.append(now + latency)
            now += 0.0005
        return now, refused / (rows + refused)

    def test_a_rate_is_found_and_kept_with_few_refusals(self) -> None:
        for rate, burst, pauses in ((100, 100, (5.0, 0.3)), (100, 10, None), (20, 20, None), (400, 50, (10.0, 0.3))):
            rows = int(rate * 30)
            seconds, share = self.simulate(rate, burst, rows, pauses)
            ideal = (rows - burst) / rate / (1 - (pauses[1] / pauses[0] if pauses else 0))
            with self.subTest(rate=rate, burst=burst, ratio=round(seconds / ideal, 3), share=round(share, 4)):
                self.assertLess(share, 0.03)
                self.assertLess(seconds / ideal, 1.15)

    def test_a_given_rate_is_where_it_starts(self) -> None:
        found = FoundRate(5.0)
        for number in range(600):
            found.send(10.0 + number / 20)
        self.assertEqual((found.at(10.0), found.at(12.0)), (5.0, 5.0))
        self.assertAlmostEqual(found.at(20.0), 5 * 1.02**8)
        self.assertGreater(found.at(40.0), 100)


if __name__ == "__main__":
    unittest.main()
