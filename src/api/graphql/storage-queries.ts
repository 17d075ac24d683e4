import { STORAGE_DAY_COUNT_MAX } from '../../model/limits/reads.ts';
import { toIntervals } from '../../model/time/time-bins.ts';
import { measure, type SpanSize } from '../../domain/domain.ts';
import { reject } from './arguments.ts';
import type { GraphqlContext } from './context.ts';
import { projectRef, type Resolvers } from './resolvers.ts';

const DAY_MS = 86_400_000;
/** Number of projects, those with the most spans first, whose spans are measured separately. */
const MEASURED_COUNT_MAX = 50;

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
    if (first < 1) reject('first must be at least 1');
    if (days < 1 || days > STORAGE_DAY_COUNT_MAX) reject(`days must be between 1 and ${STORAGE_DAY_COUNT_MAX}`);
    const firstDay = Math.floor(Date.now() / DAY_MS) - days + 1;
    const [counts, storeBytes] = await Promise.all([
      domain.spans.aggregate(spansByDay(firstDay), { readClass: 'interface', signal }),
      storage.spanStoreBytes(),
    ]);
    const projects = new Map<number, number[]>();
    for (const { projectId, startTimeUnixMicro, spanCount } of counts) {
      const added = projects.get(projectId) ?? new Array<number>(days).fill(0);
      // Clocks of applications may be ahead.
      const index = Math.min(startTimeUnixMicro / (1_000 * DAY_MS) - firstDay, days - 1);
      added[index] = (added[index] ?? 0) + spanCount;
      projects.set(projectId, added);
    }
    // Projects that are being deleted still have spans.
    const known = await domain.projects.findByRowIds([...projects.keys()]);
    const counted = [...projects].map(([rowId, added]) => ({ rowId, added, spanCount: sum(added) }));
    const most = counted.toSorted((a, b) => b.spanCount - a.spanCount).slice(0, MEASURED_COUNT_MAX);
    const sizes = await domain.spans.measureSpans(
      most.map(({ rowId }) => rowId),
      { readClass: 'background', signal },
    );
    const toBytesPerSpan = bytesPerSpanOf(counted, sizes, storeBytes);
    const largest = counted
      .filter(({ rowId }) => known.has(rowId))
      .map((one) => ({ ...one, bytesPerSpan: toBytesPerSpan(one.rowId) }))
      .sort((a, b) => b.spanCount * b.bytesPerSpan - a.spanCount * a.bytesPerSpan || a.rowId - b.rowId)
      .slice(0, first);
    items.take(largest.length * (days + 1));
    return largest.map(({ rowId, added, spanCount, bytesPerSpan }) => ({
      project: projectRef(rowId),
      spanCount,
      numBytes: spanCount * bytesPerSpan,
      numBytesByDay: added.map((_, index) => sum(added.slice(0, index + 1)) * bytesPerSpan),
    }));
  },
};

/** Spans by the day (UTC) on which their traces start, earlier ones on the first day. */
const spansByDay = (firstDay: number) =>
  ({
    grain: 'traces',
    measures: { spanCount: measure.sum('spanCount') },
    groupBy: ['projectId'],
    bins: { ...DAYS, range: { startTimeUnixNano: BigInt(firstDay * DAY_MS) * 1_000_000n } },
  }) as const;

const DAY = { scale: 'DAY', scaleCount: 1 } as const;
const DAYS = { ...DAY, intervals: toIntervals(DAY, { offsetMs: 0, changes: [] }) };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Divides the file size by the measured span sizes. Projects that were not measured get the average span size. */
function bytesPerSpanOf(
  projects: readonly { readonly rowId: number; readonly spanCount: number }[],
  sizes: ReadonlyMap<number, SpanSize>,
  storeBytes: number,
): (rowId: number) => number {
  const all = [...sizes.values()];
  const average = sum(all.map(({ bytes }) => bytes)) / Math.max(1, sum(all.map(({ spanCount }) => spanCount)));
  const measured = (rowId: number) => {
    const size = sizes.get(rowId);
    return size && size.spanCount > 0 ? size.bytes / size.spanCount : average;
  };
  const total = sum(projects.map(({ rowId, spanCount }) => spanCount * measured(rowId)));
  return (rowId) => (measured(rowId) * storeBytes) / Math.max(1, total);
}
