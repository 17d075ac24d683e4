from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ..datasets.dataset import Dataset
from ..transport.calls import Call, Steps, Timeout
from .base import M, Resource

_EXPECTED = "expected a dataset as its id, its name, a Dataset, or a dict with one of id, name"


class DatasetReference(Resource[M]):
    """How a dataset is named: by id, name, Dataset or dict."""

    def _resolve(self, dataset: Any, timeout: Timeout) -> Steps[tuple[str, str | None]]:
        """Id and, if it is known, name of a dataset. ValueError if no dataset or several have the name."""
        if isinstance(dataset, Dataset):
            return dataset.id, dataset._name
        if isinstance(dataset, Mapping):
            if dataset.get("id"):
                return dataset["id"], dataset.get("name")
            dataset = dataset.get("name")
        if not isinstance(dataset, str) or not dataset:
            raise ValueError(_EXPECTED)
        if is_dataset_id(dataset):
            return dataset, None
        found = yield from self._data(Call("GET", "/v1/datasets", params={"name": dataset}, timeout=timeout))
        if len(found) != 1:
            raise ValueError(f"{'no dataset has' if not found else 'several datasets have'} the name {dataset!r}")
        return found[0]["id"], dataset


def is_dataset_id(text: str) -> bool:
    try:
        return base64.b64decode(text, validate=True).startswith(b"Dataset:")
    except ValueError:
        return False


def id_of(dataset: Any) -> str:
    """Id of a Dataset or a dict. ValueError for anything else."""
    found = dataset.id if isinstance(dataset, Dataset) else dataset.get("id") if isinstance(dataset, Mapping) else None
    if not isinstance(found, str):
        raise ValueError(_EXPECTED)
    return found
