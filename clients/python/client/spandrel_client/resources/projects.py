from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..transport.calls import Call, Steps, part
from .base import Listing, M, Resource, listing, one_of, operation

if TYPE_CHECKING:
    from ..generated import api


class Projects(Resource[M]):
    """Projects: named sets of traces."""

    @operation
    def get(self, *, project_id: str | None = None, project_name: str | None = None) -> Steps[api.Project]:
        """One project by id or by name. NotFoundError if there is none."""
        return (yield from self._data(Call("GET", f"/v1/projects/{part(one_of(project_id,project_name))}")))

    @listing
    def list(self, *, name_contains: str | None = None) -> Listing[api.Project]:
        """All projects, newest first, or those whose name contains a text in any case."""
        return Listing(Call("GET", "/v1/projects", params={"name_contains": name_contains}))

    @operation
    def create(self, *, name: str, description: str | None = None) -> Steps[api.Project]:
        """Creates a project. ConflictError if the name is taken."""
        body: dict[str, Any] = {"name": name}
        if description is not None:
            body["description"] = description
        return (yield from self._data(Call("POST", "/v1/projects", json=body, creates=True)))

    @operation
    def update(
        self, *, project_id: str | None = None, project_name: str | None = None, description: str | None
    ) -> Steps[api.Project]:
        """Replaces the description."""
        if description is None:
            raise ValueError("description is None; expected a text")
        body = {"description": description}
        return (yield from self._data(Call("PUT", f"/v1/projects/{part(one_of(project_id,project_name))}", json=body)))

    @operation
    def delete(self, *, project_id: str | None = None, project_name: str | None = None) -> Steps[None]:
        """Deletes a project with its traces, sessions and annotations."""
        yield from self._transport.send(Call("DELETE", f"/v1/projects/{part(one_of(project_id,project_name))}"))

