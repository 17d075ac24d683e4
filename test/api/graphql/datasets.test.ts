import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { type CallCounts, countCalls } from '../count-calls.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const CREATE =
  'mutation ($input: CreateDatasetInput!) { createDataset(input: $input) { dataset { id exampleCount } } }';
const ADD =
  'mutation ($input: AddExamplesToDatasetInput!) { addExamplesToDataset(input: $input) { dataset { exampleCount } } }';
const PATCH =
  'mutation ($input: PatchDatasetExamplesInput!) { patchDatasetExamples(input: $input) { dataset { id } } }';
const DELETE =
  'mutation ($input: DeleteDatasetExamplesInput!) { deleteDatasetExamples(input: $input) { dataset { exampleCount } } }';
const EXAMPLES = `query ($id: ID!, $first: Int, $after: String, $version: ID, $filter: String, $splits: [ID!], $ids: [ID!]) {
  node(id: $id) { ... on Dataset { examples(first: $first, after: $after, datasetVersionId: $version, filter: $filter, splitIds: $splits, filterIds: $ids) {
    pageInfo { hasNextPage endCursor }
    edges { node { id externalId datasetSplits { name } revision { input output metadata revisionKind } } } } } } }`;

describe('GraphQL of datasets', () => {
  let server: TestServer;
  let asked: CallCounts;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
    asked = countCalls(server.domain.datasets);
  });

  let count = 0;
  const create = async (input: object = {}): Promise<string> => {
    const made = await server.ask(CREATE, { input: { name: `dataset-${++count}`, ...input } });
    assert.equal(made.createDataset.dataset.exampleCount, 0);
    return made.createDataset.dataset.id;
  };
  const example = (a: unknown, more: object = {}) => ({ input: { a }, output: { b: a }, metadata: {}, ...more });
  const add = (datasetId: string, examples: readonly object[], more: object = {}) =>
    server.ask(ADD, { input: { datasetId, examples, ...more } });
  const examplesOf = async (id: string, more: object = {}) => {
    const { node } = await server.ask(EXAMPLES, { id, first: 100, ...more });
    return node.examples;
  };
  const inputsOf = async (id: string, more: object = {}) =>
    (await examplesOf(id, more)).edges.map(
      (edge: { node: { revision: { input: { a: unknown } } } }) => edge.node.revision.input.a,
    );
  const idsOf = async (id: string): Promise<string[]> =>
    (await examplesOf(id)).edges.map((edge: { node: { id: string } }) => edge.node.id);

  test('every change of examples is a version, and old versions stay as they were', async () => {
    const id = await create();
    await add(id, [example(1), example(2), example(3)], {
      datasetVersionDescription: 'first',
      datasetVersionMetadata: { by: 'me' },
    });
    const ids = await idsOf(id);
    await server.ask(PATCH, {
      input: { patches: [{ exampleId: ids[0], input: { a: 100 } }], versionDescription: 'patched', datasetId: id },
    });
    const { deleteDatasetExamples } = await server.ask(DELETE, { input: { exampleIds: [ids[1], ids[1]] } });
    assert.equal(deleteDatasetExamples.dataset.exampleCount, 2);

    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Dataset { versions { edges { node { id description metadata } } } } } }`,
      { id },
    );
    const versions = node.versions.edges.map((edge: { node: { id: string } }) => edge.node);

    assert.deepEqual(
      versions.map((version: { description: string; metadata: object }) => [version.description, version.metadata]),
      [
        [null, {}],
        ['patched', {}],
        ['first', { by: 'me' }],
      ],
    );
    assert.deepEqual(await inputsOf(id), [100, 3]);
    assert.deepEqual(await inputsOf(id, { version: versions[1].id }), [100, 2, 3]);
    assert.deepEqual(await inputsOf(id, { version: versions[2].id }), [1, 2, 3]);
    const { edges } = await examplesOf(id);
    assert.deepEqual(edges[0].node.revision, {
      input: { a: 100 },
      output: { b: 1 },
      metadata: {},
      revisionKind: 'PATCH',
    });
    const counts = await server.ask(
      `query ($id: ID!, $first: ID!) { node(id: $id) { ... on Dataset { exampleCount was: exampleCount(datasetVersionId: $first) } } }`,
      { id, first: versions[2].id },
    );
    assert.deepEqual(counts.node, { exampleCount: 2, was: 3 });
  });

  test('pages of examples go forward from cursor to cursor, and texts and ids choose among them', async () => {
    const id = await create();
    await add(
      id,
      ['a', 'b', 'C%', 'd', 'e'].map((letter) => example(letter, { metadata: { is: `letter ${letter}` } })),
    );
    const first = await examplesOf(id, { first: 3 });
    const second = await examplesOf(id, { first: 3, after: first.pageInfo.endCursor });

    assert.deepEqual([first.edges.length, first.pageInfo.hasNextPage], [3, true]);
    assert.deepEqual([second.edges.length, second.pageInfo.hasNextPage], [2, false]);
    assert.deepEqual(await inputsOf(id, { filter: 'LETTER c%' }), ['C%']);
    assert.deepEqual(await inputsOf(id, { ids: [first.edges[1].node.id] }), ['b']);
    assert.deepEqual(await inputsOf(id, { first: null }), ['a', 'b', 'C%', 'd', 'e']);
    const { errors } = await server.post(EXAMPLES.replace('first: $first', 'last: $first'), { id, first: 1 });
    assert.deepEqual(errors, ['Backward pagination with `last` is not supported']);
  });

  test('an external id is unique in its dataset and finds its example', async () => {
    const id = await create();
    await add(id, [example(1, { externalId: 'one' })]);
    const twice = await server.post(ADD, {
      input: { datasetId: id, examples: [example(2, { externalId: 'x' }), example(3, { externalId: 'x' })] },
    });
    const taken = await server.post(ADD, { input: { datasetId: id, examples: [example(2, { externalId: 'one' })] } });

    assert.deepEqual(twice.errors, ['Examples with the same ID in the request: x']);
    assert.deepEqual(taken.errors, ['Examples with these IDs already exist in the dataset: one']);
    const found = await server.ask(
      `query ($id: ID!) { one: getDatasetExampleByExternalId(datasetId: $id, externalId: "one") { externalId revision { input } }
        none: getDatasetExampleByExternalId(datasetId: $id, externalId: "x") { id } }`,
      { id },
    );
    assert.deepEqual(found, { one: { externalId: 'one', revision: { input: { a: 1 } } }, none: null });
    assert.deepEqual(await inputsOf(id), [1]);
  });

  test('a rejected change creates no version', async () => {
    const [id, other] = [await create(), await create()];
    await add(id, [example(1)]);
    await add(other, [example(2)]);
    const [mine] = await idsOf(id);
    const [theirs] = await idsOf(other);
    const patch = (exampleId: unknown, input: unknown = { a: 9 }) => ({ exampleId, input });
    const refused = [
      { patches: [] },
      { patches: [patch(mine), patch(mine)] },
      { patches: [{ exampleId: mine }] },
      { patches: [patch(mine), patch(theirs)] },
      { patches: [patch(mine)], datasetId: other },
      { patches: [patch(mine, [1])] },
      { patches: [patch(toGlobalId('DatasetExample', 999_999))] },
      { patches: [patch(toGlobalId('Dataset', 1))] },
    ];
    const messages = [];
    for (const input of refused) messages.push((await server.post(PATCH, { input })).errors?.[0]);

    assert.deepEqual(messages, [
      'Must provide examples to patch.',
      'Must provide only one patch per example.',
      'Must provide a change in each patch.',
      'Examples must come from the same dataset.',
      'Examples must come from the same dataset.',
      'input must be a JSON object',
      `Dataset examples not found: ${toGlobalId('DatasetExample', 999_999)}`,
      'The node id must correspond to a node of type DatasetExample, but instead corresponds to a node of type: Dataset',
    ]);
    const deleted = { input: { exampleIds: [mine] } };
    await server.ask(DELETE, deleted);
    assert.deepEqual((await server.post(DELETE, deleted)).errors, [`Dataset examples not found: ${mine}`]);
    const { node } = await server.ask(
      'query ($id: ID!) { node(id: $id) { ... on Dataset { versions { edges { node { id } } } } } }',
      { id },
    );
    assert.equal(node.versions.edges.length, 2);
  });

  test('a span becomes the example that it shows', async () => {
    const message = (role: string, content: string, more: object = {}) => ({ message: { role, content, ...more } });
    await server.append({
      traceId: '000000000000000000000000000000aa',
      spanId: '00000000000000aa',
      spanKind: 'LLM',
      metadata: { team: 'x' },
      attributes: {
        llm: {
          input_messages: [
            message('system', 'You plan.'),
            {
              message: {
                role: 'user',
                contents: [
                  { message_content: { type: 'text', text: 'a' } },
                  { message_content: { type: 'text', text: 'b' } },
                ],
              },
            },
          ],
          output_messages: [
            message('assistant', 'one'),
            message('assistant', 'two', {
              tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"q":1}' } } }],
            }),
          ],
          prompt_template: { variables: '{"word":"w"}' },
          tools: [{ tool: { json_schema: '{"name":"f"}' } }],
        },
      },
    } as never);
    const { getSpanByOtelId: span } = await server.ask(
      '{ getSpanByOtelId(spanId: "00000000000000aa") { id containedInDataset asExampleRevision { input output metadata } } }',
    );
    const id = await create();
    await server.ask(
      'mutation ($input: AddSpansToDatasetInput!) { addSpansToDataset(input: $input) { dataset { id } } }',
      {
        input: { datasetId: id, spanIds: [span.id, span.id] },
      },
    );

    assert.equal(span.containedInDataset, false);
    assert.deepEqual(span.asExampleRevision, {
      input: {
        messages: [
          { role: 'system', content: 'You plan.' },
          { role: 'user', content: 'a\n\nb' },
        ],
        word: 'w',
        tools: [{ name: 'f' }],
      },
      output: {
        messages: [
          { role: 'assistant', content: 'one\n\ntwo', tool_calls: [{ function: { name: 'f', arguments: { q: 1 } } }] },
        ],
      },
      metadata: { team: 'x', span_kind: 'LLM' },
    });
    const { edges } = await examplesOf(id);
    assert.deepEqual(
      edges.map((edge: { node: { revision: object } }) => edge.node.revision),
      [
        {
          ...span.asExampleRevision,
          metadata: { team: 'x', span_kind: 'LLM', annotations: {} },
          revisionKind: 'CREATE',
        },
      ],
    );
    const more = await server.post(
      'mutation ($input: AddSpansToDatasetInput!) { addSpansToDataset(input: $input) { dataset { id } } }',
      { input: { datasetId: id, spanIds: [span.id, toGlobalId('Span', 999_999)] } },
    );
    assert.deepEqual(more.errors, ['Some spans could not be found']);
    assert.equal((await examplesOf(id)).edges.length, 1);
    const after = await server.ask('{ getSpanByOtelId(spanId: "00000000000000aa") { containedInDataset } }');
    assert.equal(after.getSpanByOtelId.containedInDataset, true);
  });

  test('splits hold examples of any dataset, and are replaced, patched and deleted as a whole', async () => {
    const [id, other] = [await create(), await create()];
    await add(id, [example(1), example(2)]);
    await add(other, [example(3)]);
    const exampleIds = [...(await idsOf(id)), ...(await idsOf(other))];
    const { createDatasetSplitWithExamples: made } = await server.ask(
      `mutation ($input: CreateDatasetSplitWithExamplesInput!) { createDatasetSplitWithExamples(input: $input) { datasetSplit { id name } examples { id } } }`,
      { input: { name: ' train ', color: '#111111', exampleIds } },
    );
    const splits = [made.datasetSplit.id];
    assert.deepEqual([made.datasetSplit.name, made.examples.length], ['train', 3]);
    assert.deepEqual(await inputsOf(id, { splits }), [1, 2]);
    assert.deepEqual(await inputsOf(other, { splits }), [3]);

    const SET = `mutation ($input: SetDatasetExamplesSplitsInput!) { setDatasetExamplesSplits(input: $input) { examples { datasetSplits { name } } } }`;
    const absent = toGlobalId('DatasetSplit', 999_999);
    const refused = await server.post(SET, {
      input: { exampleIds: exampleIds.slice(0, 1), datasetSplitIds: [absent] },
    });
    assert.deepEqual(refused.errors, [`Dataset splits not found: ${absent}`]);
    const set = await server.ask(SET, { input: { exampleIds: exampleIds.slice(0, 1), datasetSplitIds: [] } });
    assert.deepEqual(set.setDatasetExamplesSplits.examples, [{ datasetSplits: [] }]);
    assert.deepEqual(await inputsOf(id, { splits }), [2]);

    const MAKE =
      'mutation ($input: CreateDatasetSplitInput!) { createDatasetSplit(input: $input) { datasetSplit { id } } }';
    const CHANGE = `mutation ($input: PatchDatasetSplitInput!) { patchDatasetSplit(input: $input) { datasetSplit { name color description } } }`;
    const fields = { name: 'test', color: '#222222' };
    assert.deepEqual((await server.post(MAKE, { input: { ...fields, name: ' train' } })).errors, [
      "A dataset split named 'train' already exists.",
    ]);
    assert.deepEqual((await server.post(MAKE, { input: { ...fields, color: ' ' } })).errors, ['Color cannot be empty']);
    const { createDatasetSplit } = await server.ask(MAKE, { input: fields });
    const datasetSplitId = createDatasetSplit.datasetSplit.id;
    for (const [change, answer] of [
      [{ name: 'train' }, 'A dataset split with this name already exists'],
      [{ name: ' ' }, 'Name cannot be empty'],
      [{ color: '' }, 'Color cannot be empty'],
    ] as const) {
      assert.deepEqual((await server.post(CHANGE, { input: { datasetSplitId, ...change } })).errors, [answer]);
    }
    const { patchDatasetSplit } = await server.ask(CHANGE, { input: { datasetSplitId, description: 'for tests' } });
    assert.deepEqual(patchDatasetSplit.datasetSplit, { ...fields, description: 'for tests' });

    const DROP =
      'mutation ($input: DeleteDatasetSplitInput!) { deleteDatasetSplits(input: $input) { datasetSplits { name } } }';
    assert.deepEqual((await server.post(DROP, { input: { datasetSplitIds: [...splits, absent] } })).errors, [
      'One or more dataset splits not found',
    ]);
    assert.deepEqual(await inputsOf(id, { splits }), [2]);
    const dropped = await server.ask(DROP, { input: { datasetSplitIds: splits } });
    assert.deepEqual(dropped.deleteDatasetSplits.datasetSplits, [{ name: 'train' }]);
    assert.deepEqual(await inputsOf(id), [1, 2]);
  });

  test('a label that cannot be given to a dataset is not made', async () => {
    const id = await create();
    const LABEL = `mutation ($input: CreateDatasetLabelInput!) { createDatasetLabel(input: $input) { datasetLabel { id color usageCount } datasets { labels { name } } } }`;
    const input = { name: 'golden', color: '#ABCDEF', datasetIds: [id, toGlobalId('Dataset', 999_999)] };

    assert.deepEqual((await server.post(LABEL, { input })).errors, ['Datasets not found']);
    const { createDatasetLabel } = await server.ask(LABEL, { input: { ...input, datasetIds: [id] } });
    assert.deepEqual(createDatasetLabel.datasets, [{ labels: [{ name: 'golden' }] }]);
    assert.deepEqual(
      [createDatasetLabel.datasetLabel.color, createDatasetLabel.datasetLabel.usageCount],
      ['#abcdef', 1],
    );
    const bare = { ...input, datasetIds: [] };
    assert.deepEqual((await server.post(LABEL, { input: bare })).errors, [
      "A dataset label named 'golden' already exists",
    ]);
    for (const color of ['red', '#abc', '#1234567', '']) {
      const { errors } = await server.post(LABEL, { input: { ...bare, name: 'other', color } });
      assert.deepEqual(errors, ['Color must be a hex color, written as #rrggbb'], color);
    }
  });

  test('a list of datasets is sorted, and reads what it shows at once', async () => {
    for (const name of ['sorted-b', 'sorted-A', 'sorted-c']) await add(await create({ name }), [example(name)]);
    for (const name of Object.keys(asked)) delete asked[name];

    const { datasets } = await server.ask(
      `{ datasets(first: 2, sort: { col: name, dir: desc }, filter: { col: name, value: "SORTED" }) {
        pageInfo { hasNextPage }
        edges { node { name exampleCount labels { name } splits { name } versions { edges { node { createdAt } } } lastUpdatedAt } } } }`,
    );

    assert.deepEqual(
      datasets.edges.map((edge: { node: { name: string } }) => edge.node.name),
      ['sorted-c', 'sorted-b'],
    );
    assert.equal(datasets.pageInfo.hasNextPage, true);
    assert.ok(
      Object.values(asked).every((times) => times === 1),
      JSON.stringify(asked),
    );
  });

  test('a deleted dataset shows what it was', async () => {
    const id = await create({ name: 'doomed' });
    const DROP = 'mutation ($input: DeleteDatasetInput!) { deleteDataset(input: $input) { dataset { id name } } }';

    const { deleteDataset } = await server.ask(DROP, { input: { datasetId: id } });

    assert.deepEqual(deleteDataset.dataset, { id, name: 'doomed' });
    assert.deepEqual((await server.post(DROP, { input: { datasetId: id } })).errors, [`Unknown dataset: ${id}`]);
  });
});
