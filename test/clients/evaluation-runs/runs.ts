import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { FakeCounts } from '../../../clients/typescript/evals/src/fake-model/index.ts';
import type { InstalledEvals } from '../installed-evals.ts';
import { EXACT, judgeOf, openFake, rowsOf, withServer } from './judge.ts';

const KILLED_ROWS = 300;
const KILLED_CONCURRENCY = 8;

export function testRuns(installed: () => InstalledEvals): void {
  const path = (name: string) => join(installed().folder, name);

  describe('a run', () => {
    test('gives all rows in their order when it is awaited, and each when it is finished in a loop', async () => {
      const { core, fakeModel } = installed();
      const judge = judgeOf(installed(), fakeModel.createFakeModel(EXACT));
      const length = core.createEvaluator(({ input }: { input: string }) => input.length, { name: 'length' });

      const { rows, summary } = await core.evaluate({ data: rowsOf(50), evaluators: [judge, length] });
      const seen: number[] = [];
      const run = core.evaluate({ data: rowsOf(5).values(), evaluators: [length] });
      for await (const { index } of run) seen.push(index);

      assert.deepEqual(
        rows.map(({ index }) => index),
        [...Array(50).keys()],
      );
      assert.deepEqual(rows[1]?.scores.quality?.label, 'good');
      assert.deepEqual(rows[1]?.scores.length, { name: 'length', score: 14, kind: 'code', direction: 'maximize' });
      assert.deepEqual(rows[1]?.details.length?.status, 'COMPLETED');
      assert.deepEqual(summary.evaluators.quality?.labels, { bad: 25, good: 25 });
      assert.equal(summary.evaluators.quality?.meanScore, 0.5);
      assert.equal(summary.calls.requestCount, 50);
      assert.deepEqual(seen.sort(), [0, 1, 2, 3, 4]);
      assert.equal(run.summary?.rowCount, 5);
      await assert.rejects(async () => {
        for await (const _ of run);
      }, /has been started/);
    });

    test('reads CSV and JSON lines, and fails only the rows that cannot be read', async () => {
      const { core } = installed();
      const see = core.createEvaluator(({ a, b }: { a: string; b: string }) => `${a}|${b}`, { name: 'see' });
      await writeFile(path('rows.csv'), '\ufeffa,b\r\n1,"two, ""2""\nlines"\r\nonly one\r\n3,\r\n');
      await writeFile(path('rows.jsonl'), '{"a":1,"b":2}\nnonsense\n[1]\n\n{"a":3,"b":"ü"}');

      const csv = await core.evaluate({ data: path('rows.csv'), evaluators: [see] });
      const lines = await core.evaluate({ data: path('rows.jsonl'), evaluators: [see] });

      assert.deepEqual(
        csv.rows.map(({ scores }) => scores.see?.label),
        ['1|two, "2"\nlines', undefined, '3|'],
      );
      assert.match(csv.rows[1]?.details.see?.exceptions[0] ?? '', /line 4 has 1 fields, and the header 2/);
      assert.deepEqual(
        lines.rows.map(({ scores }) => scores.see?.label),
        ['1|2', undefined, undefined, '3|ü'],
      );
      assert.match(lines.rows[1]?.details.see?.exceptions[0] ?? '', /Line 2 is no JSON/);
      assert.match(lines.rows[2]?.details.see?.exceptions[0] ?? '', /Line 3 is a list/);
      await writeFile(path('bad.csv'), 'a,a\n1,2\n');
      await assert.rejects(
        async () => core.evaluate({ data: path('bad.csv'), evaluators: [see] }),
        /column "a" exists twice/,
      );
      await assert.rejects(async () => core.evaluate({ data: path('missing.csv'), evaluators: [see] }), /ENOENT/);
      await assert.rejects(
        async () => core.evaluate({ data: path('rows.xml'), evaluators: [see] }),
        /\.csv, \.jsonl or \.ndjson/,
      );
    });

    test('survives errors, truncated responses and responses that never arrive or end', async () => {
      const faults = { ...EXACT, errorRate: 0.15, halfRate: 0.1, hangRate: 0.03, endlessRate: 0.02, seed: 5 };
      await withServer(installed(), faults, async (server) => {
        const judge = judgeOf(installed(), openFake(installed(), server, 'openai'));
        const { rows, summary } = await installed().core.evaluate({
          data: rowsOf(80),
          evaluators: [judge],
          timeoutMs: 300,
          maxRetries: 6,
        });

        assert.equal(rows.length, 80);
        assert.deepEqual(summary.evaluators.quality, {
          count: 80,
          errorCount: 0,
          labelErrorCount: 0,
          notRunCount: 0,
          meanScore: 0.5,
          labels: { bad: 40, good: 40 },
        });
        const retried = rows.filter(({ details }) => details.quality?.status === 'COMPLETED WITH RETRIES');
        assert.ok(retried.length > 10);
        assert.match(
          retried[0]?.details.quality?.exceptions[0] ?? '',
          /^ModelError: http.*(answered (500|with no JSON)|did not answer)|did not answer/,
        );
      });
    });

    test('keeps to limits that are stated and to those that are found', async () => {
      for (const statesLimits of [true, false]) {
        // A model that answers at once is refused as often as the machine is quick.
        const options = { ...EXACT, latencyMs: 25, requestsPerSecond: 200, burst: 40, statesLimits };
        await withServer(installed(), options, async (server) => {
          const judge = judgeOf(installed(), openFake(installed(), server, 'openai'));
          const { summary } = await installed().core.evaluate({ data: rowsOf(150), evaluators: [judge] });
          const { refused, answered } = server.model.counts;

          assert.equal(summary.evaluators.quality?.count, 150);
          assert.equal(answered, 150);
          assert.ok(refused < (statesLimits ? 20 : 80), `${refused} refused`);
        });
      }
    });

    test('uses responses of a cache, by request, repetition and age', async () => {
      const { core, fakeModel } = installed();
      const model = fakeModel.createFakeModel({ ...EXACT, variesByRepetition: true });
      const cache = path('cache.jsonl');
      const run = (options: object) =>
        core.evaluate({ data: rowsOf(20), evaluators: [judgeOf(installed(), model)], cache, ...options });

      const first = await run({});
      const second = await run({});
      const other = await run({ repetition: 1 });
      const aged = await run({ cache: { path: cache, maxAgeMs: 0 } });

      const counts = [first, second, other, aged].map(({ summary: { calls } }) => [
        calls.requestCount,
        calls.cachedCount,
      ]);
      assert.deepEqual(counts, [
        [20, 0],
        [0, 20],
        [20, 0],
        [20, 0],
      ]);
      assert.deepEqual(
        second.rows.map(({ scores }) => scores.quality?.label),
        first.rows.map(({ scores }) => scores.quality?.label),
      );
      assert.equal(second.rows[0]?.scores.quality?.metadata?.cached, true);
    });

    test('stops at a budget, and goes on from its checkpoint', async () => {
      await withServer(installed(), EXACT, async (server) => {
        const judge = judgeOf(
          installed(),
          openFake(installed(), server, 'openai', { prices: { input: 1_000, output: 0 } }),
        );
        const options = { evaluators: [judge], data: rowsOf(100), checkpoint: path('budget.jsonl'), concurrency: 4 };
        const cost = 0.01;

        const stopped = await installed().core.evaluate({ ...options, maxCost: 30 * cost });
        const rest = await installed().core.evaluate(options);

        assert.equal(stopped.summary.stopReason, 'cost');
        assert.ok(stopped.summary.calls.cost <= 31 * cost);
        assert.ok((stopped.summary.evaluators.quality?.count ?? 0) > 20);
        assert.equal(rest.summary.evaluators.quality?.count, 100);
        assert.equal(rest.summary.resumedCount, stopped.summary.evaluators.quality?.count);
        assert.equal(server.model.counts.answered, 100);
        const unpriced = judgeOf(installed(), openFake(installed(), server, 'openai-compatible'));
        await assert.rejects(
          async () => installed().core.evaluate({ data: rowsOf(9), evaluators: [unpriced], maxCost: 1 }),
          /price of the model local/,
        );
      });
    });

    test('gives what it has when it is aborted or its loop ends early', async () => {
      const { core, fakeModel } = installed();
      const model = fakeModel.createFakeModel({ ...EXACT, latencyMs: 10 });
      const controller = new AbortController();
      const progress: number[] = [];
      const options = {
        data: rowsOf(1_000),
        evaluators: [judgeOf(installed(), model)],
        onProgress: ({ doneCount }: { doneCount: number }) => progress.push(doneCount),
      };
      setTimeout(() => controller.abort(), 60);

      const { rows, summary } = await core.evaluate({ ...options, signal: controller.signal });
      const seen: number[] = [];
      for await (const { index } of core.evaluate(options)) {
        seen.push(index);
        if (seen.length === 3) break;
      }

      assert.equal(summary.stopReason, 'abort');
      assert.ok(rows.length < 1_000 && (summary.evaluators.quality?.count ?? 0) > 0);
      assert.equal(rows.at(-1)?.details.quality?.status, 'DID NOT RUN');
      assert.equal(progress.at(-1), rows.length);
      assert.equal(seen.length, 3);
    });

    test('resumes after a kill, and repeats only rows in flight', async () => {
      await withServer(installed(), { ...EXACT, latencyMs: 10 }, async (server) => {
        const checkpoint = path('killed.jsonl');
        const program = path('killed.mjs');
        await writeFile(program, killedProgram(server.url, checkpoint));
        const child = spawn(process.execPath, [program], { stdio: 'inherit' });
        while (server.model.counts.answered < KILLED_ROWS / 3) await new Promise((resolve) => setTimeout(resolve, 5));
        child.kill('SIGKILL');
        await once(child, 'exit');
        const judge = judgeOf(installed(), openFake(installed(), server, 'openai'));

        const { rows, summary } = await installed().core.evaluate({
          data: rowsOf(KILLED_ROWS),
          evaluators: [judge],
          checkpoint,
          concurrency: 8,
        });

        assert.equal(rows.length, KILLED_ROWS);
        assert.deepEqual(summary.evaluators.quality?.labels, { bad: KILLED_ROWS / 2, good: KILLED_ROWS / 2 });
        assert.ok(summary.resumedCount > 50);
        const { repeatedTexts, distinctTexts }: FakeCounts = server.model.counts;
        assert.equal(distinctTexts, KILLED_ROWS);
        assert.ok(repeatedTexts <= KILLED_CONCURRENCY, `${repeatedTexts} rows asked twice`);
      });
    });

    test('sends batches, and reads those of an earlier run instead of paying twice', async () => {
      for (const provider of ['openai', 'anthropic'] as const) {
        await withServer(installed(), EXACT, async (server) => {
          const judge = judgeOf(installed(), openFake(installed(), server, provider));
          const options = {
            data: rowsOf(40),
            evaluators: [judge],
            batch: { pollMs: 10, size: 30 },
            checkpoint: path(`batch-${provider}.jsonl`),
          };

          const first = await installed().core.evaluate(options);
          // As if the run had been killed before it stored results.
          await writeFile(options.checkpoint, `${(await readFile(options.checkpoint, 'utf8')).split('\n')[0]}\n`);
          const again = await installed().core.evaluate(options);

          for (const { summary } of [first, again]) assert.equal(summary.evaluators.quality?.count, 40);
          assert.ok(first.summary.calls.cost > 0);
          assert.deepEqual([server.model.counts.batches, server.model.counts.answered], [2, 40]);
        });
      }
    });

    test('rejects the checkpoint of other evaluators, of other rows, and one in use', async () => {
      const { core, fakeModel } = installed();
      const checkpoint = path('other.jsonl');
      const judge = judgeOf(installed(), fakeModel.createFakeModel(EXACT));
      const run = (evaluators: (typeof judge)[], data = rowsOf(3)) => core.evaluate({ data, evaluators, checkpoint });
      await run([judge]);
      // A killed process leaves half a line.
      await writeFile(checkpoint, `${await readFile(checkpoint, 'utf8')}{"row":2,"ha`);

      assert.equal((await run([judge])).summary.resumedCount, 3);
      await assert.rejects(async () => run([judge], [{ input: 'changed' }]), /Row 0 is not the one.*data have changed/);
      await assert.rejects(
        async () => run([judgeOf(installed(), fakeModel.createFakeModel(EXACT), { choices: ['good', 'bad'] })]),
        /another version of quality/,
      );
      await assert.rejects(
        async () => run([judgeOf(installed(), fakeModel.createFakeModel(EXACT), { name: 'other' })]),
        /evaluators quality, and this one has other/,
      );
      await writeFile(path('text.jsonl'), 'no checkpoint\n');
      await assert.rejects(
        async () => core.evaluate({ data: [], evaluators: [judge], checkpoint: path('text.jsonl') }),
        /no checkpoint/,
      );
      await writeFile(`${checkpoint}.lock`, String(process.pid));
      await assert.rejects(async () => run([judge]), new RegExp(`used by the process ${process.pid}`));
    });
  });
}

/** A run in a process of its own, which is killed. */
const killedProgram = (url: string, checkpoint: string) => `
  import { createClassificationEvaluator, evaluate, openModel } from '@spandrel/evals';
  const model = openModel({ provider: 'openai', model: 'gpt-5', apiKey: 'a key of tests', baseUrl: '${url}/v1' });
  const judge = createClassificationEvaluator({
    name: 'quality',
    model,
    choices: { good: 1, bad: 0 },
    promptTemplate: [{ role: 'system', content: 'Judge the input.' }, { role: 'user', content: '<input>{{input}}</input>' }],
  });
  const data = Array.from({ length: ${KILLED_ROWS} }, (_, index) => ({ input: \`text \${index} truth=\${index % 2}\` }));
  await evaluate({ data, evaluators: [judge], checkpoint: ${JSON.stringify(checkpoint)}, concurrency: ${KILLED_CONCURRENCY} });
`;
