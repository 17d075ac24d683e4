import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import { openStorageGuard } from '../../src/jobs/storage-guard.ts';

const open = async (used: () => number, over: object = {}) =>
  openStorageGuard({
    capacityBytes: 100,
    blockingPercent: 90,
    supportEmail: undefined,
    usedBytes: async () => used(),
    log: silentLog,
    registry: new Registry(),
    ...over,
  });

test('rejects writes above the percentage, and accepts them when usage drops', async (t) => {
  let used = 90;
  const guard = await open(() => used);
  t.after(() => guard.close());
  assert.equal(guard.lock(), undefined);

  used = 91;
  await guard.measure();
  assert.match(guard.lock() ?? '', /insufficient storage\. Please delete old data or increase storage\.$/);

  used = 10;
  await guard.measure();
  assert.equal(guard.lock(), undefined);
});

test('names the support address when there is one', async (t) => {
  const guard = await open(() => 100, { supportEmail: 'help@example.com' });
  t.after(() => guard.close());
  assert.match(guard.lock() ?? '', / Need help\? Contact us at help@example\.com$/);
});

test('never rejects writes without a capacity or a percentage', async (t) => {
  for (const over of [{ capacityBytes: undefined }, { blockingPercent: undefined }]) {
    const guard = await open(() => 1e12, over);
    t.after(() => guard.close());
    assert.equal(guard.lock(), undefined);
  }
});

test('measures without a capacity only for a reader of metrics', async () => {
  const registry = new Registry();
  let count = 0;
  const used = () => {
    count++;
    return 7;
  };
  await open(used, { capacityBytes: undefined, registry });
  assert.equal(count, 0);

  assert.match(await registry.metrics(), /^database_disk_usage_bytes 7$/m);
  await registry.metrics();

  assert.equal(count, 1);
});
