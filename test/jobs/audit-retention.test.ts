import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Log, silentLog } from '../../src/base/log.ts';
import {
  appendAuditEntry,
  deleteAuditEntries,
  lockAuditLog,
  verifyAuditLog,
} from '../../src/metadata-store/access/audit-log.ts';
import { cleanUpAfter, openTestPostgres, openTestStore, query } from '../metadata-store/fixtures.ts';
import { openAuditRetention } from '../../src/jobs/audit-retention.ts';

const DAY_MS = 86_400_000;
const ACTOR = { userRowId: null, username: 'ada', credential: 'none', remoteAddress: null } as const;

test('old entries of the audit log are deleted, and what is left is a chain to which entries are added', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const url = await (await openTestPostgres(cleanUp)).newDatabase();
  const { db } = await openTestStore(cleanUp, { url });
  const startedAt = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: startedAt });
  const append = async (daysAgo: number) => {
    t.mock.timers.setTime(startedAt - daysAgo * DAY_MS);
    await db.transaction().execute(async (transaction) => {
      await lockAuditLog(transaction);
      const target = { kind: 'User', name: `${daysAgo} days ago` };
      await appendAuditEntry(transaction, { action: 'sign-in', outcome: 'DONE', target }, ACTOR);
    });
    t.mock.timers.setTime(startedAt);
  };
  const names = async () =>
    (await query<{ name: string }>(url, 'select target_name as name from audit_log order by id')).map(
      ({ name }) => name,
    );
  /** Runs the job until it has deleted something. */
  const sweep = (retentionDays: number) =>
    new Promise<void>((resolve) => {
      const log: Log = { ...silentLog, info: () => resolve() };
      const audit = { deleteBefore: (before: Date) => deleteAuditEntries(db, before) };
      const job = openAuditRetention({ audit, retentionDays, log });
      cleanUp(async () => job.close());
    });
  // The clock of the server that wrote the fourth entry was late.
  for (const daysAgo of [40, 35, 29, 31, 10, 1]) await append(daysAgo);

  await sweep(30);
  assert.deepEqual(await names(), ['29 days ago', '31 days ago', '10 days ago', '1 days ago']);
  assert.deepEqual(await verifyAuditLog(db), { entryCount: 4, brokenAtRowId: undefined });

  // The newest entry stays whatever its age, because the next one refers to it.
  await sweep(0.5);
  assert.deepEqual(await names(), ['1 days ago']);
  await append(0);
  assert.deepEqual(await verifyAuditLog(db), { entryCount: 2, brokenAtRowId: undefined });
});
