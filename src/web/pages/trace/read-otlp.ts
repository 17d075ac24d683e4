import { RequestFailure } from '../../data/request.ts';
import { appUrl } from '../../router/app-url.ts';

interface Wanted {
  readonly projectId: string;
  readonly traceId: string;
  /** Absent: all spans of the trace. */
  readonly spanId?: string | undefined;
}

/** What one page of the REST interface holds at most. */
const PAGE_COUNT = 1_000;

/**
 * Spans as a request of OTLP/JSON: what an exporter would send, and what the server takes in again. In parts, since a
 * trace may be longer than a text can be.
 *
 * @throws {RequestFailure}
 */
export async function readOtlp({ projectId, traceId, spanId }: Wanted): Promise<readonly string[]> {
  const parts = ['{"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{},"spans":['];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = new URLSearchParams({ trace_id: traceId, limit: String(PAGE_COUNT) });
    if (spanId !== undefined) query.set('span_id', spanId);
    if (cursor !== undefined) query.set('cursor', cursor);
    const page = await readPage(`v1/projects/${encodeURIComponent(projectId)}/spans/otlpv1?${query}`);
    for (const span of page.data) parts.push(`${parts.length > 1 ? ',' : ''}${JSON.stringify(toOtlpJson(span))}`);
    cursor = page.next_cursor;
  }
  if (parts.length === 1) throw new RequestFailure('notFound', 'There is no such span any more.');
  return [...parts, ']}]}]}'];
}

interface Page {
  readonly data: readonly Json[];
  readonly next_cursor: string | null;
}
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

async function readPage(path: string): Promise<Page> {
  let response: Response;
  try {
    response = await fetch(appUrl(path));
  } catch (error) {
    throw new RequestFailure('unreachable', 'The server does not answer.', String(error));
  }
  const text = await response.text();
  if (!response.ok) throw new RequestFailure('refused', `The server answered ${response.status}.`, text);
  return JSON.parse(quoteIntegers(text)) as Page;
}

/**
 * Times and whole numbers go beyond what a number can hold, and OTLP/JSON has them as texts anyway. Within a text these
 * keys would have their quotes escaped, so no text is touched.
 */
const quoteIntegers = (text: string): string =>
  text.replace(/"(int_value|start_time_unix_nano|end_time_unix_nano|time_unix_nano)":\s*(-?\d+)/g, '"$1":"$2"');

/** Keys as OTLP/JSON has them, without those that hold nothing. */
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
