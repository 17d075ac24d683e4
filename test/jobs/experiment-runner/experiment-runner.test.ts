import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpAfter, openTestPostgres, openTestStore } from '../../metadata-store/fixtures.ts';
import { NO_SECRETS } from '../../../src/domain/experiments/jobs/job-runner.ts';
import { collect, randomFrom, runnerFixtures, type Step } from './runner-fixtures.ts';

const NEVER = new AbortController().signal;
const nOf = (input: string): number => (JSON.parse(input) as { n: number }).n;

const SEEDS = Array.from({ length: Number(process.env.JOB_SEEDS ?? 2) }, (_, index) => index + 1);

/** Attempts until one succeeds or none may follow. */
function toScript(random: () => number): Step[] {
  const script: Step[] = [];
  while (script.length < 4 && !['ok', 'reject'].includes(script.at(-1) as string)) {
    const value = random();
    script.push(value < 0.55 ? 'ok' : value < 0.6 ? 'reject' : 'transient');
  }
  return script;
}

const isFailure = (script: readonly Step[]): boolean => script.at(-1) !== 'ok';

describe('a runner of jobs', () => {
  let fixtures: ReturnType<typeof runnerFixtures>;
  let dataset: number;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const postgres = await openTestPostgres(cleanUp);
    const { db } = await openTestStore(cleanUp, { url: await postgres.newDatabase() });
    fixtures = runnerFixtures(db);
    dataset = await fixtures.createDataset(40);
  });

  test('runs every example and repetition once, and every evaluator on every run', async () => {
    let calls = 0;
    const runner = fixtures.openRunner({
      evaluators: [1, 2],
      task: () => {
        calls++;
        return 'ok';
      },
    });
    const job = await fixtures.createJob(dataset, { repetitions: 3 });
    const events = await collect(runner.follow(job, NO_SECRETS, NEVER));
    assert.equal((await fixtures.readJob(job.rowId)).status, 'COMPLETED');
    assert.equal(calls, 120);
    assert.equal((await fixtures.readRuns(job.rowId)).length, 120);
    assert.equal((await fixtures.readEvaluations(job.rowId)).length, 240);
    assert.equal(events.filter(({ type }) => type === 'result').length, 120);
    assert.equal(events.filter(({ type }) => type === 'evaluation').length, 240);
    assert.equal((await fixtures.readJob(job.rowId)).spent.callCount, 360);
  });

  for (const seed of SEEDS) {
    test(`stores what a plain model expects after random failures, seed ${seed}`, async () => {
      const random = randomFrom(seed);
      const tasks = Array.from({ length: 40 }, () => toScript(random));
      const evaluations = tasks.map(() => toScript(random));
      // Five failures in a row would end the job.
      for (const scripts of [tasks, evaluations]) {
        for (const script of scripts.filter((one) => isFailure(one)).slice(4)) script.splice(0, 9, 'ok');
      }
      const left = { task: tasks.map((script) => [...script]), evaluation: evaluations.map((script) => [...script]) };
      const play = async (kind: keyof typeof left, input: string): Promise<Step> => {
        await sleep(random() * 4);
        return left[kind][nOf(input)]?.shift() ?? assert.fail(`one ${kind} too many`);
      };
      const runner = fixtures.openRunner({
        evaluators: [7],
        task: ({ input }) => play('task', input),
        evaluation: (_rowId, { example }) => play('evaluation', example.input),
      });
      const job = await fixtures.createJob(dataset, { maxConcurrency: 1 + Math.floor(random() * 20) });
      const events = await collect(runner.follow(job, NO_SECRETS, NEVER));
      assert.equal((await fixtures.readJob(job.rowId)).status, 'COMPLETED');
      const runs = await fixtures.readRuns(job.rowId);
      assert.deepEqual(
        runs.map(({ error }) => error !== null),
        tasks.map(isFailure),
      );
      const succeeded = evaluations.filter((_script, n) => !isFailure(tasks[n]!));
      const stored = await fixtures.readEvaluations(job.rowId);
      assert.deepEqual(
        stored.map(({ error }) => error !== null),
        succeeded.map(isFailure),
      );
      assert.deepEqual(left.task.flat(), [], 'every attempt of the model was made');
      const isEvaluated = (n: number) => !isFailure(tasks[n]!);
      assert.deepEqual(left.evaluation.filter((_script, n) => isEvaluated(n)).flat(), []);
      assert.equal(events.filter(({ type }) => type === 'result' || type === 'error').length, 40);
    });
  }

  test('gives up after three retries, or at once, and logs why', async () => {
    const runner = fixtures.openRunner({
      task: ({ input }) => (nOf(input) === 3 ? 'transient' : nOf(input) === 9 ? 'reject' : 'ok'),
    });
    const job = await fixtures.createJob(dataset);
    const events = await collect(runner.follow(job, NO_SECRETS, NEVER));
    const errors = (await fixtures.readRuns(job.rowId)).flatMap(({ error }) => error ?? []);
    assert.deepEqual(errors.sort(), ['failed: reject', 'transient error: ServerError after 3 retries']);
    assert.equal((await fixtures.readJob(job.rowId)).status, 'COMPLETED');
    const ids = await fixtures.jobs.findErrorIds({ experimentRowId: job.rowId, offset: 0, limit: 10 });
    const logs = [...(await fixtures.jobs.findLogs(ids)).values()];
    assert.deepEqual(logs.map(({ message, detail }) => `${message} ${JSON.stringify(detail)}`).sort(), [
      'RequestError {"type":"failure","error_type":"RequestError"}',
      'ServerError {"type":"retries_exhausted","retry_count":3,"reason":"transient error: ServerError"}',
    ]);
    assert.equal(events.filter(({ type }) => type === 'error').length, 2);
  });

  test('resumes what is missing or has failed, and nothing else', async () => {
    let isBroken = true;
    const calls: number[] = [];
    const fake = {
      evaluators: [5],
      task: ({ input }: { input: string }): Step => {
        calls.push(nOf(input));
        return isBroken && nOf(input) % 10 === 0 ? 'reject' : 'ok';
      },
      evaluation: (): Step => 'ok',
    };
    const runner = fixtures.openRunner(fake);
    const job = await fixtures.createJob(dataset);
    await collect(runner.follow(job, NO_SECRETS, NEVER));
    assert.equal((await fixtures.readRuns(job.rowId)).filter(({ error }) => error !== null).length, 4);
    isBroken = false;
    calls.length = 0;
    const toggle = { owner: 'server', cooldownMs: 0, needsSentSecrets: false };
    assert.equal(await fixtures.jobs.resume(job.rowId, toggle), 'changed');
    runner.start(await fixtures.readJob(job.rowId), NO_SECRETS);
    await fixtures.ended(job.rowId);
    assert.deepEqual(
      calls.sort((a, b) => a - b),
      [0, 10, 20, 30],
    );
    assert.equal((await fixtures.readEvaluations(job.rowId)).length, 40);
    assert.equal((await fixtures.jobs.findErrorIds({ experimentRowId: job.rowId, offset: 0, limit: 9 })).length, 0);
  });

  test('ends a job after five failures in a row', async () => {
    let calls = 0;
    const runner = fixtures.openRunner({
      task: () => {
        calls++;
        return 'reject';
      },
    });
    const job = await fixtures.createJob(dataset, { maxConcurrency: 1 });
    const events = await collect(runner.follow(job, NO_SECRETS, NEVER));
    const { status, stopReason } = await fixtures.readJob(job.rowId);
    assert.deepEqual([status, stopReason], ['ERROR', 'RequestError (5 consecutive failures)']);
    assert.equal(calls, 5);
    const last = events.at(-1)!;
    assert.deepEqual(
      [last.type === 'error' && last.message, last.exampleRowId],
      ['Experiment stopped: RequestError (5 consecutive failures)', null],
    );
    const [newest] = await fixtures.jobs.findErrorIds({ experimentRowId: job.rowId, offset: 0, limit: 1 });
    const log = (await fixtures.jobs.findLogs([newest!])).get(newest!)!;
    assert.deepEqual([log.category, log.message], ['EXPERIMENT', 'Circuit breaker tripped (task): RequestError']);
  });

  test('keeps the limits of the job and of the process, and serves the least recently served job', async () => {
    let open = 0;
    const most = { job: 0, process: 0 };
    const served: number[] = [];
    const counts = new Map<string, number>();
    const jobs = [
      await fixtures.createJob(dataset, { maxConcurrency: 4 }),
      await fixtures.createJob(dataset, { maxConcurrency: 4 }),
    ];
    const runnerOf = (callCountMax: number) =>
      fixtures.openRunner(
        {
          async task(_example, { signal }): Promise<Step> {
            assert.ok(!signal.aborted);
            open++;
            most.process = Math.max(most.process, open);
            await sleep(2);
            open--;
            return 'ok';
          },
        },
        { callCountMax },
      );
    const runner = runnerOf(6);
    await Promise.all(
      jobs.map(async (job, index) => {
        for await (const event of runner.follow(job, NO_SECRETS, NEVER)) {
          if (event.type === 'result') served.push(index);
          counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
        }
      }),
    );
    assert.equal(counts.get('result'), 80);
    assert.ok(most.process <= 6, `${most.process} calls at once`);
    const half = served.slice(0, 40).filter((index) => index === 0).length;
    assert.ok(half >= 12 && half <= 28, `${half} of the first 40 results are of the first job`);
  });

  test('aborts calls in flight when a job is dropped, and repeats only those', async () => {
    let isSlow = true;
    const started: number[] = [];
    const runner = fixtures.openRunner({
      task: ({ input }) => {
        started.push(nOf(input));
        return isSlow && nOf(input) >= 20 ? 'hang' : 'ok';
      },
    });
    const job = await fixtures.createJob(dataset, { maxConcurrency: 5 });
    runner.start(job, NO_SECRETS);
    while (started.length < 25) await sleep(2);
    await fixtures.jobs.stop(job.rowId, 0);
    await runner.drop(job.rowId);
    assert.equal(started.length, 25);
    assert.equal((await fixtures.readRuns(job.rowId)).length, 20);
    isSlow = false;
    await fixtures.jobs.resume(job.rowId, { owner: 'server', cooldownMs: 0, needsSentSecrets: false });
    runner.start(await fixtures.readJob(job.rowId), NO_SECRETS);
    await fixtures.ended(job.rowId);
    assert.equal(started.length, 45);
    assert.ok((await fixtures.readRuns(job.rowId)).every(({ error }) => error === null));
  });

  test('stops a job that another server has stopped', async () => {
    let isStopped = false;
    const runner = fixtures.openRunner({
      async task(_example, { signal }): Promise<Step> {
        signal.addEventListener('abort', () => {
          isStopped = true;
        });
        return 'hang';
      },
    });
    runner.open();
    const job = await fixtures.createJob(dataset);
    runner.start(job, NO_SECRETS);
    await sleep(30);
    await fixtures.jobs.stop(job.rowId, 0);
    while (!isStopped) await sleep(5);
    await runner.close();
    assert.equal((await fixtures.readJob(job.rowId)).status, 'STOPPED');
  });

  test('takes over jobs of a server that has ended: its own at once, those of others after the lease', async () => {
    const first = fixtures.openRunner({ task: () => 'hang' }, { owner: 'first' });
    const job = await fixtures.createJob(dataset, { owner: 'first' });
    first.start(job, NO_SECRETS);
    await sleep(20);
    await first.close();
    assert.equal((await fixtures.readJob(job.rowId)).status, 'RUNNING');

    const timing = { leaseMs: 1_500, scanMs: 20 };
    const other = fixtures.openRunner({}, { owner: 'other', timing });
    const claimedAt = Date.now();
    other.open();
    let endedAt: number;
    try {
      await fixtures.ended(job.rowId);
      endedAt = Date.now();
    } finally {
      await other.close();
    }
    assert.ok(endedAt - claimedAt > 700, 'the lease holds');
    assert.equal((await fixtures.readRuns(job.rowId)).length, 40);

    const again = await fixtures.createJob(dataset, { owner: 'first' });
    const restarted = fixtures.openRunner({}, { owner: 'first' });
    restarted.open();
    await fixtures.ended(again.rowId);
    await restarted.close();
    assert.equal((await fixtures.readRuns(again.rowId)).length, 40);
  });

  test('ends a job whose budget of calls or costs is used up', async () => {
    for (const [budget, reason] of [
      [{ callCountMax: 12, costMax: null }, 'The budget of 12 calls is used up'],
      [{ callCountMax: null, costMax: 1 }, 'The budget of 1 US dollars is used up'],
    ] as const) {
      const runner = fixtures.openRunner({ cost: 0.1, task: () => sleep(1).then(() => 'ok' as const) });
      const job = await fixtures.createJob(dataset, { budget, maxConcurrency: 5 });
      const events = await collect(runner.follow(job, NO_SECRETS, NEVER));
      const { status, stopReason, spent } = await fixtures.readJob(job.rowId);
      assert.deepEqual([status, stopReason], ['STOPPED', reason]);
      const last = events.at(-1)!;
      assert.equal(last.type === 'error' && last.message, `Experiment stopped: ${reason}`);
      const most = budget.callCountMax ?? 14;
      assert.ok(spent.callCount <= most && spent.callCount >= 10, `${spent.callCount} calls`);
      assert.equal((await fixtures.readRuns(job.rowId)).length, spent.callCount);
    }
  });

  test('lets evaluators that are added later evaluate the runs that exist', async () => {
    const fake = { evaluators: [1], task: () => sleep(3).then((): Step => 'ok') };
    const evaluated = new Map<string, number>();
    const runner = fixtures.openRunner({
      ...fake,
      get evaluators() {
        return fake.evaluators;
      },
      evaluation(rowId, { run }) {
        const key = `${rowId}:${run.rowId}`;
        evaluated.set(key, (evaluated.get(key) ?? 0) + 1);
        return 'ok';
      },
    });
    const job = await fixtures.createJob(dataset, { maxConcurrency: 4 });
    runner.start(job, NO_SECRETS);
    while ((await fixtures.readRuns(job.rowId)).length < 10) await sleep(2);
    fake.evaluators = [1, 2];
    runner.reload(job.rowId);
    await fixtures.ended(job.rowId);
    assert.equal((await fixtures.readEvaluations(job.rowId)).length, 80);
    assert.ok(
      [...evaluated.values()].every((count) => count === 1),
      'no evaluation was repeated',
    );
  });

  test('ends when the experiment is deleted', async () => {
    const runner = fixtures.openRunner({ task: () => sleep(5).then(() => 'ok' as const) });
    const job = await fixtures.createJob(dataset, { maxConcurrency: 2 });
    const events = collect(runner.follow(job, NO_SECRETS, NEVER));
    await sleep(20);
    await fixtures.experiments.delete(job.rowId);
    assert.ok((await events).length < 40);
    assert.equal(runner.activityOf(job.rowId), undefined);
  });

  test('waits as long as the vendor requests, and fails an attempt that takes too long', async () => {
    const starts: number[] = [];
    const restarts: string[] = [];
    const small = await fixtures.createDataset(1);
    const runner = fixtures.openRunner(
      {
        task(_example, { onPiece }) {
          starts.push(Date.now());
          onPiece({ type: 'text', text: `attempt ${starts.length}` });
          return starts.length === 1 ? { rateAfterMs: 150 } : starts.length === 2 ? 'hang' : 'ok';
        },
      },
      { timing: { taskMs: 30 } },
    );
    const job = await fixtures.createJob(small);
    const events = await collect(runner.follow(job, NO_SECRETS, NEVER));
    restarts.push(...events.map(({ type }) => type));
    assert.ok(starts[1]! - starts[0]! >= 149, `${starts[1]! - starts[0]!} ms`);
    assert.deepEqual(restarts, ['text', 'restart', 'text', 'restart', 'text', 'result']);
    assert.equal((await fixtures.readJob(job.rowId)).status, 'COMPLETED');
  });

  test('loses nothing when the reader is slow, and waits for it', async () => {
    const many = await fixtures.createDataset(3_000);
    let started = 0;
    const runner = fixtures.openRunner({
      task(_example, { onPiece }) {
        started++;
        for (const text of ['a', 'b', 'c']) onPiece({ type: 'text', text });
        return 'ok';
      },
    });
    const job = await fixtures.createJob(many, { maxConcurrency: 20 });
    const events = runner.follow(job, NO_SECRETS, NEVER)[Symbol.asyncIterator]();
    const texts = new Map<number | null, string>();
    let results = 0;
    const read = async () => {
      const { value, done } = await events.next();
      if (value?.type === 'text') texts.set(value.exampleRowId, (texts.get(value.exampleRowId) ?? '') + value.text);
      if (value?.type === 'result') results++;
      return !done;
    };
    await read();
    let before = -1;
    while (before !== started) {
      before = started;
      await sleep(100);
    }
    assert.ok(started < 2_500, `${started} tasks started while nothing was read`);
    while (await read());
    assert.equal(results, 3_000);
    assert.ok([...texts.values()].every((text) => text === 'abc'));
  });
});
