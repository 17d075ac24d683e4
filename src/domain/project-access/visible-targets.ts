import { type AnnotationTarget, type TargetRef, targetKey } from '../../model/annotations/annotation.ts';
import type { StoredTarget } from '../../span-store/contract/annotations.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { SpanStoreReader } from '../../span-store/contract/span-store.ts';
import type { ProjectAccess } from './project-access.ts';
import type { VisibleRows } from './visible-rows.ts';

/** A target that the caller may see, by a reference that means no hidden target. */
export interface VisibleTarget {
  readonly ref: TargetRef;
  readonly stored: StoredTarget;
}

/** What the references of a caller mean. */
export interface FoundTargets {
  /** Keys are the `targetKey` of the references. */
  readonly visible: ReadonlyMap<string, VisibleTarget>;
  /** References that mean only targets that are hidden from the caller. */
  readonly hidden: ReadonlySet<string>;
}

/** If the newest span of an ID is hidden, the ID means the newest visible one. */
export async function findVisibleTargets(
  reader: SpanStoreReader,
  access: ProjectAccess,
  rows: VisibleRows,
  { target, refs }: { readonly target: AnnotationTarget; readonly refs: readonly TargetRef[] },
  options?: ReadOptions,
): Promise<FoundTargets> {
  const found = await reader.findTargets({ target, refs }, options);
  const shownSessions = new Set(
    target === 'session'
      ? await rows.filter(
          'sessions',
          [...found.values()].map(({ rowId }) => rowId),
          options,
        )
      : [],
  );
  const isShown = ({ rowId, projectId }: StoredTarget) =>
    target === 'session' ? shownSessions.has(rowId) : access.reachesAll || access.canRead(projectId);
  const visible = new Map<string, VisibleTarget>();
  const hidden = new Map<string, TargetRef>();
  for (const ref of refs) {
    const key = targetKey(ref);
    const stored = found.get(key);
    if (stored && isShown(stored)) visible.set(key, { ref, stored });
    else if (stored) hidden.set(key, ref);
  }
  if (target === 'span' || target === 'document') {
    const older = await findOlderSpans(reader, rows, target, [...hidden.values()], options);
    for (const [key, one] of older) {
      visible.set(key, one);
      hidden.delete(key);
    }
  }
  return { visible, hidden: new Set(hidden.keys()) };
}

async function findOlderSpans(
  reader: SpanStoreReader,
  rows: VisibleRows,
  target: 'span' | 'document',
  refs: readonly TargetRef[],
  options: ReadOptions | undefined,
): Promise<Map<string, VisibleTarget>> {
  const byId = refs.filter(({ traceId }) => traceId === undefined);
  const older = new Map<string, VisibleTarget>();
  if (byId.length === 0) return older;
  const spans = await reader.findByIds(
    { of: 'spans', ids: [...new Set(byId.map(({ targetId }) => targetId))] },
    options,
  );
  const shown = new Set(
    await rows.filter(
      'spans',
      spans.map(({ rowId }) => rowId),
      options,
    ),
  );
  for (const ref of byId) {
    const newest = spans

      .filter(({ id, rowId }) => id.toLowerCase() === ref.targetId.toLowerCase() && shown.has(rowId))
      .at(-1);
    if (newest?.traceId === undefined) continue;
    const pinned = { targetId: ref.targetId, traceId: newest.traceId };
    const stored = (await reader.findTargets({ target, refs: [pinned] }, options)).get(targetKey(pinned));
    if (stored) older.set(targetKey(ref), { ref: pinned, stored });
  }
  return older;
}
