"""Adapters through the real clients of the vendors, against the fake model over HTTP."""

from __future__ import annotations

import asyncio
import json
import time
import unittest
from typing import Any
from unittest import mock

import httpx

from spandrel_evals import LLM, FakeJudge, FakeModel, create_classifier
from spandrel_evals.errors import (
    AnswerError,
    CredentialError,
    InputError,
    LabelError,
    ModelRequestError,
    ModelTimeoutError,
    TransientModelError,
)
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.llm import calls
from spandrel_evals.llm.contract import ModelRequest, Usage
from spandrel_evals.llm.graded import graded_score
from spandrel_evals.llm.limit_headers import parse_duration, retry_after_seconds
from spandrel_evals.llm.limiter import Limiter
from spandrel_evals.llm.prices import cost_of
from spandrel_evals.llm.structured import find_json, match_label
from spandrel_evals.llm.wire import anthropic_messages, bedrock_converse, google_generate, openai_chat

IMAGE = {"type": "image", "data": b"\x89PNG", "media_type": "image/png"}


def make(provider: str, url: str, **more: Any) -> LLM:
    """An LLM of a provider that asks the fake server."""
    own: dict[str, Any] = {
        "openai": {"base_url": f"{url}/v1"},
        "openai-compatible": {"base_url": f"{url}/v1"},
        "azure": {"azure_endpoint": url, "api_version": "2024-10-21"},
        "anthropic": {"base_url": url},
        "google": {"http_options": {"base_url": url}},
        "vertex": {"http_options": {"base_url": url}, "client": "google-genai"},
    }[provider]
    return LLM(provider=provider, model="gpt-4o-mini", **{"api_key": "right", **own, **more})


PROVIDERS = ["openai", "openai-compatible", "azure", "anthropic", "google", "vertex"]


class TestVendors(unittest.TestCase):
    server: FakeModelServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = FakeModelServer(FakeModel(FakeJudge(sensitivity=1, specificity=1), api_key="right")).start()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

    def test_each_vendor_answers_with_texts_objects_and_labels(self) -> None:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}, "why": {"type": "string"}}, "required": ["n", "why"]}
        for provider in PROVIDERS:
            with self.subTest(provider=provider):
                llm = make(provider, self.server.url)
                self.assertIn(llm.generate_text("hello truth=1"), ("yes", "no"))
                self.assertEqual(llm.generate_object("count", schema)["n"], 1)
                judge = create_classifier("ok", [{"role": "system", "content": "Judge"}, {"role": "user", "content": "{{x}}"}], llm, {"good": 1, "bad": 0})
                [score] = judge.evaluate({"x": "truth=0"})
                self.assertEqual((score.label, score.score), ("bad", 0))
                self.assertGreater(score.metadata["prompt_tokens"], 0)
                self.assertGreater(score.metadata["cost"], 0)
                described = create_classifier("ok", "{{x}}", llm, {"good": (1, "all is well"), "bad": (0, "not so")})
                self.assertEqual(asyncio.run(described.async_evaluate({"x": "truth=1"}))[0].label, "good")

    def test_a_wrong_key_is_one_line_and_is_not_tried_again(self) -> None:
        for provider in PROVIDERS:
            with self.subTest(provider=provider):
                before = self.server.model.counts().get("unauthorized", 0)
                with self.assertRaisesRegex(CredentialError, "does not accept the key .*check the key"):
                    make(provider, self.server.url, api_key="wrong").generate_text("hello")
                self.assertEqual(self.server.model.counts()["unauthorized"], before + 1)

    def test_the_form_of_structured_answers_that_works_is_remembered(self) -> None:
        for supports, mode in ((("tool",), "tool"), ((), "json")):
            with FakeModelServer(FakeModel(FakeJudge(sensitivity=1, specificity=1), supports=supports)) as server:
                for provider in ("openai", "openai-compatible", "anthropic"):
                    server.model.reset()
                    llm = make(provider, server.url)
                    judge = create_classifier("ok", "{{x}}", llm, {"good": 1, "bad": 0})
                    self.assertEqual([judge.evaluate({"x": f"truth={n % 2}"})[0].score for n in range(4)], [0, 1, 0, 1])
                    self.assertEqual(llm._modes("auto")[0], mode)
                    expected = {"openai": 1, "openai-compatible": 1, "anthropic": 0}[provider] + (mode == "json")
                    self.assertEqual(server.model.counts().get("unsupported", 0), expected, provider)

    def test_probabilities_of_tokens_grade_the_score(self) -> None:
        with FakeModelServer(FakeModel(FakeJudge(sensitivity=0.8, specificity=0.7))) as server:
            for provider in ("openai", "openai-compatible", "google"):
                judge = create_classifier("ok", "{{x}}", make(provider, server.url), {"good": 1, "bad": 0}, graded=True)
                [score] = judge.evaluate({"x": "truth=1"})
                self.assertAlmostEqual(score.score, 0.8, places=6, msg=provider)
                self.assertAlmostEqual(score.metadata["label_probabilities"]["bad"], 0.2, places=6)

    def test_limits_errors_and_half_answers_are_tried_again(self) -> None:
        model = FakeModel(FakeJudge(), error_rate=0.3, half_rate=0.2, requests_per_second=200, seed=3)
        with FakeModelServer(model) as server, mock.patch("spandrel_evals.llm.calls.RETRY_BASE_SECONDS", 0.001):
            for provider in ("openai", "anthropic", "google", "openai-compatible"):
                llm = make(provider, server.url)
                for number in range(4):
                    self.assertIn(llm.generate_text(f"{provider} {number}"), ("yes", "no"))
        self.assertGreater(model.counts()["failed"], 2)
        self.assertGreater(model.counts()["half"], 1)

    def test_a_vendor_that_hangs_or_never_ends_meets_the_timeout(self) -> None:
        for kind in ("hang_rate", "endless_rate"):
            with FakeModelServer(FakeModel(**{kind: 1.0})) as server:
                for provider in ("openai-compatible", "openai"):
                    llm = make(provider, server.url)
                    started = time.monotonic()
                    with calls.using(calls.Settings(timeout=0.2, max_retries=0)), self.assertRaises(ModelTimeoutError):
                        asyncio.run(llm.async_generate_text("hello"))
                    self.assertLess(time.monotonic() - started, 10)

    def test_a_server_that_is_away_is_a_failed_connection(self) -> None:
        for provider in ("openai", "openai-compatible", "anthropic"):
            llm = make(provider, "http://127.0.0.1:9")
            with calls.using(calls.Settings(max_retries=0)), self.assertRaisesRegex(TransientModelError, "connection failed"):
                llm.generate_text("hello")

    def test_the_wire_of_bedrock_reaches_the_fake_model(self) -> None:
        class Runtime:
            """Converse of boto3 over the same wire, without its signatures."""

            def converse(self, *, modelId: str, **body: Any) -> Any:
                answer = httpx.post(f"{url}/model/{modelId}/converse", json=body, headers={"authorization": "Bearer right"})
                return answer.raise_for_status().json()

        url = self.server.url
        from spandrel_evals.llm.adapters.bedrock import BedrockAdapter

        adapter = BedrockAdapter(provider="bedrock", model="some.model", given=Runtime(), options={})
        request = ModelRequest([{"role": "system", "content": "Judge"}, {"role": "user", "content": "truth=1"}], {"max_tokens": 9}, _schema(), "tool")
        self.assertEqual(adapter.send(request, None).data["label"], "good")
        self.assertEqual(asyncio.run(adapter.async_send(request, None)).usage.completion_tokens > 0, True)
        body = bedrock_converse.build("m", request)
        self.assertEqual(body["inferenceConfig"], {"maxTokens": 9})
        self.assertEqual(body["toolConfig"]["toolChoice"], {"tool": {"name": "extract_structured_data"}})


def _schema() -> dict[str, Any]:
    return {"type": "object", "properties": {"label": {"type": "string", "enum": ["good", "bad"]}}, "required": ["label"]}


class TestAnswers(unittest.TestCase):
    def judge(self, *answers: Any) -> tuple[Any, FakeModel]:
        model = FakeModel(list(answers))
        return create_classifier("ok", "{{x}}", model.llm(f"m{id(model)}"), {"good": 1, "bad": 0}), model

    def test_an_answer_that_cannot_be_used_is_repaired_once(self) -> None:
        right = {"label": "good", "explanation": "e"}
        for wrong in ("It is rather good, all in all.", "Gut gemacht, aber", {"label": "excellent", "explanation": ""}, "good bad", "", {"explanation": "e"}):
            with self.subTest(answer=wrong):
                judge, model = self.judge(wrong, right)
                [score] = judge.evaluate({"x": "x"})
                self.assertEqual((score.label, score.metadata["repairs"]), ("good", 1))
                self.assertEqual(model.counts()["answered"], 2)
        for wrong, kind in (({"label": "excellent", "explanation": "e"}, LabelError), ("prose", AnswerError), ("", AnswerError)):
            judge, model = self.judge(wrong)
            with self.subTest(answer=wrong), self.assertRaises(kind):
                judge.evaluate({"x": "x"})
            self.assertEqual(model.counts()["answered"], 2)

    def test_labels_match_apart_from_case_and_marks(self) -> None:
        for text, label in (("Good", "good"), (" **good**. ", "good"), ("'bad'", "bad"), ("good or bad", None), ("unbad", None), (3, None)):
            self.assertEqual(match_label(text, ["good", "bad"]), label, text)

    def test_json_is_found_in_fences_and_between_words(self) -> None:
        for text in ('{"a": 1}', 'Sure:\n```json\n{"a": 1}\n```', 'I think {x} so {"a": 1} and on', '```\n{"a": 1}\n```'):
            self.assertEqual(find_json(text), {"a": 1}, text)
        for text in ("", "none", "{", "{" * 5_000):
            self.assertIsNone(find_json(text))

    def test_prompts_and_schemas_that_cannot_be_used_are_rejected(self) -> None:
        llm = FakeModel().llm()
        for prompt in ("", " ", [], [{"role": "robot", "content": "x"}], [{"role": "user", "content": ""}], 5, [{"role": "user", "content": [{"type": "x"}]}], "x" * 4_000_001):
            with self.subTest(prompt=str(prompt)[:40]), self.assertRaises(InputError):
                llm.generate_text(prompt)
        for schema in ({}, {"type": "array"}, {"type": "object", "properties": {}, "required": ["a"]}):
            with self.subTest(schema=schema), self.assertRaises(InputError):
                llm.generate_object("x", schema)

    def test_an_unknown_provider_or_client_lists_what_is_installed(self) -> None:
        for arguments, message in (
            ({"provider": "nobody", "model": "m"}, r"provider is nobody; (?s:.*)openai  "),
            ({"provider": "openai", "model": "m", "client": "none"}, r"has no client none; (?s:.*)litellm"),
            ({"provider": "openai", "model": ""}, "needs provider and model"),
            ({"provider": "openai", "model": "m", "api_key": "k", "colour": 1}, "cannot be made"),
            ({"provider": "openai-compatible", "model": "m"}, "needs base_url"),
        ):
            with self.subTest(arguments=arguments), mock.patch.dict("os.environ", {}, clear=False), self.assertRaisesRegex(ValueError, message):
                LLM(**arguments)
        with self.assertRaisesRegex(ValueError, "does not support structured_output"):
            LLM(provider="anthropic", model="m", api_key="k").generate_object("x", _schema(), method="structured_output")

    def test_any_function_is_a_model(self) -> None:
        def answer(messages: list[dict[str, Any]]) -> str:
            return json.dumps({"explanation": messages[0]["content"][:6], "label": "good"})

        async def later(messages: list[dict[str, Any]], schema: Any) -> dict[str, Any]:
            return {"explanation": "", "label": schema["properties"]["label"]["enum"][1]}

        for function, label in ((answer, "good"), (later, "bad")):
            judge = create_classifier("ok", "{{x}}", LLM(provider="function", model="mine", client=function), {"good": 1, "bad": 0})
            self.assertEqual(asyncio.run(judge.async_evaluate({"x": "x"}))[0].label, label)


class TestWires(unittest.TestCase):
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "t"}, {"type": "image", "data": "iVBORw==", "media_type": "image/png"}, {"type": "file", "url": "https://x/a.pdf"}]}]

    def test_images_and_files_have_the_form_of_the_vendor(self) -> None:
        request = ModelRequest(self.messages)
        parts = openai_chat.build("gpt-4o", request)["messages"][1]["content"]
        self.assertEqual([one["type"] for one in parts], ["text", "image_url", "file"])
        self.assertTrue(parts[1]["image_url"]["url"].startswith("data:image/png;base64,"))
        parts = anthropic_messages.build("claude", request)["messages"][0]["content"]
        self.assertEqual([one["type"] for one in parts], ["text", "image", "document"])
        parts = google_generate.build(request)["contents"][0]["parts"]
        self.assertEqual([list(one) for one in parts], [["text"], ["inline_data"], ["file_data"]])
        with self.assertRaisesRegex(InputError, "takes no URL of a file"):
            bedrock_converse.build("m", request)

    def test_an_image_of_a_row_reaches_the_model(self) -> None:
        seen: list[Any] = []
        llm = LLM(provider="function", model="m", client=lambda messages: seen.append(messages[-1]["content"]) or '{"label": "good", "explanation": ""}')
        template = [{"role": "user", "content": [{"type": "text", "text": "Judge"}, {"type": "image", "url": "{{picture}}"}]}]
        create_classifier("ok", template, llm, ["good", "bad"]).evaluate({"picture": "https://x/a.png"})
        self.assertEqual(seen[0][1], {"type": "image", "url": "https://x/a.png"})
        with self.assertRaisesRegex(InputError, "over 20 MiB"):
            llm.generate_text([{"role": "user", "content": [{**IMAGE, "data": b"x" * 21 * 2**20}]}])

    def test_the_role_of_system_messages_follows_the_model(self) -> None:
        for model, role in (("gpt-4o", "system"), ("o1-mini", "user"), ("o3", "developer"), ("llama-3", "system"), ("org/qwen", "system")):
            self.assertEqual(openai_chat.system_role(model), role, model)

    def test_costs_follow_the_price_table(self) -> None:
        self.assertAlmostEqual(cost_of("gpt-5.1", Usage(1_000_000, 100_000, 400_000)), 0.6 * 1.25 + 0.4 * 0.125 + 1.0)
        self.assertIsNone(cost_of("nobody-knows", Usage(1, 1)))

    def test_limits_and_pauses_are_read_in_each_form(self) -> None:
        for text, seconds in (("1s", 1), ("6m0s", 360), ("20ms", 0.02), ("1h2m3.5s", 3723.5), ("7", 7)):
            self.assertAlmostEqual(parse_duration(text), seconds)
        self.assertEqual(retry_after_seconds({"retry-after-ms": "1500"}), 1.5)
        self.assertEqual(retry_after_seconds({"retry-after": "2"}), 2)
        self.assertGreaterEqual(retry_after_seconds({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) or 0, 0)
        self.assertIsNone(retry_after_seconds({"retry-after": "soon"}))

    def test_a_score_is_graded_only_where_tokens_tell_labels_apart(self) -> None:
        def token(text: str, **top: float) -> dict[str, Any]:
            return {"token": text, "logprob": 0.0, "top_logprobs": [{"token": key, "logprob": value} for key, value in top.items()]}

        parts = [token('{"label'), token('":"'), token("yes", yes=-0.105, no=-2.303), token('"}')]
        score, shares = graded_score(parts, {"yes": 1, "no": 0})  # type: ignore[misc]
        self.assertAlmostEqual(score, 0.9, places=3)
        self.assertAlmostEqual(sum(shares.values()), 1)
        same_start = [token('{"label":"'), token("in", **{"in": 0.0}), token('correct"}')]
        self.assertIsNone(graded_score(same_start, {"incorrect": 0, "incomplete": 1}))
        self.assertIsNone(graded_score(parts, {"yes": 1, "no": None}))


class TestLimiter(unittest.TestCase):
    def test_a_refusal_lowers_the_rate_once_and_pauses(self) -> None:
        limiter = Limiter(concurrency=8)
        times = [limiter.acquire() for _ in range(8)]
        for _ in times[:4]:
            limiter.succeeded(0.01, None, 0)
        rates = []
        for sent_at in times[4:]:
            limiter.refused_at(sent_at, 0.05)
            rates.append(limiter._rate.at(time.monotonic()))
        self.assertEqual(len(set(rates)), 1)
        started = time.monotonic()
        limiter.acquire()
        self.assertGreater(time.monotonic() - started, 0.04)

    def test_stated_limits_are_kept_without_a_refusal(self) -> None:
        limiter = Limiter(concurrency=100)
        headers = {"x-ratelimit-limit-requests": "10", "x-ratelimit-remaining-requests": "2", "x-ratelimit-reset-requests": "400ms"}
        limiter.acquire()
        limiter.succeeded(0.01, headers, 0)
        started = time.monotonic()
        for _ in range(6):
            limiter.acquire()
        # 8 in 400 ms are refilled, two were left.
        self.assertGreater(time.monotonic() - started, 0.15)

    def test_concurrency_rises_while_the_latency_holds_and_falls_after_timeouts(self) -> None:
        limiter = Limiter()
        for _ in range(300):
            held = int(limiter.concurrency) - limiter.in_flight
            for _ in range(held):
                limiter.acquire()
            limiter.succeeded(0.1, None, 0)
        risen = limiter.concurrency
        self.assertGreater(risen, 60)
        limiter.acquire()
        limiter.failed(True)
        self.assertLess(limiter.concurrency, risen)

    def test_waiting_threads_and_loops_share_one_limiter(self) -> None:
        limiter = Limiter(concurrency=1)
        limiter.acquire()

        async def wait() -> float:
            task = asyncio.create_task(limiter.acquire_async())
            await asyncio.sleep(0.02)
            self.assertFalse(task.done())
            await asyncio.to_thread(limiter.succeeded, 0.01, None, 0)
            await asyncio.wait_for(task, 1)
            second = asyncio.create_task(limiter.acquire_async())
            await asyncio.sleep(0)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
            return limiter.in_flight

        self.assertEqual(asyncio.run(wait()), 1)


class TestFakeModel(unittest.TestCase):
    def test_a_judge_has_its_sensitivity_specificity_and_biases(self) -> None:
        judge = FakeJudge(sensitivity=0.8, specificity=0.7, seed=1)
        good = sum(judge.decide(f"{n} truth=1", ["yes", "no"]) == "yes" for n in range(2_000)) / 2_000
        bad = sum(judge.decide(f"{n} truth=0", ["yes", "no"]) == "no" for n in range(2_000)) / 2_000
        self.assertAlmostEqual(good, 0.8, delta=0.03)
        self.assertAlmostEqual(bad, 0.7, delta=0.03)
        biased = FakeJudge(sensitivity=1, specificity=1, biases={"length": 0.5}, long_characters=50, seed=5)
        long = sum(biased.decide(f"{n} truth=0 {'x' * 60}", ["yes", "no"]) == "yes" for n in range(2_000)) / 2_000
        self.assertAlmostEqual(long, 0.5, delta=0.04)
        self.assertEqual(biased.decide("short truth=0", ["yes", "no"]), "no")
        self.assertEqual(biased.decide("[[truth: no]]", ["yes", "no"]), "no")

    def test_scripts_answer_in_turn_by_text_or_by_function(self) -> None:
        for answer, expected in ((["a", "b"], ["a", "b", "b"]), ({"one": "1", "two": "2"}, ["1", "2", ""]), (lambda text, labels: text[:3], ["one", "two", "thr"])):
            llm = FakeModel(answer).llm()
            self.assertEqual([llm.generate_text(text) for text in ("one", "two", "three")], expected)

    def test_a_schema_of_anthropic_is_answered_with_an_object(self) -> None:
        body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "truth=1"}]}
        form = {"type": "json_schema", "schema": _schema()}
        with FakeModelServer(FakeModel(FakeJudge(sensitivity=1, specificity=1))) as server:
            answer = httpx.post(f"{server.url}/v1/messages", json={**body, "output_config": {"format": form}}).json()
        self.assertEqual(json.loads(answer["content"][0]["text"])["label"], "good")

    def test_requests_that_cannot_be_read_are_answered_with_400(self) -> None:
        with FakeModelServer() as server:
            for path in ("/v1/chat/completions", "/v1/messages", "/v1beta/models/m:generateContent"):
                self.assertEqual(httpx.post(server.url + path, content=b"{").status_code, 400)
                self.assertEqual(httpx.post(server.url + path, json={"messages": 5}).status_code, 400)
            self.assertEqual(httpx.get(server.url + "/nowhere").status_code, 404)
            self.assertEqual(httpx.get(server.url + "/counts").json()["invalid"], 6)
            with self.assertRaises(ModelRequestError), calls.using(calls.Settings(max_retries=0)):
                make("openai-compatible", server.url).generate_text("x", messages=5)


if __name__ == "__main__":
    unittest.main()
