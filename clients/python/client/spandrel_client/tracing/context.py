"""What all spans inside of a block have in common: session, user, tags, metadata, prompt. Each is a context manager and a
decorator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from openinference.instrumentation import using_metadata, using_prompt_template, using_session, using_tags, using_user


def session(session_id: str) -> Any:
    """Spans belong to the session."""
    return using_session(session_id)


def user(user_id: str) -> Any:
    """Spans belong to the user."""
    return using_user(user_id)


def tags(*names: str | Sequence[str]) -> Any:
    """Spans have the tags: `tags("a", "b")` or `tags(["a", "b"])`."""
    return using_tags([tag for name in names for tag in ([name] if isinstance(name, str) else name)])


def metadata(values: Mapping[str, Any] | None = None, **more: Any) -> Any:
    """Spans have the metadata."""
    return using_metadata({**(values or {}), **more})


def prompt(template: str | None = None, *, variables: Mapping[str, Any] | None = None, version: str | None = None) -> Any:
    """Spans of models say which prompt template they used."""
    given: dict[str, Any] = {"template": template, "variables": dict(variables) if variables is not None else None, "version": version}
    return using_prompt_template(**{name: value for name, value in given.items() if value is not None})
