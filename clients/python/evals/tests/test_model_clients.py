"""Adapters of LiteLLM, LangChain and boto3 through these libraries, against the fake model over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import os
import sys
import time
import unittest
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from spandrel_evals import LLM, FakeJudge, FakeModel, create_classifier
from spandrel_evals.errors import CredentialError, EvaluationError, ModelTimeoutError, RateLimitError, TransientModelError
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.llm import calls

# Installed by scripts/python-clients.sh, out of the search path of other tests.
FOLDER = Path(sys.prefix) / "model-clients"
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "why": {"type": "string"}}, "required": ["n", "why"]}


def make(way: str, url: str, key: str = "right") -> LLM:
    """An LLM by a way of reaching a vendor. Each asks the fake server."""
    if way == "litellm":
        return LLM(provider="litellm", model="openai/gpt-4o-mini", api_base=f"{url}/v1", api_key=key)
    if way == "openai by litellm":
        return LLM(provider="openai", client="litellm", model="gpt-4o-mini", base_url=f"{url}/v1", api_key=key)
    if way == "anthropic by litellm":
        return LLM(provider="anthropic", client="litellm", model="claude-sonnet-4-5", base_url=url, api_key=key)
    if way == "openai by langchain":
        return LLM(provider="openai", client="langchain", model="gpt-4o-mini", base_url=f"{url}/v1", api_key=key)
    if way == "anthropic by langchain":
        return LLM(provider="anthropic", client="langchain", model="claude-sonnet-4-5", base_url=url, api_key=key)
    if way == "bedrock by boto3":
        keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
        return LLM(provider="bedrock", client="boto3", model="anthropic.claude-sonnet-4", endpoint_url=url, **keys)
    from langchain_openai import ChatOpenAI

    chat: Any = ChatOpenAI
    return LLM(provider="langchain", model="gpt-4o-mini", client=chat(model="gpt-4o-mini", base_url=f"{url}/v1", api_key=key, max_retries=0))


WAYS = ("litellm", "openai by litellm", "anthropic by litellm", "openai by langchain", "anthropic by langchain", "a chat model of langchain")


@unittest.skipUnless(FOLDER.is_dir() or find_spec("litellm"), "LiteLLM and LangChain are not installed; run scripts/python-clients.sh")
class TestModelClients(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        # It downloads prices otherwise.
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        sys.path.append(str(FOLDER))
        cls.addClassCleanup(sys.path.remove, str(FOLDER))
        importlib.invalidate_caches()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True

    def test_each_way_answers_with_texts_objects_and_labels(self) -> None:
        with FakeModelServer(FakeModel(FakeJudge(sensitivity=1, specificity=1), api_key="right")) as server:
            for way in WAYS:
                with self.subTest(way), contextlib.redirect_stdout(io.StringIO()):
                    llm = make(way, server.url)
                    self.assertIn(llm.generate_text("hello truth=1"), ("yes", "no"))
                    self.assertEqual(llm.generate_object("count", SCHEMA)["n"], 1)
                    template = [{"role": "system", "content": "Judge"}, {"role": "user", "content": "{{x}}"}]
                    [score] = create_classifier("ok", template, llm, {"good": 1, "bad": 0}).evaluate({"x": "truth=0"})
                    self.assertEqual((score.label, score.score), ("bad", 0))
                    self.assertGreater(score.metadata["prompt_tokens"], 0)
                    described = create_classifier("ok", "{{x}}", llm, {"good": (1, "all is well"), "bad": (0, "not so")})
                    # Each run has an event loop of its own.
                    for _ in range(2):
                        self.assertEqual(asyncio.run(described.async_evaluate({"x": "truth=1"}))[0].label, "good")

    def test_errors_of_each_way_are_told_apart(self) -> None:
        with FakeModelServer(FakeModel(api_key="right")) as server:
            for way in WAYS:
                before = server.model.counts().get("unauthorized", 0)
                with self.subTest(way), self.assertRaisesRegex(CredentialError, "check the key"), contextlib.redirect_stdout(io.StringIO()):
                    make(way, server.url, "wrong").generate_text("hello")
                self.assertEqual(server.model.counts()["unauthorized"], before + 1, way)
        for condition, kind in (({"error_rate": 1.0}, TransientModelError), ({"requests_per_second": 0.01}, RateLimitError)):
            for way in WAYS:
                # The limit of a server that is new lets one request pass.
                with self.subTest(way, condition=condition), FakeModelServer(FakeModel(**condition)) as server:
                    self.assertIsInstance(self.failure(make(way, server.url), 2), kind)

    def test_a_vendor_that_hangs_meets_the_timeout(self) -> None:
        with FakeModelServer(FakeModel(hang_rate=1.0)) as server:
            for way in ("litellm", "openai by langchain"):
                llm = make(way, server.url)
                started = time.monotonic()
                with calls.using(calls.Settings(timeout=0.2, max_retries=0)), self.assertRaises(ModelTimeoutError):
                    asyncio.run(llm.async_generate_text("hello"))
                self.assertLess(time.monotonic() - started, 10)

    def failure(self, llm: LLM, attempts: int) -> EvaluationError | None:
        with calls.using(calls.Settings(max_retries=0)), contextlib.redirect_stdout(io.StringIO()):
            for _ in range(attempts):
                try:
                    # Around the limiter, which would wait for as long as the vendor asks.
                    llm.adapter().send(calls.ModelRequest([{"role": "user", "content": "hello"}]), 10.0)
                except Exception as error:
                    return llm.adapter().to_error(error)
        return None


@unittest.skipUnless(find_spec("boto3"), "boto3 is not installed; the wire form of Bedrock has a test of its own")
class TestBedrock(unittest.TestCase):
    def test_boto3_reaches_the_fake_model(self) -> None:
        with FakeModelServer(FakeModel(FakeJudge(sensitivity=1, specificity=1))) as server:
            llm = make("bedrock by boto3", server.url)
            self.assertIn(llm.generate_text("hello truth=1"), ("yes", "no"))
            [score] = create_classifier("ok", "{{x}}", llm, {"good": 1, "bad": 0}).evaluate({"x": "truth=0"})
            self.assertEqual((score.label, score.score), ("bad", 0))
        with FakeModelServer(FakeModel(api_key="right")) as server, self.assertRaises(CredentialError):
            make("bedrock by boto3", server.url).generate_text("hello")


if __name__ == "__main__":
    unittest.main()
