"""Batch interfaces of the fake model: files and batches of OpenAI, message batches of Anthropic."""

from __future__ import annotations

import json
import re
from typing import Any

from . import wire
from .model import FakeModel


class Batches:
    """A batch is in progress when it is read for the first time, and has ended when it is read again."""

    def __init__(self, model: FakeModel) -> None:
        self._model = model
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, dict[str, Any]] = {}

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any] | None:
        """Status and answer, or None for other paths."""
        if method == "POST" and path == "/v1/files":
            return 200, self._store_file(headers, body)
        if method == "POST" and path == "/v1/batches":
            return self._create_openai(json.loads(body))
        if method == "POST" and path == "/v1/messages/batches":
            return 200, self._create_anthropic(json.loads(body))
        found = re.fullmatch(r"/v1/files/([\w-]+)/content", path)
        if found and found.group(1) in self._files:
            return 200, self._files[found.group(1)]
        found = re.fullmatch(r"/v1/batches/([\w-]+)", path)
        if found and found.group(1) in self._batches:
            return 200, self._progress(found.group(1), "status", ("in_progress", "completed"))
        found = re.fullmatch(r"/v1/messages/batches/([\w-]+)(/results)?", path)
        if found and found.group(1) in self._batches:
            if found.group(2):
                return 200, self._files[found.group(1)]
            return 200, self._progress(found.group(1), "processing_status", ("in_progress", "ended"))
        return None

    def _progress(self, name: str, key: str, states: tuple[str, str]) -> Any:
        batch = self._batches[name]
        shown = {**batch, key: states[1] if batch["reads"] else states[0]}
        batch["reads"] += 1
        shown.pop("reads")
        return shown

    def _store_file(self, headers: dict[str, str], body: bytes) -> Any:
        boundary = re.search(r"boundary=([^;]+)", headers.get("content-type", ""))
        content = body
        if boundary:
            for part in body.split(b"--" + boundary.group(1).strip('"').encode()):
                head, _, data = part.partition(b"\r\n\r\n")
                if b'name="file"' in head:
                    content = data.removesuffix(b"\r\n")
        name = f"file-{len(self._files) + 1}"
        self._files[name] = content
        return {"id": name, "object": "file", "bytes": len(content), "created_at": 1, "filename": "batch.jsonl", "purpose": "batch", "status": "processed"}

    def _create_openai(self, data: Any) -> tuple[int, Any]:
        lines = []
        for line in self._files[data["input_file_id"]].splitlines():
            one = json.loads(line)
            request = wire.read_openai(one["body"])
            answer = wire.write_openai(self._model.decide(request), request, one["body"]["model"])
            lines.append(json.dumps({"id": "b", "custom_id": one["custom_id"], "response": {"status_code": 200, "request_id": "r", "body": answer}, "error": None}))
        output = f"file-{len(self._files) + 1}"
        self._files[output] = "\n".join(lines).encode()
        name = f"batch_{len(self._batches) + 1}"
        self._model.count("batches")
        batch = {"id": name, "object": "batch", "endpoint": data["endpoint"], "input_file_id": data["input_file_id"], "completion_window": "24h", "created_at": 1, "output_file_id": output, "error_file_id": None, "status": "validating", "reads": 0}
        self._batches[name] = batch
        return 200, {key: value for key, value in batch.items() if key != "reads"}

    def _create_anthropic(self, data: Any) -> Any:
        name = f"msgbatch_{len(self._batches) + 1}"
        lines = []
        for one in data["requests"]:
            request = wire.read_anthropic(one["params"])
            message = wire.write_anthropic(self._model.decide(request), request, one["params"]["model"])
            lines.append(json.dumps({"custom_id": one["custom_id"], "result": {"type": "succeeded", "message": message}}))
        self._files[name] = "\n".join(lines).encode()
        self._model.count("batches")
        counts = {"processing": 0, "succeeded": len(lines), "errored": 0, "canceled": 0, "expired": 0}
        batch = {"id": name, "type": "message_batch", "processing_status": "in_progress", "request_counts": counts, "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-02T00:00:00Z", "ended_at": None, "archived_at": None, "cancel_initiated_at": None, "results_url": f"/v1/messages/batches/{name}/results", "reads": 0}
        self._batches[name] = batch
        return {key: value for key, value in batch.items() if key != "reads"}
