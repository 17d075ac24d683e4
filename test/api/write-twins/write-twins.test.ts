import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { cleanUpAfter, openTestPostgres } from '../../metadata-store/fixtures.ts';
import { startServer } from '../../e2e/server-process.ts';
import { ANNOTATION_CONFIGS } from './cases-annotation-configs.ts';
import { ANNOTATIONS } from './cases-annotations.ts';
import { DATASETS } from './cases-datasets.ts';
import { EXPERIMENTS } from './cases-experiments.ts';
import { PROJECTS } from './cases-projects.ts';
import { PROMPTS } from './cases-prompts.ts';
import { SECRETS } from './cases-secrets.ts';
import { TRACES } from './cases-traces.ts';
import { checkTwin, type NounTwins, World } from './twins.ts';

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
    for (const { tags, mutations, twins, alone } of NOUNS) {
      const writes = Object.values(paths)
        .flatMap((methods) => Object.entries(methods))
        .filter(([method, { tags: own = [] }]) => method !== 'get' && own.some((tag) => tags.includes(tag)))
        .map(([, { operationId }]) => operationId);
      const known = twins.flatMap(({ operation, mutation }) => [operation, mutation]);
      const listed = new Set([...known, ...Object.keys(alone)]);

      assert.deepEqual(
        [...writes, ...mutations].filter((write) => !listed.has(write)),
        [],
      );
    }
  });
});

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
}
