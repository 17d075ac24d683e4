import type { ModelCostQuery } from '../../span-store/contract/costs.ts';
import type { ProjectsOfRowsQuery } from '../../span-store/contract/projects.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { SpanStoreReader } from '../../span-store/contract/span-store.ts';
import type { StoreChange } from '../../span-store/contract/store-changes.ts';
import type { ProjectAccess } from './project-access.ts';
import type { VisibleRows } from './visible-rows.ts';
import { findVisibleTargets } from './visible-targets.ts';

type Argument<Name extends keyof SpanStoreReader> = SpanStoreReader[Name] extends (
  argument: infer Argument,
  options?: ReadOptions,
) => unknown
  ? Argument
  : never;
type ReadsWith<Wanted> = {
  [Name in keyof SpanStoreReader]: Argument<Name> extends Wanted ? Name : never;
}[keyof SpanStoreReader];

/** Reads of one project. A hidden project is read as one that does not exist. */
const READS_OF_PROJECT = {
  findSpans: true,
  listSpans: true,
  listRootSpans: true,
  findTraces: true,
  findSessions: true,
  listSessions: true,
  findAnnotations: true,
  countAnnotations: true,
  countMatchingAnnotations: true,
  sumUpAnnotations: true,
  findDocumentScores: true,
  sumUpCosts: true,
  binCosts: true,
  countSpans: true,
  sumUpTraces: true,
  sumUpSessions: true,
  findQuantiles: true,
  sumUpRows: true,
  binSpans: true,
  binRows: true,
  binTraces: true,
  binTraceLatencies: true,
  findFacets: true,
  writeParquet: true,
} as const satisfies Record<ReadsWith<{ readonly projectId: number }>, true>;

/** Reads of rows by their row ids. Hidden rows are left out, like rows that are not stored. */
const READS_OF_ROWS = {
  findSpanRows: 'spans',
  findSpanBodies: 'spans',
  findTracesByRowIds: 'traces',
  findTracesOfSessions: 'sessions',
  findSpansOfTraces: 'traces',
  findSpanSums: 'traces',
  findTraceSkeletons: 'traces',
  findRootSpanIds: 'traces',
  findUsersOfTraces: 'traces',
  findErrorTypesOfTraces: 'traces',
  findSessionsByRowIds: 'sessions',
  findSessionDetails: 'sessions',
  findUsersOfSessions: 'sessions',
  findAnnotationsByRowIds: 'annotations',
  sumUpProjects: 'projects',
  measureSpans: 'projects',
} as const satisfies Record<
  Exclude<ReadsWith<readonly number[]>, 'findStoredSpanIds' | 'findTraceRowIds' | 'openParquet'>,
  ProjectsOfRowsQuery['of'] | 'projects'
>;

/** No project has this row id. */
const NO_PROJECT = -1;

/** What the reads of a caller share. */
interface Guard {
  readonly reader: SpanStoreReader;
  readonly access: ProjectAccess;
  readonly rows: VisibleRows;
  lists?: ReturnType<typeof readsOfLists>;
  ids?: ReturnType<typeof readsOfIds>;
  others?: Pick<SpanStoreReader, OtherRead>;
}

/**
 * The span store as a caller sees it: data in projects that are hidden from the caller is not stored. The types demand that
 * each read is named here. A request uses few reads, so each is made when it is first used.
 */
export function visibleSpans(reader: SpanStoreReader, access: ProjectAccess, rows: VisibleRows): SpanStoreReader {
  return Object.assign(Object.create(VISIBLE_SPANS), { guard: { reader, access, rows } satisfies Guard });
}

type ReadOfProject = keyof typeof READS_OF_PROJECT;
type ReadOfRows = keyof typeof READS_OF_ROWS;
type Guarded = Pick<SpanStoreReader, ReadOfProject | ReadOfRows>;
type AnyRead = (argument: never, options?: ReadOptions) => unknown;

function guardedRead<Name extends keyof Guarded>(guard: Guard, name: Name): Guarded[Name] {
  const read = Object.hasOwn(READS_OF_PROJECT, name)
    ? readOfProject(guard, name as ReadOfProject)
    : readOfRows(guard, name as ReadOfRows);
  return read as unknown as Guarded[Name];
}

function readOfProject({ reader, access }: Guard, name: ReadOfProject) {
  return (query: { readonly projectId: number }, options?: ReadOptions) => {
    const isShown = access.reachesAll || access.canRead(query.projectId);
    return (reader[name] as AnyRead)((isShown ? query : { ...query, projectId: NO_PROJECT }) as never, options);
  };
}

function readOfRows({ reader, access, rows }: Guard, name: ReadOfRows) {
  const kind = READS_OF_ROWS[name];
  return async (rowIds: readonly number[], options?: ReadOptions) => {
    if (access.reachesAll) return (reader[name] as AnyRead)(rowIds as never, options);
    const shown =
      kind === 'projects' ? rowIds.filter((rowId) => access.canRead(rowId)) : await rows.filter(kind, rowIds, options);
    if (shown.length === 0 && rowIds.length > 0) return new Map();
    const found = await (reader[name] as AnyRead)(shown as never, options);
    // A sample of all projects may be measured.
    if (name === 'measureSpans') {
      const sizes = found as Map<number, unknown>;
      for (const projectId of sizes.keys()) if (!access.canRead(projectId)) sizes.delete(projectId);
    }
    return found;
  };
}

/** Reads whose rows are known to be visible afterwards, and lists of sessions, whose traces may be in hidden projects. */
function readsOfLists(guard: Guard) {
  const { access, rows } = guard;
  const guarded = <Name extends keyof Guarded>(name: Name) => guardedRead(guard, name);
  const addSpans = (spans: readonly { readonly rowId: number; readonly traceRowId: number }[]) => {
    if (access.reachesAll) return;
    rows.add(
      'spans',
      spans.map(({ rowId }) => rowId),
    );
    rows.add(
      'traces',
      spans.map(({ traceRowId }) => traceRowId),
    );
  };
  const addRows = (kind: 'spans' | 'traces', found: readonly { readonly rowId: number }[]) => {
    if (access.reachesAll) return;
    rows.add(
      kind,
      found.map(({ rowId }) => rowId),
    );
  };
  const areVisible = async (found: readonly { readonly rowId: number }[], options?: ReadOptions) =>
    new Set(
      await rows.filter(
        'sessions',
        found.map(({ rowId }) => rowId),
        options,
      ),
    );
  return {
    async findSpans(query, options) {
      const page = await guarded('findSpans')(query, options);
      addRows('spans', page.items);
      return page;
    },
    async listSpans(query, options) {
      const page = await guarded('listSpans')(query, options);
      addSpans(page.items.map(({ span }) => span));
      return page;
    },
    async listRootSpans(query, options) {
      const page = await guarded('listRootSpans')(query, options);
      addSpans(page.items.map(({ span }) => span));
      return page;
    },
    async findSpanRows(rowIds, options) {
      const found = await guarded('findSpanRows')(rowIds, options);
      addSpans([...found.values()]);
      return found;
    },
    async findTraces(query, options) {
      const page = await guarded('findTraces')(query, options);
      addRows('traces', page.items);
      return page;
    },
    async findSpansOfTraces(traceRowIds, options) {
      const found = await guarded('findSpansOfTraces')(traceRowIds, options);
      for (const spans of found.values()) addRows('spans', spans);
      return found;
    },
    async findTracesOfSessions(sessionRowIds, options) {
      const found = await guarded('findTracesOfSessions')(sessionRowIds, options);
      for (const traces of found.values()) addRows('traces', traces);
      return found;
    },
    async findSessions(query, options) {
      const page = await guarded('findSessions')(query, options);
      if (access.reachesAll) return page;
      const visible = await areVisible(page.items, options);
      return { ...page, items: page.items.filter(({ rowId }) => visible.has(rowId)) };
    },
    async listSessions(query, options) {
      const page = await guarded('listSessions')(query, options);
      if (access.reachesAll) return page;
      const visible = await areVisible(
        page.items.map(({ session }) => session),
        options,
      );
      return { ...page, items: page.items.filter(({ session }) => visible.has(session.rowId)) };
    },
  } satisfies Partial<Guarded>;
}

/** Reads that find rows by the IDs of applications. */
function readsOfIds({ reader, access, rows }: Guard) {
  const find = async (
    kind: 'spans' | 'traces',
    rowId: number | undefined,
    options: ReadOptions | undefined,
  ): Promise<number | undefined> => (rowId !== undefined && (await rows.has(kind, rowId, options)) ? rowId : undefined);
  const findStoredSpanIds: SpanStoreReader['findStoredSpanIds'] = async (spanIds, options) => {
    const found = await reader.findStoredSpanIds(spanIds, options);
    const visible = new Set(
      await rows.filter(
        'spans',
        found.map(({ rowId }) => rowId),
        options,
      ),
    );
    return found.filter(({ rowId }) => visible.has(rowId));
  };
  return {
    findStoredSpanIds,
    async findSpanRowId(ref: RowRef, options?: ReadOptions) {
      if (access.reachesAll || 'rowId' in ref) {
        return find('spans', await reader.findSpanRowId(ref, options), options);
      }
      // The newest span of the ID may be hidden, and an older one visible.
      const found = await findStoredSpanIds([ref.id], options);
      return found.reduce<number | undefined>((newest, { rowId }) => Math.max(newest ?? 0, rowId), undefined);
    },
    async findTraceRowId(ref: RowRef, options?: ReadOptions) {
      return find('traces', await reader.findTraceRowId(ref, options), options);
    },
    async findTraceRowIds(traceIds: readonly string[], options?: ReadOptions) {
      const found = await reader.findTraceRowIds(traceIds, options);
      const visible = new Set(await rows.filter('traces', [...found.values()], options));
      return new Map([...found].filter(([, rowId]) => visible.has(rowId)));
    },
    async findSession(ref: RowRef, options?: ReadOptions) {
      const session = await reader.findSession(ref, options);
      return session && (await rows.has('sessions', session.rowId, options)) ? session : undefined;
    },
  } satisfies Partial<SpanStoreReader>;
}

const ROWS_OF_TARGET = { span: 'spans', document: 'spans', trace: 'traces', session: 'sessions' } as const;

type OtherRead = Exclude<
  keyof SpanStoreReader,
  keyof typeof READS_OF_PROJECT | keyof typeof READS_OF_ROWS | keyof ReturnType<typeof readsOfIds>
>;

function otherReads({ reader, access, rows }: Guard): Pick<SpanStoreReader, OtherRead> {
  const inScope = (query: ModelCostQuery): ModelCostQuery => {
    const { scope } = access;
    return scope === undefined ? query : { ...query, projects: scope };
  };
  return {
    async listSpansOfTrace(query, options) {
      return (await rows.has('traces', query.traceRowId, options)) ? reader.listSpansOfTrace(query, options) : [];
    },
    async findAnnotationsOfTargets({ target, rowIds }, options) {
      const shown = await rows.filter(ROWS_OF_TARGET[target], rowIds, options);
      return reader.findAnnotationsOfTargets({ target, rowIds: shown }, options);
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
    async findCosts({ of, rowIds }, options) {
      return reader.findCosts({ of, rowIds: await rows.filter(of, rowIds, options) }, options);
    },
    async findCostsOfTypes({ of, rowIds }, options) {
      return reader.findCostsOfTypes({ of, rowIds: await rows.filter(of, rowIds, options) }, options);
    },
    sumUpModels: async (query, options) => reader.sumUpModels(inScope(ofVisibleProject(query, access)), options),
    findCostsOfTypesOfModels: async (query, options) =>
      reader.findCostsOfTypesOfModels(inScope(ofVisibleProject(query, access)), options),
    async countSpansByDay(firstDay, options) {
      const counts = await reader.countSpansByDay(firstDay, options);
      return access.reachesAll ? counts : counts.filter(({ projectId }) => access.canRead(projectId));
    },
    async findProjectsOfRows({ of, rowIds }, options) {
      return reader.findProjectsOfRows({ of, rowIds: await rows.filter(of, rowIds, options) }, options);
    },
    openParquet: (chunks, options) => reader.openParquet(chunks, options),
    onChange: (listener) => reader.onChange((change) => listenVisibly(access, change, listener)),
    async lastChangedAt(project) {
      if (access.reachesAll) return reader.lastChangedAt(project);
      if (project === undefined) return reader.lastChangedAt(access.scope);
      const isShown = typeof project !== 'number' || access.canRead(project);
      return reader.lastChangedAt(isShown ? project : NO_PROJECT);
    },
  };
}

const ofVisibleProject = (query: ModelCostQuery, access: ProjectAccess): ModelCostQuery =>
  query.projectId === undefined || access.canRead(query.projectId) ? query : { ...query, projectId: NO_PROJECT };

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

const LIST_READS = {
  findSpans: true,
  listSpans: true,
  listRootSpans: true,
  findSpanRows: true,
  findTraces: true,
  findSpansOfTraces: true,
  findTracesOfSessions: true,
  findSessions: true,
  listSessions: true,
} as const satisfies Record<keyof ReturnType<typeof readsOfLists>, true>;
const ID_READS = {
  findStoredSpanIds: true,
  findSpanRowId: true,
  findTraceRowId: true,
  findTraceRowIds: true,
  findSession: true,
} as const satisfies Record<keyof ReturnType<typeof readsOfIds>, true>;
const OTHER_READS = {
  listSpansOfTrace: true,
  findAnnotationsOfTargets: true,
  findWrittenAnnotations: true,
  findTargets: true,
  findCosts: true,
  findCostsOfTypes: true,
  sumUpModels: true,
  findCostsOfTypesOfModels: true,
  countSpansByDay: true,
  findProjectsOfRows: true,
  openParquet: true,
  onChange: true,
  lastChangedAt: true,
} as const satisfies Record<OtherRead, true>;

function readOf(guard: Guard, name: string): unknown {
  if (Object.hasOwn(LIST_READS, name)) {
    guard.lists ??= readsOfLists(guard);
    return guard.lists[name as keyof typeof LIST_READS];
  }
  if (Object.hasOwn(ID_READS, name)) {
    guard.ids ??= readsOfIds(guard);
    return guard.ids[name as keyof typeof ID_READS];
  }
  if (Object.hasOwn(OTHER_READS, name)) {
    guard.others ??= otherReads(guard);
    return guard.others[name as keyof typeof OTHER_READS];
  }
  return guardedRead(guard, name as keyof Guarded);
}

/** Prototype with a getter for each read. */
const VISIBLE_SPANS: object = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.keys({ ...READS_OF_PROJECT, ...READS_OF_ROWS, ...LIST_READS, ...ID_READS, ...OTHER_READS }).map((name) => [
      name,
      {
        enumerable: true,
        get(this: { readonly guard: Guard }) {
          return readOf(this.guard, name);
        },
      },
    ]),
  ),
);
