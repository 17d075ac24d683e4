import type { AnnotationSort, SessionSortColumn } from '../../domain/domain.ts';
import {
  checkCappedPage,
  type PageArguments,
  type RangeArguments,
  refuse,
  type SessionFilterArguments,
  toSessionFilter,
  toTimeRange,
} from './arguments.ts';
import { type Connection, keysetConnection } from './connections.ts';
import type { GraphqlContext } from './context.ts';
import { type CursorType, parseCursor, toCursor } from './cursor.ts';
import { type NodeRef, sessionRef } from './resolvers.ts';
import { type AnnotationKey, byAnnotation } from './span-list.ts';

interface SessionSort {
  readonly col?: string | null;
  readonly annoResultKey?: AnnotationKey | null;
  readonly dir: 'asc' | 'desc';
}

const SORTS: Readonly<Record<string, readonly [SessionSortColumn, CursorType]>> = {
  startTime: ['startTime', 'DATETIME'],
  endTime: ['endTime', 'DATETIME'],
  tokenCountTotal: ['tokensTotal', 'INT'],
  numTraces: ['traceCount', 'INT'],
  costTotal: ['cost', 'INT'],
};

/** Sessions of a project, by row id where no other order is asked for. */
export async function listProjectSessions(
  { rowId: projectId }: NodeRef<'Project'>,
  args: PageArguments & RangeArguments & SessionFilterArguments & { readonly sort?: SessionSort | null },
  { domain, loaders, items: budget, signal }: GraphqlContext,
): Promise<Connection<NodeRef>> {
  const limit = checkCappedPage(args);
  const [sort, cursorType] = (args.sort && sortOf(args.sort)) ?? [];
  const { items, nextAfter } = await domain.spans.listSessions(
    {
      projectId,
      ...toTimeRange(args),
      filter: toSessionFilter(args),
      sort,
      order: args.sort?.dir ?? 'asc',
      after: args.after ? parseCursor(args.after, cursorType) : undefined,
      limit,
    },
    { readClass: 'interface', signal },
  );
  const edges = items.map(({ session, at }) => {
    loaders.sessions.prime(session.rowId, session);
    return { cursor: toCursor(at, cursorType), node: sessionRef(session.rowId) };
  });
  return keysetConnection(edges, nextAfter && toCursor(nextAfter, cursorType), budget);
}

function sortOf({ col, annoResultKey }: SessionSort): readonly [SessionSortColumn | AnnotationSort, CursorType] {
  if ((col == null) === (annoResultKey == null)) {
    refuse('Exactly one of `col` or `annoResultKey` must be specified on `ProjectSessionSort`.');
  }
  return annoResultKey ? byAnnotation(annoResultKey) : SORTS[col!]!;
}
