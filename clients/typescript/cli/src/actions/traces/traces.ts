import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpandrelClient } from '@spandrel/client';
import type { Span } from '@spandrel/client/spans';
import type { Trace } from '@spandrel/client/traces';
import { type Action, CommandError, type Invocation, UsageError } from '../../command-line/command.ts';
import { EXIT } from '../../exit-codes.ts';
import { toFacts } from '../../output/table.ts';
import { toDuration, toLine, toMoney, toTime } from '../../output/text.ts';
import { annotationsOf } from '../annotations-of.ts';
import { startTimeOf, timeOf } from '../find.ts';
import { readPages, toArray } from '../pages.ts';
import { readTraceFacts, type TraceFacts } from './trace-facts.ts';
import { toTree } from './trace-tree.ts';

/** Spans of one trace that are read. */
const SPAN_COUNT_MAX = 20_000;
/** Newest traces that are searched for the beginning of an ID. */
const SEARCHED_COUNT_MAX = 10_000;

/** A trace as the JSON output has it. Times are ISO texts, `duration` is in milliseconds. */
interface TraceDocument {
  readonly traceId: string;
  readonly spans: readonly Span[];
  readonly rootSpan: Span | null;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly duration: number;
  readonly status: string;
}

export const listTraces: Action = async (invocation) => {
  const { client, text, number, count, argument, out, signal } = invocation;
  const server = await client();
  const project = await invocation.project();
  const folder = argument(0);
  const limit = count('limit');
  const query = {
    start_time: startTimeOf(text('since'), number('last-n-minutes')),
    end_time: timeOf(text('until'), 'until'),
    include_spans: true,
    limit: Math.min(limit, 100),
  };
  const traces = readPages(
    (cursor) =>
      server.GET('/v1/projects/{project_identifier}/traces', {
        params: { path: { project_identifier: project }, query: { ...query, cursor } },
        signal,
      }),
    limit,
  );
  if (folder) return saveTraces(invocation, folder, documentsOf(invocation, server, project, traces));
  if (!out.isPretty) return out.list(documentsOf(invocation, server, project, traces), [], '');
  await out.list(
    traces,
    [
      { title: 'TRACE', text: ({ trace_id: id }) => id },
      { title: 'START', text: ({ start_time: start }) => toTime(start) },
      { title: 'NAME', text: (trace) => rootOf(trace)?.name },
      {
        title: 'TIME',
        isRight: true,
        text: (trace) => toDuration(Date.parse(trace.end_time) - Date.parse(trace.start_time)),
      },
      { title: 'SPANS', isRight: true, text: ({ spans }) => spans?.length },
      { title: 'TOKENS', isRight: true, text: ({ token_count_total: count }) => count || '' },
      {
        title: 'STATUS',
        text: (trace) => (trace.spans?.some((span) => span.status_code === 'ERROR') ? 'ERROR' : 'OK'),
      },
    ],
    'No traces in this range.',
  );
};

const rootOf = ({ spans }: Trace) => spans?.find(({ parent_id: parent }) => parent === null) ?? spans?.[0];

async function* documentsOf(
  invocation: Invocation,
  server: SpandrelClient,
  project: string,
  traces: AsyncIterable<Trace>,
): AsyncGenerator<TraceDocument> {
  for await (const { trace_id: traceId } of traces) {
    const document = toDocument(traceId, await readSpans(server, project, traceId, invocation.signal));
    yield { ...document, ...(await annotationsOf(invocation, server, project, 'trace', traceId)) };
  }
}

async function saveTraces({ out }: Invocation, folder: string, traces: AsyncIterable<TraceDocument>): Promise<void> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  for await (const trace of traces) {
    // An ID of another program may not be hexadecimal, and must not leave the folder.
    const name = trace.traceId.replace(/[^\w-]/g, '_').slice(0, 100);
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(trace, null, 2)}\n`);
    out.progress(`${++count} traces`);
  }
  out.note(`Wrote ${count} ${count === 1 ? 'trace' : 'traces'} to ${folder}`);
}

export const getTrace: Action = async (invocation) => {
  const { client, argument, text, out, signal, settings } = invocation;
  const server = await client();
  const wanted = argument(0).toLowerCase();
  if (!/^[0-9a-f]{1,32}$/.test(wanted)) {
    throw new UsageError(`A trace ID has up to 32 hexadecimal digits, received "${argument(0)}".`);
  }
  const facts = await readTraceFacts(server, wanted, signal);
  const project = settings.project === undefined && facts ? facts.projectId : await invocation.project();
  const traceId = wanted.length === 32 ? wanted : await findByPrefix(server, project, wanted, signal);
  const spans = traceId ? await readSpans(server, project, traceId, signal) : [];
  if (!traceId || spans.length === 0) {
    throw new CommandError(
      `No trace ${wanted} in this project. spandrel trace list shows the newest; --project names another project.`,
      EXIT.failure,
    );
  }
  const known = facts ?? (await readTraceFacts(server, traceId, signal));
  const document = {
    ...toDocument(traceId, spans),
    ...(await annotationsOf(invocation, server, project, 'trace', traceId)),
  };
  const file = text('file');
  if (file !== undefined) {
    await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
    return out.note(`Wrote ${file}`);
  }
  await out.item(document, () => toText(document, known, invocation));
};

async function findByPrefix(
  server: SpandrelClient,
  project: string,
  prefix: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = new Set<string>();
  const path = { project_identifier: project };
  for await (const { trace_id: id } of readPages(
    (cursor) =>
      server.GET('/v1/projects/{project_identifier}/traces', {
        params: { path, query: { limit: 100, cursor } },
        signal,
      }),
    SEARCHED_COUNT_MAX,
  ))
    if (id.startsWith(prefix)) found.add(id);
  if (found.size > 1) {
    throw new UsageError(
      `${found.size} traces begin with ${prefix}: ${[...found].slice(0, 5).join(', ')}. Write more of the ID.`,
    );
  }
  return [...found][0];
}

async function readSpans(
  server: SpandrelClient,
  project: string,
  traceId: string,
  signal: AbortSignal,
): Promise<Span[]> {
  const path = { project_identifier: project };
  const read = (cursor: string | undefined) =>
    server.GET('/v1/projects/{project_identifier}/spans', {
      params: { path, query: { trace_id: [traceId], limit: 1_000, cursor } },
      signal,
    });
  return toArray(readPages(read, SPAN_COUNT_MAX));
}

function toDocument(traceId: string, spans: readonly Span[]): TraceDocument {
  const sorted = [...spans].sort((left, right) => Date.parse(left.start_time) - Date.parse(right.start_time));
  const ids = new Set(spans.map(({ context }) => context.span_id));
  const isRoot = ({ parent_id: parent }: Span) => parent === null || !ids.has(parent);
  const last = sorted.reduce<Span | undefined>(
    (latest, span) => (!latest || Date.parse(span.end_time) > Date.parse(latest.end_time) ? span : latest),
    undefined,
  );
  const startTime = sorted[0]?.start_time ?? null;
  const endTime = last?.end_time ?? null;
  return {
    traceId,
    spans: sorted,
    rootSpan: sorted.find(({ parent_id: parent }) => parent === null) ?? sorted.find(isRoot) ?? null,
    startTime,
    endTime,
    duration: startTime && endTime ? Date.parse(endTime) - Date.parse(startTime) : 0,
    status: spans.some(({ status_code: code }) => code === 'ERROR') ? 'ERROR' : 'OK',
  };
}

function toText(document: TraceDocument, facts: TraceFacts | undefined, { out }: Invocation): string {
  const head = toFacts([
    ['Trace', document.traceId],
    ['Start', toTime(document.startTime)],
    ['Time', toDuration(document.duration)],
    ['Spans', document.spans.length],
    ['Cost', toMoney(facts?.cost)],
    ['Status', document.status],
  ]);
  const spans = document.spans.map((span) => ({
    spanId: span.context.span_id,
    parentId: span.parent_id,
    name: span.name,
    kind: toLine(span.span_kind, 20),
    isError: span.status_code === 'ERROR',
    startMs: Date.parse(span.start_time),
    endMs: Date.parse(span.end_time),
    tokenCount: tokensOf(span),
    cost: facts?.spanCosts.get(span.context.span_id),
    message: span.status_message,
  }));
  return `${head}\n\n${toTree(spans, out)}`;
}

function tokensOf({ attributes }: Span): number | undefined {
  const {
    'llm.token_count.total': total,
    'llm.token_count.prompt': prompt,
    'llm.token_count.completion': completion,
  } = attributes;
  if (typeof total === 'number') return total;
  const sum = (typeof prompt === 'number' ? prompt : 0) + (typeof completion === 'number' ? completion : 0);
  return sum > 0 ? sum : undefined;
}
