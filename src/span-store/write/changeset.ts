import { CHANGED_ROW_COUNT_MAX } from '../../model/limits/reads.ts';
import type { StoreChange } from '../contract/store-changes.ts';
import type { WrittenAnnotations } from './annotations/annotation-writer.ts';
import type { AppendPlan } from './append/plan-append.ts';

/** Changeset of a committed append. */
export function toStoreChange({ newTraces, changedTraces }: AppendPlan, written: WrittenAnnotations): StoreChange {
  const traces = [...newTraces, ...changedTraces];
  return {
    projectIds: [...new Set([...traces.map(({ projectId }) => projectId), ...written.projectIds])],
    traceRowIds: toChangedRowIds([...traces.map(({ rowId }) => rowId), ...written.traceRowIds]),
    sessionRowIds: toChangedRowIds([...traces.map(({ sessionRowId }) => sessionRowId), ...written.sessionRowIds]),
  };
}

/** Returns undefined when there are too many row ids to list. */
function toChangedRowIds(rowIds: Iterable<number | null>): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const rowId of rowIds) {
    if (rowId !== null) found.add(rowId);
    if (found.size > CHANGED_ROW_COUNT_MAX) return undefined;
  }
  return found;
}
