"""Agent trajectories in ATIF (1.0 to 1.7) as trees of spans."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from ..exceptions import SpanCreationError
from ..frames.values import dump_json, to_json_value
from ..limits import SPANS_PER_REQUEST

__all__ = ["async_upload_atif_trajectories_as_spans", "atif_to_spans", "upload_atif_trajectories_as_spans"]

_VERSION = re.compile(r"ATIF-v1\.[0-7]$")
# Sub-agents of sub-agents.
_DEPTH_MAX = 16
_STEP = timedelta(milliseconds=1)


def upload_atif_trajectories_as_spans(
    client: Any, trajectories: Sequence[Mapping[str, Any]] | Mapping[str, Any], *, project_name: str, timeout: float | None = 5
) -> dict[str, int]:
    """Stores trajectories as spans of a project; returns `total_received` and `total_queued`.

    Ids follow from the trajectories, so an upload that is repeated stores only what is missing. ValueError for something that is
    no trajectory.
    """
    upload = _uploads(atif_to_spans(trajectories))
    outcome: Any = None
    while (spans := upload.send(outcome)) is not None:
        try:
            outcome = client.spans.log_spans(project_identifier=project_name, spans=spans, timeout=timeout)
        except SpanCreationError as error:
            outcome = error
    return next(upload)


async def async_upload_atif_trajectories_as_spans(
    client: Any, trajectories: Sequence[Mapping[str, Any]] | Mapping[str, Any], *, project_name: str, timeout: float | None = 5
) -> dict[str, int]:
    """`upload_atif_trajectories_as_spans` of an AsyncClient."""
    upload = _uploads(atif_to_spans(trajectories))
    outcome: Any = None
    while (spans := upload.send(outcome)) is not None:
        try:
            outcome = await client.spans.log_spans(project_identifier=project_name, spans=spans, timeout=timeout)
        except SpanCreationError as error:
            outcome = error
    return next(upload)


def _uploads(spans: list[dict[str, Any]]) -> Generator[Any, Any, None]:
    """Yields spans to store, receives the answer or the error, and after None yields the counts."""
    total = {"total_received": len(spans), "total_queued": 0}
    for start in range(0, len(spans), SPANS_PER_REQUEST):
        batch = spans[start : start + SPANS_PER_REQUEST]
        outcome = yield batch
        if isinstance(outcome, SpanCreationError):
            rest = _without_duplicates(batch, outcome)
            outcome = (yield rest) if rest else {"total_queued": 0}
            if isinstance(outcome, SpanCreationError):
                raise outcome
        total["total_queued"] += outcome["total_queued"]
    yield None
    yield total


def _without_duplicates(spans: list[dict[str, Any]], error: SpanCreationError) -> list[dict[str, Any]]:
    """The spans that are not stored yet. The error itself if that is not all that is wrong."""
    if error.invalid_spans or not error.duplicate_spans:
        raise error
    stored = {one["span_id"] for one in error.duplicate_spans}
    return [span for span in spans if span["context"]["span_id"] not in stored]


def atif_to_spans(trajectories: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> list[dict[str, Any]]:
    """Spans of trajectories: an AGENT for each, below it an AGENT for each turn of the user, and in a turn an LLM for each
    step of the agent and a TOOL for each of its calls. A sub-agent is below the tool that called it.

    A step without a time follows the one before it by a millisecond. A model call lasts from the step before it to its own
    time, a tool until the next step.
    """
    given = [trajectories] if isinstance(trajectories, Mapping) else list(trajectories)
    for number, trajectory in enumerate(given):
        _check(trajectory, number)
    known: dict[str, Mapping[str, Any]] = {}
    for trajectory in given:
        for name in _names(trajectory):
            known.setdefault(name, trajectory)
    called = {name for trajectory in given for name in _references(trajectory)}
    spans: list[dict[str, Any]] = []
    for trajectory in given:
        # What another trajectory calls is below its tool.
        if not any(name in called for name in _names(trajectory)):
            trace_id = _hash(16, "trace", _identity(trajectory))
            _Tree(trace_id, known, spans).add(trajectory, None, (), 0)
    return spans


class _Tree:
    """Spans of one trace."""

    def __init__(self, trace_id: str, known: Mapping[str, Mapping[str, Any]], spans: list[dict[str, Any]]) -> None:
        self._trace_id = trace_id
        self._known = known
        self._spans = spans

    def add(self, trajectory: Mapping[str, Any], parent: str | None, path: tuple[str, ...], depth: int) -> None:
        """Adds a trajectory below a span. `path` makes ids of the same sub-agent, called twice, differ."""
        identity = _identity(trajectory)
        own_path = (*path, identity)
        known = {**self._known, **{name: one for one in trajectory.get("subagent_trajectories") or () for name in _names(one)}}
        steps = [step for step in trajectory["steps"] if not step.get("is_copied_context")]
        times = _times(trajectory["steps"], steps)
        agent = trajectory.get("agent") or {}
        root = self._id(own_path, "root")
        session = {"session.id": trajectory["session_id"]} if trajectory.get("session_id") else {}
        texts = [_text(step.get("message")) for step in steps if step["source"] == "user"]
        answers = [_text(step.get("message")) for step in steps if step["source"] == "agent"]
        metadata = {
            "schema_version": trajectory["schema_version"],
            "agent": {key: value for key, value in agent.items() if key not in ("name", "tool_definitions")},
            **{
                key: trajectory[key]
                for key in ("notes", "final_metrics", "continued_trajectory_ref", "extra")
                if trajectory.get(key)
            },
        }
        attributes = {
            **session,
            **_io(texts[0] if texts else None, answers[-1] if answers else None),
            "metadata": _json(metadata),
        }
        start, end = (times[0], times[-1]) if times else (_now(), _now())
        self._add(root, parent, str(agent.get("name") or "agent"), "AGENT", start, end, attributes)
        for number, (first, last) in enumerate(_turns(steps)):
            turn = self._id(own_path, "turn", number)
            question = [_text(step.get("message")) for step in steps[first:last] if step["source"] == "user"]
            answer = [_text(step.get("message")) for step in steps[first:last] if step["source"] == "agent"]
            stop = times[last] if last < len(times) else times[last - 1]
            shown = _io("\n".join(question) or None, answer[-1] if answer else None)
            self._add(turn, root, f"turn {number + 1}", "AGENT", times[first], stop, {**session, **shown})
            for place in range(first, last):
                if steps[place]["source"] == "agent":
                    self._add_step(steps, times, place, turn, agent, session, own_path, known, depth)

    def _add_step(
        self,
        steps: Sequence[Mapping[str, Any]],
        times: Sequence[datetime],
        place: int,
        turn: str,
        agent: Mapping[str, Any],
        session: Mapping[str, Any],
        path: tuple[str, ...],
        known: Mapping[str, Mapping[str, Any]],
        depth: int,
    ) -> None:
        step, time = steps[place], times[place]
        before = times[place - 1] if place else time
        after = times[place + 1] if place + 1 < len(times) else time
        model = step.get("model_name") or agent.get("model_name")
        results = list((step.get("observation") or {}).get("results") or ())
        is_model = step.get("llm_call_count") != 0
        attributes: dict[str, Any] = {**session, **_io(None, _text(step.get("message")))}
        if is_model:
            attributes |= _model_attributes(steps, place, model)
        alone = [one for one in results if not one.get("source_call_id")]
        metadata = {"step_id": step.get("step_id"), **{key: step[key] for key in ("reasoning_effort", "extra") if step.get(key)}}
        if alone:
            metadata["observation"] = [_text(one.get("content")) for one in alone]
        attributes["metadata"] = _json(metadata)
        own = self._id(path, "step", place)
        self._add(own, turn, str(model or "step"), "LLM" if is_model else "CHAIN", before, time, attributes)
        for one in alone:
            self._add_agents(one, own, path, known, depth)
        for number, call in enumerate(step.get("tool_calls") or ()):
            found = [one for one in results if one.get("source_call_id") == call.get("tool_call_id")]
            output = "\n".join(_text(one.get("content")) for one in found) if found else None
            tool = self._id(path, "tool", place, number)
            name = str(call.get("function_name") or "tool")
            shown = {
                "tool.name": name,
                "tool_call.id": str(call.get("tool_call_id") or ""),
                **_io(call.get("arguments") or {}, output),
            }
            self._add(tool, turn, name, "TOOL", time, max(time, after), {**session, **shown})
            for one in found:
                self._add_agents(one, tool, (*path, str(number)), known, depth)

    def _add_agents(
        self, result: Mapping[str, Any], parent: str, path: tuple[str, ...], known: Mapping[str, Mapping[str, Any]], depth: int
    ) -> None:
        for reference in result.get("subagent_trajectory_ref") or ():
            child = next((known[name] for name in _names(reference) if name in known), None)
            # A trajectory that calls itself is not followed.
            if child is not None and depth < _DEPTH_MAX and _identity(child) not in path:
                _Tree(self._trace_id, known, self._spans).add(child, parent, path, depth + 1)

    def _id(self, path: tuple[str, ...], *rest: Any) -> str:
        return _hash(8, *path, *rest)

    def _add(
        self,
        span_id: str,
        parent: str | None,
        name: str,
        kind: str,
        start: datetime,
        end: datetime,
        attributes: Mapping[str, Any],
    ) -> None:
        span = {
            "name": name,
            "context": {"trace_id": self._trace_id, "span_id": span_id},
            "span_kind": kind,
            "start_time": start.isoformat(),
            "end_time": max(start, end).isoformat(),
            "status_code": "OK",
            "attributes": dict(attributes),
        }
        self._spans.append(span if parent is None else {**span, "parent_id": parent})


def _model_attributes(steps: Sequence[Mapping[str, Any]], place: int, model: Any) -> dict[str, Any]:
    """Messages since the last model call, the answer, and what the call used."""
    step = steps[place]
    messages: list[dict[str, Any]] = []
    start = max((number for number in range(place) if steps[number]["source"] == "agent"), default=-1)
    for one in ((steps[start].get("observation") or {}).get("results") or ()) if start >= 0 else ():
        messages.append({"role": "tool", "content": _text(one.get("content")), "tool_call_id": one.get("source_call_id")})
    messages += [{"role": one["source"], "content": _text(one.get("message"))} for one in steps[start + 1 : place]]
    found: dict[str, Any] = {"llm.model_name": str(model)} if model else {}
    for number, message in enumerate(messages):
        found |= {f"llm.input_messages.{number}.message.{key}": value for key, value in message.items() if value is not None}
    prefix = "llm.output_messages.0.message"
    found |= {f"{prefix}.role": "assistant", f"{prefix}.content": _text(step.get("message"))}
    if step.get("reasoning_content"):
        found |= {
            f"{prefix}.contents.0.message_content.type": "reasoning",
            f"{prefix}.contents.0.message_content.text": str(step["reasoning_content"]),
        }
    for number, call in enumerate(step.get("tool_calls") or ()):
        start_of_call = f"{prefix}.tool_calls.{number}.tool_call"
        found[f"{start_of_call}.id"] = str(call.get("tool_call_id") or "")
        found[f"{start_of_call}.function.name"] = str(call.get("function_name") or "")
        found[f"{start_of_call}.function.arguments"] = _json(call.get("arguments") or {})
    metrics = step.get("metrics") or {}
    prompt, completion = metrics.get("prompt_tokens"), metrics.get("completion_tokens")
    counts = {
        "llm.token_count.prompt": prompt,
        "llm.token_count.completion": completion,
        "llm.token_count.total": prompt + completion if prompt is not None and completion is not None else None,
        "llm.token_count.prompt_details.cache_read": metrics.get("cached_tokens"),
        "llm.cost.total": metrics.get("cost_usd"),
    }
    if messages:
        found |= {"input.value": _json(messages), "input.mime_type": "application/json"}
    return found | {key: value for key, value in counts.items() if value is not None}


def _check(trajectory: Any, number: int) -> None:
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
        _check(child, number)


def _names(one: Mapping[str, Any]) -> list[str]:
    """Ids by which a trajectory is found: its own, then that of its session, which versions before 1.7 use."""
    return [str(one[key]) for key in ("trajectory_id", "session_id") if one.get(key)]


def _references(trajectory: Mapping[str, Any]) -> set[str]:
    own = set(_names(trajectory))
    found: set[str] = set()
    for step in trajectory["steps"]:
        for result in (step.get("observation") or {}).get("results") or ():
            for reference in result.get("subagent_trajectory_ref") or ():
                found.update(_names(reference)[:1])
    return found - own


def _identity(trajectory: Mapping[str, Any]) -> str:
    """The id of a trajectory, or a hash of its content."""
    names = _names(trajectory)
    return names[0] if names else _hash(16, _json(trajectory))


def _hash(byte_count: int, *parts: Any) -> str:
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[: 2 * byte_count]


def _turns(steps: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Ranges of steps. A turn begins with what the user says; what comes before belongs to the first."""
    starts = [
        number
        for number, step in enumerate(steps)
        if step["source"] == "user" and (not number or steps[number - 1]["source"] != "user")
    ]
    starts = [0, *starts[1:]] if steps else []
    return [(start, starts[number + 1] if number + 1 < len(starts) else len(steps)) for number, start in enumerate(starts)]


def _times(all_steps: Sequence[Mapping[str, Any]], steps: Sequence[Mapping[str, Any]]) -> list[datetime]:
    """A time for each step, never before that of the step before."""
    known = [_parse(step["timestamp"]) for step in all_steps if step.get("timestamp")]
    time = min(known, default=_now())
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


def _now() -> datetime:
    return datetime.now(timezone.utc)


def _text(content: Any) -> str:
    """Text of a message: a text, or parts, of which images are named by their place."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, Sequence):
        parts = [part for part in content if isinstance(part, Mapping)]
        return "\n".join(str(part.get("text") or (part.get("source") or {}).get("path") or part.get("type")) for part in parts)
    return _json(content)


def _io(given: Any, output: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side, value in (("input", given), ("output", output)):
        if isinstance(value, str):
            found[f"{side}.value"] = value
        elif value is not None:
            found |= {f"{side}.value": _json(value), f"{side}.mime_type": "application/json"}
    return found


def _json(value: Any) -> str:
    return dump_json(to_json_value(value)).decode()
