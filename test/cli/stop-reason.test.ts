import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { type StopWatch, watchForStop } from '../../src/cli/stop-reason.ts';

describe('watchForStop', () => {
  let exitCodes: number[];
  let watch: StopWatch;
  beforeEach(() => {
    exitCodes = [];
    watch = watchForStop(silentLog, (code) => exitCodes.push(code));
  });
  afterEach(() => watch.unwatch());

  test('reports the first reason, and ignores later ones', async () => {
    assert.equal(watch.happened(), false);

    process.emit('SIGTERM', 'SIGTERM');
    watch.fail(new Error('later'));

    assert.equal(watch.happened(), true);
    assert.deepEqual(await watch.reason, { kind: 'signal', signal: 'SIGTERM' });
  });

  test('counts a signal that arrives twice at once, from npm and from the terminal, as one', () => {
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');

    assert.deepEqual(exitCodes, []);
  });

  test('ends the process at once on a second signal, with the code of that signal', (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);

    process.emit('SIGTERM', 'SIGTERM');
    now = 1_000;
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGTERM', 'SIGTERM');

    assert.deepEqual(exitCodes, [130, 143]);
  });

  test('reports an uncaught exception', async () => {
    const error = new Error('nobody caught me');

    // Not by `emit`, which would reach the test runner too.
    process.listeners('uncaughtException').at(-1)?.(error, 'uncaughtException');

    assert.deepEqual(await watch.reason, { kind: 'failure', error });
  });

  test('removes its handlers from the process', () => {
    const before = process.listenerCount('SIGTERM');

    watch.unwatch();

    assert.equal(process.listenerCount('SIGTERM'), before - 1);
  });
});
