import { inBothScopes, type ProjectScope } from '../../../model/projects/project-member.ts';
import type { SpanRow, SpanSummary } from '../../../model/spans/span.ts';
import type { Trace } from '../../../model/traces/trace.ts';
import type { SpanStoreReader } from '../../../span-store/contract/span-store.ts';
import type { StoreChange } from '../../../span-store/contract/store-changes.ts';
import type { ProjectAccess } from '../project-access.ts';
import type { VisibleRows } from '../visible-rows.ts';
import { findVisibleTargets } from '../visible-targets.ts';
import { type Guard, NO_PROJECT, type READS_OF_PROJECT } from './guarded-reads.ts';

export type OtherRead = Exclude<keyof SpanStoreReader, keyof typeof READS_OF_PROJECT>;

/** Reads that are guarded one by one. */
export function otherReads({ reader, access, rows }: Guard): Pick<SpanStoreReader, OtherRead> {
  return {
    async get(query, options) {
      if (access.reachesAll) return reader.get(query, options);
      const { of, column, rowIds } = query;
      const shown = await rows.filter(of === 'documents' ? 'spans' : of, rowIds, options);
      if (shown.length === 0) return new Map();
      const found = await reader.get({ ...query, rowIds: shown }, options);
      addKnown(rows, `${of}.${String(column)}`, found);
      return found;
    },
    async findByIds(query, options) {
      const found = await reader.findByIds(query, options);
      if (access.reachesAll) return found;
      const rowIds = found.map(({ rowId }) => rowId);
      const visible = new Set(await rows.filter(query.of, rowIds, options));
      return found.filter(({ rowId }) => visible.has(rowId));
    },
    async listSpansOfTrace(query, options) {
      return (await rows.has('traces', query.traceRowId, options)) ? reader.listSpansOfTrace(query, options) : [];
    },
    async findWrittenAnnotations(query, options) {
      const found = await reader.findWrittenAnnotations(query, options);
      const written = found.filter((rowId) => rowId !== undefined);
      const visible = new Set(await rows.filter('annotations', written, options));
      return found.map((rowId) => (rowId !== undefined && visible.has(rowId) ? rowId : undefined));
    },
    async findTargets({ target, refs }, options) {
      if (access.reachesAll) return reader.findTargets({ target, refs }, options);
      const { visible } = await findVisibleTargets(reader, access, rows, { target, refs }, options);
      return new Map(Array.from(visible, ([key, { stored }]) => [key, stored]));
    },
    listTraceCosts: async ({ projectIds }, options) =>
      reader.listTraceCosts(
        { projectIds: access.reachesAll ? projectIds : projectIds.filter((projectId) => access.canRead(projectId)) },
        options,
      ),
    aggregate: async (query, options) => reader.aggregate(inVisibleProjects(query, access), options),
    aggregateByValue: async (query, options) => reader.aggregateByValue(inVisibleProjects(query, access), options),
    async measureSpans(projectIds, options) {
      if (access.reachesAll) return reader.measureSpans(projectIds, options);
      const shown = projectIds.filter((projectId) => access.canRead(projectId));
      if (shown.length === 0) return new Map();
      // A sample of all projects may be measured.
      const sizes = await reader.measureSpans(shown, options);
      return new Map([...sizes].filter(([projectId]) => access.canRead(projectId)));
    },
    openParquet: (chunks, options) => reader.openParquet(chunks, options),
    openTable: (chunks, options, gap) => reader.openTable(chunks, options, gap),
    onChange: (listener) => reader.onChange((change) => listenVisibly(access, change, listener)),
    async lastChangedAt(project) {
      if (access.reachesAll) return reader.lastChangedAt(project);
      if (project === undefined) return reader.lastChangedAt(access.scope);
      const isShown = typeof project !== 'number' || access.canRead(project);
      return reader.lastChangedAt(isShown ? project : NO_PROJECT);
    },
  };
}

/** Rows of visible rows are visible. */
function addKnown(rows: VisibleRows, column: string, found: ReadonlyMap<number, unknown>): void {
  const rowIdsOf = (list: readonly { readonly rowId: number }[]) => list.map(({ rowId }) => rowId);
  if (column === 'spans.row') {
    rows.add(
      'traces',
      [...(found as ReadonlyMap<number, SpanRow>).values()].map(({ traceRowId }) => traceRowId),
    );
  } else if (column === 'traces.spans') {
    rows.add('spans', rowIdsOf([...(found as ReadonlyMap<number, SpanSummary[]>).values()].flat()));
  } else if (column === 'sessions.traces') {
    rows.add('traces', rowIdsOf([...(found as ReadonlyMap<number, Trace[]>).values()].flat()));
  }
}

interface OfProjects {
  readonly projectId?: number | undefined;
  readonly projects?: ProjectScope | undefined;
}

/** Limits a query of one project, of named ones or of all to those that the caller may read. */
function inVisibleProjects<Query extends OfProjects>(query: Query, access: ProjectAccess): Query {
  if (access.reachesAll) return query;
  const { projectId, projects } = query;
  if (projectId !== undefined) return access.canRead(projectId) ? query : { ...query, projectId: NO_PROJECT };
  const { scope } = access;
  return { ...query, projects: scope && projects ? inBothScopes(scope, projects) : (scope ?? projects) };
}

/** A commit of hidden projects alone is not reported. Of a commit of both kinds, the rows are not, as they are of both. */
function listenVisibly(
  access: ProjectAccess,
  change: StoreChange | undefined,
  listener: (change: StoreChange | undefined) => void,
): void {
  const all = change?.projectIds ?? [];
  const projectIds = access.reachesAll ? all : all.filter((projectId) => access.canRead(projectId));
  if (projectIds.length === all.length) listener(change);
  else if (projectIds.length > 0) listener({ projectIds });
}

export const OTHER_READS = {
  listSpansOfTrace: true,
  findWrittenAnnotations: true,
  findTargets: true,
  get: true,
  findByIds: true,
  measureSpans: true,
  listTraceCosts: true,
  aggregate: true,
  aggregateByValue: true,
  openParquet: true,
  openTable: true,
  onChange: true,
  lastChangedAt: true,
} as const satisfies Record<OtherRead, true>;
