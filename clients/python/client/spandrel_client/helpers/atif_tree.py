"""The spans of one trajectory and its sub-agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from .atif_format import hash_of, identity_of, input_output, names_of, now, text_of, times_of, to_json, turns_of

# Sub-agents of sub-agents.
_DEPTH_MAX = 16


class Tree:
    """Spans of one trace."""

    def __init__(self, trace_id: str, known: Mapping[str, Mapping[str, Any]], spans: list[dict[str, Any]]) -> None:
        self._trace_id = trace_id
        self._known = known
        self._spans = spans

    def add(self, trajectory: Mapping[str, Any], parent: str | None, path: tuple[str, ...], depth: int) -> None:
        """Adds a trajectory below a span. `path` makes ids of the same sub-agent, called twice, differ."""
        identity = identity_of(trajectory)
        own_path = (*path, identity)
        known = {**self._known, **{name: one for one in trajectory.get("subagent_trajectories") or () for name in names_of(one)}}
        steps = [step for step in trajectory["steps"] if not step.get("is_copied_context")]
        times = times_of(trajectory["steps"], steps)
        agent = trajectory.get("agent") or {}
        root = self._id(own_path, "root")
        session = {"session.id": trajectory["session_id"]} if trajectory.get("session_id") else {}
        texts = [text_of(step.get("message")) for step in steps if step["source"] == "user"]
        answers = [text_of(step.get("message")) for step in steps if step["source"] == "agent"]
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
            **input_output(texts[0] if texts else None, answers[-1] if answers else None),
            "metadata": to_json(metadata),
        }
        start, end = (times[0], times[-1]) if times else (now(), now())
        self._add(root, parent, str(agent.get("name") or "agent"), "AGENT", start, end, attributes)
        for number, (first, last) in enumerate(turns_of(steps)):
            turn = self._id(own_path, "turn", number)
            question = [text_of(step.get("message")) for step in steps[first:last] if step["source"] == "user"]
            answer = [text_of(step.get("message")) for step in steps[first:last] if step["source"] == "agent"]
            stop = times[last] if last < len(times) else times[last - 1]
            shown = input_output("\n".join(question) or None, answer[-1] if answer else None)
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
        attributes: dict[str, Any] = {**session, **input_output(None, text_of(step.get("message")))}
        if is_model:
            attributes |= _model_attributes(steps, place, model)
        alone = [one for one in results if not one.get("source_call_id")]
        metadata = {"step_id": step.get("step_id"), **{key: step[key] for key in ("reasoning_effort", "extra") if step.get(key)}}
        if alone:
            metadata["observation"] = [text_of(one.get("content")) for one in alone]
        attributes["metadata"] = to_json(metadata)
        own = self._id(path, "step", place)
        self._add(own, turn, str(model or "step"), "LLM" if is_model else "CHAIN", before, time, attributes)
        for one in alone:
            self._add_agents(one, own, path, known, depth)
        for number, call in enumerate(step.get("tool_calls") or ()):
            found = [one for one in results if one.get("source_call_id") == call.get("tool_call_id")]
            output = "\n".join(text_of(one.get("content")) for one in found) if found else None
            tool = self._id(path, "tool", place, number)
            name = str(call.get("function_name") or "tool")
            shown = {
                "tool.name": name,
                "tool_call.id": str(call.get("tool_call_id") or ""),
                **input_output(call.get("arguments") or {}, output),
            }
            self._add(tool, turn, name, "TOOL", time, max(time, after), {**session, **shown})
            for one in found:
                self._add_agents(one, tool, (*path, str(number)), known, depth)

    def _add_agents(
        self, result: Mapping[str, Any], parent: str, path: tuple[str, ...], known: Mapping[str, Mapping[str, Any]], depth: int
    ) -> None:
        for reference in result.get("subagent_trajectory_ref") or ():
            child = next((known[name] for name in names_of(reference) if name in known), None)
            # A trajectory that calls itself is not followed.
            if child is not None and depth < _DEPTH_MAX and identity_of(child) not in path:
                Tree(self._trace_id, known, self._spans).add(child, parent, path, depth + 1)

    def _id(self, path: tuple[str, ...], *rest: Any) -> str:
        return hash_of(8, *path, *rest)

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
        messages.append({"role": "tool", "content": text_of(one.get("content")), "tool_call_id": one.get("source_call_id")})
    messages += [{"role": one["source"], "content": text_of(one.get("message"))} for one in steps[start + 1 : place]]
    found: dict[str, Any] = {"llm.model_name": str(model)} if model else {}
    for number, message in enumerate(messages):
        found |= {f"llm.input_messages.{number}.message.{key}": value for key, value in message.items() if value is not None}
    prefix = "llm.output_messages.0.message"
    found |= {f"{prefix}.role": "assistant", f"{prefix}.content": text_of(step.get("message"))}
    if step.get("reasoning_content"):
        found |= {
            f"{prefix}.contents.0.message_content.type": "reasoning",
            f"{prefix}.contents.0.message_content.text": str(step["reasoning_content"]),
        }
    for number, call in enumerate(step.get("tool_calls") or ()):
        start_of_call = f"{prefix}.tool_calls.{number}.tool_call"
        found[f"{start_of_call}.id"] = str(call.get("tool_call_id") or "")
        found[f"{start_of_call}.function.name"] = str(call.get("function_name") or "")
        found[f"{start_of_call}.function.arguments"] = to_json(call.get("arguments") or {})
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
        found |= {"input.value": to_json(messages), "input.mime_type": "application/json"}
    return found | {key: value for key, value in counts.items() if value is not None}
