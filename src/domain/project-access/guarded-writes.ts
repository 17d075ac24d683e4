import { type AnnotationBatch, targetKey } from '../../model/annotations/annotation.ts';
import type { SpanStoreReader } from '../../span-store/contract/span-store.ts';
import type { Deletion } from '../../span-store/contract/writer.ts';
import { targetsMissing } from '../annotations/annotate.ts';
import type { SpanWrites } from '../ports.ts';
import { type ProjectAccess, projectNameDenied } from './project-access.ts';
import type { VisibleRows } from './visible-rows.ts';
import { findVisibleTargets } from './visible-targets.ts';

interface Guard {
  readonly reader: SpanStoreReader;
  readonly access: ProjectAccess;
  readonly rows: VisibleRows;
}

/** Writes of a caller: nothing is written to a project that the caller may not write to. */
export const guardedWrites = (writes: SpanWrites, guard: Guard): SpanWrites => ({
  async submitSpans(json, spanCount, projectName) {
    if (!guard.access.canSendTo(projectName)) throw projectNameDenied();
    return writes.submitSpans(json, spanCount, projectName);
  },
  submitAnnotations: async (batch) =>
    writes.submitAnnotations(guard.access.reachesAll ? batch : await visibleBatch(guard, batch)),
  submitDeletion: async (deletion) =>
    writes.submitDeletion(guard.access.reachesAll ? deletion : await visibleDeletion(guard, deletion)),
  async submitTransfer(transfer) {
    if (guard.access.reachesAll) return writes.submitTransfer(transfer);
    guard.access.check(transfer.projectId, 'EDITOR');
    return writes.submitTransfer({
      ...transfer,
      traceRowIds: await writableRows(guard, 'traces', transfer.traceRowIds),
    });
  },
  waitFor: (receipt) => writes.waitFor(receipt),
});

/**
 * Annotations of hidden targets are treated as those of unknown ones: a whole batch is rejected, and of another one they are
 * never stored.
 */
async function visibleBatch({ reader, access, rows }: Guard, batch: AnnotationBatch): Promise<AnnotationBatch> {
  const { target, annotations, isWhole } = batch;
  const { visible, hidden } = await findVisibleTargets(reader, access, rows, { target, refs: annotations });
  for (const { stored } of visible.values()) access.check(stored.projectId, 'EDITOR');
  if (isWhole && hidden.size > 0) {
    throw targetsMissing(
      target,
      annotations.filter((one) => !visible.has(targetKey(one))),
    );
  }
  const shown = annotations.flatMap((one) => {
    const key = targetKey(one);
    return hidden.has(key) ? [] : { ...one, ...visible.get(key)?.ref };
  });
  return { ...batch, annotations: shown };
}

async function visibleDeletion(guard: Guard, deletion: Deletion): Promise<Deletion> {
  const { access } = guard;
  switch (deletion.what) {
    case 'spans':
    case 'traces':
    case 'sessions':
    case 'annotations':
      return { ...deletion, rowIds: await writableRows(guard, deletion.what, deletion.rowIds) };
    case 'changedAnnotations': {
      const rowIds = deletion.changes.map(({ rowId }) => rowId);
      const writable = new Set(await writableRows(guard, 'annotations', rowIds));
      return { ...deletion, changes: deletion.changes.filter(({ rowId }) => writable.has(rowId)) };
    }
    case 'tracesOfProject':
    case 'emptySessions':
    case 'matchingAnnotations':
      access.check(deletion.projectId, 'EDITOR');
      return deletion;
    case 'project':
      // Projects of experiments and evaluators, which are open, are deleted with these.
      if (access.isPrivate(deletion.projectId)) access.check(deletion.projectId, 'OWNER');
      return deletion;
  }
}

/**
 * The rows without hidden ones, which the operation has not found either.
 *
 * @throws {SpandrelError} `ACCESS_DENIED` when the caller may read but not write one
 */
async function writableRows(
  { reader, access, rows }: Guard,
  of: 'spans' | 'traces' | 'sessions' | 'annotations',
  rowIds: readonly number[],
): Promise<readonly number[]> {
  const shown = await rows.filter(of, rowIds);
  const projects = await reader.get({ of, column: 'projects', rowIds: shown });
  for (const projectId of new Set([...projects.values()].flat())) access.check(projectId, 'EDITOR');
  return shown;
}
