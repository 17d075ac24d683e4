"""One run with the files that it opens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import InputError, RunStopped
from ..evaluators.base import mapping_fingerprint, to_evaluators
from .cache import Cache, open_cache
from .checkpoint import Checkpoint
from .engine import Engine
from .options import Options
from .output import Output
from .progress import Progress
from .results import EvaluatedRow, Evaluation
from .sources import open_source

# Headers that a client sets for each of its own requests.
_OWN_HEADERS = frozenset(("accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"))


class Run:
    """Checks what it is given when it is made. InputError for data, evaluators and options that cannot be used."""

    def __init__(self, data: Any, evaluators: Any, options: dict[str, Any]) -> None:
        self.evaluators = to_evaluators(evaluators)
        try:
            self.options = Options(**options)
        except TypeError as error:
            raise InputError(f"evaluate: {error}") from None
        self._data = data
        self.source = open_source(data)
        self.engine: Engine | None = None
        self._rows: list[EvaluatedRow] = []

    async def run(self, sink: Callable[[EvaluatedRow], Any] | None = None) -> Evaluation:
        """Runs once. RunStopped after an error that concerns all rows."""
        options = self.options
        with contextlib.ExitStack() as stack:
            cache = open_cache(options.cache)
            if cache is not None:
                stack.callback(cache.flush if isinstance(options.cache, Cache) else cache.close)
            checkpoint = None
            if options.checkpoint is not None:
                checkpoint = Checkpoint(options.checkpoint, self._identity())
                stack.callback(checkpoint.close)
            output = None
            if options.output is not None:
                files = [self._data, options.checkpoint, getattr(options.cache, "path", options.cache)]
                output = stack.enter_context(Output(options.output, files))
            if options.trace_project is not None:
                stack.enter_context(_traced(options))
            engine = self.engine = Engine(self.source, self.evaluators, options, checkpoint, cache)
            progress = Progress(self._total(), is_shown=options.progress is not False)

            def take(row: EvaluatedRow) -> Any:
                progress.update(engine.summary)
                if options.on_progress is not None:
                    options.on_progress(engine.summary)
                if output is not None:
                    output.write(row)
                elif options.keep_rows and sink is None:
                    self._rows.append(row)
                return sink(row) if sink is not None else None

            await engine.run(take)
            progress.finish(engine.summary)
        evaluation = Evaluation([one.name for one in self.evaluators], engine.summary, self._rows, output.path if output is not None else None)
        evaluation.stopped = engine.stopped
        if engine.fatal is not None:
            raise RunStopped(str(engine.fatal), evaluation) from engine.fatal
        return evaluation

    def interrupt(self) -> None:
        """Ends the run with the results so far. Called in its event loop."""
        if self.engine is not None:
            self.engine.stop("interrupted")

    def _identity(self) -> dict[str, Any]:
        return {
            "evaluators": [one.fingerprint() for one in self.evaluators],
            "repetitions": self.options.repetitions,
            "input_mapping": mapping_fingerprint(self.options.input_mapping),
        }

    def _total(self) -> int | None:
        return None if self.source.count is None else self.source.count * self.options.repetitions


def _traced(options: Options) -> Any:
    from .. import tracing

    base_url = getattr(options.client, "base_url", None)
    if base_url is None:
        raise InputError("trace_project needs client=, a Client of spandrel_client")
    sent = getattr(getattr(options.client, "http_client", None), "headers", None) or {}
    headers = {name: value for name, value in sent.items() if name.lower() not in _OWN_HEADERS}
    return tracing.project(options.trace_project or "", base_url=str(base_url), headers=headers)
