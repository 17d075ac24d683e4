from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, List

from ..transport.calls import Call, Steps, part
from ..types import NOT_GIVEN, NotGiven
from .base import Listing, M, Resource, changes, listing, operation

if TYPE_CHECKING:
    from ..generated import api

_COLOR = "#9ca3af"


class DatasetLabels(Resource[M]):
    """Labels, by which datasets are sorted and found. Datasets are given by id or name, labels by id."""

    @listing
    def list(self) -> Listing[api.DatasetLabel]:
        """All labels, newest first."""
        return Listing(Call("GET", "/v1/dataset_labels"))

    @operation
    def get(self, *, label_id: str) -> Steps[api.DatasetLabel]:
        """One label. NotFoundError (a ValueError) if there is none."""
        return (yield from self._data(Call("GET", f"/v1/dataset_labels/{part(label_id)}")))

    @operation
    def create(self, *, name: str, color: str = _COLOR, description: str | None = None) -> Steps[api.DatasetLabel]:
        """Creates a label; `color` is `#rrggbb` in lower case. ConflictError if the name is taken."""
        body = {"name": name, "color": color, "description": description}
        return (yield from self._data(Call("POST", "/v1/dataset_labels", json=body, creates=True)))

    @operation
    def update(
        self,
        *,
        label_id: str,
        name: str | None = None,
        color: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
    ) -> Steps[api.DatasetLabel]:
        """Changes a label; a description of None clears it."""
        body = changes({"name": name, "color": color}, {"description": description})
        call = Call("PATCH", f"/v1/dataset_labels/{part(label_id)}", json=body, is_repeatable=True)
        return (yield from self._data(call))

    @operation
    def delete(self, *, label_id: str) -> Steps[None]:
        """Deletes a label from all datasets, which stay."""
        yield from self._transport.send(Call("DELETE", f"/v1/dataset_labels/{part(label_id)}"))

    @operation
    def get_of_dataset(self, *, dataset: str) -> Steps[List[api.DatasetLabel]]:
        """Labels of a dataset, newest first."""
        return (yield from self._data(Call("GET", f"/v1/datasets/{part(dataset)}/labels")))

    @operation
    def set_of_dataset(self, *, dataset: str, label_ids: Sequence[str]) -> Steps[List[api.DatasetLabel]]:
        """Gives a dataset exactly these labels, and returns them."""
        body = {"dataset_label_ids": [*label_ids]}
        return (yield from self._data(Call("PUT", f"/v1/datasets/{part(dataset)}/labels", json=body)))

    @operation
    def assign(self, *, dataset: str, label_id: str) -> Steps[None]:
        """Gives a dataset a label."""
        yield from self._transport.send(Call("PUT", f"/v1/datasets/{part(dataset)}/labels/{part(label_id)}"))

    @operation
    def unassign(self, *, dataset: str, label_id: str) -> Steps[None]:
        """Takes a label from a dataset."""
        yield from self._transport.send(Call("DELETE", f"/v1/datasets/{part(dataset)}/labels/{part(label_id)}"))
