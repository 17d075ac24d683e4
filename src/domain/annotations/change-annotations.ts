import { expectPresent } from '../../base/expect-present.ts';
import type { Annotation, AnnotationTarget } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { AnnotationChange } from '../../span-store/contract/annotations.ts';
import { ROWS_OF_TARGET } from '../../span-store/contract/rows.ts';
import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { checkNonEmptyName } from './check-annotation.ts';
import { checkAuthor } from './check-author.ts';

/** Changes of an annotation. An absent field keeps its value. */
export type AnnotationPatch = Pick<Annotation, 'rowId'> & Partial<Omit<AnnotationChange, 'rowId' | 'updatedAtMs'>>;

/**
 * Changes annotations of one kind of target, which the caller has written. Every read sees it when the promise resolves. They keep their row ids.
 *
 * @throws {SpandrelError} `ANNOTATION_NAME_RESERVED`, `ANNOTATION_INVALID`, `ANNOTATION_NOT_FOUND`, `ACCESS_DENIED`, or
 *   `ANNOTATION_EXISTS` where the target has another annotation of the name and identifier; then nothing is changed.
 */
export async function changeAnnotations(
  ports: Pick<Ports, 'spans' | 'writes'> & AuditParts,
  target: AnnotationTarget,
  patches: readonly AnnotationPatch[],
): Promise<void> {
  for (const { name } of patches) if (name !== undefined) checkNonEmptyName(target, name);
  const rowIds = patches.map(({ rowId }) => rowId);
  if (new Set(rowIds).size < rowIds.length) {
    throw new SpandrelError('ANNOTATION_INVALID', 'Cannot patch an annotation more than once in one mutation.');
  }
  const stored = await getAnnotations(ports, target, rowIds);
  checkAuthor(ports.caller, target, stored);
  const nowMs = Date.now();
  const changes = patches.map((patch, index): AnnotationChange => {
    const { rowId, name, identifier, annotatorKind, label, score, explanation, metadata, source, updatedAtMs } =
      expectPresent(stored[index], 'each patch has its stored annotation');
    const former = { rowId, name, identifier, annotatorKind, label, score, explanation, metadata, source };
    return { ...former, ...patch, updatedAtMs: Math.max(nowMs, updatedAtMs) };
  });
  await rejectTakenKeys(ports, target, stored, changes);
  await submitDeletion(ports, { what: 'changedAnnotations', changes });
}

/**
 * Deletes annotations of one kind of target, all or none. The caller has written them or is an administrator.
 *
 * @throws {SpandrelError} `ANNOTATION_NOT_FOUND`, `ACCESS_DENIED`
 */
export async function removeAnnotations(
  ports: Pick<Ports, 'spans' | 'writes'> & AuditParts,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<readonly Annotation[]> {
  const distinct = [...new Set(rowIds)];
  const stored = await getAnnotations(ports, target, distinct);
  checkAuthor(ports.caller, target, stored, { orAdmin: true });
  await submitDeletion(ports, { what: 'annotations', rowIds: distinct });
  return stored;
}

async function getAnnotations(
  { spans }: Pick<Ports, 'spans'>,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<Annotation[]> {
  const found = await spans.get({ of: 'annotations', column: 'row', rowIds });
  const missing = rowIds.filter((rowId) => found.get(rowId)?.target !== target);
  if (missing.length > 0) {
    throw new SpandrelError('ANNOTATION_NOT_FOUND', `Could not find ${target} annotations with IDs: [${missing}]`);
  }
  return rowIds.map((rowId) => expectPresent(found.get(rowId), 'none is missing'));
}

async function rejectTakenKeys(
  { spans }: Pick<Ports, 'spans'>,
  target: AnnotationTarget,
  stored: readonly Annotation[],
  changes: readonly AnnotationChange[],
): Promise<void> {
  const rowIds = [...new Set(stored.map(({ targetRowId }) => targetRowId))];
  const neighbours = await spans.get({ of: ROWS_OF_TARGET[target], column: 'annotations', rowIds });
  for (const [index, { rowId, name, identifier }] of changes.entries()) {
    const { targetRowId, documentPosition } = expectPresent(stored[index], 'each change has its stored annotation');
    const isTaken = neighbours
      .get(targetRowId)
      ?.some(
        (other) =>
          other.rowId !== rowId &&
          other.documentPosition === documentPosition &&
          other.name === name &&
          other.identifier === identifier,
      );
    if (isTaken) throw alreadyExists(name);
  }
}

export const alreadyExists = (name: string): SpandrelError =>
  new SpandrelError('ANNOTATION_EXISTS', `An annotation with the name '${name}' and this identifier already exists`);
