from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, List

from ..transport.calls import Call, Steps, part
from .base import Listing, M, Resource, listing, operation

if TYPE_CHECKING:
    from ..generated import api


class AnnotationConfigs(Resource[M]):
    """Annotation configs: which labels or scores annotations of a name have."""

    @listing
    def list(self) -> Listing[api.AnnotationConfig]:
        """All annotation configs, newest first."""
        return Listing(Call("GET", "/v1/annotation_configs"))

    @operation
    def get(self, *, config_identifier: str) -> Steps[api.AnnotationConfig]:
        """One config by id or by name."""
        return (yield from self._data(Call("GET", f"/v1/annotation_configs/{part(config_identifier)}")))

    @operation
    def create(self, *, config: Mapping[str, Any]) -> Steps[api.AnnotationConfig]:
        """Creates a config from its fields; `type` is CATEGORICAL, CONTINUOUS or FREEFORM."""
        return (yield from self._data(Call("POST", "/v1/annotation_configs", json=config, creates=True)))

    @operation
    def replace(self, *, config_id: str, config: Mapping[str, Any]) -> Steps[api.AnnotationConfig]:
        """Replaces every field of a config."""
        return (yield from self._data(Call("PUT", f"/v1/annotation_configs/{part(config_id)}", json=config)))

    @operation
    def delete(self, *, config_id: str) -> Steps[api.AnnotationConfig]:
        """Deletes a config; returns it. Annotations stay."""
        return (yield from self._data(Call("DELETE", f"/v1/annotation_configs/{part(config_id)}")))

    @operation
    def get_of_project(self, *, project_identifier: str) -> Steps[List[api.AnnotationConfig]]:
        """Configs that are assigned to a project."""
        return (yield from self._data(Call("GET", f"/v1/projects/{part(project_identifier)}/annotation_configs")))

    @operation
    def set_of_project(self, *, project_identifier: str, config_ids: Sequence[str]) -> Steps[List[api.AnnotationConfig]]:
        """Assigns exactly these configs to a project, and returns them."""
        body = {"annotation_config_ids": [*config_ids]}
        return (yield from self._data(Call("PUT", f"/v1/projects/{part(project_identifier)}/annotation_configs", json=body)))

    @operation
    def assign(self, *, project_identifier: str, config_identifier: str) -> Steps[None]:
        """Assigns a config to a project."""
        project, config = part(project_identifier), part(config_identifier)
        yield from self._transport.send(Call("PUT", f"/v1/projects/{project}/annotation_configs/{config}"))

    @operation
    def unassign(self, *, project_identifier: str, config_identifier: str) -> Steps[None]:
        """Takes a config from a project."""
        project, config = part(project_identifier), part(config_identifier)
        yield from self._transport.send(Call("DELETE", f"/v1/projects/{project}/annotation_configs/{config}"))
