import { expectPresent } from '../../base/expect-present.ts';
import type { AnnotationSource, AnnotationTarget, NewAnnotation } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import { ROWS_OF_TARGET } from '../../span-store/contract/rows.ts';
import type { Ports } from '../ports.ts';
import { annotateNow } from './annotate.ts';
import { alreadyExists } from './change-annotations.ts';
import { checkNonEmptyName } from './check-annotation.ts';
import { checkAuthor } from './check-author.ts';
import { findTargetRows } from './find-target-rows.ts';

/** A new annotation of a row that the caller names by its row id. */
export interface RowAnnotation extends Omit<NewAnnotation, 'targetId' | 'traceId'> {
  readonly targetRowId: number;
  readonly source: AnnotationSource;
}

export interface AnnotateRows {
  readonly target: AnnotationTarget;
  readonly annotations: readonly RowAnnotation[];
  /**
   * The contract of the mutation for sessions differs from all others. It creates, so it rejects an annotation that the
   * session already has, and an annotation without a result.
   */
  readonly mustBeNew?: boolean;
}

/**
 * Creates annotations. Every read sees them when the promise resolves.
 *
 * @returns Row ids in the order of the request.
 * @throws {SpandrelError} `ANNOTATION_TARGET_NOT_FOUND`, `ANNOTATION_NAME_RESERVED`, `ANNOTATION_INVALID`,
 *   `ANNOTATION_EXISTS`; `ACCESS_DENIED` for an annotation of a document that another user has written
 */
export async function annotateRows(
  ports: Pick<Ports, 'spans' | 'writes' | 'caller'>,
  { target, annotations: given, mustBeNew = false }: AnnotateRows,
): Promise<readonly number[]> {
  for (const { name } of given) checkNonEmptyName(target, name);
  if (mustBeNew) await checkNew(ports, target, given);
  if (target === 'document') await checkReplaced(ports, target, given);
  const refs = await findTargetRows(
    ports,
    target,
    given.map(({ targetRowId }) => targetRowId),
  );
  const rowIds = new Array<number>(given.length);
  for (const source of new Set(given.map((one) => one.source))) {
    const indexes = given.flatMap((one, index) => (one.source === source ? [index] : []));
    const annotations = indexes.map((index) => {
      const { targetRowId: _, source: __, ...annotation } = expectPresent(given[index], 'the index is of a given one');
      return { ...annotation, ...expectPresent(refs[index], 'each target has a reference') };
    });
    const created = await annotateNow(ports, { target, source, annotations });
    for (const [at, index] of indexes.entries())
      rowIds[index] = expectPresent(created[at], 'each annotation gets a row ID');
  }
  return rowIds;
}

async function checkNew(
  { spans }: Pick<Ports, 'spans'>,
  target: AnnotationTarget,
  annotations: readonly RowAnnotation[],
): Promise<void> {
  if (annotations.some(({ score, label, explanation }) => score === null && !label && !explanation)) {
    throw new SpandrelError(
      'ANNOTATION_INVALID',
      'At least one of score, label, or explanation must be not null/empty.',
    );
  }
  const rowIds = annotations.map(({ targetRowId }) => targetRowId);
  const stored = await spans.get({ of: ROWS_OF_TARGET[target], column: 'annotations', rowIds });
  for (const { targetRowId, name, identifier } of annotations) {
    const isTaken = stored.get(targetRowId)?.some((one) => one.name === name && one.identifier === identifier);
    if (isTaken) throw alreadyExists(name);
  }
}

async function checkReplaced(
  { spans, caller }: Pick<Ports, 'spans' | 'caller'>,
  target: AnnotationTarget,
  annotations: readonly RowAnnotation[],
): Promise<void> {
  if (caller.kind === 'signInOff') return;
  const rowIds = annotations.map(({ targetRowId }) => targetRowId);
  const stored = await spans.get({ of: ROWS_OF_TARGET[target], column: 'annotations', rowIds });
  const replaced = annotations.flatMap(({ targetRowId, documentPosition: at, name, identifier }) =>
    (stored.get(targetRowId) ?? []).filter(
      (one) => one.documentPosition === at && one.name === name && one.identifier === identifier,
    ),
  );
  checkAuthor(caller, target, replaced);
}
