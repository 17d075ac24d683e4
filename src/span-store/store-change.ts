import { CHANGED_ROW_COUNT_MAX } from '../model/limits.ts';

/** Changeset of a commit. If a list of traces or sessions is absent, any of those in the projects may have changed. */
export interface StoreChange {
  readonly projectIds: readonly number[];
  /** Row ids of traces that have new spans or annotations. */
  readonly traceRowIds?: ReadonlySet<number> | undefined;
  /** Row ids of sessions with such a trace, or with new annotations of their own. */
  readonly sessionRowIds?: ReadonlySet<number> | undefined;
}

/** Returns undefined when there are too many row ids to list. */
export function toChangedRowIds(rowIds: Iterable<number | null>): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const rowId of rowIds) {
    if (rowId !== null) found.add(rowId);
    if (found.size > CHANGED_ROW_COUNT_MAX) return undefined;
  }
  return found;
}
