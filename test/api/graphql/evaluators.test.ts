import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DATASET_EVALUATOR_COUNT_MAX } from '../../../src/model/limits/datasets.ts';
import { deleteProject } from '../../../src/metadata-store/projects/projects.ts';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { syncBuiltInEvaluators } from '../../../src/domain/evaluators/sync-built-in-evaluators.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { resetCounts } from '../count-calls.ts';
import { BINDING, CONFIG, categorical, continuous, mapping } from './evaluator-fixtures.ts';
import {
  CREATE_BUILT_IN,
  CREATE_LLM,
  DELETE,
  DELETE_EVALUATORS,
  type EvaluatorServer,
  openEvaluatorServer,
  UPDATE_BUILT_IN,
  UPDATE_LLM,
} from './evaluator-server.ts';

describe('GraphQL of evaluators', () => {
  let on: EvaluatorServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    on = await openEvaluatorServer(cleanUp);
  });

  test('those that come with the server are there, with their inputs and outputs, and keep their IDs', async () => {
    const text = `{ builtInEvaluators { id name kind isBuiltin description inputSchema metadata createdAt updatedAt user { id } outputConfigs { ...Config } datasets { edges { node { id } } } datasetEvaluators { id } } } ${CONFIG}`;

    const { builtInEvaluators } = await on.server.ask(text);
    await syncBuiltInEvaluators(on.server.ports);

    assert.deepEqual((await on.server.ask(text)).builtInEvaluators, builtInEvaluators);
    assert.deepEqual(Object.keys(on.builtIns), [
      'contains',
      'exact_match',
      'json_distance',
      'levenshtein_distance',
      'regex',
    ]);
    const [contains] = builtInEvaluators;
    assert.deepEqual(contains.inputSchema.required, ['words', 'text']);
    assert.deepEqual(Object.keys(contains.inputSchema.properties), ['words', 'text', 'case_sensitive', 'require_all']);
    assert.deepEqual([contains.kind, contains.isBuiltin], ['BUILTIN', true]);
    assert.deepEqual([contains.metadata, contains.user, contains.updatedAt], [{}, null, contains.createdAt]);
    const outputs = builtInEvaluators.map((one: { outputConfigs: { __typename: string; name: string }[] }) =>
      one.outputConfigs.map(({ __typename, name }) => `${__typename} ${name}`),
    );
    assert.deepEqual(outputs.flat(), [
      'CategoricalAnnotationConfig contains',
      'CategoricalAnnotationConfig exact_match',
      'ContinuousAnnotationConfig json_distance',
      'ContinuousAnnotationConfig levenshtein_distance',
      'CategoricalAnnotationConfig regex',
    ]);
    assert.deepEqual(contains.outputConfigs[0].values, [
      { label: 'true', score: 1 },
      { label: 'false', score: 0 },
    ]);
    assert.deepEqual(await on.node(contains.id, 'BuiltInEvaluator', 'name kind'), {
      name: 'contains',
      kind: 'BUILTIN',
    });
  });

  test('one that the server no longer has goes, with its bindings and their projects', async () => {
    await query(
      on.url,
      `with e as (insert into evaluators (name, kind) values ('former', 'BUILTIN') returning id)
      insert into builtin_evaluators (id, key, input_schema, output_configs) select id, 'former', '{}', '[]' from e`,
    );
    const { builtInEvaluators } = await on.server.ask('{ builtInEvaluators { id name } }');
    const former = builtInEvaluators.find(({ name }: { name: string }) => name === 'former');
    const datasetId = await on.newDataset();
    const bound = await on.server.ask(CREATE_BUILT_IN, { input: { datasetId, evaluatorId: former.id, name: 'old' } });
    const { project } = bound.createDatasetBuiltinEvaluator.evaluator;

    await syncBuiltInEvaluators(on.server.ports);

    assert.deepEqual(await on.bindingsOf(datasetId), []);
    assert.equal((await on.server.ask('{ builtInEvaluators { id } }')).builtInEvaluators.length, 5);
    const { getProjectByName } = await on.server.ask(`{ getProjectByName(name: "${project.name}") { id } }`);
    assert.equal(getProjectByName, null);
  });

  test('a built-in one is bound under a name, with a mapping of any keys, and shows what it does not override', async () => {
    const datasetId = await on.newDataset();
    const odd = JSON.parse(
      '{"__proto__": "$.input", "constructor": "input[\'ü \\ud83d\\ude00\'][-1]", "text": "output"}',
    );
    const literals = JSON.parse('{"__proto__": {"a": 1}, "words": "ä, b", "Ünïcode": [1, null]}');

    const bound = await on.bindBuiltIn(datasetId, { inputMapping: mapping(odd, literals) });

    assert.equal(JSON.stringify(bound.inputMapping.pathMapping), JSON.stringify(odd));
    assert.equal(JSON.stringify(bound.inputMapping.literalMapping), JSON.stringify(literals));
    assert.deepEqual(
      [bound.name, bound.user, bound.dataset.id, bound.evaluator.id, bound.description],
      ['bound', null, datasetId, on.builtIns.contains, bound.evaluator.description],
    );
    assert.deepEqual(
      bound.outputConfigs.map(({ name }: { name: string }) => name),
      ['contains'],
    );
    assert.equal(bound.inputMapping.pathMapping.text, 'output');
    assert.equal((await on.node(datasetId, 'Dataset', 'evaluatorCount')).evaluatorCount, 1);

    const overridden = await on.server.ask(UPDATE_BUILT_IN, {
      input: {
        datasetEvaluatorId: bound.id,
        name: 'renamed',
        description: ' mine ',
        outputConfigs: [categorical('own')],
      },
    });
    const { evaluator } = overridden.updateDatasetBuiltinEvaluator;
    assert.deepEqual(
      [evaluator.name, evaluator.description, evaluator.outputConfigs[0].name],
      ['renamed', 'mine', 'own'],
    );
    assert.deepEqual(evaluator.inputMapping, bound.inputMapping);
    const reset = {
      datasetEvaluatorId: bound.id,
      name: 'renamed',
      description: null,
      outputConfigs: null,
      inputMapping: mapping({}),
    };
    const after = (await on.server.ask(UPDATE_BUILT_IN, { input: reset })).updateDatasetBuiltinEvaluator.evaluator;
    assert.deepEqual([after.description, after.outputConfigs], [bound.description, bound.outputConfigs]);
    assert.deepEqual(after.inputMapping, { pathMapping: {}, literalMapping: {} });
  });

  test('an invalid binding of a built-in evaluator is rejected with an error that names the problem', async () => {
    const datasetId = await on.newDataset();
    const bound = await on.bindBuiltIn(datasetId);
    const other = await on.bindLlm(datasetId);
    const good = { datasetId, evaluatorId: on.builtIns.contains, name: 'fine' };
    const path = (text: unknown) => ({ ...good, inputMapping: mapping({ text }) });
    const CASES: [object, RegExp][] = [
      [
        { ...good, name: 'bound' },
        new RegExp(`^DatasetEvaluator with name bound already exists for dataset ${datasetId}$`),
      ],
      [{ ...good, name: 'Not An Identifier' }, /Identifier/],
      [{ ...good, datasetId: toGlobalId('Dataset', 999_999) }, /^Unknown dataset/],
      [{ ...good, evaluatorId: toGlobalId('BuiltInEvaluator', 999_999) }, /^BuiltInEvaluator with ID .* not found$/],
      [
        { ...good, evaluatorId: other.evaluator.id },
        /must correspond to a node of type BuiltInEvaluator.*: LLMEvaluator$/,
      ],
      [
        { ...good, outputConfigs: [continuous('c')] },
        /accepts only categorical output configs, but 'c' is continuous$/,
      ],
      [
        { ...good, outputConfigs: [categorical('c', ['a', 'b', 'c'])] },
        /'c' needs two labels, for yes and for no, received 3$/,
      ],
      [{ ...good, outputConfigs: [categorical('c'), categorical('c')] }, /must differ, but 'c' occurs twice$/],
      [{ ...good, outputConfigs: [categorical('c', [])] }, /^Values must be non-empty$/],
      [{ ...good, inputMapping: { pathMapping: [], literalMapping: {} } }, /^pathMapping must be a JSON object$/],
      [{ ...good, inputMapping: { pathMapping: {}, literalMapping: 'x' } }, /^literalMapping must be a JSON object$/],
      [path(7), /^The path of the input 'text' must be a string, received a number$/],
      [path(''), /it is empty$/],
      [path('$..a'), /it has "\.\."/],
      [path('$[?(@.a > 1)]'), /it has a filter/],
      [path("$['a','b']"), /several choices/],
      [path('@.a'), /received "@\.a"$/],
      [path('a.1b'), /expected a letter or _ after the dot, received "\.1b"$/],
      [path('a.*'), /a letter or _ after the dot/],
      [path('a['), /received "\["$/],
      [path('a[0'), /received "\[0"$/],
      [path('a b'), /at character 2: .* received " b"$/],
      [path('a[::0]'), /a slice of step 0/],
      [path('a'.repeat(1_001)), /it has 1001 characters; the maximum is 1000$/],
    ];

    for (const [input, expected] of CASES) assert.match(await on.refusal(CREATE_BUILT_IN, input), expected);
    assert.equal(
      await on.refusal(UPDATE_BUILT_IN, { datasetEvaluatorId: other.id, name: 'x' }),
      'Cannot update a non-built-in evaluator',
    );
    assert.match(
      await on.refusal(UPDATE_BUILT_IN, { datasetEvaluatorId: bound.id, name: 'judge' }),
      /^DatasetEvaluator with name judge already/,
    );
    const unknown = { datasetEvaluatorId: toGlobalId('DatasetEvaluator', 999_999), name: 'x' };
    assert.match(await on.refusal(UPDATE_BUILT_IN, unknown), /^DatasetEvaluator with ID .* not found$/);
    assert.deepEqual(await on.bindingsOf(datasetId), ['bound', 'judge']);
  });

  test('paths of every kind are taken', async () => {
    const datasetId = await on.newDataset();
    const paths = [
      '$',
      'input',
      '$.input.a_1',
      '$[\'any name\']["x"]',
      '$[0][-1]',
      'a[*].b',
      'a[1:3]',
      'a[:-1:2]',
      '[0]',
      '.a',
      '_x.ü-y',
    ];

    const bound = await on.bindBuiltIn(datasetId, {
      inputMapping: mapping(Object.fromEntries(paths.map((path) => [path, path]))),
    });

    assert.deepEqual(Object.values(bound.inputMapping.pathMapping), paths);
  });

  test('a mapping makes the variables of a template', async () => {
    const apply = (text: string, variables: object, inputMapping?: object) =>
      on.server.post(
        `query ($template: PromptChatTemplateInput!, $options: PromptTemplateOptions!, $mapping: EvaluatorInputMappingInput) {
          applyChatTemplate(template: $template, templateOptions: $options, inputMapping: $mapping) { messages { content { ... on TextContentPart { text { text } } } } } }`,
        {
          template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
          options: { variables, format: 'F_STRING' },
          mapping: inputMapping,
        },
      );
    const context = { input: { list: [{ a: 1 }, { a: 2 }, { a: 3 }] }, output: 'kept' };
    const paths = {
      first: 'input.list[0].a',
      last: '$.input.list[-1:].a',
      all: 'input.list[*].a',
      back: 'input.list[::-2].a',
      text: 'output',
    };

    const { data } = await apply(
      '{first} {last} {all} {back} {text} {output}',
      context,
      mapping(paths, { text: 'literal' }),
    );

    assert.equal(data.applyChatTemplate.messages[0].content[0].text.text, '1 3 [1,2,3] [3,1] literal kept');
    const nowhere = await apply('{x}', context, mapping({ x: 'input.none' }));
    assert.deepEqual(nowhere.errors, ["The path input.none of the input 'x' does not lead to a value"]);
  });

  test('its project is hidden, and stays while it is bound', async () => {
    const datasetId = await on.newDataset();
    const { id, project } = await on.bindBuiltIn(datasetId);
    const DELETE_PROJECT = 'mutation ($id: ID!) { deleteProject(id: $id) { projectCount } }';

    const { errors } = await on.server.post(DELETE_PROJECT, { id: project.id });

    assert.match(errors![0]!, /cannot be deleted while it stores the traces of the evaluator 'bound' of the dataset/);
    assert.equal((await on.node(project.id, 'Project', 'name')).name, project.name);
    assert.equal((await on.projectNames()).includes(project.name), false);
    assert.deepEqual(await on.server.ask(`{ searchResources(query: "${project.name}") { __typename } }`), {
      searchResources: [],
    });
    const { defaultProjectTraceRetentionPolicy: policy } = await on.server.ask(
      '{ defaultProjectTraceRetentionPolicy { projects { edges { node { name } } } } }',
    );
    const underPolicy = policy.projects.edges.map((edge: { node: { name: string } }) => edge.node.name);
    assert.equal(underPolicy.includes('default'), true);
    assert.equal(underPolicy.includes(project.name), false);
    // After a restore the journal may bring a deletion of which Postgres knows nothing.
    const rowId = Number(Buffer.from(project.id, 'base64').toString().split(':')[1]);
    await deleteProject(on.db, { rowId, name: project.name }, 1);
    assert.equal((await on.node(project.id, 'Project', 'name')).name, project.name);
    await on.server.ask(DELETE, { input: { datasetEvaluatorIds: [id] } });
    assert.equal((await on.server.ask(`{ getProjectByName(name: "${project.name}") { id } }`)).getProjectByName, null);
  });

  test('bindings are deleted all or none, in any order, and built-in evaluators stay', async () => {
    const [one, two] = [await on.newDataset(), await on.newDataset()];
    const bound = [await on.bindBuiltIn(one), await on.bindBuiltIn(two), await on.bindLlm(one), await on.bindLlm(two)];
    const unknown = toGlobalId('DatasetEvaluator', 999_999);

    assert.equal(
      await on.refusal(DELETE, { datasetEvaluatorIds: [bound[0].id, unknown] }),
      `DatasetEvaluator with ID ${unknown} not found`,
    );
    assert.equal((await on.bindingsOf(one)).length, 2);
    const ids = [bound[3].id, bound[0].id, bound[3].id];
    assert.deepEqual(
      (await on.server.ask(DELETE, { input: { datasetEvaluatorIds: ids } })).deleteDatasetEvaluators
        .datasetEvaluatorIds,
      ids,
    );
    assert.deepEqual([await on.bindingsOf(one), await on.bindingsOf(two)], [['judge'], ['bound']]);
    assert.equal(
      await on.refusal(DELETE_EVALUATORS, { evaluatorIds: [on.builtIns.regex] }),
      'Cannot delete a built-in evaluator',
    );
    assert.match(
      await on.refusal(DELETE_EVALUATORS, { evaluatorIds: [bound[2].evaluator.id, bound[3].evaluator.id] }),
      /^LLMEvaluator with ID .* not found$/,
    );
    await on.server.ask(DELETE_EVALUATORS, { input: { evaluatorIds: [bound[2].evaluator.id] } });
    assert.deepEqual(await on.bindingsOf(one), []);
    assert.equal((await on.node(bound[2].evaluator.prompt.id, 'Prompt', 'versionCount')).versionCount, 1);
    assert.equal((await on.server.ask('{ builtInEvaluators { id } }')).builtInEvaluators.length, 5);
  });

  test('lists are sorted and filtered, and read what they show at once', async () => {
    const datasetIds = [await on.newDataset(), await on.newDataset()];
    for (const datasetId of datasetIds) {
      await on.bindBuiltIn(datasetId, { name: 'listed-b' });
      await on.bindLlm(datasetId, { name: 'listed-a' });
      await on.bindBuiltIn(datasetId, { name: 'listed-c', key: 'regex' });
    }
    const [datasetId] = datasetIds as [string];

    assert.deepEqual(await on.bindingsOf(datasetId), ['listed-a', 'listed-b', 'listed-c']);
    assert.deepEqual(await on.bindingsOf(datasetId, '(sort: { col: name, dir: desc }, first: 2)'), [
      'listed-c',
      'listed-b',
    ]);
    assert.deepEqual(await on.bindingsOf(datasetId, '(sort: { col: createdAt, dir: asc })'), [
      'listed-b',
      'listed-a',
      'listed-c',
    ]);
    assert.deepEqual(await on.bindingsOf(datasetId, '(sort: { col: kind, dir: desc })'), [
      'listed-a',
      'listed-c',
      'listed-b',
    ]);
    assert.deepEqual(await on.bindingsOf(datasetId, '(filter: { col: name, value: "ED-B" })'), ['listed-b']);
    const evaluators = async (args: string) =>
      (
        await on.server.ask(`{ evaluators${args} { edges { node { name kind datasets { edges { node { id } } } } } } }`)
      ).evaluators.edges.map((edge: { node: { name: string } }) => edge.node.name);
    const found = await evaluators('(filter: { col: name, value: "LISTED" })');
    assert.deepEqual([found.length, found[0], found[1]], [4, 'contains', 'listed-a']);
    assert.deepEqual(
      found.toReversed(),
      await evaluators('(filter: { col: name, value: "listed" }, sort: { col: name, dir: desc })'),
    );
    assert.equal((await evaluators('')).includes('levenshtein_distance'), false);
    const all = await on.server.ask(
      '{ evaluatorCount evaluators(first: 1000, sort: { col: updatedAt, dir: desc }) { edges { cursor } } }',
    );
    assert.equal(all.evaluators.edges.length, all.evaluatorCount);

    resetCounts(on.asked);
    await on.server.ask(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Dataset { evaluatorCount datasetEvaluators { edges { node { ${BINDING} } } } } } } ${CONFIG}`,
      { ids: datasetIds },
    );
    assert.deepEqual(on.asked, { countOfDatasets: 1, findOfDatasets: 1, findLlm: 1, findBuiltIn: 1 });
    const own = (await on.node(datasetId, 'Dataset', 'datasetEvaluators { edges { node { id } } }')).datasetEvaluators
      .edges[0].node.id;
    const READ =
      'query ($id: ID!, $own: ID!) { node(id: $id) { ... on Dataset { datasetEvaluator(datasetEvaluatorId: $own) { name } } } }';
    assert.equal((await on.server.ask(READ, { id: datasetId, own })).node.datasetEvaluator.name, 'listed-a');
    assert.match(
      (await on.server.post(READ, { id: datasetIds[1], own })).errors![0]!,
      /^DatasetEvaluator with ID .* not found$/,
    );
  });

  test('an experiment that the server evaluates knows its evaluators by name', async () => {
    const { createDataset, createExperiment } = on.fixtures;
    const dataset = await createDataset(1);
    const datasetId = toGlobalId('Dataset', dataset.rowId);
    const experiment = await createExperiment(dataset, 'evaluated');
    await on.bindBuiltIn(datasetId, { name: 'z' });
    await on.bindBuiltIn(datasetId, { name: 'a' });
    await query(
      on.url,
      `insert into experiment_dataset_evaluators select ${experiment}, id from dataset_evaluators where dataset_id = ${dataset.rowId}`,
    );

    const found = (await on.server.domain.evaluators.findOfExperiments([experiment])).get(experiment)!;

    const bound = await on.server.domain.evaluators.findBound(found);
    assert.deepEqual(
      found.map((rowId) => bound.get(rowId)?.name),
      ['a', 'z'],
    );
  });

  test('nothing grows while storage is locked, nor beyond the limit of a dataset', async () => {
    const datasetId = await on.newDataset();
    const { id } = await on.bindBuiltIn(datasetId);
    on.setLocked(true);
    try {
      for (const [text, input] of [
        [CREATE_BUILT_IN, { datasetId, evaluatorId: on.builtIns.contains, name: 'locked' }],
        [UPDATE_BUILT_IN, { datasetEvaluatorId: id, name: 'locked' }],
        [CREATE_LLM, on.llmInput(datasetId)],
        [UPDATE_LLM, { ...on.llmInput(datasetId), datasetEvaluatorId: id }],
      ] as const)
        assert.equal(await on.refusal(text, input), 'The storage is full');
      // A deletion frees storage.
      await on.server.ask(DELETE_EVALUATORS, { input: { evaluatorIds: [] } });
    } finally {
      on.setLocked(false);
    }
    await query(
      on.url,
      `insert into dataset_evaluators (dataset_id, evaluator_id, name, input_mapping, project_id)
      select dataset_id, evaluator_id, 'n' || n, input_mapping, project_id
      from dataset_evaluators, generate_series(2, ${DATASET_EVALUATOR_COUNT_MAX}) n where name = 'bound' and dataset_id = ${Buffer.from(datasetId, 'base64').toString().split(':')[1]}`,
    );
    const refused = await on.refusal(CREATE_BUILT_IN, { datasetId, evaluatorId: on.builtIns.contains, name: 'more' });
    assert.equal(refused, `The dataset already has ${DATASET_EVALUATOR_COUNT_MAX} evaluators, the maximum`);
  });
});
