import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../metadata-store/fixtures.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';

const VALUE = 'value { __typename ... on DecryptedSecret { value } ... on UnparsableSecret { parseError } }';
const LIST = `query ($keys: [String!], $first: Int, $last: Int, $after: String, $before: String) {
  secrets(keys: $keys, first: $first, last: $last, after: $after, before: $before) {
    edges { cursor node { id key hosts user { id } updatedAt ${VALUE} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
const CHANGE = `mutation ($input: UpsertOrDeleteSecretsMutationInput!) {
  upsertOrDeleteSecrets(input: $input) { upsertedSecrets { id key ${VALUE} } deletedIds query { promptCount } } }`;
const MARK = '\uE000';

describe('secrets over GraphQL', () => {
  const open = shareTestServer();
  const store = async (server: TestServer, ...keys: string[]) => {
    await query(server.databaseUrl, 'delete from secrets');
    await server.ask(CHANGE, { input: { secrets: keys.map((key) => ({ key, value: `value of ${key}` })) } });
  };
  const idOf = (key: string) => Buffer.from(`Secret:${key}`).toString('base64');

  test('return what was stored, the last change first, with redacted values', async () => {
    const server = await open();
    const long = 'a value of at least thirty-two characters';

    const { upsertOrDeleteSecrets: payload } = await server.ask(CHANGE, {
      input: {
        secrets: [
          { key: ' A ', value: ' short ' },
          { key: 'GONE' },
          { key: 'B', value: long },
          { key: 'A', value: 'other' },
          { key: 'NEVER', value: null },
        ],
      },
    });

    assert.deepEqual(
      payload.upsertedSecrets.map(({ id, key }: { id: string; key: string }) => [id, key]),
      [
        [idOf('A'), 'A'],
        [idOf('B'), 'B'],
      ],
    );
    assert.deepEqual(payload.deletedIds, [idOf('NEVER'), idOf('GONE')]);
    const [a, b] = payload.upsertedSecrets.map(({ value }: { value: { value: string } }) => value.value.split(MARK));
    assert.deepEqual(
      [a.slice(0, 3), b.slice(0, 3)],
      [
        ['', 'REDACTED', ''],
        ['', 'REDACTED', long.slice(-4)],
      ],
    );
  });

  test('are listed by key, in pages whose cursors are keys', async () => {
    const server = await open();
    await store(server, 'b', 'C', 'a', 'B', '_x');
    const page = async (variables: object) => {
      const { edges, pageInfo } = (await server.ask(LIST, variables)).secrets;
      const keys = edges.map((edge: { cursor: string; node: { key: string } }) => {
        assert.equal(edge.cursor, edge.node.key);
        return edge.cursor;
      });
      assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [keys[0] ?? null, keys.at(-1) ?? null]);
      return [keys.join(' '), pageInfo.hasNextPage, pageInfo.hasPreviousPage];
    };

    assert.deepEqual(await page({}), ['B C _x a b', false, false]);
    assert.deepEqual(await page({ first: 2 }), ['B C', true, false]);
    assert.deepEqual(await page({ first: 2, after: 'C' }), ['_x a', true, false]);
    assert.deepEqual(await page({ first: 2, after: '_x' }), ['a b', false, false]);
    assert.deepEqual(await page({ first: null, last: 2 }), ['a b', false, true]);
    assert.deepEqual(await page({ first: null, last: 2, before: 'a' }), ['C _x', false, true]);
    assert.deepEqual(await page({ first: 3, last: 2 }), ['C _x', true, true]);
    assert.deepEqual(await page({ keys: [' a ', '', 'B', 'unknown'] }), ['B a', false, false]);
    assert.deepEqual(await page({ keys: [' '] }), ['B C _x a b', false, false]);
    assert.deepEqual(await page({ first: 0 }), ['', true, false]);
    const { errors } = await server.post(LIST, { first: -1 });
    assert.deepEqual(errors, ['Argument "first" must be a non-negative int']);
  });

  test('are nodes whose IDs contain their key', async () => {
    const server = await open();
    await store(server, 'A');

    const { node } = await server.ask(`{ node(id: "${idOf('A')}") { id ... on Secret { key hosts user { id } } } }`);

    assert.deepEqual(node, { id: idOf('A'), key: 'A', hosts: null, user: null });
    const { errors } = await server.post(`{ node(id: "${idOf('UNKNOWN')}") { ... on Secret { key } } }`);
    assert.deepEqual(errors, [`Secret with ID ${idOf('UNKNOWN')} not found`]);
  });

  test('keep a value whose redacted text is sent back', async () => {
    const server = await open();
    await store(server, 'A');
    const redacted = async () => (await server.ask(LIST, {})).secrets.edges[0].node.value.value as string;
    const first = await redacted();

    await server.ask(CHANGE, { input: { secrets: [{ key: 'A', value: first }] } });

    assert.equal(server.ports.secretBox.restore(await redacted()), 'value of A');
  });

  test('that no key decrypts are unparsable, and the others are shown', async () => {
    const server = await open();
    await store(server, 'A', 'B');
    await query(server.databaseUrl, `update secrets set value = '\\x02010203040506' where key = 'A'`);

    const { edges } = (await server.ask(LIST, {})).secrets;

    assert.deepEqual(edges[0].node.value, { __typename: 'UnparsableSecret', parseError: 'Value cannot be decrypted' });
    assert.equal(edges[1].node.value.__typename, 'DecryptedSecret');
  });

  test('that were moved to another key cannot be decrypted', async () => {
    const server = await open();
    await store(server, 'A', 'B');
    await query(
      server.databaseUrl,
      `update secrets set value = (select value from secrets where key = 'A') where key = 'B'`,
    );

    const { edges } = (await server.ask(LIST, { keys: ['B'] })).secrets;

    assert.equal(edges[0].node.value.__typename, 'UnparsableSecret');
  });

  for (const [what, secrets, message] of [
    ['no secrets', [], 'At least one secret is required'],
    ['an empty key', [{ key: ' ', value: 'x' }], 'Key cannot be empty'],
    ['an empty value', [{ key: 'A', value: ' \n' }], 'Value cannot be empty'],
    [
      'another character in a key',
      [{ key: 'A B', value: 'x' }],
      'Key must start with a letter or underscore and contain only letters, digits, and underscores',
    ],
  ] as const) {
    test(`reject ${what} with the text that clients know`, async () => {
      const { errors } = await (await open()).post(CHANGE, { input: { secrets } });

      assert.deepEqual(errors, [message]);
    });
  }

  test('repeat no value in an error about an input', async () => {
    const server = await open();
    const hidden = 'hunter2hunter2';
    const answers = [
      await server.post(CHANGE, { input: { secrets: [{ key: 'A', value: { text: hidden } }] } }),
      await server.post(CHANGE, { input: { secrets: [{ key: 'A', value: hidden, unknown: 1 }] } }),
      await server.post(CHANGE, { input: { secrets: [{ value: hidden }] } }),
      await server.post(CHANGE, { input: { secret: hidden } }),
      await server.post(CHANGE, { input: hidden }),
      await server.post(CHANGE, { input: { secrets: [{ key: hidden, value: [hidden] }] } }),
      await server.post(
        `mutation { upsertOrDeleteSecrets(input: {secrets: [{key: "A", value: ["${hidden}"]}]}) { deletedIds } }`,
      ),
      await server.post(`mutation { upsertOrDeleteSecrets(input: {secrets: "${hidden}"}) { deletedIds } }`),
      await server.post(
        `mutation { upsertOrDeleteSecrets(input: {secrets: [{key: "A", value: ${hidden}}]}) { deletedIds } }`,
      ),
    ];

    for (const [index, { errors }] of answers.entries()) {
      assert.ok(errors?.[0], `answer ${index}`);
      assert.doesNotMatch(JSON.stringify(errors), /hunter2/, `answer ${index}`);
    }
  });
});
