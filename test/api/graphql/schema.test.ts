import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema, GraphQLSchema, validateSchema } from 'graphql';
import { createSchema, readSchemaText } from '../../../src/api/graphql/schema.ts';

// The server assumes at its start that both hold.
describe('the GraphQL schema', () => {
  test('is valid as text', () => {
    assert.doesNotThrow(() => buildSchema(readSchemaText()));
  });

  test('is valid with its resolvers', () => {
    const config = createSchema().toConfig();
    assert.deepEqual(validateSchema(new GraphQLSchema({ ...config, assumeValid: false })), []);
  });
});
