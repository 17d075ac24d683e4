import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const ROWS = `query ($id: ID!, $offset: Int! = 0, $limit: Int! = 100, $version: ID, $splits: [ID!], $filter: String,
    $sort: ExampleRowSort, $cells: [[String!]!]) {
  node(id: $id) { ... on Dataset { exampleRows(offset: $offset, limit: $limit, datasetVersionId: $version,
    splitIds: $splits, filter: $filter, sort: $sort, cells: $cells) {
      count versionId rows { id externalId revisionId input output cells splits { name } } } } } }`;
const SAVE = `mutation ($input: SaveDatasetExamplesInput!) { saveDatasetExamples(input: $input) {
  version { id description exampleCount }
  conflicts { example { id } content { revisionId input } version { description } } } }`;
const DIFF = `query ($id: ID!, $base: ID!, $version: ID!, $kinds: [ExampleChangeKind!], $first: Int! = 50, $after: String) {
  node(id: $id) { ... on Dataset { versionDiff(baseVersionId: $base, versionId: $version) {
    added changed removed unchanged
    changes(first: $first, after: $after, kinds: $kinds) { next rows { kind fields example { externalId } } } } } } }`;
const RESTORE = `mutation ($input: RestoreDatasetVersionInput!) {
  restoreDatasetVersion(input: $input) { version { id exampleCount description } } }`;

interface RowData {
  readonly id: string;
  readonly externalId: string;
  readonly revisionId: string;
  readonly input: string;
  readonly cells: readonly (string | null)[];
  readonly splits: readonly { readonly name: string }[];
}

describe('tables of examples', () => {
  let server: TestServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
  });

  let created = 0;
  const create = async (count: number): Promise<string> => {
    const made = await server.ask(
      'mutation ($input: CreateDatasetInput!) { createDataset(input: $input) { dataset { id } } }',
      { input: { name: `table-${++created}` } },
    );
    const { id } = made.createDataset.dataset;
    await save(id, {
      additions: Array.from({ length: count }, (_, index) => ({
        input: `{"question":"q${index}","id":12345678901234567890,"__proto__":"p${index}"}`,
        output: `{"answer":"${index % 2 === 0 ? 'even' : 'odd'}"}`,
        metadata: '{}',
        externalId: `e${String(index).padStart(3, '0')}`,
      })),
    });
    return id;
  };
  const save = async (datasetId: string, input: object) => {
    const result = await server.ask(SAVE, { input: { datasetId, ...input } });
    return result.saveDatasetExamples;
  };
  const rows = async (id: string, more: object = {}) => {
    const { node } = await server.ask(ROWS, { id, ...more });
    return node.exampleRows as { count: number; versionId: string; rows: RowData[] };
  };
  const namesOf = (list: { readonly rows: readonly RowData[] }) => list.rows.map(({ externalId }) => externalId);

  test('any part of a list is read by index, searched and sorted, with values at paths', async () => {
    const id = await create(25);
    const first = await rows(id, {
      limit: 3,
      cells: [
        ['input', 'question'],
        ['input', '__proto__'],
        ['output', 'x'],
      ],
    });
    assert.equal(first.count, 25);
    assert.deepEqual(first.rows[1]!.cells, ['q1', 'p1', null]);
    assert.match(first.rows[0]!.input, /12345678901234567890/);
    assert.deepEqual(namesOf(await rows(id, { offset: 23, limit: 10 })), ['e023', 'e024']);
    assert.deepEqual(namesOf(await rows(id, { offset: 25, limit: 10 })), []);
    const odd = await rows(id, { filter: 'ODD', offset: 10, limit: 2 });
    assert.deepEqual([odd.count, namesOf(odd)], [12, ['e021', 'e023']]);
    const last = await rows(id, { sort: { col: 'externalId', dir: 'desc' }, limit: 2 });
    assert.deepEqual(namesOf(last), ['e024', 'e023']);
    const { node } = await server.ask(
      'query ($id: ID!, $example: ID!) { node(id: $id) { ... on Dataset { exampleOffset(exampleId: $example, filter: "odd") exampleIds(limit: 2) exampleKeys { path count } } } }',
      { id, example: odd.rows[1]!.id },
    );
    assert.equal(node.exampleOffset, 11);
    assert.deepEqual(
      node.exampleIds,
      first.rows.slice(0, 2).map((row) => row.id),
    );
    assert.deepEqual(node.exampleKeys[0], { path: ['input', 'question'], count: 25 });
    for (const bad of [{ limit: 1001 }, { offset: -1 }, { cells: [['nothing']] }]) {
      await assert.rejects(rows(id, bad), /limit|offset|path/);
    }
  });

  test('a list is sorted by the values at a path: numbers, then other values, and those without one', async () => {
    const id = await create(1);
    const values = ['10', '"b"', '2', 'true', '1e-5', '"a"', '1e4000', 'null', '"\\u0000"', '"\\ud800"'];
    await save(id, {
      ...{ patches: [], values: [], deletions: [] },
      additions: values.map((value) => ({ input: `{"deep":{"k.1":[${value}]}}`, output: '{}', metadata: '{}' })),
    });
    const path = ['input', 'deep', 'k.1', '0'];
    const sorted = async (dir: string) =>
      (await rows(id, { sort: { path, dir }, cells: [path] })).rows.map(({ cells }) => cells[0] ?? null);
    const without = [null, 'null', '\0'];
    const up = await sorted('asc');
    assert.deepEqual(up.slice(0, 10), ['1e-5', '2', '10', '1e4000', 'a', 'b', 'true', ...without]);
    assert.equal(up.length, 11);
    const down = await sorted('desc');
    assert.deepEqual(down.slice(0, 10), ['10', '2', '1e-5', 'true', 'b', 'a', '1e4000', ...without]);
    for (const sort of [{ dir: 'asc' }, { col: 'example', path, dir: 'asc' }, { path: ['nothing'], dir: 'asc' }]) {
      await assert.rejects(rows(id, { sort }), /either col or path|path starts with/);
    }
  });

  test('edits, values, deletions and additions are saved as one version', async () => {
    const id = await create(4);
    const { rows: before, versionId } = await rows(id);
    const saved = await save(id, {
      patches: [{ exampleId: before[0]!.id, revisionId: before[0]!.revisionId, output: '{"answer":1e5}' }],
      values: [{ exampleIds: [before[0]!.id, before[1]!.id], path: ['metadata', 'a', 'b'], value: '"x"' }],
      deletions: [{ exampleId: before[2]!.id, revisionId: before[2]!.revisionId }],
      additions: [{ input: '{"n":1}', output: '{}', metadata: '{}' }],
      versionDescription: ' fixed ',
    });
    assert.deepEqual([saved.version.description, saved.version.exampleCount, saved.conflicts], ['fixed', 4, []]);
    const now = await rows(id, {
      cells: [
        ['output', 'answer'],
        ['metadata', 'a', 'b'],
      ],
    });
    assert.deepEqual(
      now.rows.map(({ cells }) => cells),
      [
        ['1e5', 'x'],
        ['odd', 'x'],
        ['odd', null],
        [null, null],
      ],
    );
    const { node } = await server.ask(DIFF, { id, base: versionId, version: saved.version.id });
    const { added, changed, removed, unchanged, changes } = node.versionDiff;
    assert.deepEqual([added, changed, removed, unchanged], [1, 2, 1, 1]);
    assert.deepEqual(changes.rows, [
      { kind: 'changed', fields: ['output', 'metadata'], example: { externalId: 'e000' } },
      { kind: 'changed', fields: ['metadata'], example: { externalId: 'e001' } },
      { kind: 'removed', fields: ['input', 'output', 'metadata'], example: { externalId: 'e002' } },
      { kind: 'added', fields: ['input', 'output', 'metadata'], example: { externalId: null } },
    ]);
    const back = await server.ask(DIFF, { id, base: saved.version.id, version: versionId, kinds: ['added'] });
    assert.deepEqual([back.node.versionDiff.added, back.node.versionDiff.removed], [1, 1]);
    assert.deepEqual(
      namesOf({ rows: back.node.versionDiff.changes.rows.map((row: { example: RowData }) => row.example) }),
      ['e002'],
    );
    const paged = await server.ask(DIFF, { id, base: versionId, version: saved.version.id, first: 3 });
    const next = await server.ask(DIFF, {
      id,
      base: versionId,
      version: saved.version.id,
      first: 3,
      after: paged.node.versionDiff.changes.next,
    });
    assert.deepEqual([next.node.versionDiff.changes.rows.length, next.node.versionDiff.changes.next], [1, null]);
  });

  test('the second editor of an example is rejected with its current content, and nothing is written', async () => {
    const id = await create(2);
    const { rows: before } = await rows(id);
    const [one, two] = before as [RowData, RowData];
    const patch = (row: RowData, text: string) => ({ exampleId: row.id, revisionId: row.revisionId, input: text });
    await save(id, { patches: [patch(one, '{"a":"first"}')], versionDescription: 'by the first' });
    const refused = await save(id, { patches: [patch(one, '{"a":"second"}'), patch(two, '{"a":2}')] });
    assert.equal(refused.version, null);
    assert.deepEqual(
      refused.conflicts.map((conflict: { example: { id: string }; content: { input: string }; version: object }) => [
        conflict.example.id,
        conflict.content.input,
        conflict.version,
      ]),
      [[one.id, '{"a":"first"}', { description: 'by the first' }]],
    );
    const now = await rows(id);
    assert.deepEqual(now.rows.map(({ input }) => input)[1], two.input);
    const mine = { exampleId: one.id, revisionId: refused.conflicts[0].content.revisionId, input: '{"a":"second"}' };
    assert.equal((await save(id, { patches: [mine] })).conflicts.length, 0);
    await save(id, { deletions: [{ exampleId: one.id }] });
    const gone = await save(id, { patches: [mine] });
    assert.deepEqual([gone.version, gone.conflicts[0].content], [null, null]);
  });

  test('invalid changes are rejected with what was expected', async () => {
    const id = await create(1);
    const [row] = (await rows(id)).rows as [RowData];
    const refusals: readonly (readonly [object, RegExp])[] = [
      [{}, /no changes/],
      [{ patches: [{ exampleId: row.id, input: '{"a":' }] }, /input is not JSON/],
      [{ patches: [{ exampleId: row.id, input: '[]' }] }, /input must be a JSON object/],
      [
        { values: [{ exampleIds: [row.id], path: ['input', 'question', 'x'], value: '1' }] },
        /input|question is not an object/,
      ],
      [{ values: [{ exampleIds: [row.id], path: ['other'], value: '1' }] }, /starts with input, output or metadata/],
      [{ values: [{ exampleIds: [row.id], path: ['input'], value: '1' }] }, /must be JSON objects/],
      [{ additions: [{ input: '{}', output: '{}', metadata: '{}', externalId: 'e000' }] }, /already exist/],
      [{ patches: [{ exampleId: row.id, revisionId: 'x', input: '{}' }] }, /revisionId/],
    ];
    for (const [input, message] of refusals) await assert.rejects(save(id, input), message);
    assert.equal((await rows(id)).count, 1);
  });

  test('restoring a version brings back its examples as a new version', async () => {
    const id = await create(4);
    const { rows: before, versionId } = await rows(id);
    await save(id, {
      patches: [{ exampleId: before[0]!.id, input: '{"a":1}' }],
      deletions: [{ exampleId: before[1]!.id }],
      additions: [{ input: '{}', output: '{}', metadata: '{}' }],
    });
    const input = { datasetId: id, datasetVersionId: versionId, versionDescription: 'back' };
    const { restoreDatasetVersion } = await server.ask(RESTORE, { input });
    assert.equal(restoreDatasetVersion.version.exampleCount, 4);
    const now = await rows(id);
    assert.deepEqual(
      now.rows.map((row) => [row.id, row.input]),
      before.map((row) => [row.id, row.input]),
    );
    const { node } = await server.ask(DIFF, { id, base: versionId, version: now.versionId });
    assert.deepEqual([node.versionDiff.unchanged, node.versionDiff.changed], [4, 0]);
    await assert.rejects(server.ask(RESTORE, { input }), /same examples/);
    const other = await rows(await create(1));
    await assert.rejects(
      server.ask(RESTORE, { input: { datasetId: id, datasetVersionId: other.versionId } }),
      /does not exist in this dataset/,
    );
  });

  test('splits of selected examples change without their other splits, and a list of a split follows', async () => {
    const id = await create(3);
    const ids = (await rows(id)).rows.map((row) => row.id);
    const splits: string[] = [];
    for (const name of ['train', 'test']) {
      const { createDatasetSplit } = await server.ask(
        'mutation ($input: CreateDatasetSplitInput!) { createDatasetSplit(input: $input) { datasetSplit { id } } }',
        { input: { name: `${name} ${created}`, color: '#112233' } },
      );
      splits.push(createDatasetSplit.datasetSplit.id);
    }
    const change = (exampleIds: readonly string[], added: readonly string[], removed: readonly string[]) =>
      server.ask(
        'mutation ($input: ChangeDatasetExampleSplitsInput!) { changeDatasetExampleSplits(input: $input) { dataset { id } } }',
        { input: { datasetId: id, exampleIds, addedSplitIds: added, removedSplitIds: removed } },
      );
    await change(ids.slice(0, 2), splits, []);
    assert.equal((await rows(id, { splits: [splits[0]] })).count, 2);
    await change(ids, [], [splits[0]!]);
    assert.equal((await rows(id, { splits: [splits[0]] })).count, 0);
    assert.deepEqual(
      (await rows(id, { splits: [splits[1]] })).rows.map((row) => row.splits.length),
      [1, 1],
    );
  });
});
