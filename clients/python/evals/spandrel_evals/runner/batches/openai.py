"""Batches of OpenAI: a file of requests, a batch of it, a file of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import ModelRequestError, quote
from ...llm.contract import ModelReply


class OpenAIBatches:
    def __init__(self, client: Any, endpoint: str, parse: Callable[..., ModelReply]) -> None:
        self._client = client
        self._endpoint = endpoint
        self._parse = parse

    def create(self, bodies: Mapping[str, Any]) -> str:
        """The id of a new batch."""
        lines = [
            json.dumps({"custom_id": name, "method": "POST", "url": self._endpoint, "body": body}, ensure_ascii=False)
            for name, body in bodies.items()
        ]
        content = "\n".join(lines).encode("utf-8", "backslashreplace")
        file = self._client.files.create(file=("batch.jsonl", content, "application/jsonl"), purpose="batch")
        batch = self._client.batches.create(input_file_id=file.id, endpoint=self._endpoint, completion_window="24h")
        return batch.id

    def has_ended(self, name: str) -> bool:
        batch = self._client.batches.retrieve(name)
        if batch.status == "failed":
            found = getattr(getattr(batch, "errors", None), "data", None) or ()
            reasons = "; ".join(str(one.message) for one in found[:3])
            raise ModelRequestError(f"the batch {name} failed: {quote(reasons or 'the vendor gives no reason', 300)}")
        # What an expired or cancelled batch has answered counts.
        return batch.status in ("completed", "expired", "cancelled")

    def results(self, name: str) -> dict[str, Any]:
        """Replies, or texts of errors, by the names of the requests."""
        batch = self._client.batches.retrieve(name)
        found: dict[str, Any] = {}
        for file_id in (batch.output_file_id, batch.error_file_id):
            if not file_id:
                continue
            for line in self._client.files.content(file_id).content.splitlines():
                if not line.strip():
                    continue
                one = json.loads(line)
                response = one.get("response") or {}
                if response.get("status_code") == 200:
                    found[one["custom_id"]] = self._parse(response["body"])
                else:
                    found[one["custom_id"]] = quote(json.dumps(one.get("error") or response.get("body")), 300)
        return found
