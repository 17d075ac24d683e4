"""Marked tests as examples of datasets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .settings import Marker, Settings

REPETITION = "spandrel_repetition"
# In brackets of a node id, alone or after other parameters.
_TOKEN = re.compile(r"(?:-?)sprep\d+(?=[\]-])")


@dataclass(frozen=True)
class Suite:
    """Tests of one dataset as they were collected. `examples` are as `create_dataset` takes them."""

    name: str
    examples: Sequence[Mapping[str, Any]]
    dataset_description: str | None
    experiment_description: str | None
    metadata: Mapping[str, Any]
    repetitions: int
    # Whether tests of the dataset were left out, so that its other examples stay.
    is_partial: bool


def suite_of(config: Any, name: str, items: list[tuple[Any, Marker]]) -> Suite:
    """The suite of marked tests. Values of markers that differ are a usage error."""
    examples: dict[str, dict[str, Any]] = {}
    for item, _ in items:
        node_id = base_id(item.nodeid)
        examples[node_id] = {"id": node_id, "input": input_of(item), "output": {}, "metadata": {"pytest_nodeid": node_id}}
    markers = [marker for _, marker in items]
    counts = [repetition_of(item) for item, _ in items]
    return Suite(
        name=name,
        examples=list(examples.values()),
        dataset_description=_agreed(name, "dataset_description", markers),
        experiment_description=_agreed(name, "experiment_description", markers),
        metadata=_agreed(name, "experiment_metadata", markers) or {},
        repetitions=max(counts, default=1),
        is_partial=_is_partial(config),
    )


def dataset_of(settings: Settings, item: Any, marker: Marker) -> str:
    """Name of the dataset of a test: the setting, the marker, or the path of its file without `.py`."""
    if settings.dataset or marker.dataset:
        return settings.dataset or marker.dataset or ""
    path = Path(str(item.path))
    root = Path(str(item.config.rootpath))
    relative = path.relative_to(root) if path.is_relative_to(root) else path
    return relative.with_suffix("").as_posix()


def _is_partial(config: Any) -> bool:
    option = config.option
    chosen = [getattr(option, name, None) for name in ("keyword", "markexpr", "lf", "failedfirst", "deselect")]
    arguments = config.args
    return any(chosen) or any("::" in one or Path(one.partition("::")[0]).is_file() for one in arguments)


def repetition_of(item: Any) -> int:
    spec = getattr(item, "callspec", None)
    return int(spec.params.get(REPETITION, 1)) if spec is not None else 1


def base_id(node_id: str) -> str:
    """The node id without the token of the repetition."""
    head, bracket, parameters = node_id.partition("[")
    if not bracket:
        return node_id
    rest = _TOKEN.sub("", bracket + parameters).replace("[-", "[", 1)
    return head if rest == "[]" else head + rest


def input_of(item: Any) -> dict[str, Any]:
    """The parameters of a test, without that of the repetition."""
    from ..frames.values import to_json_value

    spec = getattr(item, "callspec", None)
    return {name: to_json_value(value) for name, value in spec.params.items() if name != REPETITION} if spec is not None else {}


def _agreed(dataset: str, name: str, markers: list[Marker]) -> Any:
    """The value that markers of one dataset give. Different ones are a usage error."""
    values = [getattr(marker, name) for marker in markers if getattr(marker, name) is not None]
    if any(value != values[0] for value in values):
        raise pytest.UsageError(f"tests of the dataset {dataset!r} give different values of {name}; expected one")
    return values[0] if values else None
