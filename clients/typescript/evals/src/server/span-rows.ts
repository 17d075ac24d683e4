import type { SpandrelClient } from '@spandrel/client';
import { BadRow } from '../data/bad-row.ts';
import { parseJsonLines } from '../data/parse-json-lines.ts';
import { EvaluationError } from '../errors.ts';

/** A span as a row. `input` and `output` are texts, if the span has them. */
export interface SpanRow {
  readonly spanId: string;
  readonly traceId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly spanKind: string;
  readonly statusCode: string;
  /** Milliseconds since 1970. */
  readonly startTimeMs: number;
  readonly latencyMs: number;
  readonly input?: unknown;
  readonly output?: unknown;
  /** Flat: dotted keys. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly annotations: readonly SpanRowAnnotation[];
}

export interface SpanRowAnnotation {
  readonly name: string;
  readonly identifier: string;
  readonly label?: string | null;
  readonly score?: number | null;
}

export interface SpanSelection {
  readonly client: SpandrelClient;
  /** Name or ID. */
  readonly project: string;
  /** In the language of span filters, such as `span_kind == 'LLM'`. */
  readonly filter?: string;
  readonly startTime?: Date;
  /** Excluded. */
  readonly endTime?: Date;
  readonly rootSpansOnly?: boolean;
  readonly signal?: AbortSignal;
}

interface SpanLine {
  readonly span_id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly span_kind: string;
  readonly status_code: string;
  readonly start_time_unix_nano: string;
  readonly end_time_unix_nano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly annotations: readonly SpanRowAnnotation[];
}

/** Spans of a project in the order in which they were stored, streamed. @throws {EvaluationError} when the download breaks off */
export async function* readSpanRows({
  client,
  project,
  filter,
  startTime,
  endTime,
  rootSpansOnly,
  signal,
}: SpanSelection): AsyncGenerator<SpanRow> {
  const query = new URLSearchParams({ format: 'jsonl' });
  if (filter !== undefined) query.set('filter_condition', filter);
  if (startTime) query.set('start_time', startTime.toISOString());
  if (endTime) query.set('end_time', endTime.toISOString());
  if (rootSpansOnly) query.set('root_spans_only', 'true');
  const path = `/v1/projects/${encodeURIComponent(project)}/spans/export?${query}`;
  const response = await client.fetch(path, { headers: { accept: '*/*' }, ...(signal && { signal }) });
  if (!response.body) return;
  for await (const line of parseJsonLines(response.body as unknown as AsyncIterable<Uint8Array>)) {
    if (line instanceof BadRow) throw new EvaluationError(`The download of spans broke off: ${line.error.message}`);
    yield toRow(line as unknown as SpanLine);
  }
}

const toMs = (nano: string): number => Number(BigInt(nano) / 1_000n) / 1_000;

function toRow({ attributes, annotations, ...line }: SpanLine): SpanRow {
  const [startTimeMs, endTimeMs] = [toMs(line.start_time_unix_nano), toMs(line.end_time_unix_nano)];
  const input = attributes['input.value'];
  const output = attributes['output.value'];
  return {
    spanId: line.span_id,
    traceId: line.trace_id,
    parentId: line.parent_id,
    name: line.name,
    spanKind: line.span_kind,
    statusCode: line.status_code,
    startTimeMs,
    latencyMs: endTimeMs - startTimeMs,
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    attributes,
    annotations,
  };
}

/** The examples of a dataset as rows: `input`, `expected`, `metadata`, and the fields of an object input by their names. */
export function toExampleRows({ examples }: { readonly examples: readonly ExampleLike[] }): Record<string, unknown>[] {
  return examples.map(({ id, input, output, metadata }) => {
    const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
    return { ...fields, exampleId: id, input, expected: output, metadata };
  });
}

interface ExampleLike {
  readonly id: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly metadata?: unknown;
}
