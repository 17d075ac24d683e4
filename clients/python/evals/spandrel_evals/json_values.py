"""Values of rows as JSON: numbers of NumPy, times, pydantic objects, missing values."""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import enum
import json
import math
import uuid
from collections.abc import Mapping
from typing import Any

from .errors import InputError
from .limits import VALUE_DEPTH_MAX


def is_missing(value: Any) -> bool:
    """None, NaN, and the missing values of pandas."""
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    kind = type(value).__name__
    return kind in ("NAType", "NaTType") or (kind.startswith("float") and value != value)


def to_json_value(value: Any, depth: int = 0) -> Any:
    """The value from dicts, lists, texts, numbers, booleans and None. Missing numbers are None. InputError if it is too deep."""
    if value is None or isinstance(value, (str, bool)):
        return value if value is None or type(value) in (str, bool) else (str(value) if isinstance(value, str) else bool(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth > VALUE_DEPTH_MAX:
        raise InputError(f"a value is nested deeper than {VALUE_DEPTH_MAX} levels; flatten it")
    if isinstance(value, enum.Enum):
        return to_json_value(value.value, depth + 1)
    if isinstance(value, Mapping):
        return {str(key): to_json_value(one, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json_value(one, depth + 1) for one in value]
    if is_missing(value):
        return None
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, uuid.UUID)):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode()
    if hasattr(value, "model_dump"):
        return to_json_value(value.model_dump(), depth + 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_json_value(getattr(value, one.name), depth + 1) for one in dataclasses.fields(value)}
    if hasattr(value, "tolist"):
        return to_json_value(value.tolist(), depth + 1)
    if hasattr(value, "to_dict"):
        return to_json_value(value.to_dict(), depth + 1)
    return str(value)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def dump_json(value: Any) -> str:
    """Compact JSON text of any value of a row."""
    try:
        return _encode(value)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(to_json_value(value), ensure_ascii=False, separators=(",", ":"))


def canonical_json(value: Any) -> str:
    """JSON text that is equal for equal values."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(to_json_value(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
