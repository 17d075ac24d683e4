"""Where spans go: address, protocol, headers and project, from arguments, the environment and the hand-off file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from ..config.settings import LOCATION, find_headers, first_setting, Source, resolve_settings, url_problem
from ..exceptions import ConfigurationError

GRPC_PORT = 4317
PROTOCOLS = ("http/protobuf", "grpc")
_PATH = "/v1/traces"
_MASKED = 4


@dataclass(frozen=True)
class Destination:
    """`headers` have lower-case names and may hold credentials; `shown` is the address without any."""

    url: str
    is_grpc: bool
    headers: Mapping[str, str]
    # What was decided for the user, for the verbose output.
    note: str = ""

    @property
    def shown(self) -> str:
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))

    @property
    def transport(self) -> str:
        return "gRPC" if self.is_grpc else "HTTP + protobuf"

    def grpc_target(self) -> tuple[str, bool]:
        """`host:port`, and whether the connection is encrypted."""
        parts = urlsplit(self.url)
        host = parts.hostname or "localhost"
        host = f"[{host}]" if ":" in host else host
        return f"{host}:{parts.port or GRPC_PORT}", parts.scheme == "https"

    def masked_headers(self) -> dict[str, str]:
        """Headers for people: values are never shown."""
        return {name: "*" * _MASKED for name in self.headers}


def resolve_destination(
    endpoint: str | None = None,
    protocol: str | None = None,
    headers: Mapping[str, str] | None = None,
    api_key: str | None = None,
) -> Destination:
    """The destination of spans. HTTP unless the protocol or the port says gRPC. ConfigurationError for unusable values."""
    if protocol not in (None, *PROTOCOLS, "infer"):
        raise ConfigurationError(f"protocol is {protocol!r}; expected 'http/protobuf', 'grpc' or None")
    wanted = None if protocol in (None, "infer") else protocol
    sent = find_headers(api_key, headers, False)
    if endpoint is not None and endpoint.strip():
        return _explicit(endpoint.strip(), wanted, sent)
    return _from_surroundings(wanted, sent)


def _explicit(endpoint: str, protocol: str | None, headers: Mapping[str, str]) -> Destination:
    problem = url_problem(endpoint)
    if problem:
        raise ConfigurationError(f"endpoint {_without_credentials(endpoint)!r} {problem}; expected something like http://localhost:6006{_PATH}")
    parts = urlsplit(endpoint)
    is_bare = parts.path in ("", "/")
    if protocol == "grpc" or protocol is None and is_bare and parts.port == grpc_port():
        return Destination(endpoint, True, headers)
    if is_bare:
        return Destination(_join(endpoint), False, headers, f"{_PATH} was added to the endpoint")
    return Destination(endpoint, False, headers)


def _from_surroundings(protocol: str | None, headers: Mapping[str, str]) -> Destination:
    source = Source(LOCATION, claims=("ENDPOINT", "COLLECTOR_ENDPOINT", "HOST", "PORT"), extra=("OTEL_EXPORTER_OTLP_ENDPOINT",))
    collector = first_setting(os.environ, "COLLECTOR_ENDPOINT") or first_setting(source.file, "COLLECTOR_ENDPOINT")
    exact = None
    if not collector and not first_setting(os.environ, "ENDPOINT"):
        exact = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "").strip() or None
    if exact and url_problem(exact) is None and protocol != "grpc":
        return Destination(exact, False, headers)
    base = collector if collector and url_problem(collector) is None else resolve_settings(None, None, None).base_url
    parts = urlsplit(base)
    if protocol == "grpc":
        return Destination(f"{parts.scheme}://{_host(parts.hostname)}:{grpc_port()}", True, headers)
    if protocol is None and parts.path in ("", "/") and parts.port == grpc_port():
        return Destination(base.rstrip("/"), True, headers, f"gRPC, because the port is {grpc_port()}")
    return Destination(_join(base), False, headers)


def grpc_port() -> int:
    """GRPC_PORT, or 4317."""
    value = first_setting(os.environ, "GRPC_PORT") or Source(("GRPC_PORT",)).get("GRPC_PORT") or ""
    if not value.strip():
        return GRPC_PORT
    if value.isascii() and value.isdigit() and 0 < int(value) < 65536:
        return int(value)
    raise ConfigurationError(f"GRPC_PORT is {value!r}; expected a number from 1 to 65535")


def _join(base: str) -> str:
    """The address of a server to that of its traces; a path that says it already stays."""
    parts = urlsplit(base)
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path if path.endswith(_PATH) else path + _PATH))


def _host(host: str | None) -> str:
    return f"[{host}]" if host and ":" in host else host or "localhost"


def _without_credentials(url: str) -> str:
    return url.rpartition("@")[2]
