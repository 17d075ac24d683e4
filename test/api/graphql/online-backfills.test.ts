import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ONLINE_CONCURRENCY_OF_ONE, ONLINE_SPEED_COUNT_MIN } from '../../../src/model/limits/online-evaluators.ts';
import { openOnlineJudge, spansToJudge } from './online-judge.ts';

const FIELDS = `waitingCount backfills { state targetCount settledCount doneCount failedCount overBudgetCount isSelecting
  remainingSeconds endedAt }`;
const START = `mutation ($input: OnlineBackfillInput!) { startOnlineBackfill(input: $input) { ${FIELDS} } }`;
const STOP = `mutation ($id: ID!) { stopOnlineBackfill(id: $id) { ${FIELDS} } }`;
const PATCH = 'mutation ($input: PatchOnlineEvaluatorInput!) { patchOnlineEvaluator(input: $input) { id } }';
const RETRY = 'mutation ($id: ID!) { retryOnlineItems(id: $id) { id } }';
const ESTIMATE = `query ($input: OnlineBackfillInput!) {
  onlineBackfillEstimate(input: $input) { evaluationCount callCount withinBudgetCount dayCount durationSeconds } }`;
const READ = `query ($id: ID!) { onlineEvaluator(id: $id) { ${FIELDS} } }`;
/** The vendor answers after the end of the test. */
const SLOW = '[[latency 600000]]';
const FAST = '[[label good]]';

describe('a backfill of an online LLM evaluator', () => {
  const open = async (t: { after(work: () => Promise<void>): void }, outputs: readonly string[]) => {
    const judge = await openOnlineJudge(t);
    await judge.server.append(...spansToJudge(outputs));
    const id = await judge.addEvaluator();
    const read = async () => (await judge.server.ask(READ, { id })).onlineEvaluator;
    /** The newest backfill, once it has this property. */
    const until = async (
      isReached: (backfill: { settledCount: number; doneCount: number; state: string }) => boolean,
    ) => {
      for (;;) {
        const { backfills } = await read();
        if (isReached(backfills[0])) return backfills[0];
        await sleep(20);
      }
    };
    return { ...judge, id, read, until };
  };

  test('counts settled targets, returns the remaining time, and runs until the last outcome', async (t) => {
    // Fewer slow calls than run at the same time, so that the others come to an end.
    const outputs = [...Array(20).fill(FAST), ...Array(4).fill('[[fault 400]]'), ...Array(10).fill(SLOW)];
    const { server, id, until, read } = await open(t, outputs);
    const { startOnlineBackfill: started } = await server.ask(START, { input: { id } });
    assert.deepEqual([started.backfills[0].state, started.backfills[0].targetCount], ['RUNNING', 34]);

    const { remainingSeconds, ...running } = await until(({ settledCount }) => settledCount === 24);

    assert.deepEqual(running, {
      ...{ state: 'RUNNING', targetCount: 34, settledCount: 24, doneCount: 20, failedCount: 4, overBudgetCount: 0 },
      ...{ isSelecting: false, endedAt: null },
    });
    assert.ok(remainingSeconds > 0);
    const { errors } = await server.post(START, { input: { id } });
    assert.match(errors?.[0] ?? '', /A backfill of 'quality' is running; stop it first/);
    assert.equal((await read()).waitingCount, 10);
  });

  test('drops the targets that have not begun when it is stopped, and another one finds them', async (t) => {
    const { server, vendor, id, until } = await open(t, Array(40).fill(SLOW));
    await server.ask(START, { input: { id } });
    while (vendor.statistics().openCallCount < ONLINE_CONCURRENCY_OF_ONE) await sleep(10);

    const { stopOnlineBackfill: stopped } = await server.ask(STOP, { id });

    const { endedAt, ...rest } = stopped.backfills[0];
    assert.ok(endedAt);
    assert.deepEqual(rest, {
      ...{ state: 'STOPPED', targetCount: 40, settledCount: 0, doneCount: 0, failedCount: 0, overBudgetCount: 0 },
      ...{ isSelecting: false, remainingSeconds: null },
    });
    assert.equal(stopped.waitingCount, ONLINE_CONCURRENCY_OF_ONE);
    await server.ask(START, { input: { id } });
    const again = await until(({ state }) => state === 'RUNNING');
    assert.equal(again.settledCount, 0);
    while ((await until(() => true)).isSelecting) await sleep(10);
    assert.equal((await until(() => true)).targetCount, 40 - ONLINE_CONCURRENCY_OF_ONE);
  });

  test('completes while the evaluator is off, and reports what was over the budget', async (t) => {
    const { server, id, until } = await open(t, Array(30).fill(FAST));
    await server.ask(PATCH, { input: { id, isEnabled: false, dailyCallCountMax: 5 } });
    await server.ask(START, { input: { id } });

    const ended = await until(({ state }) => state === 'DONE');

    assert.deepEqual([ended.targetCount, ended.settledCount, ended.remainingSeconds], [30, 30, null]);
    assert.deepEqual([ended.doneCount, ended.overBudgetCount], [5, 25]);
  });

  describe('is estimated before', () => {
    const openWithBudget = async (t: { after(work: () => Promise<void>): void }, outputs: readonly string[]) => {
      const opened = await open(t, outputs);
      const { server, id } = opened;
      const limitTo = (budget: object) => server.ask(PATCH, { input: { id, ...budget } });
      const estimate = async () => (await server.ask(ESTIMATE, { input: { id } })).onlineBackfillEstimate;
      const finish = async () => {
        await server.ask(START, { input: { id } });
        return opened.until(({ state }) => state === 'DONE');
      };
      return { ...opened, limitTo, estimate, finish };
    };

    test('by the budget alone while no evaluation shows the time and the cost of one', async (t) => {
      const { limitTo, estimate } = await openWithBudget(t, Array(40).fill(FAST));
      const unknown = { evaluationCount: 40, callCount: null, durationSeconds: null };

      assert.deepEqual(await estimate(), { ...unknown, withinBudgetCount: 40, dayCount: 1 });
      await limitTo({ dailyCallCountMax: 15 });
      assert.deepEqual(await estimate(), { ...unknown, withinBudgetCount: 15, dayCount: 3 });
      await limitTo({ dailyCallCountMax: 0 });
      assert.deepEqual(await estimate(), { ...unknown, withinBudgetCount: 0, dayCount: null });
      await limitTo({ dailyCallCountMax: null, dailyCostMax: 1 });
      assert.deepEqual(await estimate(), { ...unknown, withinBudgetCount: null, dayCount: null });
      await limitTo({ dailyCostMax: 0 });
      assert.deepEqual(await estimate(), { ...unknown, withinBudgetCount: 0, dayCount: null });
    });

    test('by the duration of recent evaluations, and by the calls that are left today', async (t) => {
      const { server, id, limitTo, estimate, finish, until } = await openWithBudget(
        t,
        Array(20).fill('[[label good]] [[latency 400]]'),
      );
      await limitTo({ dailyCallCountMax: 8 });
      await finish();

      const usedUp = await estimate();
      assert.deepEqual(usedUp, {
        ...{ evaluationCount: 20, callCount: 20, withinBudgetCount: 0, dayCount: 4, durationSeconds: 0 },
      });
      await limitTo({ dailyCallCountMax: 18 });
      const { durationSeconds, ...rest } = await estimate();
      assert.deepEqual(rest, { evaluationCount: 20, callCount: 20, withinBudgetCount: 10, dayCount: 2 });
      assert.ok(durationSeconds >= (10 * 0.4) / ONLINE_CONCURRENCY_OF_ONE, `${durationSeconds} s`);
      await limitTo({ dailyCallCountMax: null });
      const unlimited = await estimate();
      assert.deepEqual([unlimited.withinBudgetCount, unlimited.dayCount], [20, 1]);
      assert.ok(Math.abs(unlimited.durationSeconds - 2 * durationSeconds) < 0.001);
      // The targets over the budget are scored as the estimate says: when they are queued again.
      await server.ask(RETRY, { id });
      await until(({ doneCount }) => doneCount === 20);
    });

    test('by the speed of the last backfill, which knows the limits of the vendor', async (t) => {
      const { server, id, estimate, finish } = await openWithBudget(t, Array(ONLINE_SPEED_COUNT_MIN).fill(FAST));
      await finish();
      const { backfills } = (
        await server.ask('query ($id: ID!) { onlineEvaluator(id: $id) { backfills { createdAt endedAt } } }', { id })
      ).onlineEvaluator;
      const seconds = (Date.parse(backfills[0].endedAt) - Date.parse(backfills[0].createdAt)) / 1_000;

      const { evaluationCount, durationSeconds } = await estimate();

      assert.equal(evaluationCount, ONLINE_SPEED_COUNT_MIN);
      assert.ok(Math.abs(durationSeconds - seconds) < 0.01, `${durationSeconds} s, and the backfill took ${seconds} s`);
    });
  });
});
