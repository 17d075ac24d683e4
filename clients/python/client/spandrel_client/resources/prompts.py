from __future__ import annotations

import threading
import warnings
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, List

from ..exceptions import ConnectionFailed, NotFoundError, StatusError
from ..limits import PROMPT_CACHE_COUNT_MAX
from ..prompts.version import PromptVersion
from ..transport.calls import Call, Steps, part
from ..transport.drivers import Driver
from ..types import NOT_GIVEN, NotGiven
from .base import Listing, M, Resource, listing, operation

if TYPE_CHECKING:
    from ..generated import api


class Prompts(Resource[M]):
    """Prompts: named, versioned templates of messages."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._last: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def tags(self) -> PromptTags[M]:
        return PromptTags(self._driver)

    @operation
    def get(
        self,
        *,
        prompt_version_id: str | None = None,
        prompt_identifier: str | None = None,
        tag: str | None = None,
    ) -> Steps[PromptVersion]:
        """A version by its id, the version of a tag, or the latest of a prompt. NotFoundError (a ValueError) if there is none.

        While the server does not answer, the version that this client last got for the same arguments is returned with a
        warning, so that a server that is down stops no application.
        """
        if (prompt_version_id is None) == (prompt_identifier is None):
            raise ValueError("expected exactly one of prompt_version_id, prompt_identifier")
        prompt = prompt_identifier or ""
        if prompt_version_id is not None:
            call = Call("GET", f"/v1/prompt_versions/{part(prompt_version_id)}")
            what = f"prompt version {prompt_version_id!r}"
        elif tag is not None:
            call = Call("GET", f"/v1/prompts/{part(prompt)}/tags/{part(tag)}")
            what = f"prompt {prompt!r} with a version of the tag {tag!r}"
        else:
            call = Call("GET", f"/v1/prompts/{part(prompt)}/latest")
            what = f"prompt {prompt!r}"
        try:
            return PromptVersion.from_dict((yield from self._cached(call)))
        except NotFoundError as error:
            fields: Any = {"detail": error.detail, "code": error.code, "request_id": error.request_id}
            raise NotFoundError(f"there is no {what} ({error})", request=error.request, response=error.response, **fields) from None

    def _cached(self, call: Call) -> Steps[dict[str, Any]]:
        key = call.path
        try:
            data = yield from self._data(call)
        except (ConnectionFailed, StatusError) as error:
            is_away = isinstance(error, ConnectionFailed) or error.status >= 500 or error.status == 429
            known = self._last.get(key)
            if not is_away or known is None:
                raise
            warnings.warn(f"an earlier answer is used, because the server does not answer: {error}", stacklevel=2)
            return known
        with self._lock:
            self._last[key] = data
            self._last.move_to_end(key)
            while len(self._last) > PROMPT_CACHE_COUNT_MAX:
                self._last.popitem(last=False)
        return data

    @operation
    def create(
        self,
        *,
        version: PromptVersion,
        name: str,
        prompt_description: str | None = None,
        prompt_metadata: Mapping[str, Any] | None = None,
    ) -> Steps[PromptVersion]:
        """Creates a prompt, or a further version of the prompt of that name."""
        prompt: dict[str, Any] = {"name": name}
        if prompt_description is not None:
            prompt["description"] = prompt_description
        if prompt_metadata is not None:
            prompt["metadata"] = prompt_metadata
        body = {"prompt": prompt, "version": version.to_dict()}
        return PromptVersion.from_dict((yield from self._data(Call("POST", "/v1/prompts", json=body, creates=True))))

    @operation
    def update(
        self,
        *,
        prompt_identifier: str,
        prompt_description: str | None | NotGiven = NOT_GIVEN,
        prompt_metadata: Mapping[str, Any] | None | NotGiven = NOT_GIVEN,
    ) -> Steps[api.UpdatePromptResponseData]:
        """Replaces description and metadata of a prompt; None clears one."""
        body: dict[str, Any] = {}
        if not isinstance(prompt_description, NotGiven):
            body["description"] = prompt_description
        if not isinstance(prompt_metadata, NotGiven):
            body["metadata"] = prompt_metadata if prompt_metadata is not None else {}
        if not body:
            raise ValueError("expected prompt_description or prompt_metadata")
        yield from self._transport.require("changing a prompt", "19.18.0")
        call = Call("PATCH", f"/v1/prompts/{part(prompt_identifier)}", json=body, is_repeatable=True)
        return (yield from self._data(call))

    @operation
    def delete(self, *, prompt_identifier: str) -> Steps[None]:
        """Deletes a prompt with its versions and tags. NotFoundError (a ValueError) if there is none."""
        yield from self._transport.require("deleting a prompt", "13.20.0")
        yield from self._transport.send(Call("DELETE", f"/v1/prompts/{part(prompt_identifier)}"))

    @listing
    def list(self) -> Listing[api.Prompt]:
        """All prompts, newest first."""
        return Listing(Call("GET", "/v1/prompts"))

    @listing
    def versions(self, *, prompt_identifier: str) -> Listing[PromptVersion]:
        """Versions of a prompt, newest first."""
        call = Call("GET", f"/v1/prompts/{part(prompt_identifier)}/versions")
        return Listing(call, convert=PromptVersion.from_dict)

    @operation
    def compare_versions(self, *, base_version_id: str, prompt_version_id: str) -> Steps[List[api.PromptDifference]]:
        """Differences of a version to a base, which may be of another prompt: `path`, `kind`, `before`, `after`."""
        params = {"base": base_version_id}
        return (yield from self._data(Call("GET", f"/v1/prompt_versions/{part(prompt_version_id)}/diff", params=params)))


class PromptTags(Resource[M]):
    """Tags of prompt versions."""

    @operation
    def create(self, *, prompt_version_id: str, name: str, description: str | None = None) -> Steps[None]:
        """Gives a version a tag. A tag of that name moves from another version of the prompt."""
        body = {"name": name, **({"description": description} if description is not None else {})}
        call = Call("POST", f"/v1/prompt_versions/{part(prompt_version_id)}/tags", json=body, is_repeatable=True)
        yield from self._transport.send(call)

    @listing
    def list(self, *, prompt_version_id: str) -> Listing[api.PromptVersionTag]:
        """Tags of a version."""
        return Listing(Call("GET", f"/v1/prompt_versions/{part(prompt_version_id)}/tags"))

    @operation
    def delete(self, *, prompt_version_id: str, name: str) -> Steps[None]:
        """Removes a tag from the prompt of a version."""
        call = Call("DELETE", f"/v1/prompt_versions/{part(prompt_version_id)}/tags/{part(name)}")
        yield from self._transport.send(call)
