"""One attempt to send a batch, over HTTP or gRPC, and what its answer means."""

from __future__ import annotations

import email.utils
import gzip
import importlib.util
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ... import limits
from ...exceptions import ConfigurationError
from ...transport.clock import ADVICE, clock_problem
from ..destination import Destination
from .losses import logger

_EXPORT = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
# The server understood the batch and will never take it.
_REJECTING = {400, 413, 422}
_ERRORS_OF_THE_SERVER = {500, 501, 505, 507, 508}
_REJECTING_CODES = {"INVALID_ARGUMENT", "OUT_OF_RANGE"}
_ERROR_CODES = {"INTERNAL", "UNKNOWN", "UNIMPLEMENTED", "DATA_LOSS"}


@dataclass(frozen=True)
class Outcome:
    """`state` is sent, later (keep it and try again), error (of the server, for this batch), or rejected."""

    state: str
    detail: str = ""
    retry_after: float | None = None
    rejected_spans: int = 0


class ClockCheck:
    """Warns once of each server whose clock differs from that of this machine, by its first answer."""

    # Of all processors, and of the parent of a forked process. Addresses are few.
    _warned: ClassVar[set[str]] = set()

    def __init__(self, server: str) -> None:
        self._server = server
        self._is_done = False

    def learn(self, headers: Mapping[str, str]) -> None:
        if self._is_done or "date" not in headers:
            return
        self._is_done = True
        problem = clock_problem(headers, self._server)
        if problem and self._server not in self._warned:
            self._warned.add(self._server)
            logger.warning("T%s. Times of spans are wrong: %s.", problem[1:], ADVICE)


class HttpSender:
    """OTLP over HTTP with protobuf, compressed by gzip."""

    def __init__(self, destination: Destination) -> None:
        import httpx

        self._destination = destination
        self._headers = {**destination.headers, "content-type": "application/x-protobuf", "content-encoding": "gzip"}
        timeout = httpx.Timeout(limits.TRACE_ANSWER_SECONDS, connect=limits.TRACE_CONNECT_SECONDS)
        self._clock = ClockCheck(destination.shown)
        self._http = httpx.Client(timeout=timeout, follow_redirects=False, limits=httpx.Limits(max_connections=1))

    def send(self, payload: bytes) -> Outcome:
        import httpx

        try:
            response = self._http.post(self._destination.url, content=payload, headers=self._headers)
        except httpx.TransportError as error:
            return Outcome("later", f"no answer from {self._destination.shown} ({type(error).__name__})")
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            return Outcome("later", f"{self._destination.shown} cannot be called ({type(error).__name__})")
        self._clock.learn(response.headers)
        status = response.status_code
        if 200 <= status < 300:
            if "html" in response.headers.get("content-type", ""):
                return Outcome(
                    "later",
                    f"{self._destination.shown} answers with a web page; expected a server that takes OTLP, check the endpoint",
                )
            return _accepted(response.content)
        detail = f"{self._destination.shown} answers {status}{_hint(status)}"
        if status in _REJECTING:
            return Outcome("rejected", f"{detail}: {_quote(response.text)}")
        if status in _ERRORS_OF_THE_SERVER:
            return Outcome("error", detail)
        return Outcome("later", detail, _retry_after(response.headers))

    def close(self) -> None:
        self._http.close()


class GrpcSender:
    """OTLP over gRPC. Batches are uncompressed first, because gRPC compresses on its own."""

    def __init__(self, destination: Destination) -> None:
        import grpc

        self._grpc = grpc
        self._destination = destination
        options = [("grpc.max_send_message_length", -1)]
        target, is_secure = destination.grpc_target()
        self._channel = (
            grpc.secure_channel(target, grpc.ssl_channel_credentials(), options)
            if is_secure
            else grpc.insecure_channel(target, options)
        )
        self._export = self._channel.unary_unary(_EXPORT)
        self._metadata = tuple(destination.headers.items())
        self._clock = ClockCheck(destination.shown)

    def send(self, payload: bytes) -> Outcome:
        try:
            answer, call = self._export.with_call(
                gzip.decompress(payload),
                timeout=limits.TRACE_ANSWER_SECONDS,
                metadata=self._metadata,
                compression=self._grpc.Compression.Gzip,
            )
        except self._grpc.RpcError as error:
            code = error.code().name if hasattr(error, "code") else "UNKNOWN"
            detail = f"{self._destination.shown} answers {code}"
            if code in _REJECTING_CODES:
                return Outcome("rejected", detail)
            return Outcome("error" if code in _ERROR_CODES else "later", detail)
        except ValueError as error:
            return Outcome("later", f"{self._destination.shown} cannot be called ({type(error).__name__})")
        self._clock.learn({key: value for key, value in call.initial_metadata() or () if isinstance(value, str)})
        return _accepted(answer)

    def close(self) -> None:
        self._channel.close()


def check_packages(destination: Destination) -> None:
    """ConfigurationError if gRPC is wanted and not installed: at once, not in the thread that sends."""
    if destination.is_grpc and importlib.util.find_spec("grpc") is None:
        raise ConfigurationError("gRPC needs grpcio; run: pip install 'spandrel-client[tracing-grpc]', or use HTTP")


def make_sender(destination: Destination) -> HttpSender | GrpcSender:
    return GrpcSender(destination) if destination.is_grpc else HttpSender(destination)


def _accepted(body: bytes) -> Outcome:
    """A success may name spans that the server did not take."""
    if not body:
        return Outcome("sent")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    try:
        partial = ExportTraceServiceResponse.FromString(body).partial_success
    except Exception:  # noqa: BLE001 - servers also answer a success in JSON or plain text
        return Outcome("sent")
    return Outcome("sent", _quote(partial.error_message), None, partial.rejected_spans)


def _hint(status: int) -> str:
    if status == 401:
        return ", no valid API key; set SPANDREL_API_KEY or api_key"
    if status == 403:
        return ", the API key may not write spans"
    if status in (404, 405, 415) or 300 <= status < 400:
        return ", so no OTLP server is there; expected an address that ends in /v1/traces"
    return ""


def _quote(text: str) -> str:
    return " ".join(text.split())[: limits.QUOTED_CHARACTER_COUNT_MAX]


def _retry_after(headers: Any) -> float | None:
    value = headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time()) if value else None
    except (TypeError, ValueError):
        return None
