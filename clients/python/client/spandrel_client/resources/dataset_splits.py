from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..transport.calls import Call, Steps, part
from .base import M, Resource, operation

if TYPE_CHECKING:
    from ..generated import api


class DatasetSplits(Resource[M]):
    """Splits of a dataset: named sets of its examples."""

    @operation
    def create_split(
        self, *, dataset: str, name: str, example_ids: Sequence[str] = (), description: str | None = None
    ) -> Steps[api.DatasetSplit]:
        """Creates a split with examples of a dataset, given by id or name."""
        body = {"name": name, "example_ids": [*example_ids], **({"description": description} if description else {})}
        return (yield from self._data(Call("POST", f"/v1/datasets/{part(dataset)}/splits", json=body, creates=True)))

    @operation
    def update_split(
        self,
        *,
        dataset: str,
        split_id: str,
        name: str | None = None,
        add_example_ids: Sequence[str] = (),
        remove_example_ids: Sequence[str] = (),
    ) -> Steps[api.DatasetSplit]:
        """Renames a split, adds examples and removes examples."""
        body: dict[str, Any] = {"add_example_ids": [*add_example_ids], "remove_example_ids": [*remove_example_ids]}
        if name is not None:
            body["name"] = name
        call = Call("PATCH", f"/v1/datasets/{part(dataset)}/splits/{part(split_id)}", json=body, is_repeatable=True)
        return (yield from self._data(call))

    @operation
    def delete_split(self, *, dataset: str, split_id: str) -> Steps[None]:
        """Deletes a split from all datasets. Its examples stay."""
        yield from self._transport.send(Call("DELETE", f"/v1/datasets/{part(dataset)}/splits/{part(split_id)}"))
