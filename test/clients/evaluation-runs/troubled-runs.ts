import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { RunProgress } from '../../../clients/typescript/evals/src/index.ts';
import type { InstalledEvals } from '../installed-evals.ts';
import { EXACT, judgeOf, openFake, rowsOf, withServer } from './judge.ts';

/** A run that hangs fails by this time. */
const timeout = 10_000;

export function testTroubledRuns(installed: () => InstalledEvals): void {
  const path = (name: string) => join(installed().folder, name);
  const one = () => installed().core.createEvaluator(() => 1, { name: 'one' });
  /** A judge whose vendor answers as `respond` says, or else as the fake server. */
  const judgeWith = (url: string, respond: (body: string, path: string) => Response | undefined) => {
    const fetching: typeof fetch = async (address, init) =>
      respond(String(init?.body ?? ''), new URL(String(address)).pathname) ?? fetch(address, init);
    return judgeOf(installed(), openFake(installed(), { url }, 'openai', { fetch: fetching }));
  };

  describe('a run in trouble', () => {
    test('tries a wrong key once, also for batches', async () => {
      await withServer(installed(), { ...EXACT, apiKey: 'right key', latencyMs: 5 }, async (server) => {
        const judge = judgeOf(installed(), openFake(installed(), server, 'openai', { apiKey: 'wrong key' }));
        const run = installed().core.evaluate({ data: rowsOf(1_000), evaluators: [judge] });

        await assert.rejects(async () => run, /answered 401.*Check the key of openai \(apiKey\)/);
        assert.equal(server.model.counts.requests, 1);
        const refusing = judgeWith(server.url, () => new Response('{}', { status: 401 }));
        await assert.rejects(
          async () =>
            installed().core.evaluate({ data: rowsOf(5), evaluators: [refusing], batch: { pollMs: 5, size: 5 } }),
          /answered 401/,
        );
      });
      // A firewall may reject one prompt; the key is known to be right then.
      await withServer(installed(), EXACT, async (server) => {
        const guarded = judgeWith(server.url, (body) =>
          body.includes('text 7 ') ? new Response('blocked', { status: 403 }) : undefined,
        );
        const { summary, rows } = await installed().core.evaluate({ data: rowsOf(20), evaluators: [guarded] });

        assert.equal(summary.stopReason, undefined);
        assert.deepEqual([summary.evaluators.quality?.count, rows[7]?.details.quality?.status], [19, 'FAILED']);
      });
    });

    test('waits as an error of the server states, but not when it is stopped', { timeout }, async () => {
      await withServer(installed(), EXACT, async (server) => {
        const askedAt: number[] = [];
        const busy = (retryAfterMs: number, countMax: number) =>
          judgeWith(server.url, () => {
            if (askedAt.push(performance.now()) > countMax) return undefined;
            return new Response('busy', { status: 503, headers: { 'retry-after-ms': String(retryAfterMs) } });
          });
        await installed().core.evaluate({ data: rowsOf(1), evaluators: [busy(40, 1)] });
        const stopping = installed().core.evaluate({
          data: rowsOf(1),
          evaluators: [busy(50_000, 100)],
          signal: abortSoon(),
        });

        assert.ok((askedAt[1] ?? 0) - (askedAt[0] ?? 0) > 35);
        assert.equal((await stopping).rows[0]?.details.quality?.status, 'DID NOT RUN');
      });
    });

    test('ends functions that hang, as models and as evaluators, with an error of their time limit', {
      timeout,
    }, async () => {
      const hang = () => new Promise<never>(() => undefined);
      const evaluators = [
        installed().core.createEvaluator(hang, { name: 'evaluator' }),
        installed().core.createClassificationEvaluator({
          ...{ name: 'judge', model: hang, promptTemplate: 'Judge {{input}}', choices: { good: 1, bad: 0 } },
        }),
      ];
      const { rows } = await installed().core.evaluate({ data: rowsOf(3), evaluators, timeoutMs: 40, maxRetries: 0 });

      for (const { details } of rows) {
        assert.match(String(details.evaluator?.exceptions), /evaluator gave no result within 0\.04 s/);
        assert.match(String(details.judge?.exceptions), /The model hang did not answer within 0\.04 s/);
      }
      assert.deepEqual(
        new Set(rows.flatMap((row) => Object.values(row.details).map((one) => one.status))),
        new Set(['FAILED']),
      );
    });

    test('reports which calls are repeated before the first result, without a text of the vendor', {
      timeout,
    }, async () => {
      await withServer(installed(), EXACT, async (server) => {
        const progress: RunProgress[] = [];
        let askedCount = 0;
        const judge = judgeWith(server.url, () => {
          if (++askedCount > 1) return undefined;
          return new Response('a key of tests', { status: 503, headers: { 'retry-after-ms': '1200' } });
        });
        const onProgress = (each: RunProgress) => progress.push(each);
        await installed().core.evaluate({ data: rowsOf(1), evaluators: [judge], onProgress });

        const [{ repeat, ...first } = assert.fail('no progress')] = progress;
        assert.deepEqual([first.rowCount, first.doneCount, first.totalCount], [0, 0, 1]);
        const { waitMs, failingMs, ...rest } = repeat ?? assert.fail('nothing is repeated');
        assert.ok(waitMs > 0 && failingMs > 0);
        assert.deepEqual(rest, {
          ...{ provider: 'openai', model: 'gpt-5', host: new URL(server.url).host },
          ...{ reason: '503 Service Unavailable', attempt: 2, attemptCountMax: 11 },
        });
        const last = progress.at(-1);
        assert.deepEqual([last?.repeat, last?.rowCount, last?.activeCallCount], [undefined, 1, 0]);
      });
    });

    test('ends with the error of onProgress', { timeout }, async () => {
      const slow = installed().core.createEvaluator(() => new Promise((resolve) => setTimeout(resolve, 510, 1)), {
        name: 'slow',
      });
      await assert.rejects(
        async () =>
          installed().core.evaluate({
            data: rowsOf(100),
            concurrency: 1,
            evaluators: [slow],
            onProgress: () => {
              throw new Error('no progress');
            },
          }),
        /no progress/,
      );
    });

    test('is not blocked by a source that waits, and has a summary when its loop is left', { timeout }, async () => {
      async function* waiting() {
        yield { input: 1 };
        await new Promise(() => undefined);
      }
      const { rows, summary } = await installed().core.evaluate({
        ...{ data: waiting(), evaluators: [one()], signal: abortSoon() },
      });
      const run = installed().core.evaluate({ data: rowsOf(50), evaluators: [one()] });
      for await (const _ of run) break;

      assert.deepEqual([rows.length, summary.stopReason], [1, 'abort']);
      assert.equal(run.summary?.stopReason, 'abort');
    });

    test('is not blocked by a function that never ends', { timeout }, async () => {
      const endless = installed().core.createEvaluator(() => new Promise(() => undefined), { name: 'endless' });
      const { rows } = await installed().core.evaluate({
        ...{ data: rowsOf(2), evaluators: [endless, one()], signal: abortSoon() },
      });

      assert.deepEqual(
        rows.map(({ details }) => [details.endless?.status, details.one?.status]),
        Array(2).fill(['DID NOT RUN', 'COMPLETED']),
      );
    });

    test('fails only the row whose result is no JSON', async () => {
      const counts = installed().core.createEvaluator(
        ({ input }: { input: string }) => ({ score: 1, metadata: { big: input.startsWith('text 1 ') ? 1n : 1 } }),
        { name: 'counts' },
      );
      const options = { data: rowsOf(3), evaluators: [counts], checkpoint: path('no-json.jsonl') };
      const { rows, summary } = await installed().core.evaluate(options);

      assert.deepEqual([summary.evaluators.counts?.count, summary.stopReason], [2, undefined]);
      assert.match(rows[1]?.details.counts?.exceptions[0] ?? '', /metadata of a result must be JSON/);
    });

    test('names the line of a damaged checkpoint, and keeps repetitions apart', async () => {
      const checkpoint = path('damaged.jsonl');
      const run = (options: object = {}) =>
        installed().core.evaluate({ data: rowsOf(3), evaluators: [one()], checkpoint, ...options });
      await run();

      await assert.rejects(async () => run({ repetition: 2 }), /of repetition 0, and this run is repetition 2/);
      await appendFile(checkpoint, '{"row":-1}\n');
      await assert.rejects(async () => run(), /Line 5 of .*damaged\.jsonl is damaged.*Delete the line/);
      // The lock of a process that had the number of this one, in a container that was started again.
      await writeFile(`${checkpoint}.lock`, `${process.pid} 1000`);
      await assert.rejects(async () => run(), /is damaged/);
      await assert.rejects(
        async () => run({ checkpoint: path('fresh.jsonl'), cache: { path: path('no/folder/x') } }),
        /Cannot write/,
      );
      await assert.rejects(async () => run({ checkpoint: path('fresh.jsonl'), data: 5 as never }), /data is a list/);
      await writeFile(path('fresh.jsonl.batches'), 'x\n');
      await assert.rejects(async () => run({ checkpoint: path('fresh.jsonl'), batch: true }), /no list of started/);
      const open = process.platform === 'linux' ? openFiles() : [];
      assert.deepEqual(
        open.filter((each) => each.startsWith(installed().folder)),
        [],
      );
    });

    test('reads quotes in CSV only where a field starts with one', async () => {
      const text = ['a,b', '5" disk,x', '6" disk,"two', '""lines"""', '"",'];
      await writeFile(path('quotes.csv'), `${text.join('\n')}\n`);
      const see = installed().core.createEvaluator(({ a, b }: { a: string; b: string }) => `${a}|${b}`, {
        name: 'see',
      });
      const { rows } = await installed().core.evaluate({ data: path('quotes.csv'), evaluators: [see] });

      assert.deepEqual(
        rows.map(({ scores }) => scores.see?.label ?? scores.see?.explanation),
        ['5" disk|x', '6" disk|two\n"lines"', '|'],
      );
    });

    test('does not give a batch up because its vendor is away for a moment', { timeout }, async () => {
      await withServer(installed(), EXACT, async (server) => {
        let failures = 2;
        const away = (retryAfterMs: number) =>
          new Response('away', { status: 502, headers: { 'retry-after-ms': String(retryAfterMs) } });
        const judge = judgeWith(server.url, (_, address) =>
          address.startsWith('/v1/batches') && failures-- > 0 ? away(1) : undefined,
        );
        const options = { data: rowsOf(6), evaluators: [judge], batch: { pollMs: 5, size: 6 }, maxCost: 1 };
        const { summary } = await installed().core.evaluate(options);

        assert.deepEqual([summary.evaluators.quality?.count, server.model.counts.batches], [6, 1]);
        assert.equal(summary.calls.requestCount, 6);
      });
    });
  });
}

/** Unlike that of the platform, its timer keeps the process. */
function abortSoon(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  return controller.signal;
}

const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  });
