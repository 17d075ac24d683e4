import assert from 'node:assert/strict';
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSecretBox, keyIdOf } from '../../../src/domain/secrets/secret-box.ts';

const OLD = randomBytes(32);
const NEW = randomBytes(32);

test('a box opens what former keys sealed, and seals with its own key alone', () => {
  const sealed = createSecretBox(OLD).seal('secret', 'here');
  const box = createSecretBox(NEW, [randomBytes(32), OLD]);

  assert.equal(box.open(sealed, 'here'), 'secret');
  assert.equal(createSecretBox(NEW).open(sealed, 'here'), undefined);
  assert.equal(createSecretBox(OLD).open(box.seal('secret', 'here'), 'here'), undefined);
});

test('a sealed text names the key that sealed it', () => {
  const old = createSecretBox(OLD);
  const box = createSecretBox(NEW, [OLD]);
  const sealed = old.seal('secret', 'here');

  assert.equal(keyIdOf(sealed), old.keyId);
  assert.match(old.keyId, /^[0-9a-f]{8}$/);
  assert.deepEqual(box.formerKeyIds, [old.keyId]);
  assert.deepEqual([old.isCurrent(sealed), box.isCurrent(sealed)], [true, false]);
});

test('a text without a key ID, as earlier versions sealed it, still opens', () => {
  const box = createSecretBox(NEW, [OLD]);
  const sealed = sealWithoutKeyId(OLD, 'secret', 'here');

  assert.equal(box.open(sealed, 'here'), 'secret');
  assert.equal(keyIdOf(sealed), undefined);
  assert.equal(box.isCurrent(sealWithoutKeyId(NEW, 'secret', 'here')), false);
});

test('a text that was changed, cut or moved does not open', () => {
  const box = createSecretBox(NEW);
  const sealed = box.seal('secret', 'here');

  assert.equal(box.open(sealed, 'there'), undefined);
  for (let index = 0; index < sealed.byteLength; index++) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    assert.equal(box.open(changed, 'here'), undefined, `byte ${index}`);
    assert.equal(box.open(sealed.subarray(0, index), 'here'), undefined, `${index} bytes`);
  }
});

test('a redacted text of a former key stands for its secret', () => {
  const redacted = createSecretBox(OLD).redact('a secret of more than thirty-two characters');

  assert.equal(createSecretBox(NEW, [OLD]).restore(redacted), 'a secret of more than thirty-two characters');
  assert.throws(() => createSecretBox(NEW).restore(redacted), { code: 'QUERY_INVALID' });
});

test('no box seals with an empty key or one of zeros', () => {
  assert.throws(() => createSecretBox(new Uint8Array()), /32 bytes/);
  assert.throws(() => createSecretBox(new Uint8Array(32)), /32 bytes/);
  assert.throws(() => createSecretBox(NEW, [new Uint8Array(16)]), /32 bytes/);
});

/** The first form: a byte, the nonce, the text, the tag. */
function sealWithoutKeyId(key: Buffer, text: string, location: string): Buffer {
  const nonce = randomBytes(12);
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'stored', 32));
  const cipher = createCipheriv('aes-256-gcm', derived, nonce).setAAD(Buffer.from(location));
  return Buffer.concat([Buffer.of(1), nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}
