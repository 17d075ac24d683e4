"""Amazon Bedrock through boto3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ...limits import CONCURRENCY_DEFAULT_MAX
from ...threads import run_in_thread
from ..contract import JSON, TOOL, Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception, error_of_status
from ..wire import bedrock_converse


class BedrockAdapter(Adapter):
    modes = (TOOL, JSON)

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        self._model = model
        if given is None:
            import boto3
            from botocore.config import Config

            arguments = {**options["both"], **options["sync"]}
            config = Config(retries={"total_max_attempts": 1}, max_pool_connections=CONCURRENCY_DEFAULT_MAX)
            given = boto3.client("bedrock-runtime", **{"config": config, **arguments})
        self._client = given
        self.address = str(getattr(getattr(given, "meta", None), "endpoint_url", "bedrock"))

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return bedrock_converse.build(self._model, request)

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        data = self._client.converse(**self.body(request))
        headers = (data.get("ResponseMetadata") or {}).get("HTTPHeaders")
        return bedrock_converse.parse(data, headers)

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        # boto3 has no async client.
        return await run_in_thread(self.send, request, timeout)

    def to_error(self, error: BaseException) -> ModelError:
        response = getattr(error, "response", None)
        if isinstance(response, Mapping):
            meta = response.get("ResponseMetadata") or {}
            code = (response.get("Error") or {}).get("Code") or ""
            status = 429 if "Throttling" in code else meta.get("HTTPStatusCode")
            return error_of_status(status, str(error), meta.get("HTTPHeaders"))
        return error_of_exception(error)
