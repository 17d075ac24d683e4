"""Dataset handle: its examples are fetched when they are looked at."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..html import Html, grid, link, table
from ..limits import SHOWN_CHARACTER_COUNT_MAX, SHOWN_EXAMPLE_COUNT

if TYPE_CHECKING:
    from ..generated import api

Example = dict
_REQUIRED = ("id", "name", "version_id", "examples")
_PARTS = ("input", "output", "metadata")


class Dataset:
    """A version of a dataset.

    Fields that are not known yet (examples, description, counts) are read from the server on first use, once. A dataset
    of an AsyncClient reads them with `await dataset.load()`, or has them already from `get_dataset`.
    """

    def __init__(
        self,
        *,
        id: str,
        name: str | None = None,
        version_id: str | None = None,
        info: Mapping[str, Any] | None = None,
        examples: Sequence[Mapping[str, Any]] | None = None,
        filtered_splits: Sequence[str] = (),
        load: Callable[[], tuple[Mapping[str, Any], Mapping[str, Any]]] | None = None,
        upload: Mapping[str, Any] | None = None,
        is_async: bool = False,
        base_url: str = "",
    ) -> None:
        self.id = id
        self._name = name
        self._version_id = version_id
        self._info = dict(info) if info is not None else None
        self._examples: list[Any] | None = list(examples) if examples is not None else None
        self._splits = list(filtered_splits)
        self._load = load
        self._is_async = is_async
        self._base_url = base_url
        # Counts of the upload that made this handle: num_created_examples and so on.
        self.upload = dict(upload or {})

    def _ensure(self) -> None:
        """Reads what is missing. RuntimeError for a dataset that an AsyncClient has not loaded."""
        if self._info is not None and self._examples is not None:
            return
        if self._load is None or self._is_async:
            if self._examples is None:
                raise RuntimeError("the examples are not loaded; run: await dataset.load()")
            self._info = {}
            return
        self._take(*self._load())

    def _take(self, info: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        self._info = dict(info)
        self._name = info.get("name", self._name)
        self._examples = list(found["examples"])
        self._version_id = found["version_id"]
        self._splits = list(found.get("filtered_splits") or [])

    async def load(self) -> Dataset:
        """Reads the examples of a dataset of an AsyncClient."""
        if (self._info is None or self._examples is None) and self._load is not None:
            loaded: Any = self._load()
            self._take(*(await loaded if hasattr(loaded, "__await__") else loaded))
            self._load = None
        return self

    @property
    def name(self) -> str:
        if self._name is None:
            self._ensure()
        return self._name or ""

    @property
    def version_id(self) -> str:
        if self._version_id is None:
            self._ensure()
        return self._version_id or ""

    @property
    def examples(self) -> list[api.DatasetExample]:
        """Examples with `id`, `node_id`, `input`, `output`, `metadata`, `updated_at`, `source`."""
        self._ensure()
        return self._examples or []

    @property
    def example_count(self) -> int:
        return len(self)

    @property
    def description(self) -> str | None:
        return self._field("description")

    @property
    def metadata(self) -> dict[str, Any]:
        return self._field("metadata") or {}

    @property
    def created_at(self) -> datetime | None:
        return _time(self._field("created_at"))

    @property
    def updated_at(self) -> datetime | None:
        return _time(self._field("updated_at"))

    @property
    def _filtered_split_names(self) -> list[str]:
        return self._splits

    def _field(self, name: str) -> Any:
        if self._info is None:
            self._ensure()
        return (self._info or {}).get(name)

    @property
    def url(self) -> str:
        """Page of the dataset."""
        return f"{self._base_url}datasets/{self.id}"

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[api.DatasetExample]:
        return iter(self.examples)

    def __getitem__(self, index: int) -> api.DatasetExample:
        return self.examples[index]

    def to_dataframe(self) -> Any:
        """A pandas frame by `example_id` with columns input, output, metadata."""
        from ..frames.libraries import load_pandas

        pandas = load_pandas()
        columns = ("input", "output", "metadata")
        rows = [copy.deepcopy([example["input"], example["output"], example["metadata"]]) for example in self.examples]
        index = pandas.Index([example["id"] for example in self.examples], name="example_id")
        return pandas.DataFrame(rows, columns=list(columns), index=index)

    def to_dict(self) -> dict[str, Any]:
        """The dataset as values of JSON, which `from_dict` reads."""
        self._ensure()
        info = {key: (self._info or {}).get(key) for key in ("description", "metadata", "created_at", "updated_at")}
        own = {"id": self.id, "name": self.name, "version_id": self.version_id, **info}
        return copy.deepcopy({**own, "examples": self.examples, "_filtered_split_names": self._splits})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Dataset:
        """The dataset of `to_dict`. ValueError without one of id, name, version_id, examples."""
        missing = [key for key in _REQUIRED if key not in values]
        if missing:
            raise ValueError(f"the dataset has no {', '.join(missing)}")
        return cls(
            id=values["id"],
            name=values["name"],
            version_id=values["version_id"],
            info={key: value for key, value in values.items() if key not in ("examples", "_filtered_split_names")},
            examples=copy.deepcopy(values["examples"]),
            filtered_splits=values.get("_filtered_split_names") or (),
        )

    def __repr__(self) -> str:
        count = f", {len(self._examples)} examples" if self._examples is not None else ""
        return f"Dataset(id={self.id!r}, name={self._name!r}, version_id={self._version_id!r}{count})"

    def _repr_html_(self) -> str:
        count = len(self._examples) if self._examples is not None else "not read yet"
        name = Html(link(self.url, self._name or self.id))
        facts = table([("Dataset", name), ("Version", self._version_id or "latest"), ("Examples", count)])
        if not self._examples:
            return facts
        first = self._examples[:SHOWN_EXAMPLE_COUNT]
        shown = grid(("input", "output", "metadata"), [[_short(one.get(part)) for part in _PARTS] for one in first])
        left = len(self._examples) - len(first)
        return facts + shown + (f"<p>and {left:,} more</p>" if left else "")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str) if value else ""
    return text if len(text) <= SHOWN_CHARACTER_COUNT_MAX else f"{text[:SHOWN_CHARACTER_COUNT_MAX]}…"


def _time(text: Any) -> datetime | None:
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if isinstance(text, str) else text
