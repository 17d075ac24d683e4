"""Where the server is, how to sign in, and which project is meant: arguments, environment, hand-off file."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from ..exceptions import ConfigurationError
from .handoff import PREFIXES, read_handoff_file

LOCATION = ("ENDPOINT", "COLLECTOR_ENDPOINT", "BASE_URL", "HOST", "PORT")
_CREDENTIALS = ("API_KEY", "CLIENT_HEADERS")
_PROJECT = ("PROJECT", "PROJECT_NAME")
_TRACES_PATH = re.compile(r"/v1/traces/?(?=$|[?#])")
DEFAULT_PORT = 6006


@dataclass(frozen=True)
class Settings:
    """What a client needs to call a server. `base_url` ends with a slash."""

    base_url: str
    headers: dict[str, str]


class Source:
    """Settings of one group: the process environment, or the hand-off file if the environment has none of the group."""

    def __init__(self, names: Iterable[str], claims: Iterable[str] = (), extra: Iterable[str] = ()) -> None:
        process = {name: value.strip() for name, value in os.environ.items() if value.strip()}
        claiming = {f"{prefix}{name}" for prefix in PREFIXES for name in (tuple(claims) or tuple(names))}
        self.file = read_handoff_file()
        self.claimed = any(name in process for name in claiming) or any(name in process for name in extra)
        self._process = process

    def get(self, name: str) -> str | None:
        return first_setting(self._process, name) or (None if self.claimed else first_setting(self.file, name))

    def get_bare(self, name: str) -> str | None:
        return self._process.get(name)


def first_setting(values: Mapping[str, str], name: str) -> str | None:
    for prefix in PREFIXES:
        if f"{prefix}{name}" in values:
            return values[f"{prefix}{name}"]
    return None


def resolve_settings(base_url: str | None, api_key: str | None, headers: Mapping[str, str] | None) -> Settings:
    """Settings of a client from its arguments and its surroundings.

    Raises ConfigurationError for an address or a port that cannot be used.
    """
    url, from_file = _find_url(base_url)
    return Settings(url.rstrip("/") + "/", find_headers(api_key, headers, from_file))


def _find_url(explicit: str | None) -> tuple[str, bool]:
    if explicit is not None and explicit.strip():
        problem = url_problem(explicit.strip())
        if problem:
            raise ConfigurationError(f"base_url {explicit!r} {problem}; expected something like http://localhost:6006")
        return explicit.strip(), False
    # The base URL alone is a name for compatibility, and does not hide the file.
    source = Source(LOCATION, claims=("ENDPOINT", "COLLECTOR_ENDPOINT", "HOST", "PORT"), extra=("OTEL_EXPORTER_OTLP_ENDPOINT",))
    in_file = first_setting(source.file, "ENDPOINT")
    has_endpoint = first_setting(os.environ, "ENDPOINT")
    candidates: list[tuple[str, str | None, bool]] = [("ENDPOINT", source.get("ENDPOINT"), not source.claimed and not has_endpoint)]
    if in_file and not has_endpoint:
        candidates.append(("ENDPOINT of the hand-off file", in_file, True))
    for name, value in (
        ("COLLECTOR_ENDPOINT", source.get("COLLECTOR_ENDPOINT")),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", source.get_bare("OTEL_EXPORTER_OTLP_ENDPOINT")),
    ):
        candidates.append((name, value and _TRACES_PATH.sub("", value), not source.claimed))
    candidates.append(("BASE_URL", source.get("BASE_URL"), not source.claimed))
    for name, value, is_from_file in candidates:
        if not value or not value.strip():
            continue
        problem = url_problem(value.strip())
        if problem is None:
            return value.strip(), is_from_file
        warnings.warn(f"{name} is ignored: {value!r} {problem}", stacklevel=5)
    port = _find_port(source)
    host = source.get("HOST")
    if not host:
        return f"http://127.0.0.1:{port}", False
    if host.startswith(("http://", "https://")):
        return host, not source.claimed
    host = "127.0.0.1" if host == "0.0.0.0" else host
    return (f"http://{host}" if ":" in host else f"http://{host}:{port}"), not source.claimed


def url_problem(url: str) -> str | None:
    """Why the text is no address of a server; None if it is one."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for a port that is no number
    except ValueError as error:
        return f"is no URL ({error})"
    if parts.scheme not in ("http", "https"):
        return "does not start with http:// or https://"
    if any(character.isspace() for character in url):
        return "contains a space"
    return None if parts.hostname else "has no host"


def _find_port(source: Source) -> int:
    value = source.get("PORT")
    if value is None:
        return DEFAULT_PORT
    if value.isascii() and value.isdigit() and 0 < int(value) < 65536:
        return int(value)
    if first_setting(os.environ, "PORT") is None:
        warnings.warn(f"PORT of the hand-off file is ignored: {value!r} is no port", stacklevel=6)
        return DEFAULT_PORT
    raise ConfigurationError(f"PORT is {value!r}; expected a number from 1 to 65535")


def find_headers(api_key: str | None, explicit: Mapping[str, str] | None, is_url_from_file: bool) -> dict[str, str]:
    source = Source(_CREDENTIALS)
    headers = parse_headers(source.get("CLIENT_HEADERS") or "")
    key = source.get("API_KEY")
    if key and "authorization" not in headers:
        headers["authorization"] = f"Bearer {key}"
    if api_key:
        headers["authorization"] = f"Bearer {api_key}"
    for name, value in (explicit or {}).items():
        headers[name.lower()] = value
    if is_url_from_file and (api_key or explicit or source.claimed) and "authorization" in headers:
        warnings.warn("a credential of this process is sent to the address of a hand-off file", stacklevel=5)
    for name, value in headers.items():
        if "\n" in value or "\r" in value or not value.isprintable():
            raise ConfigurationError(f"the header {name} has characters that cannot be sent; check the credential's source")
    return headers


def parse_headers(text: str) -> dict[str, str]:
    """Headers from `k=v,k2=v2` with percent-encoded values, or from a JSON object of texts. Names are lowercased."""
    if text.lstrip().startswith("{"):
        try:
            parsed = json.loads(text)
        except ValueError:
            warnings.warn("CLIENT_HEADERS is ignored: it starts like a JSON object and is none", stacklevel=6)
            return {}
        return {str(name).lower(): value for name, value in parsed.items() if isinstance(value, str)}
    headers: dict[str, str] = {}
    for number, entry in enumerate(text.split(",")):
        if not entry.strip():
            continue
        name, equals, value = entry.partition("=")
        if not equals or not name.strip():
            # The entry itself may be a credential.
            warnings.warn(f"entry {number + 1} of CLIENT_HEADERS is ignored: it is not name=value", stacklevel=6)
            continue
        headers[unquote(name.strip()).lower()] = unquote(value.strip())
    return headers


def resolve_project(explicit: str | None = None) -> str:
    """Name of the project: argument, PROJECT, PROJECT_NAME, hand-off file, `default`."""
    if explicit:
        return explicit
    source = Source(_PROJECT)
    project, name = source.get("PROJECT"), source.get("PROJECT_NAME")
    if project and name and project != name:
        warnings.warn("PROJECT and PROJECT_NAME differ; PROJECT is used", stacklevel=3)
    return project or name or "default"
