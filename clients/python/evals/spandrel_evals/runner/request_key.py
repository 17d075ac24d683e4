"""Keys of requests: the same for the same provider, address, model, messages, parameters, schema and repetition."""

from __future__ import annotations

import hashlib
from typing import Any

from ..json_values import canonical_json, dump_json
from ..llm.contract import ModelRequest

_PREFIX_COUNT_MAX = 256


class RequestKeys:
    """Makes keys. What many requests share is digested once."""

    def __init__(self) -> None:
        self._prefixes: dict[Any, tuple[Any, bytes]] = {}

    def of(self, llm: Any, request: ModelRequest, repetition: int) -> bytes:
        parameters = request.parameters
        named = (*llm.identity(), id(request.schema), request.mode, request.logprobs, repr(parameters) if parameters else "", repetition)
        known = self._prefixes.get(named)
        if known is None:
            if len(self._prefixes) >= _PREFIX_COUNT_MAX:
                self._prefixes.clear()
            parts = [llm.identity(), request.schema, request.mode, request.logprobs, dict(parameters), repetition]
            # The schema is kept, so that its id is not given to another one.
            known = self._prefixes[named] = (request.schema, hashlib.sha256(canonical_json(parts).encode()).digest())
        return hashlib.sha256(known[1] + dump_json(request.messages).encode("utf-8", "backslashreplace")).digest()
