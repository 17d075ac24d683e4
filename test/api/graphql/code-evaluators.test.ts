import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { loadRunnable } from '../../../src/domain/evaluators/run/load-runnable.ts';
import { runEvaluator } from '../../../src/domain/evaluators/run/run-evaluator.ts';
import { rowIdOf, toGlobalId } from '../../../src/api/contract/global-id.ts';
import { BINDING, CONFIG, categorical, continuous, mapping } from './evaluator-fixtures.ts';
import { DELETE, DELETE_EVALUATORS, type EvaluatorServer, openEvaluatorServer } from './evaluator-server.ts';

const FIELDS = `id name description kind isBuiltin language sourceCode versionCount inputSchema
  inputMapping { literalMapping pathMapping } outputConfigs { ...Config }
  sandboxConfig { id name language timeout enabled provider { backendType } }
  metadata createdAt updatedAt user { id }
  currentVersion { id sourceCode sequenceNumber inputSchema createdAt user { id } previousVersion { sequenceNumber } }
  versions(first: 1) { edges { node { id sequenceNumber } } pageInfo { hasNextPage endCursor } }
  datasets { edges { node { id } } } datasetEvaluators { id }`;
const mutation = (name: string, type: string, fields = `evaluator { ${FIELDS} } query { evaluatorCount }`) =>
  `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } } ${CONFIG}`;
const CREATE = mutation('createCodeEvaluator', 'CreateCodeEvaluatorInput');
const PATCH = mutation('patchCodeEvaluator', 'PatchCodeEvaluatorInput');
const VERSION = mutation(
  'createCodeEvaluatorVersion',
  'CreateCodeEvaluatorVersionInput',
  `wasCreated evaluator { ${FIELDS} }`,
);
const BIND = mutation('createDatasetCodeEvaluator', 'CreateDatasetCodeEvaluatorInput', `evaluator { ${BINDING} }`);
const REBIND = mutation('updateDatasetCodeEvaluator', 'UpdateDatasetCodeEvaluatorInput', `evaluator { ${BINDING} }`);
const PREVIEW = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results {
  evaluatorName error annotation { label score explanation annotatorKind metadata } trace { id } } } }`;

const SOURCE = `def evaluate(output: str, reference: dict = None):
    print("seen", output)
    return {"label": "good" if output == "yes" else "bad", "explanation": "compared"}
`;

describe('GraphQL of code evaluators', () => {
  let on: EvaluatorServer;
  let configs: Record<string, string>;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    on = await openEvaluatorServer(cleanUp);
    const { sandboxProviders } = await on.server.ask('{ sandboxProviders { configs { id name } } }');
    configs = Object.fromEntries(
      sandboxProviders.flatMap((one: { configs: { id: string; name: string }[] }) =>
        one.configs.map(({ id, name }) => [name, id]),
      ),
    );
  });

  const codeInput = (over: object = {}) => ({
    name: 'compare',
    description: 'compares',
    language: 'PYTHON',
    sourceCode: SOURCE,
    sandboxConfigId: configs.python,
    outputConfigs: [categorical('quality')],
    inputMapping: mapping({ output: '$.output' }),
    ...over,
  });
  const create = async (over: object) =>
    (await on.server.ask(CREATE, { input: codeInput(over) })).createCodeEvaluator.evaluator;
  const errorOf = async (query: string, input: object): Promise<string> => {
    const [error] = (await on.server.post(query, { input })).errors ?? [];
    return `${error}`;
  };

  test('one is created with its inferred inputs, listed, patched and deleted', async () => {
    const created = await create({ name: 'first' });
    const { currentVersion, versions, ...rest } = created;
    assert.deepEqual([rest.metadata, rest.user, currentVersion.user, rest.updatedAt], [{}, null, null, rest.createdAt]);
    assert.ok(Date.parse(currentVersion.createdAt) >= Date.parse(rest.createdAt));
    assert.deepEqual([rest.kind, rest.isBuiltin, rest.language, rest.sourceCode], ['CODE', false, 'PYTHON', SOURCE]);
    assert.deepEqual(rest.inputSchema, {
      type: 'object',
      properties: { output: { type: 'string' }, reference: { type: 'object', default: null } },
      required: ['output'],
      additionalProperties: false,
    });
    assert.deepEqual(rest.sandboxConfig, {
      ...{ id: configs.python, name: 'python', language: 'PYTHON', timeout: 30, enabled: true },
      provider: { backendType: 'WASM' },
    });
    assert.deepEqual([currentVersion.sequenceNumber, currentVersion.previousVersion], [1, null]);
    assert.equal(versions.edges[0].node.id, currentVersion.id);
    const { evaluators } = await on.server.ask(
      '{ evaluators(filter: { col: name, value: "first" }) { edges { node { name kind } } } }',
    );
    assert.deepEqual(evaluators.edges, [{ node: { name: 'first', kind: 'CODE' } }]);

    const patch = { id: created.id, name: 'renamed', description: null, outputConfigs: [continuous('share')] };
    const patched = (await on.server.ask(PATCH, { input: patch })).patchCodeEvaluator.evaluator;
    assert.deepEqual([patched.name, patched.description, patched.outputConfigs[0].name], ['renamed', null, 'share']);
    assert.deepEqual(patched.inputMapping, created.inputMapping);
    assert.equal(patched.versionCount, 1);
    const moved = { id: created.id, sandboxConfigId: configs.python, inputMapping: mapping({ output: '$.input' }) };
    const { query, evaluator } = (await on.server.ask(PATCH, { input: moved })).patchCodeEvaluator;
    assert.deepEqual([evaluator.inputMapping.pathMapping, evaluator.name], [{ output: '$.input' }, 'renamed']);
    assert.ok(query.evaluatorCount > 0);
    assert.match(await errorOf(PATCH, { id: created.id, sandboxConfigId: configs.typescript }), /is for TYPESCRIPT/);
    assert.match(
      await errorOf(PATCH, { id: created.id, inputMapping: mapping({ output: '$..a' }) }),
      /The path of the/,
    );

    await on.server.ask(DELETE_EVALUATORS, { input: { evaluatorIds: [created.id] } });
    assert.match(await errorOf(PATCH, { id: created.id, name: 'gone' }), /CodeEvaluator with ID/);
    assert.match(await errorOf(DELETE_EVALUATORS, { evaluatorIds: [created.id] }), /not found/);
  });

  test('a version is added when the source changes, and can be read', async () => {
    const { id } = await create({ name: 'versioned' });
    const add = async (sourceCode: string) =>
      (await on.server.ask(VERSION, { input: { codeEvaluatorId: id, sourceCode } })).createCodeEvaluatorVersion;

    assert.equal((await add(SOURCE)).wasCreated, false);
    const { wasCreated, evaluator } = await add('def evaluate(a: int): return a');

    assert.equal(wasCreated, true);
    assert.deepEqual([evaluator.versionCount, evaluator.currentVersion.sequenceNumber], [2, 2]);
    assert.deepEqual(evaluator.currentVersion.previousVersion, { sequenceNumber: 1 });
    assert.equal(evaluator.versions.pageInfo.hasNextPage, true);
    const versionId = evaluator.currentVersion.id;
    assert.equal(
      (await on.node(versionId, 'CodeEvaluatorVersion', 'sourceCode')).sourceCode,
      'def evaluate(a: int): return a',
    );
    const other = await create({ name: 'other-versions' });
    const read = await on.node(other.id, 'CodeEvaluator', `version(versionId: "${versionId}") { id }`);
    assert.equal(read.version, null);
    assert.match(await errorOf(VERSION, { codeEvaluatorId: id, sourceCode: 'x = 1' }), /The source must define/);
    assert.match(
      await errorOf(VERSION, { codeEvaluatorId: toGlobalId('CodeEvaluator', 999), sourceCode: SOURCE }),
      /not found/,
    );
  });

  test('the inputs of a source are read before it is stored', async () => {
    const query = `query ($language: Language!, $sourceCode: String!) {
      codeEvaluatorInputs(language: $language, sourceCode: $sourceCode) { inputSchema problem } }`;
    const read = async (language: string, sourceCode: string) =>
      (await on.server.ask(query, { language, sourceCode })).codeEvaluatorInputs;

    const python = await read('PYTHON', 'raise Exception()\ndef evaluate(output: str, n: int = 2): ...');
    assert.deepEqual([python.problem, python.inputSchema.required], [null, ['output']]);
    assert.deepEqual(Object.keys(python.inputSchema.properties), ['output', 'n']);
    const typescript = await read('TYPESCRIPT', 'export function evaluate({ a, b }: { a: string; b?: number }) {}');
    assert.deepEqual(typescript.inputSchema.required, ['a']);
    const broken = await read('PYTHON', 'x = 1');
    assert.equal(broken.inputSchema, null);
    assert.match(broken.problem, /must define a function evaluate/);
    assert.match((await read('PYTHON', 'x'.repeat(50_001))).problem, /The source has 50001 characters/);
  });

  test('invalid ones are rejected', async () => {
    await create({ name: 'taken' });
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ name: 'taken' }, /Evaluator with name 'taken' already exists$/],
      [{ name: 'contains' }, /already exists/],
      [{ name: 'Not An Identifier' }, /Identifier/i],
      [{ sourceCode: '' }, /The source must define a function evaluate/],
      [{ sourceCode: `# ${'x'.repeat(50_000)}` }, /The source has 50002 characters/],
      [{ sandboxConfigId: configs.typescript }, /Sandbox config 'typescript' is for TYPESCRIPT/],
      [{ sandboxConfigId: toGlobalId('SandboxConfig', 999) }, /SandboxConfig with ID U2Fu/],
      [{ sandboxConfigId: 'nonsense' }, /node/i],
      [{ outputConfigs: [categorical('a'), categorical('a')] }, /The names of output configs must differ/],
      [{ inputMapping: { literalMapping: {}, pathMapping: { output: '$..a' } } }, /The path of the input/],
    ];
    for (const [over, expected] of cases) {
      assert.match(await errorOf(CREATE, codeInput({ name: 'invalid', ...over })), expected);
    }
  });

  test('one is bound to datasets with its own or other outputs, runs with a trace, and stays when it is unbound', async () => {
    const { id } = await create({ name: 'bound' });
    const dataset = await on.fixtures.createDataset(1);
    const datasetId = toGlobalId('Dataset', dataset.rowId);
    const bound = (await on.server.ask(BIND, { input: { datasetId, evaluatorId: id, name: 'local' } }))
      .createDatasetCodeEvaluator.evaluator;
    assert.deepEqual([bound.name, bound.evaluator.id], ['local', id]);
    assert.deepEqual(bound.inputMapping.pathMapping, { output: '$.output' });
    assert.match(await errorOf(BIND, { datasetId, evaluatorId: id, name: 'local' }), /already exists/);
    assert.match(await errorOf(BIND, { datasetId, evaluatorId: on.builtIns.contains, name: 'x' }), /CodeEvaluator/);

    const rowId = rowIdOf('DatasetEvaluator', bound.id) ?? 0;
    const runnable = await loadRunnable(on.server.ports, rowId);
    const { evaluations } = await runEvaluator(
      on.server.ports,
      runnable,
      { input: null, output: 'yes', reference: null, metadata: null },
      { signal: new AbortController().signal, credentials: {}, projectName: runnable.projectName },
    );
    assert.deepEqual(
      evaluations.map(({ name, label, explanation, error, annotatorKind }) => [
        name,
        label,
        explanation,
        error,
        annotatorKind,
      ]),
      [['quality', 'good', 'compared', null, 'CODE']],
    );
    await on.server.settled();
    const { node } = await on.server.ask(
      'query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator { project { spans(first: 10) { edges { node { name spanKind statusCode output { value } } } } } } } }',
      { id: bound.id },
    );
    const spans = node.project.spans.edges.map(
      ({ node: span }: { node: { name: string; spanKind: string } }) => `${span.name} ${span.spanKind}`,
    );
    assert.deepEqual(spans.sort(), [
      'Evaluator: bound evaluator',
      'Input Mapping chain',
      'Parse Eval Result chain',
      'Sandbox: python tool',
    ]);

    const changes = {
      ...{ datasetEvaluatorId: bound.id, name: 'again', description: 'other', outputConfigs: [continuous('share')] },
      inputMapping: mapping({ output: '$.input' }),
    };
    const changed = (await on.server.ask(REBIND, { input: changes })).updateDatasetCodeEvaluator.evaluator;
    assert.deepEqual(
      [changed.name, changed.description, changed.outputConfigs[0].name, changed.inputMapping.pathMapping],
      ['again', 'other', 'share', { output: '$.input' }],
    );
    const twice = { outputConfigs: [continuous('share'), continuous('share')] };
    assert.match(await errorOf(REBIND, { ...changes, ...twice }), /names of output configs must differ/i);
    const own = { name: 'own', description: 'of its own', outputConfigs: [continuous('own')] };
    const second = (await on.server.ask(BIND, { input: { datasetId, evaluatorId: id, ...own } }))
      .createDatasetCodeEvaluator.evaluator;
    assert.deepEqual([second.description, second.outputConfigs[0].name], ['of its own', 'own']);
    await on.server.ask(DELETE, { input: { datasetEvaluatorIds: [second.id], deleteAssociatedPrompt: false } });
    const builtIn = await on.server.ask(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) { createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
      { input: { datasetId, evaluatorId: on.builtIns.contains, name: 'built-in' } },
    );
    const builtInBinding = builtIn.createDatasetBuiltinEvaluator.evaluator.id;
    assert.match(
      await errorOf(REBIND, { datasetEvaluatorId: builtInBinding, name: 'x' }),
      /Cannot update a non-code evaluator/,
    );

    await on.server.ask(DELETE, { input: { datasetEvaluatorIds: [bound.id] } });
    assert.equal((await on.node(id, 'CodeEvaluator', 'name')).name, 'bound');
  });

  test('previews run stored and inline code, and report failures', async () => {
    const { id } = await create({ name: 'previewed' });
    const inline = (sourceCode: string, over: object = {}) => ({
      inlineCodeEvaluator: { name: 'inline', language: 'TYPESCRIPT', sourceCode, outputConfigs: [], ...over },
    });
    const preview = (evaluator: object, context: object = { output: 'yes' }) => ({
      ...{ evaluator, context },
      inputMapping: { literalMapping: {}, pathMapping: {} },
    });
    const previews = [
      preview({ codeEvaluatorId: id }),
      preview({ codeEvaluatorId: id }, {}),
      preview(inline('function evaluate({ output }: { output: string }) { return output + "!" }')),
      preview(inline('function evaluate() { while (true); }', { sandboxConfigId: await slow() })),
      preview(inline('function evaluate() { throw new Error("broken") }')),
      preview(inline('function evaluate() { return { label: "x", other: 1 } }')),
    ];
    const { results } = (await on.server.ask(PREVIEW, { input: { previews } })).evaluatorPreviews;
    assert.deepEqual(
      results.map((one: { evaluatorName: string; error: string | null; annotation: { label: string } | null }) => [
        one.evaluatorName,
        one.error ?? one.annotation?.label,
      ]),
      [
        ['quality', 'good'],
        ['quality', "Input validation failed: 'output' is a required property"],
        ['inline', 'yes!'],
        ['inline', 'timeout'],
        ['inline', 'Error: broken (line 1)'],
        ['inline', "evaluate returned the unknown key 'other'; only label, score and explanation are read"],
      ],
    );
    assert.equal(results[0].annotation.metadata.printed, 'seen yes\n');
    assert.match(await errorOf(PREVIEW, { previews: [preview(inline('1'))] }), /The source must define/);
    assert.match(
      await errorOf(PREVIEW, { previews: [preview({ codeEvaluatorId: toGlobalId('CodeEvaluator', 999) })] }),
      /not found/,
    );
  });

  /** A sandbox config with a limit of a second. */
  async function slow(): Promise<string> {
    const text = `mutation { createSandboxConfig(input: { name: "second", timeout: 1, config: { wasm: { language: TYPESCRIPT } } }) { sandboxConfig { id } } }`;
    return (await on.server.ask(text)).createSandboxConfig.sandboxConfig.id;
  }
});
