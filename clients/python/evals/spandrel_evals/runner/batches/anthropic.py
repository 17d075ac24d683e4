"""Message batches of Anthropic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...llm.contract import ModelReply


class AnthropicBatches:
    def __init__(self, client: Any, parse: Callable[..., ModelReply]) -> None:
        self._client = client
        self._parse = parse

    def create(self, bodies: Mapping[str, Any]) -> str:
        """The id of a new batch."""
        requests = [{"custom_id": name, "params": body} for name, body in bodies.items()]
        return self._client.messages.batches.create(requests=requests).id

    def has_ended(self, name: str) -> bool:
        return self._client.messages.batches.retrieve(name).processing_status == "ended"

    def results(self, name: str) -> dict[str, Any]:
        """Replies, or texts of errors, by the names of the requests."""
        found: dict[str, Any] = {}
        for one in self._client.messages.batches.results(name):
            result = one.result
            if result.type == "succeeded":
                found[one.custom_id] = self._parse(result.message.model_dump())
            else:
                found[one.custom_id] = f"{result.type}: {getattr(result, 'error', '')}"
        return found
