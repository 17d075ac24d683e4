import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RetentionRule } from '../../src/model/projects/retention-policy.ts';
import type { Deletion } from '../../src/span-store/contract/writer.ts';
import { ensureDefaultRetentionPolicy } from '../../src/metadata-store/projects/retention-policies.ts';
import { cleanUpAfter, openTestStore, query } from '../metadata-store/fixtures.ts';
import type { Ports } from '../../src/domain/ports.ts';
import { sweepRetention } from '../../src/domain/retention/sweep-retention.ts';
import { shareTestServer } from '../api/test-server.ts';

const SUNDAY = new Date('2026-01-04T00:00:30Z');
const DAY_NANO = 86_400_000_000_000n;
const NOW_NANO = BigInt(SUNDAY.getTime()) * 1_000_000n;
const none = (policy: { name: string }, error: Error) => assert.fail(`${policy.name}: ${error.message}`);

const cleanUp = cleanUpAfter(after);
const openServer = shareTestServer({ settings: { READ_ONLY: 'true' } });

/**
 * A project under the default policy with this rule, whose earliest of so many traces starts so many days ago, and the
 * deletions that a sweep submits. The server is read-only, so that it sweeps nothing itself.
 */
async function given(rule: RetentionRule, { traceCount = 10, days = 40n } = {}) {
  const server = await openServer();
  const start = NOW_NANO - days * DAY_NANO;
  await server.append(
    ...Array.from({ length: traceCount }, (_, index) => {
      const at = index === 0 ? start : NOW_NANO - BigInt(index);
      return { traceId: `t${index}`, spanId: `s${index}`, project: 'mine', start: at, end: at };
    }),
  );
  const { rowId } = (await server.ports.projects.find({ name: 'mine' }))!;
  const { db } = await openTestStore(cleanUp, { url: server.databaseUrl });
  await ensureDefaultRetentionPolicy(db, 0);
  await server.ports.retention.update(0, { rule });
  // The policy is as old as the template, which is younger than the times of these tests.
  await query(server.databaseUrl, "update project_trace_retention_policies set swept_at = 'epoch'");
  const deletions: Deletion[] = [];
  const { writes } = server.ports;
  const submitDeletion: Ports['writes']['submitDeletion'] = (deletion) => {
    deletions.push(deletion);
    return writes.submitDeletion(deletion);
  };
  return { ports: { ...server.ports, writes: { ...writes, submitDeletion } }, deletions, rowId };
}

describe('applying retention policies', () => {
  const CASES = [
    { rule: { type: 'max_days', max_days: 30 }, deletions: [{ endTimeUnixNano: NOW_NANO - 30n * DAY_NANO }] },
    { rule: { type: 'max_days', max_days: 0.5 }, deletions: [{ endTimeUnixNano: NOW_NANO - DAY_NANO / 2n }] },
    { rule: { type: 'max_days', max_days: 50 }, deletions: [] },
    { rule: { type: 'max_days', max_days: 0 }, deletions: [] },
    { rule: { type: 'max_count', max_count: 9 }, deletions: [{ exceptNewestCount: 9 }] },
    { rule: { type: 'max_count', max_count: 10 }, deletions: [] },
    { rule: { type: 'max_count', max_count: 0 }, deletions: [] },
    {
      rule: { type: 'max_days_or_count', max_days: 30, max_count: 9 },
      deletions: [{ endTimeUnixNano: NOW_NANO - 30n * DAY_NANO }, { exceptNewestCount: 9 }],
    },
    { rule: { type: 'max_days_or_count', max_days: 0, max_count: 9 }, deletions: [{ exceptNewestCount: 9 }] },
  ] as const;
  for (const { rule, deletions } of CASES) {
    test(`deletes by ${JSON.stringify(rule)} what is over its limits, and nothing else`, async () => {
      const { ports, deletions: submitted, rowId } = await given(rule);

      const swept = await sweepRetention(ports, SUNDAY, none);

      const common = { what: 'tracesOfProject', projectId: rowId, withSessions: false };
      const idle = { what: 'emptySessions', projectId: rowId, endBeforeUnixNano: NOW_NANO - DAY_NANO / 24n };
      assert.deepEqual(
        submitted,
        deletions.length > 0 ? [...deletions.map((deletion) => ({ ...common, ...deletion })), idle] : [],
      );
      assert.deepEqual(swept, [{ name: 'Default', projectCount: deletions.length > 0 ? 1 : 0 }]);
    });
  }

  test('applies a policy once an hour that comes, and one that came while no server ran', async () => {
    const { ports } = await given({ type: 'max_count', max_count: 1 });
    const sweepAt = async (time: string) => {
      const [swept] = await sweepRetention(ports, new Date(time), none);
      return swept !== undefined;
    };

    assert.equal(await sweepAt('2026-01-04T00:00:30Z'), true);
    assert.equal(await sweepAt('2026-01-04T00:01:30Z'), false);
    assert.equal(await sweepAt('2026-01-10T23:59:30Z'), false);
    assert.equal(await sweepAt('2026-01-13T10:00:00Z'), true);
  });

  test('retries a policy that failed, and applies the others', async (t) => {
    const { ports, deletions, rowId } = await given({ type: 'max_days', max_days: 0 });
    const fields = { name: 'count', cronExpression: '0 0 * * *', rule: { type: 'max_count', max_count: 1 } } as const;
    const { rowId: policyRowId } = await ports.retention.create(fields, [rowId]);
    t.after(() => ports.retention.delete(policyRowId));
    const later = new Date(Date.now() + 86_400_000);
    const failing = {
      ...ports,
      writes: { ...ports.writes, submitDeletion: () => Promise.reject(new Error('full')) },
    };
    const errors: string[] = [];

    const swept = await sweepRetention(failing, later, ({ name }, { message }) => errors.push(`${name}: ${message}`));

    assert.deepEqual(errors, ['count: full']);
    assert.deepEqual(
      swept.map(({ name }) => name),
      ['Default'],
    );
    assert.deepEqual(
      (await sweepRetention(ports, later, none)).map(({ name }) => name),
      ['count'],
    );
    assert.equal(deletions.length, 2);
  });
});
