"""Column of JSON texts of a pandas frame, whose values are decoded when they are looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Type

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pandas import DataFrame, Index, Series
from pandas.api.extensions import ExtensionArray, ExtensionDtype, register_extension_dtype, take
from pandas.api.indexers import check_array_indexer


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

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        # pyarrow writes it into Parquet files, which are to be read where this package is not.
        return "object"


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
        places = np.arange(len(self))[check_array_indexer(self, key)]
        if places.ndim == 0:
            # A list is a value, too.
            places, values = places.reshape(1), [value]
        else:
            is_many = isinstance(value, (list, tuple, np.ndarray, ExtensionArray, Series, Index))
            values = list(value) if is_many else [value] * len(places)
            if len(values) != len(places):
                raise ValueError(f"expected {len(places)} values, got {len(values)}; set one cell with .at to store a list")
        # The last one stays where a place is given twice.
        by_place = dict(zip(places.tolist(), values))
        mask = np.zeros(len(self), bool)
        mask[places] = True
        texts = pa.array([_encode(by_place[number]) for number in sorted(by_place)], pa.large_string())
        self._texts = pc.replace_with_mask(self._texts, pa.array(mask), texts)

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
        return values if dtype is None else values.astype(dtype)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        # numpy would take a list for a dimension.
        return np.array([str(value) for value in self], object) if dtype in (str, np.dtype(str)) else super().astype(dtype, copy)

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002 - the name is pyarrow's
        """The JSON texts, so that frames can be written as Parquet and read by polars."""
        return self._texts if type is None else self._texts.cast(type)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, (Series, Index, DataFrame)):
            return NotImplemented
        is_many = isinstance(other, (list, tuple, np.ndarray, ExtensionArray)) and len(other) == len(self)
        others = list(other) if is_many else [other] * len(self)
        return np.array([one is not None and one == two for one, two in zip(self, others)], dtype=bool)

    def unique(self) -> JsonArray:
        return self.factorize(use_na_sentinel=False)[1]

    def value_counts(self, dropna: bool = True) -> Series:
        codes, values = self.factorize(use_na_sentinel=dropna)
        counts = np.bincount(codes[codes >= 0], minlength=len(values))
        order = np.argsort(-counts, kind="stable")
        return Series(counts[order], index=Index(values.take(order)), name="count")

    def _explode(self) -> tuple[Any, Any]:
        """One row for each element of a list, as for a column of objects."""
        rows = [(value or [float("nan")]) if isinstance(value, list) else [value] for value in self]
        values = np.empty(sum(map(len, rows)), dtype=object)
        for number, value in enumerate(value for row in rows for value in row):
            values[number] = value
        return values, np.array([len(row) for row in rows], dtype="uint64")

    def _values_for_argsort(self) -> np.ndarray[Any, Any]:
        """Texts that are the same for equal values, since objects have no order and no hash."""
        texts = [None if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False) for value in self]
        return np.array(texts, dtype=object)

    def _values_for_factorize(self) -> tuple[Any, Any]:
        return self._values_for_argsort(), None

    def _formatter(self, boxed: bool = False) -> Any:
        return repr

    @classmethod
    def _from_sequence(cls, scalars: Any, *, dtype: Any = None, copy: bool = False) -> JsonArray:
        return cls(pa.array([_encode(one) for one in scalars], pa.large_string()))

    @classmethod
    def _from_scalars(cls, scalars: Any, *, dtype: Any) -> JsonArray:
        """What a function of the values returns, as `map` gives it. TypeError tells pandas to find the type of plain results."""
        values = list(scalars)
        if not all(one is None or isinstance(one, (dict, list)) for one in values) or all(one is None for one in values):
            raise TypeError("expected objects, lists and None")
        return cls._from_sequence(values)

    @classmethod
    def _from_factorized(cls, values: Any, original: Any) -> JsonArray:
        return cls(pa.array([None if text is None else text for text in values], pa.large_string()))

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
