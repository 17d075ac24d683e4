"""The two clients: `Client` blocks, `AsyncClient` awaits. Both have the same resources and methods."""

from __future__ import annotations

import functools
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import httpx

from . import __version__, limits
from .config.settings import resolve_settings
from .transport.answers import to_json
from .transport.calls import CLIENT_DEFAULT, Call, Steps, Timeout
from .transport.certificates import LateCertificates
from .transport.drivers import AsyncDriver, SyncDriver
from .transport.retry import Transport

if TYPE_CHECKING:
    from .resources.annotation_configs import AnnotationConfigs
    from .resources.base import Awaiting, Blocking
    from .resources.datasets import Datasets
    from .resources.experiments import Experiments
    from .resources.graphql import GraphQL
    from .resources.projects import Projects
    from .resources.prompts import Prompts
    from .resources.sessions import Sessions
    from .resources.spans import Spans
    from .resources.traces import Traces

M = TypeVar("M")
_TIMEOUT = httpx.Timeout(
    connect=limits.CONNECT_SECONDS, read=limits.READ_SECONDS, write=limits.WRITE_SECONDS, pool=limits.POOL_SECONDS
)


class _Clients(Generic[M]):
    """Resources of a client. They are made on first use."""

    _driver: SyncDriver | AsyncDriver

    def _use(self, http: httpx.Client | httpx.AsyncClient) -> None:
        authorization = http.headers.get("authorization", "")
        secrets = tuple(text for text in {authorization, authorization.rpartition(" ")[2]} if len(text) > 3)
        transport = Transport(build=http.build_request, base_url=str(http.base_url), secrets=secrets)
        self._driver = AsyncDriver(http, transport) if isinstance(http, httpx.AsyncClient) else SyncDriver(http, transport)
        for name in _RESOURCES:
            self.__dict__.pop(name, None)

    @property
    def base_url(self) -> str:
        """Address of the server, with a slash at the end."""
        url = self._driver.transport.base_url
        return url if url.endswith("/") else f"{url}/"

    @functools.cached_property
    def projects(self) -> Projects[M]:
        from .resources.projects import Projects

        return Projects(self._driver)

    @functools.cached_property
    def spans(self) -> Spans[M]:
        from .resources.spans import Spans

        return Spans(self._driver)

    @functools.cached_property
    def traces(self) -> Traces[M]:
        from .resources.traces import Traces

        return Traces(self._driver)

    @functools.cached_property
    def sessions(self) -> Sessions[M]:
        from .resources.sessions import Sessions

        return Sessions(self._driver)

    @functools.cached_property
    def datasets(self) -> Datasets[M]:
        from .resources.datasets import Datasets

        return Datasets(self._driver)

    @functools.cached_property
    def prompts(self) -> Prompts[M]:
        from .resources.prompts import Prompts

        return Prompts(self._driver)

    @functools.cached_property
    def experiments(self) -> Experiments[M]:
        from .resources.experiments import Experiments

        return Experiments(self._driver)

    @functools.cached_property
    def annotation_configs(self) -> AnnotationConfigs[M]:
        from .resources.annotation_configs import AnnotationConfigs

        return AnnotationConfigs(self._driver)

    @functools.cached_property
    def graphql(self) -> GraphQL[M]:
        from .resources.graphql import GraphQL

        return GraphQL(self._driver)

    def request(
        self, method: str, path: str, *, params: Mapping[str, Any] | None = None, json: Any = None, timeout: Timeout = CLIENT_DEFAULT
    ) -> Any:
        """Any call of the REST API by its path, for what has no method here: users, keys, rights, costs, the audit log.

        Returns the JSON value of the answer, or None for an answer without one. Errors are those of the other methods; a POST
        or PATCH is not repeated. Awaited of an AsyncClient.
        """
        if not path.startswith("/") or path.startswith("//"):
            raise ValueError(f"path is {path!r}; expected one that begins with /, such as /v1/projects")
        return self._driver.run(_request(self._driver.transport, Call(method.upper(), path, params, json, timeout=timeout)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    def _repr_html_(self) -> str:
        from .html import link

        return f"{type(self).__name__} of {link(self.base_url, self.base_url)}"


_RESOURCES = (
    ("projects", "spans", "traces", "sessions", "datasets", "prompts", "experiments", "annotation_configs", "graphql")
)


def _request(transport: Transport, call: Call) -> Steps[Any]:
    response = yield from transport.send(call)
    return to_json(response) if response.content else None


def _options(base_url: str | None, api_key: str | None, headers: Mapping[str, str] | None) -> dict[str, Any]:
    settings = resolve_settings(base_url, api_key, headers)
    agent = f"spandrel-client/{__version__} python/{platform.python_version()}"
    options = {"base_url": settings.base_url, "headers": {"user-agent": agent, **settings.headers}, "timeout": _TIMEOUT}
    return {**options, "verify": LateCertificates()} if settings.base_url.startswith("http://") else options


class Client(_Clients["Blocking"]):
    """Client that blocks until each answer is there.

    `base_url`, `api_key` and `headers` are found in the environment or the hand-off file when they are absent. With an
    `http_client` these three are ignored, and its address and headers are used.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self.http_client = http_client or httpx.Client(**_options(base_url, api_key, headers))
        self._driver.owns_http = http_client is None  # type: ignore[union-attr]

    @property
    def http_client(self) -> httpx.Client:
        return self._driver.http  # type: ignore[return-value]

    @http_client.setter
    def http_client(self, http_client: httpx.Client) -> None:
        self._use(http_client)

    def close(self) -> None:
        """Closes the connections and ends waiting retries."""
        self._driver.transport.closed.set()
        self.http_client.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Clients["Awaiting"]):
    """Client whose methods are awaited. Its arguments are those of `Client`."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self.http_client = http_client or httpx.AsyncClient(**_options(base_url, api_key, headers))

    @property
    def http_client(self) -> httpx.AsyncClient:
        return self._driver.http  # type: ignore[return-value]

    @http_client.setter
    def http_client(self, http_client: httpx.AsyncClient) -> None:
        self._use(http_client)

    async def close(self) -> None:
        """Closes the connections."""
        self._driver.transport.closed.set()
        await self.http_client.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
