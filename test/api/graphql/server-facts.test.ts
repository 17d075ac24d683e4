import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getNamedType, isRequiredArgument } from 'graphql';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { openTestServer, shareTestServer, type TestServer } from '../test-server.ts';

const openServer = shareTestServer();

describe('GraphQL of the server itself', () => {
  test('every list of the root rejects a negative number of rows', async () => {
    const server = await openServer();
    const lists = Object.values(createSchema().getQueryType()!.getFields()).filter(
      ({ args, type }) => getNamedType(type).name.endsWith('Connection') && !args.some(isRequiredArgument),
    );
    assert.ok(lists.length >= 14, `${lists.map(({ name }) => name)}`);
    for (const { name, args } of lists) {
      const sizes = args.filter((argument) => argument.name === 'first' || argument.name === 'last');
      for (const size of sizes) {
        const { errors } = await server.post(`{ ${name}(${size.name}: -1) { edges { cursor } } }`);
        // The server has no sign-in, so nobody is an administrator.
        assert.match(
          `${errors}`,
          /(first|last)\W* must be |Only admin|Backward pagination/,
          `${name}(${size.name}: -1)`,
        );
      }
    }
  });

  test('returns the capacity, the size of tables, and whether writes are locked', async (t) => {
    const settings = { DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '8' };
    const server = await openTestServer(t, { settings, storageLock: () => 'full' });
    reportDiskBytes(server, 5 * 2 ** 31);

    const facts = await server.ask(
      '{ dbStorageCapacityBytes dbTableStats { tableName numBytes } serverStatus { insufficientStorage } }',
    );

    assert.deepEqual(
      [facts.dbStorageCapacityBytes, facts.serverStatus, facts.dbTableStats[0]],
      [2 ** 33, { insufficientStorage: true }, { tableName: 'spans', numBytes: 5 * 2 ** 31 }],
    );
    const sizes = new Map<string, number>(
      facts.dbTableStats.map((table: { tableName: string; numBytes: number }) => [table.tableName, table.numBytes]),
    );
    for (const name of ['projects', 'datasets', 'prompts']) assert.ok(sizes.get(name)! > 0, name);
  });

  test('divides the span store by the size of the spans of each project', async (t) => {
    const spanStoreBytes = 1_000_000;
    const server = await openTestServer(t);
    reportDiskBytes(server, spanStoreBytes);
    const random = new SeededRandom(7);
    // Many small spans, some larger ones, and few whose texts are stored in chunks.
    const projects = [
      { name: 'small', spanCount: 400, wordCount: 60 },
      { name: 'medium', spanCount: 60, wordCount: 1_000 },
      { name: 'long', spanCount: 5, wordCount: 30_000 },
    ];
    for (const [index, { name, spanCount, wordCount }] of projects.entries()) {
      const traceId = String(index + 1).repeat(32);
      const spans = Array.from({ length: spanCount }, (_, at) => ({
        traceId,
        spanId: `${index + 1}${String(at).padStart(15, '0')}`,
        project: name,
        output: words(random, wordCount),
      }));
      await server.append(...spans);
    }
    const wordCounts = projects.map(({ spanCount, wordCount }) => spanCount * wordCount);
    const isNear = (found: Shares, expected: Readonly<Record<string, number>>) => {
      assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort());
      const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
      for (const [name, count] of Object.entries(expected)) {
        const ratio = found[name]! / ((spanStoreBytes * count) / total);
        assert.ok(ratio > 0.9 && ratio < 1.1, `${name} is ${ratio} of what it takes`);
      }
    };
    // By words, because the other parts of a span are small when its texts are long.
    const [, medium, long] = wordCounts as [number, number, number];
    const before = await sharesOf(server);
    assert.deepEqual(Object.keys(before), ['long', 'medium', 'small']);
    isNear(
      {
        medium: (before.medium! * spanStoreBytes) / (before.medium! + before.long!),
        long: (before.long! * spanStoreBytes) / (before.medium! + before.long!),
      },
      { medium, long },
    );
    assert.ok(before.small! > 0.08 * spanStoreBytes && before.small! < 0.2 * spanStoreBytes, String(before.small));

    const { getProjectByName: goal } = await server.ask('{getProjectByName(name: "medium") {id}}');
    const trace = toGlobalId('Trace', 3);
    await server.ask(
      `mutation {transferTracesToProject(traceIds: ["${trace}"], projectId: "${goal.id}") {__typename}}`,
    );
    const moved = await sharesOf(server);
    assert.deepEqual(Object.keys(moved), ['medium', 'small']);
    assert.ok(Math.abs(moved.small! - before.small!) < 0.1 * before.small!);

    const { getProjectByName: small } = await server.ask('{getProjectByName(name: "small") {id}}');
    await server.ask(`mutation {deleteProject(id: "${small.id}") {__typename}}`);
    isNear(await sharesOf(server), { medium: 1 });
  });

  for (const { regex, isValid } of [
    { regex: '^gpt-4o(-mini)?$', isValid: true },
    { regex: '(unclosed', isValid: false },
    { regex: '(a+)+\\1', isValid: false },
  ]) {
    test(`${isValid ? 'accepts' : 'rejects'} the expression ${regex}`, async () => {
      const server = await openServer();

      const { validateRegularExpression: result } = await server.ask(
        'query ($regex: String!) { validateRegularExpression(regex: $regex) { isValid errorMessage warnings } }',
        { regex },
      );

      assert.equal(result.isValid, isValid);
      assert.equal(result.errorMessage === null, isValid);
    });
  }
});

/** Lets the span store report a size that a test could not fill. */
function reportDiskBytes({ store }: TestServer, diskBytes: number): void {
  const { stats } = store;
  store.stats = async () => ({ ...(await stats()), diskBytes });
}

type Shares = Readonly<Record<string, number>>;

/** Bytes of projects by name, largest first. */
async function sharesOf(server: TestServer): Promise<Shares> {
  const { storageOfProjects } = await server.ask('{storageOfProjects {numBytes numBytesByDay project {name}}}');
  for (const { numBytes, numBytesByDay } of storageOfProjects) {
    assert.ok(Math.abs(numBytesByDay.at(-1) - numBytes) < 1);
  }
  return Object.fromEntries(
    (storageOfProjects as { numBytes: number; project: { name: string } }[]).map(({ numBytes, project }) => [
      project.name,
      numBytes,
    ]),
  );
}

/** Random words that compress about as well as prose. */
const words = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => (random.below(4_000) + 2_000).toString(26)).join(' ');
