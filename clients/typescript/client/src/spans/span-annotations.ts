import {
  type AnnotationContent,
  requireText,
  sendInBatches,
  toAnnotationBody,
  toList,
  toNote,
} from '../annotations/annotation.ts';
import { bodyOf, type CallOptions, clientOf } from '../client.ts';
import type { SpanAnnotation } from '../generated/api.ts';
import { ArgumentError, HttpError } from '../http/errors.ts';
import { List } from '../pages/list.ts';
import { type ProjectArgument, toProjectIdentifier } from '../projects/project-selector.ts';

/** An annotation of a span. */
export interface SpanAnnotationInput extends AnnotationContent {
  readonly spanId: string;
}

/** An annotation of one of the documents that a retriever span returned. */
export interface DocumentAnnotationInput extends Omit<AnnotationContent, 'identifier'> {
  readonly spanId: string;
  /** Position in `retrieval.documents`, from 0. */
  readonly documentPosition: number;
}

/** IDs per request: more make an address that servers reject. */
const ID_COUNT = 100;
const NO_TARGET = 'ANNOTATION_TARGET_NOT_FOUND';
const NO_ROWS = { data: [], next_cursor: null };

/**
 * Annotations of spans. `await` gives `{ annotations, nextCursor }` of one page, `for await` all of all spans.
 *
 * @param limit Rows of a page.
 */
export function getSpanAnnotations({
  client,
  signal,
  project,
  spanIds,
  includeAnnotationNames,
  excludeAnnotationNames,
  cursor: start,
  limit = 100,
}: CallOptions & {
  readonly project?: ProjectArgument;
  readonly spanIds: readonly string[] | string;
  readonly includeAnnotationNames?: readonly string[];
  readonly excludeAnnotationNames?: readonly string[];
  readonly cursor?: string | null;
  readonly limit?: number;
}): List<SpanAnnotation, { annotations: SpanAnnotation[]; nextCursor: string | null }> {
  const batches = toBatches([...new Set(toList(spanIds))]);
  // The cursor of this list names a batch and the cursor in it; those of one batch are the server's.
  const read = async (at = start ?? undefined) => {
    const server = clientOf(client);
    const [, number, inner] = /^(\d+):(.*)$/s.exec(at ?? '') ?? [undefined, '0', at];
    const index = Number(number);
    const query = {
      span_ids: batches[index] ?? [],
      limit,
      cursor: inner || undefined,
      include_annotation_names: toList(includeAnnotationNames),
      exclude_annotation_names: toList(excludeAnnotationNames),
    };
    const path = { project_identifier: toProjectIdentifier(project, server) };
    const call = server.GET('/v1/projects/{project_identifier}/span_annotations', { params: { path, query }, signal });
    const { data, next_cursor: next } = await bodyOf(call).catch((error: unknown) => {
      // A request of which the server knows no span is an error; of several requests it is one without annotations.
      if (batches.length > 1 && error instanceof HttpError && error.errorCode === NO_TARGET) return NO_ROWS;
      throw error;
    });
    const isLastBatch = index + 1 >= batches.length;
    if (next) return { items: data, nextCursor: index === 0 ? next : `${index}:${next}` };
    return { items: data, nextCursor: isLastBatch ? null : `${index + 1}:` };
  };
  return new List(read, async (list) => {
    const { items, nextCursor } = await list.page(start);
    return { annotations: items, nextCursor };
  });
}

function toBatches(ids: readonly string[]): string[][] {
  if (ids.length === 0) throw new ArgumentError('spanIds is empty.');
  const count = Math.ceil(ids.length / ID_COUNT);
  return Array.from({ length: count }, (_, index) => ids.slice(index * ID_COUNT, (index + 1) * ID_COUNT));
}

/** Annotates a span. With `sync` the annotation is stored before this returns its ID; else the result is null. */
export async function addSpanAnnotation({
  spanAnnotation,
  ...options
}: CallOptions & { readonly spanAnnotation: SpanAnnotationInput; readonly sync?: boolean }): Promise<{
  id: string;
} | null> {
  const [stored] = await logSpanAnnotations({ ...options, spanAnnotations: [spanAnnotation] });
  return stored ?? null;
}

/** Annotates spans. With `sync` the IDs of the annotations in order, else an empty list. */
export async function logSpanAnnotations({
  client,
  signal,
  spanAnnotations,
  sync = false,
}: CallOptions & { readonly spanAnnotations: readonly SpanAnnotationInput[]; readonly sync?: boolean }): Promise<
  { id: string }[]
> {
  const data = spanAnnotations.map((annotation) => ({
    ...toAnnotationBody(annotation),
    span_id: requireText(annotation.spanId, 'spanId'),
  }));
  const server = clientOf(client);
  return sendInBatches(data, 'span annotations', async (batch) => {
    const params = { query: { sync } };
    return (await bodyOf(server.POST('/v1/span_annotations', { params, body: { data: batch }, signal }))).data;
  });
}

/** Annotates one document of a retriever span. */
export async function addDocumentAnnotation({
  documentAnnotation,
  ...options
}: CallOptions & {
  readonly documentAnnotation: DocumentAnnotationInput;
  readonly sync?: boolean;
}): Promise<{ id: string } | null> {
  const [stored] = await logDocumentAnnotations({ ...options, documentAnnotations: [documentAnnotation] });
  return stored ?? null;
}

/** Annotates documents of retriever spans. */
export async function logDocumentAnnotations({
  client,
  signal,
  documentAnnotations,
  sync = false,
}: CallOptions & {
  readonly documentAnnotations: readonly DocumentAnnotationInput[];
  readonly sync?: boolean;
}): Promise<{ id: string }[]> {
  const data = documentAnnotations.map((annotation) => ({
    ...toAnnotationBody(annotation),
    span_id: requireText(annotation.spanId, 'spanId'),
    document_position: annotation.documentPosition,
  }));
  const server = clientOf(client);
  return sendInBatches(data, 'document annotations', async (batch) => {
    const params = { query: { sync } };
    return (await bodyOf(server.POST('/v1/document_annotations', { params, body: { data: batch }, signal }))).data;
  });
}

/** Adds a note to a span. Notes with the same identifier replace each other. */
export async function addSpanNote({
  client,
  signal,
  spanNote,
}: CallOptions & {
  readonly spanNote: { readonly spanId: string; readonly note: string; readonly identifier?: string };
}): Promise<{ id: string }> {
  const data = { ...toNote(spanNote), span_id: requireText(spanNote.spanId, 'spanId') };
  return (await bodyOf(clientOf(client).POST('/v1/span_notes', { body: { data }, signal }))).data;
}
