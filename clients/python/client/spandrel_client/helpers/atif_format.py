"""The format of trajectories: checks, ids, times and texts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from ..frames.values import dump_json, to_json_value

_VERSION = re.compile(r"ATIF-v1\.[0-7]$")
# Between steps without a time.
_STEP = timedelta(milliseconds=1)


def check(trajectory: Any, number: int) -> None:
    if not isinstance(trajectory, Mapping) or not _VERSION.match(str(trajectory.get("schema_version"))):
        found = trajectory.get("schema_version") if isinstance(trajectory, Mapping) else type(trajectory).__name__
        raise ValueError(f"trajectory {number} is {found!r}; expected a dict whose schema_version is ATIF-v1.0 to ATIF-v1.7")
    steps = trajectory.get("steps")
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise ValueError(f"trajectory {number} has no steps; expected a list of them")
    for place, step in enumerate(steps):
        if not isinstance(step, Mapping) or step.get("source") not in ("system", "user", "agent"):
            raise ValueError(f"step {place + 1} of trajectory {number} has no source; expected system, user or agent")
    for child in trajectory.get("subagent_trajectories") or ():
        check(child, number)


def names_of(one: Mapping[str, Any]) -> list[str]:
    """Ids by which a trajectory is found: its own, then that of its session, which versions before 1.7 use."""
    return [str(one[key]) for key in ("trajectory_id", "session_id") if one.get(key)]


def references_of(trajectory: Mapping[str, Any]) -> set[str]:
    own = set(names_of(trajectory))
    found: set[str] = set()
    for step in trajectory["steps"]:
        for result in (step.get("observation") or {}).get("results") or ():
            for reference in result.get("subagent_trajectory_ref") or ():
                found.update(names_of(reference)[:1])
    return found - own


def identity_of(trajectory: Mapping[str, Any]) -> str:
    """The id of a trajectory, or a hash of its content."""
    names = names_of(trajectory)
    return names[0] if names else hash_of(16, to_json(trajectory))


def hash_of(byte_count: int, *parts: Any) -> str:
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[: 2 * byte_count]


def turns_of(steps: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Ranges of steps. A turn begins with what the user says; what comes before belongs to the first."""
    starts = [
        number
        for number, step in enumerate(steps)
        if step["source"] == "user" and (not number or steps[number - 1]["source"] != "user")
    ]
    starts = [0, *starts[1:]] if steps else []
    return [(start, starts[number + 1] if number + 1 < len(starts) else len(steps)) for number, start in enumerate(starts)]


def times_of(all_steps: Sequence[Mapping[str, Any]], steps: Sequence[Mapping[str, Any]]) -> list[datetime]:
    """A time for each step, never before that of the step before."""
    known = [_parse(step["timestamp"]) for step in all_steps if step.get("timestamp")]
    time = min(known, default=now())
    times = []
    for step in steps:
        time = max(time, _parse(step["timestamp"])) if step.get("timestamp") else time + _STEP
        times.append(time)
    return times


def _parse(text: Any) -> datetime:
    # Python 3.10 knows neither Z nor fractions of other lengths than 3 and 6.
    full = re.sub(r"\.(\d{1,9})", lambda fraction: f".{fraction[1][:6]:0<6}", re.sub(r"[zZ]$", "+00:00", str(text)))
    try:
        found = datetime.fromisoformat(full)
    except ValueError:
        raise ValueError(f"the timestamp {text!r} is no time of ISO 8601") from None
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


def now() -> datetime:
    return datetime.now(timezone.utc)


def text_of(content: Any) -> str:
    """Text of a message: a text, or parts, of which images are named by their place."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, Sequence):
        parts = [part for part in content if isinstance(part, Mapping)]
        return "\n".join(str(part.get("text") or (part.get("source") or {}).get("path") or part.get("type")) for part in parts)
    return to_json(content)


def input_output(given: Any, output: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side, value in (("input", given), ("output", output)):
        if isinstance(value, str):
            found[f"{side}.value"] = value
        elif value is not None:
            found |= {f"{side}.value": to_json(value), f"{side}.mime_type": "application/json"}
    return found


def to_json(value: Any) -> str:
    return dump_json(to_json_value(value)).decode()
