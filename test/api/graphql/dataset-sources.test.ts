import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shareTestServer, type TestServer } from '../test-server.ts';

const id = (index: number, length: number) => (index + 1).toString(16).padStart(length, '0');

/** Spans of the project `support`. A later one starts earlier: the order of their arrival differs from that of time. */
const spans = (from: number, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, offset) => {
    const index = from + offset;
    return {
      traceId: id(index, 32),
      spanId: id(index, 16),
      project: 'support',
      name: index % 2 === 0 ? 'answer' : 'search',
      start: BigInt(1_000_000 - index) * 1_000_000n,
      end: BigInt(1_000_001 - index) * 1_000_000n,
      input: `question ${index}`,
      output: 'yes',
      ...fields,
    };
  });

const PREVIEW =
  'query ($input: PreviewSpanExamplesInput!) {previewSpanExamples(input: $input) {spanId input output metadata missingPaths repetition}}';
const SAVE =
  'mutation ($input: SaveDatasetSourceInput!) {saveDatasetSource(input: $input) {id name newMatchCount project {name} dataset {id}}}';
const COUNT =
  'query ($id: ID!) {node(id: $id) {... on Dataset {exampleCount sources {id newMatchCount addedAt splitNames}}}}';

describe('spans become examples', () => {
  const openShared = shareTestServer();
  let datasetCount = 0;
  const open = async () => {
    const server = await openShared();
    const { createDataset } = await server.ask(
      'mutation ($input: CreateDatasetInput!) {createDataset(input: $input) {dataset {id}}}',
      { input: { name: `cases-${++datasetCount}` } },
    );
    return { server, datasetId: createDataset.dataset.id as string };
  };
  const spanIds = async (server: TestServer): Promise<{ project: string; ids: string[] }> => {
    const { getProjectByName: project } = await server.ask(
      '{getProjectByName(name: "support") {id spans(first: 1000) {edges {node {id spanId}}}}}',
    );
    const nodes = project.spans.edges.map(({ node }: { node: { id: string; spanId: string } }) => node);
    nodes.sort((a: { spanId: string }, b: { spanId: string }) => (a.spanId < b.spanId ? -1 : 1));
    return { project: project.id, ids: nodes.map((node: { id: string }) => node.id) };
  };
  const add = async (server: TestServer, datasetId: string, body: object) => {
    const { text, status } = await server.call('POST', `/v1/datasets/${datasetId}/spans`, { json: body });
    assert.equal(status, 200, text);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const addNew = async (server: TestServer, sourceId: string) => {
    const { text } = await server.call('POST', `/v1/dataset_sources/${sourceId}/examples`, { json: {} });
    return JSON.parse(text.trim().split('\n').at(-1)!).result?.added_count as number;
  };
  const stateOf = async (server: TestServer, datasetId: string) =>
    (await server.ask(COUNT, { id: datasetId })).node as {
      exampleCount: number;
      sources: { id: string; newMatchCount: number; splitNames: string[]; addedAt: string | null }[];
    };

  test('the preview is what is written, with a mapping, splits and the source span', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(0, 3));
    const { ids } = await spanIds(server);
    const mapping = { input: [{ name: 'q', path: 'input.input' }], output: null, metadata: [] };
    const { previewSpanExamples } = await server.ask(PREVIEW, { input: { spanIds: ids, mapping, datasetId } });
    assert.deepEqual(
      previewSpanExamples.map(({ input, output, metadata, repetition }: never) => ({
        input,
        output,
        metadata,
        repetition,
      })),
      [0, 1, 2].map((index) => ({
        input: { q: `question ${index}` },
        output: { output: 'yes' },
        metadata: {},
        repetition: null,
      })),
    );

    const lines = await add(server, datasetId, { span_ids: ids, mapping, splits: [' hard ', 'new'] });
    assert.deepEqual(lines.at(-1).result.added_count, 3);
    assert.deepEqual(lines.at(-2), { count: 3 });
    const { node } = await server.ask(
      `query ($id: ID!) {node(id: $id) {... on Dataset {versions {edges {node {id}}}
        examples {edges {node {span {id} datasetSplits {name} revision {input output metadata}}}}}}}`,
      { id: datasetId },
    );
    assert.equal(node.versions.edges.length, 1);
    assert.deepEqual(
      node.examples.edges.map((edge: { node: { span: { id: string }; revision: object; datasetSplits: object } }) => [
        edge.node.span.id,
        edge.node.revision,
        edge.node.datasetSplits,
      ]),
      ids.map((spanId, index) => [
        spanId,
        { input: { q: `question ${index}` }, output: { output: 'yes' }, metadata: {} },
        [{ name: 'hard' }, { name: 'new' }],
      ]),
    );
  });

  test('repeated spans and contents are marked, omitted, and included on request', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(10, 4, { input: 'same' }));
    const { ids } = await spanIds(server);
    assert.equal((await add(server, datasetId, { span_ids: [ids[0]] })).at(-1).result.added_count, 1);
    const { previewSpanExamples } = await server.ask(PREVIEW, {
      input: { spanIds: ids, mapping: { metadata: [{ name: 'name', path: 'span.name' }] }, datasetId },
    });
    assert.deepEqual(
      previewSpanExamples.map(({ repetition }: { repetition: string }) => repetition),
      ['SPAN', null, 'CONTENT', 'CONTENT'],
    );
    const mapping = { metadata: [{ name: 'name', path: 'span.name' }] };
    const dry = (await add(server, datasetId, { span_ids: ids, mapping, dry_run: true })).at(-1).result;
    assert.deepEqual(
      [dry.added_count, dry.repeated_span_count, dry.repeated_content_count, dry.version_id],
      [1, 1, 2, null],
    );
    assert.equal((await stateOf(server, datasetId)).exampleCount, 1);
    await add(server, datasetId, { span_ids: ids, mapping });
    assert.equal((await stateOf(server, datasetId)).exampleCount, 2);
    await add(server, datasetId, { span_ids: ids, mapping, keep_repeated: true });
    assert.equal((await stateOf(server, datasetId)).exampleCount, 6);
  });

  test('a batch with an unknown span adds nothing and reports it', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(20, 1));
    const { ids } = await spanIds(server);
    const unknown = Buffer.from('Span:999999').toString('base64');
    const lines = await add(server, datasetId, { span_ids: [...ids, unknown] });
    assert.deepEqual(lines.at(-1), { error: { code: 'SPAN_NOT_FOUND', message: 'Some spans could not be found' } });
    assert.equal((await stateOf(server, datasetId)).exampleCount, 0);
  });

  test('an edited example is stored as it was shown', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(30, 1));
    const { ids } = await spanIds(server);
    const input = {
      datasetId,
      spanId: ids[0],
      input: { a: 1 },
      output: {},
      metadata: { annotations: 'mine' },
      splitNames: [],
    };
    const EDITED =
      'mutation ($input: AddSpanExampleInput!) {addSpanExample(input: $input) {addedCount repeatedSpanCount dataset {exampleCount}}}';
    const { addSpanExample } = await server.ask(EDITED, { input });
    assert.deepEqual(addSpanExample, { addedCount: 1, repeatedSpanCount: 0, dataset: { exampleCount: 1 } });
    const again = await server.ask(EDITED, { input: { ...input, input: { a: 2 } } });
    assert.deepEqual(again.addSpanExample, { addedCount: 0, repeatedSpanCount: 1, dataset: { exampleCount: 1 } });
    const { node } = await server.ask(
      'query ($id: ID!) {node(id: $id) {... on Dataset {examples {edges {node {revision {metadata}}}}}}}',
      { id: datasetId },
    );
    assert.deepEqual(node.examples.edges[0].node.revision.metadata, { annotations: 'mine' });
  });

  test('a source finds each match once, however late it arrives', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(40, 4));
    const { project } = await spanIds(server);
    const source = {
      projectId: project,
      datasetId,
      name: 'answers',
      filter: "name == 'answer'",
      mapping: {},
      splitNames: ['new'],
    };
    const { saveDatasetSource } = await server.ask(SAVE, { input: source });
    assert.deepEqual([saveDatasetSource.newMatchCount, saveDatasetSource.project.name], [2, 'support']);
    assert.equal(await addNew(server, saveDatasetSource.id), 2);
    assert.equal(await addNew(server, saveDatasetSource.id), 0);
    // They start before all that the source has used.
    await server.append(...spans(50, 6));
    assert.equal((await stateOf(server, datasetId)).sources[0]!.newMatchCount, 3);
    // Two at a time: each span is added once.
    const counts = await Promise.all([addNew(server, saveDatasetSource.id), addNew(server, saveDatasetSource.id)]);
    assert.deepEqual(counts.sort(), [0, 3]);
    assert.equal((await stateOf(server, datasetId)).exampleCount, 5);
  });

  test('a source on annotations finds a span that is annotated after its arrival', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(60, 4));
    const { project } = await spanIds(server);
    const filter = "annotations['quality'].label == 'bad'";
    const { saveDatasetSource } = await server.ask(SAVE, {
      input: { projectId: project, datasetId, name: 'bad ones', filter, mapping: {} },
    });
    const annotate = (index: number) =>
      server.call('POST', '/v1/span_annotations?sync=true', {
        json: {
          data: [{ span_id: id(index, 16), name: 'quality', annotator_kind: 'HUMAN', result: { label: 'bad' } }],
        },
      });
    await annotate(62);
    assert.equal(await addNew(server, saveDatasetSource.id), 1);
    await annotate(60);
    assert.equal((await stateOf(server, datasetId)).sources[0]!.newMatchCount, 1);
    assert.equal(await addNew(server, saveDatasetSource.id), 1);
    assert.equal(await addNew(server, saveDatasetSource.id), 0);
  });

  test('a source may begin now, has a name of its own, and is deleted', async () => {
    const { server, datasetId } = await open();
    await server.append(...spans(70, 4));
    const { project } = await spanIds(server);
    const input = { projectId: project, datasetId, name: 'later', filter: '', mapping: {}, isFromNow: true };
    const { saveDatasetSource } = await server.ask(SAVE, { input });
    assert.equal(saveDatasetSource.newMatchCount, 0);
    assert.match((await server.post(SAVE, { input })).errors![0]!, /already has a source named 'later'/);
    assert.match((await server.post(SAVE, { input: { ...input, name: 'x', filter: 'nonsense(' } })).errors![0]!, /./);
    await server.ask('mutation ($id: ID!) {deleteDatasetSource(id: $id) {id}}', { id: saveDatasetSource.id });
    assert.deepEqual((await stateOf(server, datasetId)).sources, []);
  });

  test('the mapping of a project is remembered', async () => {
    const { server } = await open();
    await server.append(...spans(80, 1));
    const { project } = await spanIds(server);
    const REMEMBER =
      'mutation ($input: RememberSpanMappingInput!) {rememberSpanMapping(input: $input) {input {name path}}}';
    const mapping = { input: [{ name: '__proto__', path: 'span.name' }], output: null };
    await server.ask(REMEMBER, { input: { projectId: project, mapping } });
    const { node } = await server.ask(
      'query ($id: ID!) {node(id: $id) {... on Project {spanMapping {input {name path} output {name}}}}}',
      { id: project },
    );
    assert.deepEqual(node.spanMapping, { input: [{ name: '__proto__', path: 'span.name' }], output: null });
    const broken = { input: [{ name: 'a', path: 'x..y' }] };
    assert.match(
      (await server.post(REMEMBER, { input: { projectId: project, mapping: broken } })).errors![0]!,
      /x|\.\./,
    );
  });
});
