import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUpAfter, temporaryDirectory } from './metadata-store/fixtures.ts';
import { readEncryptionKey } from '../src/encryption-key.ts';

test('the key of a data directory is made once, for one user, and stays', async (t) => {
  const dir = await temporaryDirectory(cleanUpAfter((work) => t.after(work)));
  // Of a start that was cut off.
  writeFileSync(join(dir, 'encryption-key.new'), 'half');

  const made = await readEncryptionKey(dir, undefined);

  assert.equal(made.byteLength, 32);
  assert.deepEqual(readdirSync(dir), ['encryption-key']);
  assert.equal(statSync(join(dir, 'encryption-key')).mode & 0o777, 0o600);
  assert.deepEqual(await readEncryptionKey(dir, undefined), made);
  truncateSync(join(dir, 'encryption-key'), 31);
  await assert.rejects(readEncryptionKey(dir, undefined), /encryption-key has 31 bytes, but a key has 32\. Restore it/);
});

test('the key of a secret is the same on every server, and another for another secret', async (t) => {
  const dir = await temporaryDirectory(cleanUpAfter((work) => t.after(work)));

  const [one, again, other] = await Promise.all(['a', 'a', 'b'].map((secret) => readEncryptionKey(dir, secret)));

  assert.deepEqual(one, again);
  assert.notDeepEqual(one, other);
  assert.deepEqual(readdirSync(dir), []);
});
