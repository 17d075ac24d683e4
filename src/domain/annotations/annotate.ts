import { type AnnotationSource, type AnnotationTarget, type NewAnnotation, targetKey } from '../../model/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';

export interface Annotate {
  readonly target: AnnotationTarget;
  readonly annotations: readonly NewAnnotation[];
  readonly source: AnnotationSource;
  readonly userId: number | null;
}

/**
 * Makes annotations; they are durable when the promise resolves. Each is stored as soon as its target is; one whose
 * target does not come in time is given up.
 */
export async function annotateLater({ writes }: Pick<Ports, 'writes'>, request: Annotate): Promise<void> {
  if (request.annotations.length === 0) return;
  await writes.submitAnnotations(toBatch(request, false));
}

/**
 * Makes annotations, all of them or none; when the promise resolves, every read sees them. Spans that were acknowledged
 * before count as there, since the journal has them first.
 *
 * @returns Row ids, in the order of the request.
 * @throws {SpandrelError} `ANNOTATION_TARGET_NOT_FOUND`, or `ANNOTATION_INVALID` where a span has no such document.
 */
export async function annotateNow(
  ports: Pick<Ports, 'spans' | 'writes'>,
  request: Annotate,
): Promise<readonly number[]> {
  if (request.annotations.length === 0) return [];
  const batch = toBatch(request, true);
  const { position } = await ports.writes.submitAnnotations(batch);
  await ports.writes.applied(position);
  const { target, annotations } = batch;
  const rowIds = await ports.spans.findWrittenAnnotations({ target, keys: annotations, sincePosition: position });
  const written = rowIds.filter((rowId) => rowId !== undefined);
  return written.length === annotations.length ? written : refused(ports, batch, rowIds);
}

/** As the store keeps it: UTF-8 has no lone surrogates, and keys are compared with what is stored. */
const toBatch = ({ target, annotations, source, userId }: Annotate, isWhole: boolean) => ({
  target,
  isWhole,
  source,
  userId,
  annotations: annotations.map((annotation) => ({
    ...annotation,
    targetId: toWellFormed(annotation.targetId),
    ...(annotation.traceId !== undefined && { traceId: toWellFormed(annotation.traceId) }),
    name: toWellFormed(annotation.name),
    identifier: toWellFormed(annotation.identifier),
  })),
});

const toWellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** Why nothing was stored. */
async function refused(
  { spans }: Pick<Ports, 'spans'>,
  { target, annotations }: Pick<Annotate, 'target' | 'annotations'>,
  rowIds: readonly (number | undefined)[],
): Promise<never> {
  const found = await spans.findTargets({ target, refs: annotations });
  const missing = annotations.filter((annotation) => !found.has(targetKey(annotation)));
  if (missing.length > 0) throw targetsMissing(target, missing);
  for (const annotation of annotations) {
    const { targetId, documentPosition: at } = annotation;
    const last = (found.get(targetKey(annotation))?.documentCount ?? 0) - 1;
    if (target !== 'document' || at === null || (at >= 0 && at <= last)) continue;
    throw new SpandrelError(
      'ANNOTATION_INVALID',
      `Document position ${at} is out of bounds for span ${targetId} (max: ${last})`,
    );
  }
  // They were deleted, or their targets were replaced, since the record was applied.
  throw targetsMissing(
    target,
    annotations.filter((_, index) => rowIds[index] === undefined),
  );
}

const NOUNS = { span: 'Spans', document: 'Spans', trace: 'Traces', session: 'Sessions' } as const;

function targetsMissing(target: AnnotationTarget, annotations: readonly NewAnnotation[]): SpandrelError {
  const ids = [...new Set(annotations.map(({ targetId }) => targetId))];
  return new SpandrelError('ANNOTATION_TARGET_NOT_FOUND', `${NOUNS[target]} with IDs ${ids.join(', ')} do not exist.`);
}
