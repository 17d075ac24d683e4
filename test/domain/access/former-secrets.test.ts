import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTokens } from '../../../src/domain/access/tokens.ts';

test('a token of a former secret is read, and new tokens are signed with the current one', () => {
  const before = createTokens('old').mint('ApiKey', 1);
  const tokens = createTokens('new', ['older', 'old']);

  assert.deepEqual(tokens.read(before.text), { kind: 'ApiKey', hash: before.hash });
  assert.equal(createTokens('new').read(before.text), undefined);
  assert.ok(createTokens('new').read(tokens.mint('ApiKey', 2).text));
  assert.equal(createTokens('old').read(tokens.mint('ApiKey', 2).text), undefined);
});
