import { expectPresent } from '../../../base/expect-present.ts';
import type { EntityFilter } from '../../../filter/entities/entity-filter.ts';
import { formatText } from '../../../filter/syntax/format-filter.ts';
import type { AnnotationSort, SessionSortColumn } from '../../../domain/domain.ts';
import {
  checkCappedPage,
  type PageArguments,
  type RangeArguments,
  reject,
  type SessionFilterArguments,
  toSessionFilter,
  toTimeRange,
} from '../arguments.ts';
import { type Connection, keysetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { type CursorType, listKeyOf, parseCursor, toCursor } from '../cursor.ts';
import { type NodeRef, sessionRef } from '../resolvers.ts';
import { type AnnotationKey, byAnnotation } from '../spans/span-list.ts';

interface SessionSort {
  readonly col?: string | null;
  readonly annoResultKey?: AnnotationKey | null;
  readonly dir: 'asc' | 'desc';
}

const SORTS: ReadonlyMap<string, readonly [SessionSortColumn, CursorType]> = new Map(
  Object.entries({
    startTime: ['startTime', 'DATETIME'],
    endTime: ['endTime', 'DATETIME'],
    tokenCountTotal: ['tokensTotal', 'INT'],
    numTraces: ['traceCount', 'INT'],
    costTotal: ['cost', 'INT'],
  }),
);

interface SessionsArguments extends PageArguments, RangeArguments, SessionFilterArguments {
  readonly sort?: SessionSort | null;
  readonly filterIoSubstring?: string | null;
  readonly sessionId?: string | null;
}

/** The query of the arguments. @throws {FilterError} */
function filterOf(args: SessionsArguments): EntityFilter | undefined {
  // Parsed separately first, because errors contain offsets, and its parentheses must be balanced.
  const own = toSessionFilter(args);
  const { filterIoSubstring, sessionId } = args;
  const conditions = own ? [own.text] : [];
  if (filterIoSubstring) {
    const text = formatText(filterIoSubstring);
    conditions.push(`${text} in any_input or ${text} in any_output`);
  }
  if (sessionId) conditions.push(`session_id == ${formatText(sessionId)}`);
  if (conditions.length === Number(own !== undefined)) return own;
  return toSessionFilter({ sessionFilterCondition: conditions.map((one) => `(${one})`).join(' and ') });
}

/** Sessions of a project, by row id unless another order is requested. */
export async function listProjectSessions(
  { rowId: projectId }: NodeRef<'Project'>,
  args: SessionsArguments,
  { domain, loaders, items: budget, signal }: GraphqlContext,
): Promise<Connection<NodeRef>> {
  const limit = checkCappedPage(args);
  const [sort, cursorType] = (args.sort && sortOf(args.sort)) ?? [];
  const filter = filterOf(args);
  const key = listKeyOf('sessions', projectId, args.sort, filter?.text);
  const { items, nextAfter } = await domain.spans.listSessions(
    {
      projectId,
      ...toTimeRange(args),
      filter,
      sort,
      order: args.sort?.dir ?? 'asc',
      after: args.after ? parseCursor(args.after, cursorType, key) : undefined,
      limit,
    },
    { readClass: 'interface', signal },
  );
  const edges = items.map(({ session, at }) => {
    loaders.sessions.prime(session.rowId, session);
    return { cursor: toCursor(at, cursorType, key), node: sessionRef(session.rowId) };
  });
  return keysetConnection(edges, nextAfter && toCursor(nextAfter, cursorType, key), budget);
}

function sortOf({ col, annoResultKey }: SessionSort): readonly [SessionSortColumn | AnnotationSort, CursorType] {
  if (annoResultKey != null && col == null) return byAnnotation(annoResultKey);
  if (annoResultKey != null || col == null) {
    return reject('Exactly one of `col` or `annoResultKey` must be specified on `ProjectSessionSort`.');
  }
  return expectPresent(SORTS.get(col), 'each column of the schema can be sorted by');
}
