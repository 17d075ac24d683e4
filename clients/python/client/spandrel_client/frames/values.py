"""The one table by which values of Python become JSON.

| value | JSON |
|---|---|
| str, bool, int, None | as they are |
| float, numpy floats | number; NaN and infinities are null |
| Decimal | number if a float holds it exactly, else text |
| datetime, pandas Timestamp | ISO text, with its offset if it has one |
| date, time, UUID, Path | text |
| timedelta | seconds |
| Enum | its value |
| bytes | base64 text |
| list, tuple, set, generator, numpy array, pandas Series | list |
| Mapping | object; keys become texts |
| pydantic model, dataclass, named tuple, attrs class | object of its fields |
| pandas NA and NaT | null |
| any other object | object of its attributes, or its text if it has none |
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import math
import pathlib
import uuid
from collections.abc import Iterable, Mapping, Set
from typing import Any

from ..limits import VALUE_DEPTH_MAX

_PLAIN = (str, bool, int, type(None))
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def dump_json(value: Any) -> bytes:
    """JSON text of any value. ValueError for a value that contains itself."""
    try:
        text = _encoder.encode(value)
    except (TypeError, ValueError):
        text = _encoder.encode(to_json_value(value))
    return text.encode("utf-8", "replace")


def to_json_value(value: Any, depth: int = 0) -> Any:
    """The value as JSON has it, by the table above."""
    if type(value) in _PLAIN:
        return value
    if depth > VALUE_DEPTH_MAX:
        raise ValueError(f"a value is nested more than {VALUE_DEPTH_MAX} deep, or contains itself")
    if isinstance(value, enum.Enum):
        return to_json_value(value.value, depth + 1)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (str, int)):
        return str(value) if isinstance(value, str) else int(value)
    if isinstance(value, Mapping):
        return {_key(key): to_json_value(one, depth + 1) for key, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        named: dict[str, Any] = value._asdict()
        return {key: to_json_value(one, depth + 1) for key, one in named.items()}
    if isinstance(value, (list, tuple, Set)):
        return [to_json_value(one, depth + 1) for one in value]
    return _object(value, depth)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str(key)
    value = to_json_value(key)
    return value if isinstance(value, str) else json.dumps(value)


def _object(value: Any, depth: int) -> Any:
    if isinstance(value, decimal.Decimal):
        return _decimal(value)
    if isinstance(value, (datetime.date, datetime.time)):
        # pandas' NaT is a datetime.
        return None if value != value else value.isoformat()
    if isinstance(value, datetime.timedelta):
        return None if value != value else value.total_seconds()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, (uuid.UUID, pathlib.PurePath)):
        return str(value)
    kind = type(value)
    if callable(getattr(kind, "model_dump", None)):
        return to_json_value(value.model_dump(), depth + 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_json_value(getattr(value, item.name), depth + 1) for item in dataclasses.fields(value)}
    if hasattr(kind, "__attrs_attrs__"):
        return {item.name: to_json_value(getattr(value, item.name), depth + 1) for item in kind.__attrs_attrs__}
    if kind.__module__.partition(".")[0] in ("numpy", "pandas", "polars", "pyarrow"):
        return _from_library(value, depth)
    if isinstance(value, BaseException):
        return repr(value)
    if isinstance(value, Iterable) and hasattr(value, "__next__"):
        return [to_json_value(one, depth + 1) for one in value]
    fields = getattr(value, "__dict__", None)
    if fields and not isinstance(value, type) and not callable(value):
        return {str(name): to_json_value(one, depth + 1) for name, one in fields.items() if not str(name).startswith("_")}
    return str(value)


def _from_library(value: Any, depth: int) -> Any:
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if type(value).__name__ in ("datetime64", "timedelta64"):
        return None if str(value) == "NaT" else str(value)
    if hasattr(value, "to_dicts"):
        return to_json_value(value.to_dicts(), depth + 1)
    if type(value).__name__ == "DataFrame":
        return to_json_value(value.to_dict(orient="records"), depth + 1)
    for name in ("tolist", "to_list", "to_pylist", "as_py", "item"):
        if hasattr(value, name):
            return to_json_value(getattr(value, name)(), depth + 1)
    return str(value)


def _decimal(value: decimal.Decimal) -> Any:
    if not value.is_finite():
        return None
    if value == value.to_integral_value() and abs(value) < 2**63:
        return int(value)
    number = float(value)
    return number if decimal.Decimal(repr(number)) == value else str(value)


def is_missing(value: Any) -> bool:
    """Whether a cell of a frame holds nothing: None, NaN, NA or NaT."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value) if not isinstance(value, (str, bytes, Iterable)) else False
    except (TypeError, ValueError):
        return False
