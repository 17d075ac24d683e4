"""Operations of resources. Each is written once, as steps, and bound to a client that blocks or to one that awaits.

Type checkers know the result of each method: `M` of a resource says which client it is of.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, overload

from ..exceptions import UnexpectedAnswer
from ..limits import PAGE_COUNT_MAX, PAGE_ROW_COUNT_MAX
from ..transport.calls import Call, Steps
from ..transport.drivers import AsyncDriver, Driver, SyncDriver
from ..transport.retry import Transport
from ..types import NotGiven

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")
else:
    # At run time only the names are needed.
    P = TypeVar("P")
T = TypeVar("T")


class Blocking:
    """Of a Client, for type checkers."""


class Awaiting:
    """Of an AsyncClient, for type checkers."""


M = TypeVar("M")


class Resource(Generic[M]):
    """One noun of the API, for one client."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    @property
    def _transport(self) -> Transport:
        return self._driver.transport

    def _json(self, call: Call) -> Steps[Any]:
        return self._transport.json(call)

    def _data(self, call: Call) -> Steps[Any]:
        """The `data` of an answer."""
        answer = yield from self._transport.json(call)
        if not isinstance(answer, dict) or "data" not in answer:
            raise UnexpectedAnswer(f"{call.method} {call.path}: expected an object with data, got something else; check base_url")
        return answer["data"]


class operation(Generic[P, T]):
    """A method written as steps. The bound method blocks and returns the result, or is to be awaited."""

    def __init__(self, function: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self.function = function
        functools.update_wrapper(self, function)  # type: ignore[arg-type]

    @overload
    def __get__(self, resource: None, owner: type) -> operation[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Blocking], owner: type) -> BlockingOperation[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Awaiting], owner: type) -> AwaitedOperation[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Any], owner: type) -> BoundOperation[P, T]: ...

    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        return BoundOperation(self.function, resource) if resource is not None else self


class BoundOperation(Generic[P, T]):
    """An operation of one resource. `steps` makes its steps for another operation."""

    def __init__(self, function: Callable[..., Any], resource: Resource[Any]) -> None:
        self._function = function
        self._resource = resource
        functools.update_wrapper(self, function)
        self.__wrapped__ = function.__get__(resource)

    def __call__(self, *positional: P.args, **arguments: P.kwargs) -> Any:
        return self._resource._driver.run(self.steps(*positional, **arguments))

    def steps(self, *positional: P.args, **arguments: P.kwargs) -> Steps[T]:
        made: Steps[T] = self._function(self._resource, *positional, **arguments)
        return made

    def __repr__(self) -> str:
        return f"<{self._function.__qualname__}{inspect.signature(self.__wrapped__)}>"


if TYPE_CHECKING:

    class BlockingOperation(BoundOperation[P, T]):
        """Returns the result."""

        def __call__(self, *positional: P.args, **arguments: P.kwargs) -> T: ...

    class AwaitedOperation(BoundOperation[P, T]):
        """Returns what gives the result when it is awaited."""

        def __call__(self, *positional: P.args, **arguments: P.kwargs) -> Coroutine[Any, Any, T]: ...


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list. `next_cursor` is None on the last."""

    data: list[T]
    next_cursor: str | None

    def __iter__(self) -> Iterator[T]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True)
class Listing(Generic[T]):
    """How a list is read: its call, the most items of all pages, the items of a page (None: the server's choice)."""

    call: Call
    limit: int | None = None
    page_size: int | None = PAGE_ROW_COUNT_MAX
    convert: Callable[[Any], T] | None = None

    def page(self, transport: Transport, cursor: str | None, size: int | None) -> Steps[Page[T]]:
        params: dict[str, Any] = {**(self.call.params or {}), "cursor": cursor, "limit": size}
        answer = yield from transport.json(replace(self.call, params=params))
        if not isinstance(answer, Mapping) or not isinstance(answer.get("data"), list):
            raise UnexpectedAnswer(f"{self.call.method} {self.call.path}: expected a page, got something else; check base_url")
        data = [self.convert(item) for item in answer["data"]] if self.convert else answer["data"]
        return Page(data, answer.get("next_cursor") or None)


class _Walk:
    """Position in a list whose pages are read one after another."""

    def __init__(self, listing: Listing[Any]) -> None:
        self.listing = listing
        self.rest = listing.limit
        self.cursor: str | None = None
        self.pages = 0
        self.is_over = listing.limit is not None and listing.limit <= 0

    def next(self, transport: Transport) -> Steps[list[Any]]:
        size = self.listing.page_size
        if self.rest is not None:
            size = min(size or PAGE_ROW_COUNT_MAX, self.rest)
        page: Page[Any] = yield from self.listing.page(transport, self.cursor, size)
        data = page.data if self.rest is None else page.data[: self.rest]
        if self.rest is not None:
            self.rest -= len(data)
        self.pages += 1
        if page.next_cursor == self.cursor and self.cursor is not None or self.pages > PAGE_COUNT_MAX:
            raise UnexpectedAnswer(f"GET {self.listing.call.path}: the pages do not end; try again")
        self.cursor = page.next_cursor
        self.is_over = not page.next_cursor or not page.data or self.rest == 0
        return data


class listing(Generic[P, T]):
    """A method that makes a Listing, alone or at the end of steps. The bound method is a BoundListing."""

    def __init__(self, function: Callable[Concatenate[Any, P], Union[Listing[T], Steps[Listing[T]]]]) -> None:
        self.function = function
        functools.update_wrapper(self, function)  # type: ignore[arg-type]

    @overload
    def __get__(self, resource: None, owner: type) -> listing[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Blocking], owner: type) -> BlockingListing[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Awaiting], owner: type) -> AwaitedListing[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Any], owner: type) -> BoundListing[P, T]: ...

    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        return BoundListing(self.function, resource) if resource is not None else self


class BoundListing(BoundOperation[P, list[T]]):
    """A list of a resource: called, all of its items; `iter` reads page after page; `page` gives one page."""

    def __call__(self, *positional: P.args, **arguments: P.kwargs) -> Any:
        if self._resource._driver.is_async:
            return AsyncList(self, positional, arguments)
        return super().__call__(*positional, **arguments)

    def steps(self, *positional: P.args, **arguments: P.kwargs) -> Steps[list[T]]:
        walk = _Walk((yield from self._listing(positional, arguments)))
        items: list[T] = []
        while not walk.is_over:
            items.extend((yield from walk.next(self._resource._transport)))
        return items

    def iter(self, *positional: P.args, **arguments: P.kwargs) -> Any:
        """Iterator over all items, which holds one page at a time; of an AsyncClient for `async for`."""
        driver = self._resource._driver
        if isinstance(driver, AsyncDriver):
            return self._iter_async(driver, positional, arguments)
        return self._iter_sync(driver, positional, arguments)

    def page(self, *positional: Any, cursor: str | None = None, page_size: int | None = None, **arguments: Any) -> Any:
        """One page, from a cursor on."""

        def steps() -> Steps[Page[Any]]:
            found: Listing[Any] = yield from self._listing(positional, arguments)
            return (yield from found.page(self._resource._transport, cursor, page_size or found.page_size))

        return self._resource._driver.run(steps())

    def _listing(self, positional: tuple[Any, ...], arguments: dict[str, Any]) -> Steps[Listing[Any]]:
        made = self._function(self._resource, *positional, **arguments)
        return (yield from made) if inspect.isgenerator(made) else made

    def _iter_sync(self, driver: SyncDriver, positional: tuple[Any, ...], arguments: dict[str, Any]) -> Iterator[Any]:
        walk = _Walk(driver.run(self._listing(positional, arguments)))
        while not walk.is_over:
            yield from driver.run(walk.next(driver.transport))

    async def _iter_async(
        self, driver: AsyncDriver, positional: tuple[Any, ...], arguments: dict[str, Any]
    ) -> AsyncIterator[Any]:
        walk = _Walk(await driver.run(self._listing(positional, arguments)))
        while not walk.is_over:
            for item in await driver.run(walk.next(driver.transport)):
                yield item


if TYPE_CHECKING:

    class BlockingListing(BoundListing[P, T]):
        """Returns all items."""

        def __call__(self, *positional: P.args, **arguments: P.kwargs) -> list[T]: ...

        def iter(self, *positional: P.args, **arguments: P.kwargs) -> Iterator[T]: ...

        def page(self, *positional: Any, cursor: str | None = None, page_size: int | None = None, **arguments: Any) -> Page[T]: ...

    class AwaitedListing(BoundListing[P, T]):
        """Returns what gives all items when it is awaited, and page after page to `async for`."""

        def __call__(self, *positional: P.args, **arguments: P.kwargs) -> AsyncList[T]: ...

        def iter(self, *positional: P.args, **arguments: P.kwargs) -> AsyncIterator[T]: ...

        def page(
            self, *positional: Any, cursor: str | None = None, page_size: int | None = None, **arguments: Any
        ) -> Coroutine[Any, Any, Page[T]]: ...


class AsyncList(Generic[T]):
    """List of an AsyncClient: `await` gives all items, `async for` reads page after page."""

    def __init__(self, bound: BoundListing[Any, T], positional: tuple[Any, ...], arguments: dict[str, Any]) -> None:
        self._bound = bound
        self._positional = positional
        self._arguments = arguments

    def __await__(self) -> Generator[Any, None, list[T]]:
        items: Generator[Any, None, list[T]] = BoundOperation.__call__(self._bound, *self._positional, **self._arguments).__await__()
        return items

    def __aiter__(self) -> AsyncIterator[T]:
        items: AsyncIterator[T] = self._bound.iter(*self._positional, **self._arguments)
        return items


def changes(fields: Mapping[str, Any], clearable: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Body of a change: fields that are not None, and those of `clearable` that were given, which None clears. ValueError for none."""
    given = {name: value for name, value in fields.items() if value is not None}
    given |= {name: value for name, value in (clearable or {}).items() if not isinstance(value, NotGiven)}
    if not given:
        *others, last = [*fields, *(clearable or {})]
        raise ValueError(f"nothing to change; expected {', '.join(others)} or {last}")
    return given


def exactly_one(**choices: Any) -> tuple[str, Any]:
    """The one argument that was given. ValueError if none or several were."""
    given = [(name, value) for name, value in choices.items() if value is not None]
    if len(given) != 1:
        raise ValueError(f"expected exactly one of {', '.join(choices)}, got {len(given)}")
    return given[0]


def one_of(project_id: str | None, project_name: str | None) -> str:
    return exactly_one(project_id=project_id, project_name=project_name)[1]
