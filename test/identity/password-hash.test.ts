import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPasswordHasher } from '../../src/identity/password-hash.ts';

const full = new Error('full');
const LIMITS = { countMax: 1, queueLengthMax: 2, onFull: () => full };

test('a password is verified against its own hash alone, and an absent account takes none', async () => {
  const passwords = createPasswordHasher(LIMITS);
  const stored = await passwords.hash('word');
  assert.notEqual(stored, await passwords.hash('word'));
  assert.deepEqual([await passwords.verify(stored, 'word'), await passwords.verify(stored, 'Word')], [true, false]);
  assert.equal(await passwords.verifyNothing('word'), false);
  assert.equal(passwords.isOutdated(stored), false);
  assert.equal(passwords.isOutdated(stored.replace('t=2', 't=1')), true);
});

test('a request that finds the queue full is rejected, and the others are served', async () => {
  const passwords = createPasswordHasher(LIMITS);
  const stored = await passwords.hash('word');
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => passwords.verify(stored, 'word')));
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason)),
    [true, true, true, full],
  );
  assert.equal(await passwords.verify(stored, 'word'), true);
});

test('a rest delays those who wait, and not the one who was served', async () => {
  let endRest = () => {};
  const rest = () => new Promise<void>((resolve) => (endRest = resolve));
  const passwords = createPasswordHasher({ ...LIMITS, rest });
  const stored = await passwords.hash('word');
  let isSecondServed = false;
  const first = passwords.verify(stored, 'word');
  const second = passwords.verify(stored, 'word').then(() => (isSecondServed = true));
  await first;
  await sleep(200);
  assert.equal(isSecondServed, false);
  endRest();
  await second;
});
