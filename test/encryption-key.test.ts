import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUpAfter, temporaryDirectory } from './metadata-store/fixtures.ts';
import { readEncryptionKeys } from '../src/encryption-key.ts';

const UNSET = { secret: undefined, formerSecrets: [] };

test('the key of a data directory is made once, for one user, and stays', async (t) => {
  const dir = await temporaryDirectory(cleanUpAfter((work) => t.after(work)));
  // Of a start that was cut off.
  writeFileSync(join(dir, 'encryption-key.new'), 'half');

  const { current: made } = await readEncryptionKeys(dir, UNSET);

  assert.equal(made.byteLength, 32);
  assert.deepEqual(readdirSync(dir), ['encryption-key']);
  assert.equal(statSync(join(dir, 'encryption-key')).mode & 0o777, 0o600);
  assert.deepEqual((await readEncryptionKeys(dir, UNSET)).current, made);
  truncateSync(join(dir, 'encryption-key'), 31);
  await assert.rejects(readEncryptionKeys(dir, UNSET), /encryption-key has 31 bytes, but a key has 32\. Restore it/);
});

test('the key of a secret is the same on every server, and another for another secret', async (t) => {
  const dir = await temporaryDirectory(cleanUpAfter((work) => t.after(work)));

  const [one, again, other] = await Promise.all(
    ['a', 'a', 'b'].map((secret) => readEncryptionKeys(dir, { ...UNSET, secret })),
  );

  assert.deepEqual(one, again);
  assert.notDeepEqual(one, other);
  assert.deepEqual(readdirSync(dir), []);
});

test('former secrets and the key file decrypt, and the current secret encrypts', async (t) => {
  const dir = await temporaryDirectory(cleanUpAfter((work) => t.after(work)));
  const { current: ofFile } = await readEncryptionKeys(dir, UNSET);
  const { current: ofOld } = await readEncryptionKeys(dir, { ...UNSET, secret: 'old' });

  const keys = await readEncryptionKeys(dir, { secret: 'new', formerSecrets: ['old'] });

  assert.deepEqual(keys.former, [ofOld, ofFile]);
  assert.notDeepEqual(keys.current, ofOld);
});
