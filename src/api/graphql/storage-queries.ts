import { STORAGE_DAY_COUNT_MAX } from '../../model/limits.ts';
import { refuse } from './arguments.ts';
import type { GraphqlContext } from './context.ts';
import { projectRef, type Resolvers } from './resolvers.ts';

const DAY_MS = 86_400_000;

interface StorageArguments {
  readonly first: number;
  readonly days: number;
}

export const storageQueries: Resolvers = {
  dbStorageCapacityBytes: (_source, _args, { storage }: GraphqlContext) => storage.capacityBytes ?? null,
  dbTableStats: (_source, _args, { storage }: GraphqlContext) => storage.tableSizes(),
  async storageOfProjects(
    _source,
    { first, days }: StorageArguments,
    { domain, storage, items, signal }: GraphqlContext,
  ) {
    if (first < 1) refuse('first must be at least 1');
    if (days < 1 || days > STORAGE_DAY_COUNT_MAX) refuse(`days must be between 1 and ${STORAGE_DAY_COUNT_MAX}`);
    const firstDay = Math.floor(Date.now() / DAY_MS) - days + 1;
    const [counts, storeBytes] = await Promise.all([
      domain.spans.countSpansByDay(firstDay, { readClass: 'interface', signal }),
      storage.spanStoreBytes(),
    ]);
    const projects = new Map<number, number[]>();
    for (const { projectId, day, spanCount } of counts) {
      const added = projects.get(projectId) ?? new Array<number>(days).fill(0);
      // Clocks of applications may be ahead.
      added[Math.min(day - firstDay, days - 1)]! += spanCount;
      projects.set(projectId, added);
    }
    const spanCount = counts.reduce((total, each) => total + each.spanCount, 0);
    const bytesPerSpan = storeBytes / Math.max(1, spanCount);
    // Projects that are being deleted still have spans.
    const known = await domain.projects.findByRowIds([...projects.keys()]);
    const largest = [...projects]
      .filter(([rowId]) => known.has(rowId))
      .map(([rowId, added]) => ({ rowId, added, spanCount: sum(added) }))
      .sort((a, b) => b.spanCount - a.spanCount || a.rowId - b.rowId)
      .slice(0, first);
    items.take(largest.length * (days + 1));
    return largest.map(({ rowId, added, spanCount: count }) => ({
      project: projectRef(rowId),
      spanCount: count,
      numBytes: count * bytesPerSpan,
      numBytesByDay: added.map((_, index) => sum(added.slice(0, index + 1)) * bytesPerSpan),
    }));
  },
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
