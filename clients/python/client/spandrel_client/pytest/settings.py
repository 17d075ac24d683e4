"""Settings of the plugin: environment, ini options and markers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from ..config.handoff import PREFIXES
from .acceptance import Criterion, parse_criterion

_ON, _OFF = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
MARKER = "spandrel"
PUBLIC_MARKER = "phoenix"
_MARKER_NAMES = (
    *("dataset", "dataset_description", "experiment_description", "experiment_metadata"),
    *("evaluators", "repetitions", "accept"),
)
REPETITIONS_MAX = 1_000


@dataclass
class Marker:
    """What the marker of a test says."""

    dataset: str | None = None
    dataset_description: str | None = None
    experiment_description: str | None = None
    experiment_metadata: Mapping[str, Any] | None = None
    evaluators: Any = None
    repetitions: int | None = None
    accept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """Values that hold for the whole run."""

    is_tracking: bool
    dataset: str | None
    repetitions: int
    report: str | None
    confidence: float
    criteria: tuple[Criterion, ...]


def read_settings(config: Any) -> Settings:
    """Settings of a run. A value that cannot be used is a usage error."""
    tracking = (_env("TEST_TRACKING") or "on").lower()
    if tracking not in _ON | _OFF:
        raise pytest.UsageError(f"SPANDREL_TEST_TRACKING is {tracking!r}; expected 1, true, yes, on, 0, false, no or off")
    confidence = config.getini("spandrel_confidence") or "0.95"
    try:
        level = float(confidence)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise pytest.UsageError(f"spandrel_confidence is {confidence!r}; expected a number between 0 and 1")
    texts = [*config.getini("spandrel_accept"), *(config.getoption("spandrel_accept") or [])]
    return Settings(
        is_tracking=tracking in _ON,
        dataset=_env("TEST_DATASET") or config.getini("spandrel_dataset") or None,
        repetitions=_repetitions(_env("TEST_REPETITIONS") or "1", "SPANDREL_TEST_REPETITIONS"),
        report=config.getoption("spandrel_report") or _env("TEST_REPORT") or config.getini("spandrel_report") or None,
        confidence=level,
        criteria=tuple(_criterion(text) for text in texts if text.strip()),
    )


def marker_of(item: Any) -> Marker | None:
    """The marker of a test: nearest values first. None if it has none, so that it is not tracked."""
    names = [MARKER] if item.config.pluginmanager.has_plugin(PUBLIC_MARKER) else [MARKER, PUBLIC_MARKER]
    found: dict[str, Any] = {}
    is_marked = False
    for name in names:
        for marker in item.iter_markers(name):
            is_marked = True
            values = dict(zip(_MARKER_NAMES, marker.args)) | marker.kwargs
            unknown = set(values) - set(_MARKER_NAMES)
            if unknown or len(marker.args) > len(_MARKER_NAMES):
                raise pytest.UsageError(
                    f"{item.nodeid}: the marker {name} has {sorted(unknown) or 'too many arguments'}; "
                    f"expected some of {', '.join(_MARKER_NAMES)}"
                )
            for key, value in values.items():
                if value is not None:
                    found.setdefault(key, value)
    if not is_marked:
        return None
    if found.get("repetitions") is not None:
        found["repetitions"] = _repetitions(found["repetitions"], f"repetitions of {item.nodeid}")
    return Marker(**found)


def criteria_of(marker: Marker) -> list[Criterion]:
    """Criteria of a marker: `{"correct": 0.8}` or `{"cost": "<= 0.1"}`."""
    found = []
    for name, wanted in marker.accept.items():
        text = f"{name} {wanted}" if isinstance(wanted, str) else f"{name} >= {wanted}"
        found.append(_criterion(text))
    return found


def _criterion(text: str) -> Criterion:
    try:
        return parse_criterion(text)
    except ValueError as error:
        raise pytest.UsageError(f"a criterion of acceptance: {error}") from None


def _repetitions(value: Any, name: str) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = 0
    if isinstance(value, bool) or str(number) != str(value).strip() or not 0 < number <= REPETITIONS_MAX:
        raise pytest.UsageError(f"{name} is {value!r}; expected a whole number from 1 to {REPETITIONS_MAX}")
    return number


def _env(name: str) -> str | None:
    for prefix in PREFIXES:
        if os.environ.get(f"{prefix}{name}", "").strip():
            return os.environ[f"{prefix}{name}"].strip()
    return None
