import { annotating, noting } from '../annotations/annotating.ts';
import { type AnnotationContent, requireText, toList } from '../annotations/annotation.ts';
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

const spanAnnotations = annotating(
  'spanAnnotations',
  ({ spanId }: SpanAnnotationInput) => ({ span_id: requireText(spanId, 'spanId') }),
  (server, options) => server.POST('/v1/span_annotations', options),
);
/** Annotates a span. With `sync` the annotation is stored before this returns its ID; else the result is null. */
export const addSpanAnnotation = spanAnnotations.add;
/** Annotates spans. With `sync` the IDs of the annotations in order, else an empty list. */
export const logSpanAnnotations = spanAnnotations.log;

const documentAnnotations = annotating(
  'documentAnnotations',
  ({ spanId, documentPosition }: DocumentAnnotationInput) => ({
    span_id: requireText(spanId, 'spanId'),
    document_position: documentPosition,
  }),
  (server, options) => server.POST('/v1/document_annotations', options),
);
/** Annotates one document of a retriever span. */
export const addDocumentAnnotation = documentAnnotations.add;
/** Annotates documents of retriever spans. */
export const logDocumentAnnotations = documentAnnotations.log;

/** Adds a note to a span. Notes with the same identifier replace each other. */
export const addSpanNote = noting(
  'spanNote',
  ({ spanId }: { readonly spanId: string; readonly note: string; readonly identifier?: string }) => ({
    span_id: requireText(spanId, 'spanId'),
  }),
  (server, options) => server.POST('/v1/span_notes', options),
);
