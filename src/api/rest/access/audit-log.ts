import { type Static, Type } from '@sinclair/typebox';
import type { ExactJsonObject } from '../../../base/exact-json.ts';
import { AUDIT_ACTIONS, type AuditEntry } from '../../../model/access/audit-entry.ts';
import { AUDIT_EXPORT_ROW_COUNT_MAX, AUDIT_PAGE_ROW_COUNT_MAX } from '../../../model/limits/access.ts';
import type { AuditFilter } from '../../../domain/access/audit.ts';
import { csvLine } from '../../../domain/datasets/files/csv-text.ts';
import type { Domain } from '../../../domain/domain.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { dateText } from '../date-text.ts';
import { defineRoute, type RestRoute, TextStream } from '../define-route.ts';
import { BoundedLimit, Cursor, DateTime, DateTimeText, JsonObject, Nullable, OneOf, PageOf } from '../schema.ts';

const FILTER = {
  action: Type.Optional(OneOf(AUDIT_ACTIONS)),
  outcome: Type.Optional(OneOf(['DONE', 'DENIED'])),
  start_time: Type.Optional(DateTime({ description: 'Entries at or after this time.' })),
  end_time: Type.Optional(DateTime({ description: 'Entries before this time.' })),
  text: Type.Optional(Type.String({ description: 'Part of the name of the user or target. Case is ignored.' })),
  username: Type.Optional(Type.String({ description: 'Part of the name of the user. Case is ignored.' })),
  target: Type.Optional(Type.String({ description: 'Part of the kind, id or name of the target. Case is ignored.' })),
};

const EntryJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    happened_at: DateTimeText(),
    username: Nullable(Type.String({ description: 'The user, or the account that was named at a sign-in.' })),
    user_id: Nullable(Type.String()),
    credential: Type.String(),
    remote_address: Nullable(Type.String()),
    action: Type.String(),
    outcome: OneOf(['DONE', 'DENIED']),
    target: Type.Object({
      kind: Type.String(),
      id: Nullable(Type.String({ description: 'Row id.' })),
      name: Nullable(Type.String()),
    }),
    before: Nullable(JsonObject()),
    after: Nullable(JsonObject()),
  },
  { $id: 'AuditEntry' },
);

export const auditLogRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/audit_log',
    access: 'admin',
    operationId: 'listAuditEntries',
    tag: 'audit',
    summary: 'List the audit log, newest first',
    query: Type.Object({ ...FILTER, cursor: Cursor, limit: BoundedLimit }),
    success: { status: 200, description: 'One page of entries.', schema: PageOf(EntryJson) },
    errors: { 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, query }) {
      const fromRowId = rowIdOfCursor(query.cursor, `Invalid cursor format: ${query.cursor}`);
      const page = await domain.audit.list(toFilter(query), {
        limit: query.limit,
        ...(fromRowId !== undefined && { fromRowId }),
      });
      return { data: page.items.map(toJson), next_cursor: cursorTo('AuditEntry', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/audit_log/csv',
    access: 'admin',
    operationId: 'exportAuditLog',
    tag: 'audit',
    summary: 'Download the audit log as CSV, newest first',
    description: `At most ${AUDIT_EXPORT_ROW_COUNT_MAX} entries. The download is an entry itself.`,
    query: Type.Object(FILTER),
    success: { status: 200, description: 'The file.', contentType: 'text/csv' },
    async handle({ domain, query }) {
      await domain.audit.recordExport({ kind: 'AuditLog', name: 'audit-log.csv' });
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="audit-log.csv"',
      };
      return new TextStream(headers, writeCsv(domain, toFilter(query)));
    },
  }),
];

const COLUMNS = [
  ...['happened_at', 'username', 'credential', 'remote_address', 'action', 'outcome'],
  ...['target_kind', 'target_id', 'target_name', 'before', 'after'],
];

async function* writeCsv(domain: Domain, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let count = 0;
  for (let fromRowId: number | undefined; count < AUDIT_EXPORT_ROW_COUNT_MAX; ) {
    const page = await domain.audit.list(filter, {
      limit: AUDIT_PAGE_ROW_COUNT_MAX,
      ...(fromRowId !== undefined && { fromRowId }),
    });
    yield page.items.map(toLine).join('');
    count += page.items.length;
    if (page.nextRowId === undefined) return;
    fromRowId = page.nextRowId;
  }
}

/** A spreadsheet would run a text that starts so, and anyone can name an account at a failed sign-in. */
const withoutFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const toLine = ({ happenedAt, actor, action, outcome, target, before, after }: AuditEntry): string =>
  csvLine(
    [
      ...[happenedAt.toISOString(), actor.username ?? '', actor.credential, actor.remoteAddress ?? '', action, outcome],
      ...[target.kind, target.id ?? '', target.name ?? ''],
      ...[before, after].map((fields) => (fields === undefined ? '' : JSON.stringify(fields))),
    ].map(withoutFormula),
  );

const toFilter = (query: Static<ReturnType<typeof Type.Object<typeof FILTER>>>): AuditFilter => ({
  ...(query.action !== undefined && { action: query.action }),
  ...(query.outcome !== undefined && { outcome: query.outcome }),
  ...(query.start_time !== undefined && { from: new Date(Number(query.start_time.unixNano / 1_000_000n)) }),
  ...(query.end_time !== undefined && { until: new Date(Number(query.end_time.unixNano / 1_000_000n)) }),
  ...(query.text !== undefined && { text: query.text }),
  ...(query.username !== undefined && { username: query.username }),
  ...(query.target !== undefined && { target: query.target }),
});

const toJson = ({ rowId, happenedAt, actor, action, outcome, target, before, after }: AuditEntry) => ({
  id: toGlobalId('AuditEntry', rowId),
  happened_at: dateText(happenedAt),
  username: actor.username,
  user_id: actor.userRowId === null ? null : toGlobalId('User', actor.userRowId),
  credential: actor.credential,
  remote_address: actor.remoteAddress,
  action,
  outcome,
  target: { kind: target.kind, id: target.id ?? null, name: target.name ?? null },
  // Texts, numbers, flags and lists of texts.
  before: (before ?? null) as ExactJsonObject | null,
  after: (after ?? null) as ExactJsonObject | null,
});
