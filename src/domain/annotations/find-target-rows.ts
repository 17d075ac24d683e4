import { expectPresent } from '../../base/expect-present.ts';
import type { AnnotationTarget, TargetRef } from '../../model/annotations/annotation.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';

/**
 * References to the rows that a caller named by row id. A reference names the same row down to the store
 * (`docs/decisions/annotations.md`).
 *
 * @returns In the order of the row ids. Rows of documents are spans.
 * @throws {SpandrelError} `ANNOTATION_TARGET_NOT_FOUND`
 */
export async function findTargetRows(
  { spans }: Pick<Ports, 'spans'>,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<TargetRef[]> {
  const distinct = [...new Set(rowIds)];
  const refs = new Map<number, TargetRef>();
  if (target === 'trace') {
    for (const { rowId, traceId } of (await spans.get({ of: 'traces', column: 'row', rowIds: distinct })).values()) {
      refs.set(rowId, { targetId: traceId });
    }
  } else if (target === 'session') {
    for (const { rowId, sessionId } of (
      await spans.get({ of: 'sessions', column: 'row', rowIds: distinct })
    ).values()) {
      refs.set(rowId, { targetId: sessionId });
    }
  } else {
    for (const { rowId, spanId, traceId } of (
      await spans.get({ of: 'spans', column: 'row', rowIds: distinct })
    ).values()) {
      refs.set(rowId, { targetId: spanId, traceId });
    }
  }
  const missing = rowIds.filter((rowId) => !refs.has(rowId));
  if (missing.length === 0) return rowIds.map((rowId) => expectPresent(refs.get(rowId), 'none is missing'));
  const { type, noun } = ROWS[target];
  throw new RowError(
    'ANNOTATION_TARGET_NOT_FOUND',
    type,
    missing,
    (ids) => `Could not find ${noun}s with IDs: [${ids}]`,
  );
}

const SPAN = { type: 'Span', noun: 'span' } as const;
const ROWS = {
  span: SPAN,
  document: SPAN,
  trace: { type: 'Trace', noun: 'trace' },
  session: { type: 'ProjectSession', noun: 'session' },
} as const satisfies Record<AnnotationTarget, object>;
