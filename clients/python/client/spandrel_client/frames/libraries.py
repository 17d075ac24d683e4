"""Frame libraries, which are extras. They are imported where they are used."""

from __future__ import annotations

import importlib
from typing import Any


def load(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"{module} is not installed; run: pip install 'spandrel-client[{extra}]'") from None


def load_pandas() -> Any:
    return load("pandas", "pandas")


def load_pyarrow(extra: str = "pandas") -> Any:
    return load("pyarrow", extra)
