import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RetentionRule } from '../../src/model/projects/retention-policy.ts';
import { sweepRetention } from '../../src/domain/retention/sweep-retention.ts';
import { openFakeDomain } from './fake-domain.ts';

const SUNDAY = new Date('2026-01-04T00:00:30Z');
const DAY_NANO = 86_400_000_000_000n;
const NOW_NANO = BigInt(SUNDAY.getTime()) * 1_000_000n;
const none = (policy: { name: string }, error: Error) => assert.fail(`${policy.name}: ${error.message}`);

/** A project under a policy with this rule, whose earliest of so many traces starts so many days ago. */
async function given(rule: RetentionRule, { traceCount = 10, days = 40n } = {}) {
  const fake = openFakeDomain();
  const { rowId } = await fake.projects.create({ name: 'mine', description: null });
  await fake.retention.update(0, { rule });
  const sums = { traceCount, startTimeUnixNano: NOW_NANO - days * DAY_NANO };
  const spans = { ...fake.spans, sumUpProjects: async () => new Map([[rowId, sums as never]]) };
  return { domain: { ...fake, spans }, fake, rowId };
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
      const { domain, fake, rowId } = await given(rule);

      const swept = await sweepRetention(domain, SUNDAY, none);

      const common = { what: 'tracesOfProject', projectId: rowId, withSessions: false };
      const idle = { what: 'emptySessions', projectId: rowId, endBeforeUnixNano: NOW_NANO - DAY_NANO / 24n };
      assert.deepEqual(
        fake.deletions,
        deletions.length > 0 ? [...deletions.map((deletion) => ({ ...common, ...deletion })), idle] : [],
      );
      assert.deepEqual(swept, [{ name: 'Default', projectCount: deletions.length > 0 ? 1 : 0 }]);
    });
  }

  test('applies a policy once an hour that comes, and one that came while no server ran', async () => {
    const { domain, fake } = await given({ type: 'max_count', max_count: 1 });
    const sweepAt = async (time: string) => {
      fake.deletions.length = 0;
      await sweepRetention(domain, new Date(time), none);
      return fake.deletions.length > 0;
    };

    assert.equal(await sweepAt('2026-01-04T00:00:30Z'), true);
    assert.equal(await sweepAt('2026-01-04T00:01:30Z'), false);
    assert.equal(await sweepAt('2026-01-10T23:59:30Z'), false);
    assert.equal(await sweepAt('2026-01-13T10:00:00Z'), true);
  });

  test('applies a policy again that failed, and the others meanwhile', async () => {
    const { domain, fake, rowId } = await given({ type: 'max_days', max_days: 0 });
    const fields = { name: 'count', cronExpression: '0 0 * * *', rule: { type: 'max_count', max_count: 1 } } as const;
    await fake.retention.create(fields, [rowId]);
    const later = new Date(Date.now() + 86_400_000);
    const failing = {
      ...domain,
      writes: { ...domain.writes, submitDeletion: () => Promise.reject(new Error('full')) },
    };
    const errors: string[] = [];

    const swept = await sweepRetention(failing, later, ({ name }, { message }) => errors.push(`${name}: ${message}`));

    assert.deepEqual(errors, ['count: full']);
    assert.deepEqual(
      swept.map(({ name }) => name),
      ['Default'],
    );
    assert.deepEqual(
      (await sweepRetention(domain, later, none)).map(({ name }) => name),
      ['count'],
    );
    assert.equal(fake.deletions.length, 2);
  });
});
