import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { SANDBOX_OWNER_QUEUE_COUNT_MAX } from '../../src/model/limits/sandbox.ts';
import { ThreadPool } from '../../src/sandbox/threads/thread-pool.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';

function testFolder(t: TestContext): string {
  const folder = mkdtempSync(join(TEST_FOLDER, 'threads-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Answers with the shared value that it started with, and shares the task. An endless task is one that it leaves, and a slow one takes
 * several turns.
 */
const WORKER = `
  import { parentPort, workerData } from 'node:worker_threads';
  parentPort.on('message', ({ id, task }) => {
    parentPort.postMessage({ type: 'running', id });
    if (task === 'endless') return;
    if (task === 'slow') return setTimeout(() => parentPort.postMessage({ type: 'done', id, result: 'slow' }), 100);
    parentPort.postMessage({ type: 'shared', key: 'first', value: task });
    parentPort.postMessage({ type: 'done', id, result: workerData.get('first') });
  });`;

test('a thread starts with what earlier threads have shared', async (t) => {
  const file = join(testFolder(t), 'worker.mjs');
  writeFileSync(file, WORKER);
  const pool = new ThreadPool<string, string | undefined>({
    ...{ file: pathToFileURL(file), name: 'test', threadCount: 1, resourceLimits: {} },
  });
  t.after(() => pool.close());

  const first = await pool.run('one', { owner: '', timeoutMs: 5_000 });
  const endless = await pool.run('endless', { owner: '', timeoutMs: 1 });
  const second = await pool.run('two', { owner: '', timeoutMs: 5_000 });

  assert.deepEqual([first.type === 'done' && first.result, endless.type], [undefined, 'timeout']);
  assert.equal(second.type === 'done' && second.result, 'one');
});

test('an owner with endless tasks returns a thread to another one, and its task starts again', async (t) => {
  const file = join(testFolder(t), 'worker.mjs');
  writeFileSync(file, WORKER);
  const pool = new ThreadPool<string, string | undefined>({
    ...{ file: pathToFileURL(file), name: 'test', threadCount: 2, resourceLimits: {}, yieldMs: 10 },
  });
  t.after(() => pool.close());
  const endless = { owner: 'first', timeoutMs: 60_000 };

  const stopped = new AbortController();
  const running = [1, 2, 3].map(() => pool.run('endless', { ...endless, signal: stopped.signal }));
  const others = [];
  for (let run = 0; run < 3; run++) others.push(await pool.run(`run ${run}`, { owner: 'second', timeoutMs: 60_000 }));
  stopped.abort();

  assert.deepEqual(
    others.map(({ type }) => type),
    ['done', 'done', 'done'],
  );
  for (const run of running) await assert.rejects(run, { name: 'AbortError' });
});

test('owners with endless tasks return threads to another one, even if each has one thread', async (t) => {
  const file = join(testFolder(t), 'worker.mjs');
  writeFileSync(file, WORKER);
  const pool = new ThreadPool<string, string | undefined>({
    ...{ file: pathToFileURL(file), name: 'test', threadCount: 2, resourceLimits: {}, yieldMs: 10 },
  });
  t.after(() => pool.close());

  const endless = ['first', 'second'].map((owner) => pool.run('endless', { owner, timeoutMs: 60_000 }));
  const other = await pool.run('run', { owner: 'third', timeoutMs: 60_000 });
  await pool.close();

  assert.equal(other.type, 'done');
  assert.deepEqual(
    (await Promise.all(endless)).map(({ type }) => type),
    ['failed', 'failed'],
  );
});

test('a task that takes several turns ends although others always wait', async (t) => {
  const file = join(testFolder(t), 'worker.mjs');
  writeFileSync(file, WORKER);
  const pool = new ThreadPool<string, string | undefined>({
    ...{ file: pathToFileURL(file), name: 'test', threadCount: 1, resourceLimits: {}, yieldMs: 10 },
  });
  t.after(() => pool.close());

  void pool.run('endless', { owner: 'first', timeoutMs: 60_000 });
  void pool.run('endless', { owner: 'second', timeoutMs: 60_000 });
  const slow = await pool.run('slow', { owner: 'third', timeoutMs: 60_000 });

  assert.equal(slow.type === 'done' && slow.result, 'slow');
});

test('the waiting tasks of one owner leave capacity for those of others', async (t) => {
  const file = join(testFolder(t), 'worker.mjs');
  writeFileSync(file, WORKER);
  const pool = new ThreadPool<string, string | undefined>({
    ...{ file: pathToFileURL(file), name: 'test', threadCount: 1, resourceLimits: {} },
  });
  t.after(() => pool.close());
  const add = (owner: string) => pool.run('endless', { owner, timeoutMs: 60_000 });

  const accepted = Array.from({ length: SANDBOX_OWNER_QUEUE_COUNT_MAX + 1 }, () => add('first'));

  assert.throws(() => void add('first'), { code: 'SANDBOX_BUSY' });
  accepted.push(add('second'));
  await pool.close();
  assert.equal((await Promise.all(accepted)).length, SANDBOX_OWNER_QUEUE_COUNT_MAX + 2);
});
