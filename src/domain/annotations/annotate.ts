import { authorOf, type Caller } from '../../model/access/caller.ts';
import {
  type AnnotationSource,
  type AnnotationTarget,
  type NewAnnotation,
  type TargetRef,
  targetKey,
} from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import { checkAnnotationName } from './check-annotation.ts';

export interface Annotate {
  readonly target: AnnotationTarget;
  readonly annotations: readonly NewAnnotation[];
  readonly source: AnnotationSource;
}

/** The caller is the author. */
type Parts = Pick<Ports, 'spans' | 'writes' | 'caller'>;

/**
 * Creates annotations, which are durable when the promise resolves. Each is stored as soon as its target is. An annotation
 * whose target does not arrive in time is dropped.
 *
 * @throws {SpandrelError} `ANNOTATION_NAME_RESERVED`
 */
export async function annotateLater(ports: Omit<Parts, 'spans'>, request: Annotate): Promise<void> {
  for (const { name } of request.annotations) checkAnnotationName(request.target, name);
  return storeLater(ports, request);
}

/** Same as `annotateLater`, but also accepts notes. */
export async function storeLater({ writes, caller }: Omit<Parts, 'spans'>, request: Annotate): Promise<void> {
  if (request.annotations.length > 0) await writes.submitAnnotations(toBatch(request, caller, false));
}

/**
 * Creates annotations, all of them or none. Every read sees them when the promise resolves. Spans that were acknowledged
 * before are found, because they are earlier in the journal.
 *
 * @returns Row ids in the order of the request.
 * @throws {SpandrelError} `ANNOTATION_NAME_RESERVED`, `ANNOTATION_TARGET_NOT_FOUND`; `ANNOTATION_INVALID` when a span has no
 *   such document
 */
export async function annotateNow(ports: Parts, request: Annotate): Promise<readonly number[]> {
  for (const { name } of request.annotations) checkAnnotationName(request.target, name);
  return storeNow(ports, request);
}

/** Same as `annotateNow`, but also accepts notes. */
export async function storeNow(ports: Parts, request: Annotate): Promise<readonly number[]> {
  if (request.annotations.length === 0) return [];
  const batch = toBatch(request, ports.caller, true);
  const { receipt } = await ports.writes.submitAnnotations(batch);
  await ports.writes.waitFor(receipt);
  const { target, annotations } = batch;
  const rowIds = await ports.spans.findWrittenAnnotations({ target, keys: annotations, since: receipt });
  const written = rowIds.filter((rowId) => rowId !== undefined);
  return written.length === annotations.length ? written : rejected(ports, batch, rowIds);
}

/** UTF-8 has no lone surrogates, and keys are compared with stored keys. */
const toBatch = ({ target, annotations, source }: Annotate, caller: Caller, isWhole: boolean) => ({
  target,
  isWhole,
  source,
  userId: authorOf(caller),
  annotations: annotations.map((annotation) => ({
    ...annotation,
    targetId: toWellFormed(annotation.targetId),
    ...(annotation.traceId !== undefined && { traceId: toWellFormed(annotation.traceId) }),
    name: toWellFormed(annotation.name),
    identifier: toWellFormed(annotation.identifier),
  })),
});

const toWellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** Throws the reason why nothing was stored. */
async function rejected(
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
  // They were deleted, or their targets were replaced, after the record was applied.
  throw targetsMissing(
    target,
    annotations.filter((_, index) => rowIds[index] === undefined),
  );
}

const NOUNS = { span: 'Spans', document: 'Spans', trace: 'Traces', session: 'Sessions' } as const;

export function targetsMissing(target: AnnotationTarget, annotations: readonly TargetRef[]): SpandrelError {
  const ids = [...new Set(annotations.map(({ targetId }) => targetId))];
  return new SpandrelError('ANNOTATION_TARGET_NOT_FOUND', `${NOUNS[target]} with IDs ${ids.join(', ')} do not exist.`);
}
