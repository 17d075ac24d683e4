import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { customProviderRepository } from '../../../src/metadata-store/models/custom-providers.ts';
import { type SecretRepository, secretRepository } from '../../../src/metadata-store/secrets/secret-repository.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from '../../metadata-store/fixtures.ts';
import { rotateSecrets } from '../../../src/domain/secrets/rotate-secrets.ts';
import { createSecretBox, type SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { openSecret, sealSecret } from '../../../src/domain/secrets/secret-value.ts';

const OLD = createSecretBox(randomBytes(32));
const NEW_KEY = randomBytes(32);

const store = ({ secrets }: { secrets: SecretRepository }, box: SecretBox, values: ReadonlyMap<string, string>) =>
  secrets.change({
    toStore: Array.from(values, ([key, value]) => ({ key, sealedValue: sealSecret(box, key, value), userRowId: null })),
    toDelete: [],
  });

/** 250 secrets and a provider of an old key, and a box that opens them and seals with a new one. */
async function openOldSecrets(t: { after(work: () => Promise<void>): void }) {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const url = await (await openTestPostgres(cleanUp)).newDatabase();
  const { db } = await openTestStore(cleanUp, { url });
  const ports = { secrets: secretRepository(db), providers: customProviderRepository(db) };
  const keys = Array.from({ length: 250 }, (_, index) => `KEY_${String(index).padStart(3, '0')}`);
  const oldKey = randomBytes(32);
  const old = createSecretBox(oldKey);
  await store(ports, old, new Map(keys.map((key) => [key, `value of ${key}`])));
  await ports.providers.create({
    name: 'own',
    description: null,
    provider: 'openai',
    sdk: 'openai',
    sealedConfig: old.seal('{}', 'generative_model_custom_providers.config'),
    userId: null,
  });
  const box = createSecretBox(NEW_KEY, [oldKey]);
  const valueAt = async (key: string, opener = createSecretBox(NEW_KEY)) => {
    const secret = (await ports.secrets.findByKeys([key])).get(key);
    return secret && openSecret(opener, secret);
  };
  return { ports, box, old, keys, valueAt };
}

test('a rotation seals everything with the current key and reports its progress', async (t) => {
  const { ports, box, keys, valueAt } = await openOldSecrets(t);
  const progress: number[] = [];

  const rotation = await rotateSecrets({ ...ports, secretBox: box }, (count) => progress.push(count));

  assert.deepEqual(rotation, { resealedCount: 251, currentCount: 0, changedCount: 0, closed: [] });
  assert.deepEqual(progress, [100, 200, 250, 251]);
  for (const key of keys) assert.equal(await valueAt(key), `value of ${key}`);
  const again = await rotateSecrets({ ...ports, secretBox: box }, () => {});
  assert.deepEqual([again.resealedCount, again.currentCount], [0, 251]);
});

test('a rotation that was interrupted goes on where it ended', async (t) => {
  const { ports, box } = await openOldSecrets(t);
  let sealCount = 0;
  const breaking = {
    ...box,
    seal: (text: string, location: string) => {
      if (++sealCount > 120) throw new Error('cut off');
      return box.seal(text, location);
    },
  };
  await assert.rejects(
    rotateSecrets({ ...ports, secretBox: breaking }, () => {}),
    /cut off/,
  );

  const rotation = await rotateSecrets({ ...ports, secretBox: box }, () => {});

  assert.deepEqual([rotation.resealedCount, rotation.currentCount], [131, 120]);
});

test('a change in between survives, also that of a server with the old key', async (t) => {
  const { ports, box, old, valueAt } = await openOldSecrets(t);
  let isChanged = false;
  const secrets = {
    ...ports.secrets,
    reseal: async (key: string, sealed: { from: Buffer; to: Buffer }) => {
      if (key === 'KEY_007' && !isChanged) {
        isChanged = true;
        await store(ports, old, new Map([[key, 'changed']]));
      }
      return ports.secrets.reseal(key, sealed);
    },
  };

  const rotation = await rotateSecrets({ ...ports, secrets, secretBox: box }, () => {});

  assert.equal(rotation.resealedCount, 251);
  assert.equal(rotation.changedCount, 0);
  assert.equal(await valueAt('KEY_007'), 'changed');
});

test('a text that no key opens is named with the ID of its key and stays as it is', async (t) => {
  const { ports, box, valueAt } = await openOldSecrets(t);
  await store(ports, OLD, new Map([['STRANGE', 'x']]));

  const rotation = await rotateSecrets({ ...ports, secretBox: box }, () => {});

  assert.deepEqual(rotation.closed, [{ name: 'secret STRANGE', keyId: OLD.keyId }]);
  assert.equal(await valueAt('STRANGE', OLD), 'x');
});
