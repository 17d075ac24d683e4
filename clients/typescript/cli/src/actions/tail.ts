import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, type SpandrelClient } from '@spandrel/client';
import type { Span } from '@spandrel/client/spans';
import type { Action, Invocation } from '../command-line/command.ts';
import { toDuration, toLine, toTime } from '../output/text.ts';

/** Spans that are read after one event. More that came at once are counted, and not shown. */
const SPAN_COUNT_MAX = 1_000;
/** IDs that are remembered, so that no span is shown twice. */
const SEEN_COUNT_MAX = 50_000;
/** Spans arrive after they end, so reads go back by this time. */
const LATE_MS_MAX = 10 * 60_000;
const RECONNECT_MS = 1_000;
const RECONNECT_MS_MAX = 30_000;
const EVENT_CHARS_MAX = 64 * 1024;

/** Shows spans as they arrive, until Ctrl-C. A connection that ends is opened again. */
export const tail: Action = async (invocation) => {
  const { client, number, out, signal } = invocation;
  const server = await client();
  const project = await invocation.project();
  const countMax = number('limit') ?? Number.POSITIVE_INFINITY;
  const state = { seen: new Set<string>(), shownCount: 0, isFirst: true };
  let waitMs = RECONNECT_MS;
  while (state.shownCount < countMax) {
    try {
      for await (const _change of readChanges(server, project, signal)) {
        waitMs = RECONNECT_MS;
        await showNew(invocation, server, project, state, countMax);
        if (state.shownCount >= countMax) return;
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof ConnectionError || error instanceof TypeError)) throw error;
      out.note(`The connection ended; trying again in ${waitMs / 1_000} s.`);
    }
    await sleep(waitMs, undefined, { signal });
    waitMs = Math.min(waitMs * 2, RECONNECT_MS_MAX);
  }
};

interface TailState {
  readonly seen: Set<string>;
  shownCount: number;
  /** Spans that exist before are not shown. */
  isFirst: boolean;
}

/** Yields for each event of a change. The first one comes at once. */
async function* readChanges(server: SpandrelClient, project: string, signal: AbortSignal): AsyncGenerator<void> {
  const ended = new AbortController();
  const response = await server.fetch(`/events?project=${encodeURIComponent(project)}`, {
    headers: { accept: 'text/event-stream' },
    signal: AbortSignal.any([signal, ended.signal]),
  });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text = (text + decoder.decode(chunk as Uint8Array, { stream: true })).slice(-EVENT_CHARS_MAX);
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      if (events.some((event) => /^event: change$/m.test(event))) yield;
    }
  } finally {
    ended.abort();
  }
}

async function showNew(
  { out, list, signal }: Invocation,
  server: SpandrelClient,
  project: string,
  state: TailState,
  countMax: number,
): Promise<void> {
  const kinds = list('span-kind');
  const codes = list('status-code') as Span['status_code'][];
  const query = {
    limit: SPAN_COUNT_MAX,
    start_time: new Date(Date.now() - LATE_MS_MAX).toISOString(),
    span_kind: kinds.length > 0 ? [...kinds] : undefined,
    status_code: codes.length > 0 ? codes : undefined,
  };
  const params = { path: { project_identifier: project }, query };
  const { data } = await server.GET('/v1/projects/{project_identifier}/spans', { params, signal });
  const fresh = (data?.data ?? []).filter(({ id }) => !state.seen.has(id));
  for (const { id } of fresh) state.seen.add(id);
  for (const id of state.seen) {
    if (state.seen.size <= SEEN_COUNT_MAX) break;
    state.seen.delete(id);
  }
  const isFirst = state.isFirst;
  state.isFirst = false;
  if (isFirst) return out.note('Waiting for spans. Ctrl-C ends.');
  for (const span of fresh.reverse()) {
    if (state.shownCount++ >= countMax) return;
    if (out.isPretty) await out.line(toText(span, out));
    else await out.write(`${JSON.stringify(span)}\n`);
  }
  if (fresh.length === SPAN_COUNT_MAX)
    out.note(`More than ${SPAN_COUNT_MAX} spans arrived at once; older ones are not shown.`);
}

function toText(span: Span, out: Invocation['out']): string {
  const took = toDuration(Date.parse(span.end_time) - Date.parse(span.start_time));
  const isError = span.status_code === 'ERROR';
  const start = `${out.paint('gray', toTime(span.start_time))}  ${span.context.trace_id.slice(0, 8)}`;
  const line = `${toLine(span.span_kind, 9).padEnd(9)}  ${took.padStart(9)}  ${toLine(span.name, 80)}`;
  return `${start}  ${isError ? out.paint('red', `${line}  ✗ ${toLine(span.status_message, 120)}`) : line}`;
}
