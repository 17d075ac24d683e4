from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..exceptions import GraphQLError, UnexpectedAnswer
from ..transport.calls import Call, Steps
from .base import M, Resource, operation


class GraphQL(Resource[M]):
    """Queries and mutations of the server's GraphQL API, for what the REST API does not have."""

    @operation
    def execute(self, query: str, variables: Mapping[str, Any] | None = None, *, is_repeatable: bool = False) -> Steps[dict[str, Any]]:
        """The data of the answer. GraphQLError with the server's first message if it does not execute the document.

        Values go into `variables`, never into the text. `is_repeatable` allows retries after errors that may pass: for queries, and
        for mutations that store the same thing when they run twice.
        """
        call = Call("POST", "/graphql", json={"query": query, "variables": dict(variables or {})}, is_repeatable=is_repeatable)
        answer = yield from self._json(call)
        if not isinstance(answer, dict):
            raise UnexpectedAnswer("POST /graphql: expected an object, got something else; check base_url")
        if answer.get("errors"):
            raise GraphQLError(answer["errors"])
        if not isinstance(answer.get("data"), dict):
            raise UnexpectedAnswer("POST /graphql: expected data, got something else; check base_url")
        return answer["data"]
