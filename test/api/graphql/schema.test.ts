import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema, validateSchema } from 'graphql';
import { createSchema, readSchemaText } from '../../../src/api/graphql/schema.ts';

// The server assumes at its start that both hold.
describe('the GraphQL schema', () => {
  test('is valid as text', () => {
    assert.doesNotThrow(() => buildSchema(readSchemaText()));
  });

  test('is valid with its resolvers', () => {
    assert.deepEqual(validateSchema(createSchema()), []);
  });
});
