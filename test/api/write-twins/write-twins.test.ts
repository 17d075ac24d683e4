import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { cleanUpAfter, openTestPostgres } from '../../metadata-store/fixtures.ts';
import { startServer } from '../../e2e/server-process.ts';
import { ACCESS } from './cases-access.ts';
import { ANNOTATION_CONFIGS } from './cases-annotation-configs.ts';
import { ANNOTATIONS } from './cases-annotations.ts';
import { DATASETS } from './cases-datasets.ts';
import { EXPERIMENTS } from './cases-experiments.ts';
import { PROJECTS } from './cases-projects.ts';
import { PROMPTS } from './cases-prompts.ts';
import { SECRETS } from './cases-secrets.ts';
import { TRACES } from './cases-traces.ts';
import { ONE_API } from './one-api-writes.ts';
import { checkTwin, type NounTwins, World, type WriteTwin } from './twins.ts';

/** Add a noun here; its cases are in `cases-<noun>.ts`. */
const NOUNS: readonly NounTwins[] = [
  PROJECTS,
  ANNOTATION_CONFIGS,
  ANNOTATIONS,
  TRACES,
  DATASETS,
  EXPERIMENTS,
  PROMPTS,
  SECRETS,
  ONE_API,
];

describe('a write over REST and over GraphQL', () => {
  const cleanUp = cleanUpAfter(after);
  let world: World;

  before(async () => {
    const postgres = await openTestPostgres(cleanUp);
    const url = await postgres.newDatabase();
    const server = await startServer({ env: { SERVICE_SQL_DATABASE_URL: url } });
    cleanUp(async () => void (await server.stop()));
    const client = new Client(url);
    await client.connect();
    cleanUp(() => client.end());
    world = new World(server.url, client);
  });

  for (const { operation, mutation, cases } of NOUNS.flatMap(({ twins }) => twins)) {
    const name = operation === mutation ? operation : `${operation} and ${mutation}`;
    describe(name, () => {
      for (const one of cases) test(one.title, () => checkTwin(world, one));
    });
  }

  test('has a counterpart in the other API, or a reason why it has none', async () => {
    const { paths } = (await world.get('/openapi.json')) as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.values(paths)
      .flatMap((methods) => Object.entries(methods))
      .flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId]));
    const introspection = { query: '{ __schema { mutationType { fields { name } } } }', variables: {} };
    const { __schema: schema } = (await world.graphql(introspection)).data;
    const mutations: string[] = schema.mutationType.fields.map(({ name }: { name: string }) => name);

    const alone = new Set([...NOUNS, ACCESS].flatMap((noun) => Object.keys(noun.alone)));
    const twins = [...NOUNS, ACCESS].flatMap(
      (noun): readonly Pick<WriteTwin, 'operation' | 'mutation'>[] => noun.twins,
    );
    const withTwin = { rest: twins.map(({ operation }) => operation), graphql: twins.map(({ mutation }) => mutation) };
    const unlisted = (writes: readonly string[], listed: readonly string[]) =>
      writes.filter((write) => !alone.has(write) && !listed.includes(write));
    assert.deepEqual([...unlisted(operations, withTwin.rest), ...unlisted(mutations, withTwin.graphql)], []);
    const gone = (listed: readonly string[], writes: readonly string[]) =>
      listed.filter((one) => !writes.includes(one));
    assert.deepEqual(
      [
        ...gone(withTwin.rest, operations),
        ...gone(withTwin.graphql, mutations),
        ...gone([...alone], [...operations, ...mutations]),
      ],
      [],
    );
  });
});

interface Operation {
  readonly operationId: string;
}
