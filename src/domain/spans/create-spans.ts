import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { STATUS_CODES } from '../../semconv/span-kinds.ts';
import type { RowReader } from '../../span-store/contract/rows.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import type { ProjectRef } from '../projects/project-repository.ts';
import type { NewSpan } from './new-span.ts';
import { newSpanProblem } from './new-span-problem.ts';

export type CreatedSpans =
  | { readonly state: 'queued' }
  | { readonly state: 'rejected'; readonly duplicates: readonly SpanIds[]; readonly invalid: readonly InvalidSpan[] };

export interface SpanIds {
  readonly spanId: string;
  readonly traceId: string;
}

export interface InvalidSpan extends SpanIds {
  readonly error: string;
}

/**
 * Stores spans, all of them or none. A span ID that is stored already, in any trace or project, or a span that cannot be
 * stored rejects them all. When the promise resolves with `queued`, they are durable, and reads see them shortly after. Of
 * two spans with one ID in the same call the first is stored. A project that is named is created when it does not exist.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND` for a row id that no project has
 */
export async function createSpans(
  ports: Pick<Ports, 'projects' | 'spans' | 'writes'>,
  project: ProjectRef,
  newSpans: readonly NewSpan[],
): Promise<CreatedSpans> {
  const projectName = 'name' in project ? project.name : (await getProject(ports, project)).name;
  const invalid = newSpans.flatMap((span) => invalidSpan(span) ?? []);
  const duplicates = await findDuplicates(ports.spans, newSpans);
  if (invalid.length > 0 || duplicates.length > 0) return { state: 'rejected', duplicates, invalid };
  if (newSpans.length > 0) {
    await ports.writes.submitSpans(toJournalText(projectName, newSpans), newSpans.length, projectName);
  }
  return { state: 'queued' };
}

function invalidSpan(span: NewSpan): InvalidSpan | undefined {
  const error = newSpanProblem(span);
  return error === undefined ? undefined : { spanId: span.spanId, traceId: span.traceId, error };
}

/** The spans of the request whose ID is stored, with the trace that the request names. */
async function findDuplicates(reader: RowReader, newSpans: readonly NewSpan[]): Promise<SpanIds[]> {
  if (newSpans.length === 0) return [];
  const stored = await reader.findByIds({ of: 'spans', ids: [...new Set(newSpans.map(({ spanId }) => spanId))] });
  const storedIds = new Set(stored.map(({ id }) => id));
  return newSpans.filter(({ spanId }) => storedIds.has(spanId)).map(({ spanId, traceId }) => ({ spanId, traceId }));
}

/** The body of `Ingest.submitSpans`. */
export const toJournalText = (project: string, newSpans: readonly NewSpan[]): string =>
  `{"project":${JSON.stringify(project)},"spans":[${newSpans.map(toSpanText).join(',')}]}`;

const toSpanText = (span: NewSpan): string =>
  toExactJsonText({
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentId,
    ...(span.spanKind !== null && { spanKind: span.spanKind }),
    startTimeUnixNano: String(span.startTimeUnixNano),
    endTimeUnixNano: String(span.endTimeUnixNano),
    statusCode: toStatusCode(span.statusCode),
    statusMessage: span.statusMessage,
    attributes: span.attributes,
    events: span.events.map(
      ({ name, timeUnixNano, attributes }): ExactJson => ({ name, timeUnixNano: String(timeUnixNano), attributes }),
    ),
  });

function toStatusCode(text: string): string {
  const upper = text.toUpperCase();
  return STATUS_CODES.find((code) => code === upper) ?? 'UNSET';
}
