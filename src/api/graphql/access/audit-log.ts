import { AUDIT_ACTIONS, type AuditEntry } from '../../../model/access/audit-entry.ts';
import { AUDIT_PAGE_ROW_COUNT_MAX } from '../../../model/limits/access.ts';
import type { AuditFilter } from '../../../domain/access/audit.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { reject } from '../arguments.ts';
import { keysetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { parseCursor, toCursor } from '../cursor.ts';
import type { Resolvers } from '../resolvers.ts';

interface FilterInput {
  readonly action?: string | null;
  readonly outcome?: 'DONE' | 'DENIED' | null;
  /** Times as nanoseconds since the epoch, as text. */
  readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null;
  readonly text?: string | null;
  readonly username?: string | null;
  readonly target?: string | null;
}

interface PageInput {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly filter?: FilterInput | null;
}

export const auditLogQueries: Resolvers = {
  async auditLog(_source, { first, after, filter }: PageInput, { domain, items }: GraphqlContext) {
    const limit = first ?? 50;
    if (limit < 1 || limit > AUDIT_PAGE_ROW_COUNT_MAX) reject(`first must be from 1 to ${AUDIT_PAGE_ROW_COUNT_MAX}`);
    const fromRowId = after ? parseCursor(after, undefined).rowId - 1 : undefined;
    const page = await domain.audit.list(toFilter(filter ?? {}), {
      limit,
      ...(fromRowId !== undefined && { fromRowId }),
    });
    const edges = page.items.map((entry) => ({ cursor: toCursor(entry, undefined), node: toNode(entry) }));
    return keysetConnection(edges, page.nextRowId === undefined ? undefined : edges.at(-1)?.cursor, items);
  },
  async auditLogCheck(_source, _args, { domain }: GraphqlContext) {
    const { entryCount, brokenAtRowId } = await domain.audit.verify();
    if (brokenAtRowId === undefined) return { entryCount, brokenAt: null };
    const { items } = await domain.audit.list({}, { limit: 1, fromRowId: brokenAtRowId });
    return { entryCount, brokenAt: items[0] ? toNode(items[0]) : null };
  },
};

function toFilter({ action, outcome, timeRange, text, username, target }: FilterInput): AuditFilter {
  const known = action == null ? undefined : AUDIT_ACTIONS.find((name) => name === action);
  if (action != null && known === undefined) reject(`action must be one of ${AUDIT_ACTIONS.join(', ')}`);
  const toDate = (nanos: string) => new Date(Number(BigInt(nanos) / 1_000_000n));
  return {
    ...(known !== undefined && { action: known }),
    ...(outcome != null && { outcome }),
    ...(timeRange?.start != null && { from: toDate(timeRange.start) }),
    ...(timeRange?.end != null && { until: toDate(timeRange.end) }),
    ...(text != null && { text }),
    ...(username != null && { username }),
    ...(target != null && { target }),
  };
}

const toNode = ({ rowId, happenedAt, actor, action, outcome, target, before, after }: AuditEntry) => ({
  id: toGlobalId('AuditEntry', rowId),
  happenedAt,
  username: actor.username,
  credential: actor.credential,
  remoteAddress: actor.remoteAddress,
  action,
  outcome,
  targetKind: target.kind,
  targetId: target.id ?? null,
  targetName: target.name ?? null,
  before: before ?? null,
  after: after ?? null,
});
