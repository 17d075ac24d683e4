import { requireText, sendInBatches, toList, toTimeText } from '../annotations/annotation.ts';
import { bodyOf, type CallOptions, clientOf } from '../client.ts';
import type { NewSpan, Span } from '../generated/api.ts';
import { HttpError, SpandrelError } from '../http/errors.ts';
import { List } from '../pages/list.ts';
import { type ProjectArgument, toProjectIdentifier } from '../projects/project-selector.ts';
import { type AttributeValue, toAttributeFilters } from './span-attributes.ts';

export type { NewSpan, Span };

/** Which spans are read. Several conditions must all hold; of a list, one value. */
export interface SpanFilter {
  readonly startTime?: Date | string | null;
  /** Excluded from the interval. */
  readonly endTime?: Date | string | null;
  readonly traceIds?: readonly string[] | string | null;
  readonly spanIds?: readonly string[] | string | null;
  /** Null: spans without a parent. */
  readonly parentId?: string | null;
  readonly name?: readonly string[] | string | null;
  readonly spanKind?: readonly string[] | string | null;
  readonly statusCode?: readonly string[] | string | null;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
}

/**
 * Spans of a project, the newest first. `await` gives `{ spans, nextCursor }` of one page, `for await` the spans of all
 * pages.
 *
 * @param limit Rows of a page.
 */
export function getSpans({
  client,
  signal,
  project,
  cursor: start,
  limit = 100,
  ...filter
}: CallOptions &
  SpanFilter & {
    readonly project?: ProjectArgument;
    readonly cursor?: string | null;
    readonly limit?: number;
  }): List<Span, { spans: Span[]; nextCursor: string | null }> {
  const read = async (cursor = start ?? undefined) => {
    const server = clientOf(client);
    const path = { project_identifier: toProjectIdentifier(project, server) };
    const query = { ...toSpanQuery(filter), limit, cursor };
    const call = server.GET('/v1/projects/{project_identifier}/spans', { params: { path, query }, signal });
    const { data, next_cursor: next } = await bodyOf(call);
    return { items: data, nextCursor: next };
  };
  return new List(read, async (list) => {
    const { items, nextCursor } = await list.page(start);
    return { spans: items, nextCursor };
  });
}

const toSpanQuery = (filter: SpanFilter) => ({
  start_time: toTimeText(filter.startTime, 'startTime'),
  end_time: toTimeText(filter.endTime, 'endTime'),
  trace_id: toList(filter.traceIds),
  span_id: toList(filter.spanIds),
  parent_id: filter.parentId === null ? 'null' : filter.parentId,
  name: toList(filter.name),
  span_kind: toList(filter.spanKind),
  status_code: toList(filter.statusCode),
  attribute: toAttributeFilters(filter.attributes),
});

/** A span that the server did not store, because its ID is taken or a field is wrong. */
export interface RejectedSpan {
  readonly spanId: string | undefined;
  readonly traceId: string | undefined;
  readonly error: string | undefined;
  /** Position in the list that was sent. */
  readonly index: number | undefined;
}

/** None of the spans of a request was stored, because some are invalid or stored already. */
export class SpanCreationError extends SpandrelError {
  override readonly name = 'SpanCreationError';
  readonly invalidSpans: readonly RejectedSpan[];
  readonly duplicateSpans: readonly RejectedSpan[];
  readonly totalReceived: number;
  readonly totalQueued: number;
  readonly totalInvalid: number;
  readonly totalDuplicates: number;

  constructor(message: string, fields: Omit<SpanCreationError, keyof SpandrelError>, cause: HttpError) {
    super('SPANS_REJECTED', message, { cause });
    this.invalidSpans = fields.invalidSpans;
    this.duplicateSpans = fields.duplicateSpans;
    this.totalReceived = fields.totalReceived;
    this.totalQueued = fields.totalQueued;
    this.totalInvalid = fields.totalInvalid;
    this.totalDuplicates = fields.totalDuplicates;
  }
}

/**
 * Sends spans to a project, which is created when it does not exist, in requests of 1,000.
 *
 * @throws {SpanCreationError} when a request has invalid or stored spans
 */
export async function logSpans({
  client,
  signal,
  project,
  spans,
}: CallOptions & { readonly project?: ProjectArgument; readonly spans: readonly NewSpan[] }): Promise<{
  totalReceived: number;
  totalQueued: number;
}> {
  const server = clientOf(client);
  const params = { path: { project_identifier: toProjectIdentifier(project, server) } };
  const counts = await sendInBatches(spans, 'spans', async (batch) => {
    const call = server.POST('/v1/projects/{project_identifier}/spans', { params, body: { data: batch }, signal });
    return [
      await bodyOf(call).catch(async (error: unknown) => {
        throw await toCreationError(error);
      }),
    ];
  });
  return {
    totalReceived: counts.reduce((sum, { total_received: count }) => sum + count, 0),
    totalQueued: counts.reduce((sum, { total_queued: count }) => sum + count, 0),
  };
}

interface Rejection {
  readonly total_received?: number;
  readonly total_queued?: number;
  readonly duplicate_spans?: readonly RejectionOfSpan[];
  readonly invalid_spans?: readonly RejectionOfSpan[];
}

interface RejectionOfSpan {
  readonly span_id?: string;
  readonly trace_id?: string;
  readonly error?: string;
}

async function toCreationError(error: unknown): Promise<unknown> {
  if (!(error instanceof HttpError) || (error.status !== 400 && error.status !== 422)) return error;
  try {
    // The fields, or `detail` with the fields as JSON in a text. That of the error may be shortened.
    const body = (await error.response.clone().json()) as Rejection & { readonly detail?: string };
    const {
      total_received: received = 0,
      total_queued: queued = 0,
      ...lists
    } = (typeof body.detail === 'string' ? JSON.parse(body.detail) : body) as Rejection;
    const invalidSpans = (lists.invalid_spans ?? []).map(toRejectedSpan);
    const duplicateSpans = (lists.duplicate_spans ?? []).map(toRejectedSpan);
    const counts = { totalReceived: received, totalQueued: queued };
    const message = `Of ${received} spans, ${invalidSpans.length} are invalid and ${duplicateSpans.length} are stored already; ${queued} were queued.`;
    const totals = { totalInvalid: invalidSpans.length, totalDuplicates: duplicateSpans.length };
    return new SpanCreationError(message, { invalidSpans, duplicateSpans, ...counts, ...totals }, error);
  } catch {
    const none = {
      invalidSpans: [],
      duplicateSpans: [],
      totalReceived: 0,
      totalQueued: 0,
      totalInvalid: 0,
      totalDuplicates: 0,
    };
    return new SpanCreationError(`The server rejected the spans: ${error.detail}`, none, error);
  }
}

const toRejectedSpan = ({ span_id: spanId, trace_id: traceId, error }: RejectionOfSpan): RejectedSpan => ({
  spanId,
  traceId,
  error,
  index: undefined,
});

/** Deletes a span by its OpenTelemetry or global ID. */
export async function deleteSpan({
  client,
  signal,
  spanIdentifier,
}: CallOptions & { readonly spanIdentifier: string }): Promise<void> {
  const path = { span_identifier: requireText(spanIdentifier, 'spanIdentifier') };
  await clientOf(client).DELETE('/v1/spans/{span_identifier}', { params: { path }, signal });
}
