import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openGraphqlServer } from './graphql-server.ts';

describe('GraphQL of the server itself', () => {
  test('tells the capacity, what tables take, and whether writes are locked', async (t) => {
    const tables = [{ tableName: 'spans', numBytes: 5 * 2 ** 31 }];
    const storage = { capacityBytes: 2 ** 33, tableSizes: async () => tables, spanStoreBytes: async () => 0 };
    const server = await openGraphqlServer(t, { storage, storageLock: () => 'full' });

    const facts = await server.ask(
      '{ dbStorageCapacityBytes dbTableStats { tableName numBytes } serverStatus { insufficientStorage } }',
    );

    assert.deepEqual(facts, {
      dbStorageCapacityBytes: 2 ** 33,
      dbTableStats: tables,
      serverStatus: { insufficientStorage: true },
    });
  });

  for (const { regex, isValid } of [
    { regex: '^gpt-4o(-mini)?$', isValid: true },
    { regex: '(unclosed', isValid: false },
    { regex: '(a+)+\\1', isValid: false },
  ]) {
    test(`${isValid ? 'takes' : 'refuses'} the expression ${regex}`, async (t) => {
      const server = await openGraphqlServer(t);

      const { validateRegularExpression: result } = await server.ask(
        'query ($regex: String!) { validateRegularExpression(regex: $regex) { isValid errorMessage warnings } }',
        { regex },
      );

      assert.equal(result.isValid, isValid);
      assert.equal(result.errorMessage === null, isValid);
    });
  }
});
