"""Posts results in batches, and goes on trying while the server is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from ..exceptions import ConnectionFailed, StatusError, UnexpectedAnswer
from ..limits import RESULT_WAIT_SECONDS, RESULTS_PER_REQUEST
from ..transport.calls import Call, Steps, part
from ..transport.retry import Transport
from .outbox import Outbox

Run = Callable[[Steps[Any]], Awaitable[Any]]
# Results that may wait for a server that is away; then tasks wait too.
_BACKLOG_MAX = 1_000
# Seconds that a server may be away.
AWAY_SECONDS_MAX = 600.0


class ServerAway(Exception):
    """The server did not come back in time. The outbox has the results."""


class Poster:
    """Takes results that are on disk, posts them, and says what the server did with each."""

    def __init__(self, run: Run, transport: Transport, outbox: Outbox, experiment_id: str, timeout: Any) -> None:
        self._run = run
        # Repetitions are this class's own, so that it can say that the server is away.
        self._transport = replace(transport, attempt_count=1)
        self._outbox = outbox
        self._experiment_id = experiment_id
        self._timeout = timeout
        self._queue: asyncio.Queue[tuple[str, int, dict[str, Any], asyncio.Future[str | None]]] = asyncio.Queue(_BACKLOG_MAX)
        self._worker: asyncio.Task[None] | None = None
        self.rejections: list[str] = []
        self.failure: BaseException | None = None
        self.on_away: Callable[[str], None] = lambda message: None

    def start(self) -> None:
        self._worker = asyncio.ensure_future(self._work())

    async def put(self, kind: str, body: dict[str, Any]) -> asyncio.Future[str | None]:
        """Keeps a result on disk and queues it. The future is its id, or None if the server did not take it."""
        number = await self._outbox.append(kind, body)
        return await self._enqueue(kind, number, body)

    async def put_again(self, record: dict[str, Any]) -> asyncio.Future[str | None]:
        """Queues a record that is on disk already."""
        return await self._enqueue(record["kind"], record["n"], record["body"])

    async def _enqueue(self, kind: str, number: int, body: dict[str, Any]) -> asyncio.Future[str | None]:
        if self.failure is not None:
            raise self.failure
        future: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        await self._queue.put((kind, number, body, future))
        if self.failure is not None:
            self._fail()
            raise self.failure
        return future

    async def drain(self) -> None:
        """Waits until everything queued is posted. Raises what stopped the posting."""
        if self.failure is None and self._worker is not None:
            joined = asyncio.ensure_future(self._queue.join())
            await asyncio.wait([joined, self._worker], return_when=asyncio.FIRST_COMPLETED)
            joined.cancel()
        if self.failure is not None:
            raise self.failure

    async def stop(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _work(self) -> None:
        try:
            while True:
                batch = [await self._queue.get()]
                await asyncio.sleep(0 if self._queue.qsize() >= RESULTS_PER_REQUEST else RESULT_WAIT_SECONDS / 10)
                while len(batch) < RESULTS_PER_REQUEST and not self._queue.empty():
                    batch.append(self._queue.get_nowait())
                for kind in ("run", "evaluation"):
                    some = [one for one in batch if one[0] == kind]
                    if some:
                        await self._post(kind, some)
                for _ in batch:
                    self._queue.task_done()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - it is raised where results are put
            self.failure = error
            self._fail()

    def _fail(self) -> None:
        """Empties the queue, so that nobody waits for a place in it."""
        while not self._queue.empty():
            *_, future = self._queue.get_nowait()
            if not future.done():
                future.set_result(None)

    async def _post(self, kind: str, batch: list[Any]) -> None:
        since = time.monotonic()
        delay = 0.5
        while True:
            try:
                answers = await self._run(self._send(kind, [body for _, _, body, _ in batch]))
                break
            except (ConnectionFailed, StatusError, UnexpectedAnswer) as error:
                if isinstance(error, StatusError) and not (error.status >= 500 or error.status in (408, 425, 429)):
                    raise
                if time.monotonic() - since > AWAY_SECONDS_MAX:
                    raise ServerAway(str(error)) from None
                self.on_away(str(error))
                await asyncio.sleep(delay)
                delay = min(delay * 2, 10.0)
        sent = []
        for (_, number, _, future), answer in zip(batch, answers):
            status = answer.get("status", 200)
            if status < 300 or status == 409:
                sent.append(number)
            elif status >= 500 or status == 429:
                raise ServerAway(f"the server answered {status} for a result: {answer.get('detail')}")
            else:
                sent.append(number)
                self.rejections.append(f"{kind}: {status} {answer.get('detail')}")
            if not future.done():
                future.set_result((answer.get("data") or {}).get("id"))
        self._outbox.sent(sent)

    def _send(self, kind: str, bodies: list[dict[str, Any]]) -> Steps[list[dict[str, Any]]]:
        """What the server did with each result: its status and data."""
        if len(bodies) > 1 and (yield from self._transport.identify()).is_ours:
            try:
                answer = yield from self._transport.json(self._call(kind, bodies))
                if isinstance(answer.get("data"), list) and len(answer["data"]) == len(bodies):
                    return answer["data"]
                raise UnexpectedAnswer("expected a status for each result of a batch; update the server")
            except StatusError as error:
                # Too large together, or a server from before lists: one after another.
                if error.status not in (400, 413, 422):
                    raise
        answers = []
        for body in bodies:
            try:
                answer = yield from self._transport.json(self._call(kind, body))
                answers.append({"status": 200, "data": answer.get("data")})
            except StatusError as error:
                if error.status not in (400, 409, 413, 422):
                    raise
                answers.append({"status": error.status, "detail": error.detail})
        return answers

    def _call(self, kind: str, body: Any) -> Call:
        if kind == "run":
            path = part(self._experiment_id)
            return Call("POST", f"/v1/experiments/{path}/runs", json=body, timeout=self._timeout, is_repeatable=True)
        return Call("POST", "/v1/experiment_evaluations", json=body, timeout=self._timeout, is_repeatable=True)
