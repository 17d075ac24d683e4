"""Column of JSON texts of a pandas frame, whose values are decoded when they are looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Type

import numpy as np
import pyarrow as pa
from pandas.api.extensions import ExtensionArray, ExtensionDtype, register_extension_dtype, take


@register_extension_dtype
class JsonDtype(ExtensionDtype):
    """Structured values: objects, lists, or values of several types."""

    name = "spandrel.json"
    type = object
    kind = "O"
    na_value = None

    @classmethod
    def construct_array_type(cls) -> Type[JsonArray]:
        return JsonArray


class JsonArray(ExtensionArray):
    """Immutable texts in one Arrow array. `to_numpy` and `tolist` decode all, an index decodes one."""

    def __init__(self, texts: pa.Array[Any]) -> None:
        self._texts = texts

    @property
    def dtype(self) -> JsonDtype:
        return JsonDtype()

    @property
    def nbytes(self) -> int:
        return self._texts.nbytes

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, (int, np.integer)):
            return _decode(self._texts[int(item) + (len(self) if item < 0 else 0)].as_py())
        if isinstance(item, slice):
            start, stop, step = item.indices(len(self))
            if step == 1:
                return JsonArray(self._texts.slice(start, max(0, stop - start)))
            return JsonArray(self._texts.take(pa.array(range(start, stop, step), pa.int64())))
        mask = np.asarray(item)
        if mask.dtype == bool:
            return JsonArray(self._texts.filter(pa.array(mask)))
        return self.take(mask.astype("int64") if len(mask) else np.array([], "int64"))

    def __setitem__(self, key: Any, value: Any) -> None:
        texts = self._texts.to_pylist()
        places = np.arange(len(texts))[key]
        for place in np.atleast_1d(places):
            texts[place] = _encode(value if np.ndim(places) == 0 or not isinstance(value, Sequence) else value[place])
        self._texts = pa.array(texts, pa.large_string())

    def __iter__(self) -> Any:
        return (_decode(text.as_py()) for text in self._texts)

    def isna(self) -> np.ndarray[Any, Any]:
        return np.asarray(self._texts.is_null())

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: Any = None) -> JsonArray:
        if not allow_fill:
            indices = np.where(np.asarray(indices) < 0, np.asarray(indices) + len(self), indices)
            return JsonArray(self._texts.take(pa.array(indices, pa.int64())))
        places = take(np.arange(len(self)), np.asarray(indices), allow_fill=True, fill_value=-1)
        return JsonArray(self._texts.take(pa.array(places, pa.int64(), mask=np.asarray(places) < 0)))

    def copy(self) -> JsonArray:
        return JsonArray(self._texts)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        values = np.empty(len(self), dtype=object)
        for number, value in enumerate(self):
            values[number] = value
        return values

    def __eq__(self, other: Any) -> Any:
        values = list(other) if isinstance(other, (Sequence, np.ndarray, ExtensionArray)) and len(other) == len(self) else None
        return np.array([one == (other if values is None else values[n]) for n, one in enumerate(self)], dtype=bool)

    def _formatter(self, boxed: bool = False) -> Any:
        return repr

    @classmethod
    def _from_sequence(cls, scalars: Any, *, dtype: Any = None, copy: bool = False) -> JsonArray:
        return cls(pa.array([_encode(one) for one in scalars], pa.large_string()))

    @classmethod
    def _from_factorized(cls, values: Any, original: Any) -> JsonArray:
        return cls._from_sequence(values)

    @classmethod
    def _concat_same_type(cls, to_concat: Sequence[JsonArray]) -> JsonArray:
        return cls(pa.concat_arrays([one._texts for one in to_concat]))


def _decode(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _encode(value: Any) -> str | None:
    if value is None or isinstance(value, float) and value != value:
        return None
    from .values import dump_json

    return dump_json(value).decode()
