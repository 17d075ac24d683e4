from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, List

from ..limits import TURN_TRACES_PER_REQUEST
from ..transport.calls import Call, Steps, Timeout, part
from ..types.results import SessionTurn
from .annotations import SESSION, build_annotation, deletion_params, name_params, send_annotations, send_frame
from .base import Listing, M, Resource, listing, one_of, operation
from .traces import add_note

if TYPE_CHECKING:
    import pandas

    from ..generated import api

_COLUMNS = ("id", "session_id", "project_id", "start_time", "end_time", "num_traces")


class Sessions(Resource[M]):
    """Sessions: conversations of several traces."""

    @operation
    def get(self, *, session_id: str, timeout: Timeout = 5) -> Steps[api.Session]:
        """One session by id or by the session id of the application."""
        yield from self._transport.require("reading a session", "13.5.0")
        return (yield from self._data(Call("GET", f"/v1/sessions/{part(session_id)}", timeout=timeout)))

    @listing
    def list(
        self,
        *,
        project_id: str | None = None,
        project_name: str | None = None,
        limit: int | None = None,
        timeout: Timeout = 5,
    ) -> Steps[Listing[api.Session]]:
        """Sessions of a project, oldest first."""
        project = part(one_of(project_id, project_name))
        yield from self._transport.require("listing sessions", "13.5.0")
        return Listing(Call("GET", f"/v1/projects/{project}/sessions", timeout=timeout), limit=limit)

    @operation
    def get_sessions_dataframe(
        self,
        *,
        project_id: str | None = None,
        project_name: str | None = None,
        limit: int | None = None,
        timeout: Timeout = 5,
    ) -> Steps[pandas.DataFrame]:
        """Sessions as a pandas frame, one row each, with the number of their traces."""
        from ..frames.libraries import load_pandas

        pandas = load_pandas()
        sessions = yield from self.list.steps(project_id=project_id, project_name=project_name, limit=limit, timeout=timeout)
        rows = [{**session, "num_traces": len(session["traces"])} for session in sessions]
        frame = pandas.DataFrame(rows, columns=list(_COLUMNS))
        for name in ("start_time", "end_time"):
            frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
        return frame

    @operation
    def get_session_turns(self, *, session_id: str, timeout: Timeout = 5) -> Steps[List[SessionTurn]]:
        """Turns of a session by time: of each trace the input and the output of its root span."""
        session = yield from self.get.steps(session_id=session_id, timeout=timeout)
        traces = session["traces"]
        roots: dict[str, dict[str, Any]] = {}
        project = part(session["project_id"])
        for start in range(0, len(traces), TURN_TRACES_PER_REQUEST):
            ids = [trace["trace_id"] for trace in traces[start : start + TURN_TRACES_PER_REQUEST]]
            params = {"trace_id": ids, "parent_id": "null", "limit": 1000}
            for span in (yield from self._data(Call("GET", f"/v1/projects/{project}/spans", params=params, timeout=timeout))):
                known = roots.get(span["context"]["trace_id"])
                if known is None or span["start_time"] < known["start_time"]:
                    roots[span["context"]["trace_id"]] = span
        turns = [_turn(trace, roots.get(trace["trace_id"])) for trace in traces]
        return sorted(turns, key=lambda turn: turn["start_time"])

    @operation
    def delete(self, *, session_id: str) -> Steps[None]:
        """Deletes a session with its traces."""
        yield from self._transport.require("deleting a session", "13.13.0")
        yield from self._transport.send(Call("DELETE", f"/v1/sessions/{part(session_id)}"))

    @operation
    def bulk_delete(self, *, session_ids: Sequence[str]) -> Steps[None]:
        """Deletes several sessions; unknown ones are skipped."""
        if not session_ids:
            raise ValueError("session_ids is empty; expected at least one")
        yield from self._transport.require("deleting sessions", "13.13.0")
        body = {"session_identifiers": [*session_ids]}
        yield from self._transport.send(Call("POST", "/v1/sessions/delete", json=body, is_repeatable=True))

    @operation
    def add_session_annotation(
        self,
        *,
        session_id: str,
        annotation_name: str,
        annotator_kind: str = "HUMAN",
        label: str | None = None,
        score: float | None = None,
        explanation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        identifier: str | None = None,
        sync: bool = False,
    ) -> Steps[api.AnnotateSessionsResponseDataItem | None]:
        """Annotates one session. Returns `{id}` if `sync`, else None."""
        annotation = build_annotation(
            {"session_id": session_id},
            annotation_name=annotation_name,
            annotator_kind=annotator_kind,
            label=label,
            score=score,
            explanation=explanation,
            metadata=metadata,
            identifier=identifier,
        )
        yield from self._transport.require("annotating a session", "12.0.0")
        ids = yield from send_annotations(self, SESSION, [annotation], sync=sync)
        return ids[0] if ids else None

    @operation
    def log_session_annotations(
        self, *, session_annotations: Iterable[Mapping[str, Any]], sync: bool = False
    ) -> Steps[List[api.AnnotateSessionsResponseDataItem] | None]:
        """Stores annotations in one request."""
        yield from self._transport.require("annotating a session", "12.0.0")
        return (yield from send_annotations(self, SESSION, session_annotations, sync=sync))

    @operation
    def log_session_annotations_dataframe(
        self, *, dataframe: Any, annotation_name: str | None = None, annotator_kind: str | None = None, sync: bool = False
    ) -> Steps[List[api.AnnotateSessionsResponseDataItem] | None]:
        """Stores an annotation for each row of a frame."""
        yield from self._transport.require("annotating a session", "12.0.0")
        return (
            yield from send_frame(
                self, SESSION, dataframe, annotation_name=annotation_name, annotator_kind=annotator_kind, sync=sync
            )
        )

    @listing
    def get_session_annotations(
        self,
        *,
        project_identifier: str,
        session_ids: Sequence[str],
        include_annotation_names: Sequence[str] | None = None,
        exclude_annotation_names: Sequence[str] | None = None,
    ) -> Listing[api.SessionAnnotation]:
        """Annotations of up to 1,000 sessions, newest first. Notes are left out unless `exclude_annotation_names` says otherwise."""
        params = {"session_ids": [*session_ids], **name_params(include_annotation_names, exclude_annotation_names)}
        call = Call("GET", f"/v1/projects/{part(project_identifier)}/session_annotations", params=params)
        return Listing(call, page_size=1000)

    @operation
    def delete_session_annotations(
        self,
        *,
        project_identifier: str,
        name: str | None = None,
        identifier: str | None = None,
        annotator_kind: str | None = None,
        start_time: datetime | str | None = None,
        end_time: datetime | str | None = None,
        delete_all: bool = False,
    ) -> Steps[None]:
        """Deletes the annotations of sessions for which all conditions hold, created between both times or, with `delete_all`, ever."""
        params = deletion_params(name, identifier, annotator_kind, start_time, end_time, delete_all)
        yield from self._transport.send(Call("DELETE", f"/v1/projects/{part(project_identifier)}/session_annotations", params=params))

    @operation
    def add_session_note(self, *, session_id: str, note: str, identifier: str | None = None) -> Steps[api.AddSessionNoteResponseData]:
        """Adds a note; with an identifier it replaces the note of that identifier."""
        return (yield from add_note(self, "session", session_id, note, identifier))


def _turn(trace: Mapping[str, Any], root: Mapping[str, Any] | None) -> SessionTurn:
    turn: Any = {key: trace[key] for key in ("trace_id", "start_time", "end_time")}
    if root is None:
        return turn
    for side in ("input", "output"):
        value = root["attributes"].get(f"{side}.value")
        if value is not None:
            mime_type = root["attributes"].get(f"{side}.mime_type")
            turn[side] = {"value": value, **({"mime_type": mime_type} if mime_type else {})}
    turn["root_span"] = root
    return turn
