"""Answers that get lost on their way: nothing is created twice on the server."""

import asyncio
import unittest

import httpx

from spandrel_client import AsyncClient, Client, PromptVersion
from support import SERVER_URL, span, unique


class Losing(httpx.HTTPTransport):
    """Carries requests, and loses the first answer to each request that creates."""

    def __init__(self):
        super().__init__()
        self.lost = set()

    def handle_request(self, request):
        response = super().handle_request(request)
        key = request.headers.get("idempotency-key")
        if key and key not in self.lost:
            self.lost.add(key)
            response.read()
            raise httpx.ReadError("lost", request=request)
        return response


class AsyncLosing(httpx.AsyncHTTPTransport):
    """As `Losing`."""

    def __init__(self):
        super().__init__()
        self.lost = set()

    async def handle_async_request(self, request):
        response = await super().handle_async_request(request)
        key = request.headers.get("idempotency-key")
        if key and key not in self.lost:
            self.lost.add(key)
            await response.aread()
            raise httpx.ReadError("lost", request=request)
        return response


class Repetition(unittest.TestCase):
    def setUp(self):
        self.transport = Losing()
        self.client = Client(http_client=httpx.Client(base_url=SERVER_URL, transport=self.transport, timeout=30))
        self.addCleanup(self.client.close)
    def test_creations_are_carried_out_once(self):
        project = unique("once")
        self.assertEqual(self.client.projects.create(name=project)["name"], project)
        name = unique("once").replace(" ", "-")
        version = PromptVersion([{"role": "user", "content": "x"}], model_name="m")
        made = self.client.prompts.create(name=name, version=version)
        self.assertEqual([one.id for one in self.client.prompts.versions(prompt_identifier=name)], [made.id])
        dataset = self.client.datasets.create_dataset(name=unique("once"), examples=({"input": {"n": n}} for n in range(3)))
        more = self.client.datasets.add_examples_to_dataset(dataset=dataset, inputs=[{"n": 0}, {"n": 0}])
        self.assertEqual((len(dataset), len(self.client.datasets.get_dataset_versions(dataset=dataset))), (3, 2))
        self.assertEqual(more.upload["num_created_examples"], len(more) - 3)
        self.client.experiments.create(dataset_id=dataset.id)
        self.assertEqual(len(self.client.experiments.list(dataset_id=dataset.id)), 1)
        spans = [span(70_000), span(70_001)]
        self.assertEqual(self.client.spans.log_spans(project_identifier=project, spans=spans)["total_queued"], 2)
        self.assertEqual(len(self.transport.lost), 6)

    def test_of_an_asynchronous_client_too(self):
        async def create():
            transport = AsyncLosing()
            http_client = httpx.AsyncClient(base_url=SERVER_URL, transport=transport, timeout=30)
            async with AsyncClient(http_client=http_client) as client:
                name = unique("once")
                dataset = await client.datasets.create_dataset(name=name, examples=iter([{"input": {"n": 1}}]))
                return await client.datasets.get_dataset_versions(dataset=dataset), len(transport.lost)

        versions, lost = asyncio.run(create())
        self.assertEqual((len(versions), lost), (1, 1))


if __name__ == "__main__":
    unittest.main()
