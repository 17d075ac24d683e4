import { fetchResponse, RequestFailure, statusFailure } from '../../../data/request.ts';

interface Wanted {
  readonly projectId: string;
  readonly traceId: string;
  /** Absent: all spans of the trace. */
  readonly spanId?: string | undefined;
}

/** Maximum page size of the REST API. */
const PAGE_COUNT = 1_000;

/**
 * Reads spans as an OTLP/JSON request, which the server accepts. Returns it in chunks, because a trace may be longer
 * than a JavaScript string.
 *
 * @throws {RequestFailure}
 */
export async function readOtlp(
  { projectId, traceId, spanId }: Wanted,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const parts = ['{"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{},"spans":['];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = new URLSearchParams({ trace_id: traceId, limit: String(PAGE_COUNT) });
    if (spanId !== undefined) query.set('span_id', spanId);
    if (cursor !== undefined) query.set('cursor', cursor);
    const page = await readPage(`v1/projects/${encodeURIComponent(projectId)}/spans/otlpv1?${query}`, signal);
    for (const span of page.data) parts.push(`${parts.length > 1 ? ',' : ''}${JSON.stringify(toOtlpJson(span))}`);
    cursor = page.next_cursor;
  }
  if (parts.length === 1) throw new RequestFailure('notFound', 'The span does not exist.');
  return [...parts, ']}]}]}'];
}

interface Page {
  readonly data: readonly Json[];
  readonly next_cursor: string | null;
}
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

async function readPage(path: string, signal: AbortSignal | undefined): Promise<Page> {
  const response = await fetchResponse(path, 'OTLP', signal ? { signal } : {});
  if (!response.ok) throw await statusFailure(response);
  return JSON.parse(quoteIntegers(await response.text())) as Page;
}

/**
 * Quotes integers that a JavaScript number cannot represent, as OTLP/JSON does. The quotes of a key inside a string are
 * escaped, so strings do not change.
 */
const quoteIntegers = (text: string): string =>
  text.replace(/"(int_value|start_time_unix_nano|end_time_unix_nano|time_unix_nano)":\s*(-?\d+)/g, '"$1":"$2"');

/** Converts keys to those of OTLP/JSON and removes null values. */
export function toOtlpJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(toOtlpJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as { readonly [key: string]: Json }).flatMap(([key, each]) => {
      if (each === null) return [];
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [[name, name === 'kind' ? SPAN_KIND_INTERNAL : toOtlpJson(each)]];
    }),
  );
}

const SPAN_KIND_INTERNAL = 1;
