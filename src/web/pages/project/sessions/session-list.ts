import type { QueryKey } from '@tanstack/react-query';
import type { SortState } from '../../../components/table/column.ts';
import type { RowPage } from '../../../data/merge-rows.ts';
import { send } from '../../../data/request.ts';
import { boundsAt, type ChosenRange, readRange, toApiRange } from '../../../time-range/time-range.ts';
import type { OrderEntry } from '../../trace/order/trace-order.ts';
import type { OrderSource } from '../../trace/order/use-read-order.ts';
import { type ProjectSessionsData, type ProjectSessionsVariables, projectSessions } from '../generated/project.ts';

type ProjectNode = Extract<ProjectSessionsData['node'], { readonly __typename: 'Project' }>;
export type SessionRow = ProjectNode['sessions']['edges'][number]['node'];
type SortColumn = NonNullable<NonNullable<ProjectSessionsVariables['sort']>['col']>;

/** Parameters of a table of sessions. */
export interface SessionList {
  readonly projectId: string;
  readonly range: ChosenRange;
  readonly sort: SortState;
  /** Session filter, or empty. */
  readonly filter: string;
}

/** Reads the parameters from the address. */
export const toSessionList = (projectId: string, search: URLSearchParams): SessionList => ({
  projectId,
  range: readRange(search),
  sort: readSort(search.get('sort')) ?? { col: 'startTime', dir: 'desc' },
  filter: search.get('sessionFilterCondition') ?? '',
});

export const sessionListKey = (list: SessionList): QueryKey => [projectSessions.name, list];

const FIRST_COUNT = 50;
const MORE_COUNT = 100;

/** Reads the page after a cursor, or the first page. */
export async function readSessions(
  { projectId, range, sort, filter }: SessionList,
  after: string | undefined,
  signal: AbortSignal,
): Promise<RowPage<SessionRow>> {
  const { node } = await send(
    projectSessions,
    {
      id: projectId,
      first: after === undefined ? FIRST_COUNT : MORE_COUNT,
      after: after ?? null,
      timeRange: toApiRange(boundsAt(range, Date.now())),
      sort: { col: sort.col as SortColumn, dir: sort.dir },
      filterCondition: filter === '' ? null : filter,
    },
    signal,
  );
  if (node.__typename !== 'Project') return { rows: [], next: undefined };
  const { edges, pageInfo } = node.sessions;
  return {
    rows: edges.map((edge) => edge.node),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}

interface SessionOrder extends OrderSource {
  readonly entry: (row: SessionRow) => OrderEntry;
}

/**
 * Order of a table of sessions for stepping through its rows.
 *
 * @param query Parameters of the table in the address.
 */
export function toSessionOrder(list: SessionList, query: string): SessionOrder {
  const path = `/projects/${encodeURIComponent(list.projectId)}/sessions`;
  const search = query && `?${query}`;
  const entry = ({ id }: SessionRow): OrderEntry => ({
    path: `${path}/${encodeURIComponent(id)}`,
    search,
    nodeId: id,
    nodeIds: { session: id },
  });
  return {
    table: path + search,
    entry,
    async read(after, signal) {
      const { rows, next } = await readSessions(list, after, signal);
      return { entries: rows.map(entry), next };
    },
  };
}

const SORT = /^(costTotal|startTime|endTime|tokenCountTotal|numTraces):(asc|desc)$/;

function readSort(text: string | null): SortState | undefined {
  const [, col, dir] = SORT.exec(text ?? '') ?? [];
  return col === undefined ? undefined : { col, dir: dir as 'asc' | 'desc' };
}
