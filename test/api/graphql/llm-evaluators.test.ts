import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { categorical, continuous, mapping, promptOf, toolOf } from './evaluator-fixtures.ts';
import {
  CREATE_BUILT_IN,
  CREATE_LLM,
  DELETE,
  DELETE_PROMPT,
  type EvaluatorServer,
  openEvaluatorServer,
  UPDATE_LLM,
} from './evaluator-server.ts';

describe('GraphQL of LLM evaluators', () => {
  let on: EvaluatorServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    on = await openEvaluatorServer(cleanUp);
  });

  test('an LLM evaluator is made with a prompt of its own, tagged and labelled', async () => {
    const bound = await on.bindLlm(await on.newDataset(), {
      name: 'made-whole',
      outputConfigs: [categorical('quality')],
    });

    const { evaluator } = bound;
    assert.deepEqual(
      [evaluator.__typename, evaluator.name, evaluator.kind, evaluator.isBuiltin, evaluator.inputSchema],
      ['LLMEvaluator', 'made-whole', 'LLM', false, null],
    );
    assert.deepEqual([evaluator.prompt.name, evaluator.promptVersionTag.name], ['made-whole', 'made-whole']);
    assert.deepEqual(evaluator.prompt.labels, [{ name: 'evaluator' }]);
    assert.equal(evaluator.prompt.versionCount, 1);
    assert.deepEqual([bound.description, bound.outputConfigs], ['how good it is', evaluator.outputConfigs]);
    assert.deepEqual(await on.node(evaluator.id, 'LLMEvaluator', 'name'), { name: 'made-whole' });
    const asBuiltIn = await on.server.post(
      `{ node(id: "${toGlobalId('BuiltInEvaluator', Number(Buffer.from(evaluator.id, 'base64').toString().split(':')[1]))}") { ... on BuiltInEvaluator { name } } }`,
    );
    assert.match(asBuiltIn.errors![0]!, /not found$/);
    const again = await on.bindLlm(await on.newDataset(), { name: 'made-whole' });
    assert.match(again.evaluator.name, /^made-whole-[0-9a-f]{8}$/);
    assert.match(again.evaluator.prompt.name, /^made-whole-[0-9a-f]{8}$/);
  });

  test('an LLM evaluator without an input mapping takes its inputs by their names', async () => {
    for (const inputMapping of [null, undefined]) {
      const { evaluator, inputMapping: stored } = await on.bindLlm(await on.newDataset(), { inputMapping });

      assert.equal(evaluator.kind, 'LLM');
      assert.deepEqual(stored, { pathMapping: {}, literalMapping: {} });
    }
  });

  test('each rule of its prompt is told when it is broken', async () => {
    const datasetId = await on.newDataset();
    const tools = (over: object) => ({
      promptVersion: promptOf({ tools: { tools: [toolOf('quality')], toolChoice: { oneOrMore: true }, ...over } }),
    });
    const tool = (one: object) => tools({ tools: [one] });
    const properties = (label: object, others: object = {}) =>
      tool(
        toolOf('quality', [], {
          parameters: { type: 'object', properties: { label, ...others }, required: ['label'] },
        }),
      );
    const LABEL = { type: 'string', enum: ['good', 'bad'], description: 'quality' };
    const CASES: [object, RegExp][] = [
      [{ outputConfigs: [] }, /needs at least one output config$/],
      [
        { outputConfigs: [continuous('quality')] },
        /accepts only categorical output configs, but 'quality' is continuous$/,
      ],
      [{ outputConfigs: [categorical('a'), categorical('a')] }, /'a' occurs twice$/],
      [{ promptVersion: promptOf({ tools: null }) }, /needs a function for each output config, but it has no tools$/],
      [{ outputConfigs: [categorical('quality'), categorical('b')] }, /expected 2, received 1$/],
      [tool({ raw: { type: 'web_search' } }), /must be functions, but one is a raw tool$/],
      [tool(toolOf('other')), /expected "quality", received "other"$/],
      [
        {
          ...tools({ tools: [toolOf('quality'), toolOf('quality')] }),
          outputConfigs: [categorical('quality'), categorical('b')],
        },
        /different names, but "quality" occurs twice$/,
      ],
      [tools({ toolChoice: null }), /must force a call: .* received none$/],
      [tools({ toolChoice: { none: true } }), /received "none"$/],
      [tools({ toolChoice: { zeroOrMore: true } }), /received "zero_or_more"$/],
      [tools({ toolChoice: { functionName: 'x' } }), /expected "quality", received "x"$/],
      [
        {
          promptVersion: promptOf({
            tools: { tools: [toolOf('quality'), toolOf('b')], toolChoice: { functionName: 'b' } },
          }),
          outputConfigs: [categorical('quality'), categorical('b')],
        },
        /let all 2 functions be called: .* received only "b"$/,
      ],
      [
        { promptVersion: promptOf({ responseFormat: { type: 'json_schema', jsonSchema: { name: 'r' } } }) },
        /must not have a response format/,
      ],
      [
        { description: 'other' },
        /^Evaluator description must match the function description: expected "other", received "how good it is"$/,
      ],
      [{ description: null }, /^Evaluator description must match the function description: expected none/],
      [tool(toolOf('quality', [], { parameters: { type: 'array' } })), /must be an object with properties$/],
      [
        tool(toolOf('quality', [], { parameters: { type: 'object', properties: {} } })),
        /must have a property label of the type string$/,
      ],
      [properties({ ...LABEL, type: 'number' }), /must have a property label of the type string$/],
      [
        properties({ ...LABEL, description: 'x' }),
        /must be the name of its output config: expected "quality", received "x"$/,
      ],
      [
        properties({ ...LABEL, enum: ['good'] }),
        /must be an enum of the labels .*: expected \["good","bad"\], received \["good"\]$/,
      ],
      [properties({ ...LABEL, enum: undefined }), /received none$/],
      [properties(LABEL, { explanation: { type: 'number' } }), /The explanation .* must be of the type string$/],
      [properties(LABEL, { score: { type: 'number' } }), /must be label and explanation, received "score"$/],
      [
        tool(toolOf('quality', [], { parameters: { type: 'object', properties: { label: LABEL } } })),
        /must require the label, received none$/,
      ],
      [{ promptVersionId: toGlobalId('PromptVersion', 999_999) }, /prompt version of the evaluator was not found$/],
      [{ datasetId: toGlobalId('Dataset', 999_999) }, /^Unknown dataset/],
      [{ inputMapping: mapping({ a: '..' }) }, /cannot be read/],
    ];

    for (const [over, expected] of CASES)
      assert.match(await on.refusal(CREATE_LLM, on.llmInput(datasetId, over)), expected);
    assert.deepEqual(await on.bindingsOf(datasetId), []);
    const two = await on.bindLlm(datasetId, {
      name: 'two',
      description: null,
      outputConfigs: [categorical('quality'), categorical('b')],
      promptVersion: promptOf({}, ['b', 'quality']),
    });
    assert.deepEqual(
      two.outputConfigs.map(({ name }: { name: string }) => name),
      ['quality', 'b'],
    );
    assert.equal(
      await on.refusal(CREATE_LLM, on.llmInput(datasetId, { name: 'two' })),
      "An evaluator with name 'two' already exists for this dataset",
    );
  });

  test('a version is made only when the prompt would say something else, and the tag follows', async () => {
    const datasetId = await on.newDataset();
    const first = await on.bindLlm(datasetId, { name: 'versions' });
    const { prompt, promptVersion } = first.evaluator;

    const shared = await on.bindLlm(datasetId, { name: 'shared', promptVersionId: promptVersion.id });
    assert.deepEqual(
      [shared.evaluator.prompt.id, shared.evaluator.promptVersion.id, shared.evaluator.prompt.versionCount],
      [prompt.id, promptVersion.id, 1],
    );
    const same = await on.updateLlm(datasetId, first.id, {
      name: 'versions',
      promptVersion: promptOf({ description: 'said anew' }),
    });
    assert.equal(same.evaluator.promptVersion.id, promptVersion.id);
    const changed = await on.updateLlm(datasetId, first.id, {
      name: 'renamed',
      promptVersion: promptOf({ modelName: 'gpt-5' }),
    });
    assert.deepEqual(
      [
        changed.name,
        changed.evaluator.name,
        changed.evaluator.prompt.versionCount,
        changed.evaluator.promptVersion.modelName,
      ],
      ['renamed', 'renamed', 2, 'gpt-5'],
    );
    assert.equal(changed.evaluator.promptVersionTag.name, 'versions');
    const other = await on.node(shared.evaluator.id, 'LLMEvaluator', 'promptVersion { id } promptVersionTag { id }');
    assert.equal(other.promptVersion.id, promptVersion.id);

    // Without its tag it asks the newest version.
    await on.server.ask(
      'mutation ($input: DeletePromptVersionTagInput!) { deletePromptVersionTag(input: $input) { prompt { id } } }',
      {
        input: { promptVersionTagId: other.promptVersionTag.id },
      },
    );
    const untagged = await on.node(shared.evaluator.id, 'LLMEvaluator', 'promptVersion { id } promptVersionTag { id }');
    assert.deepEqual(untagged, { promptVersion: { id: changed.evaluator.promptVersion.id }, promptVersionTag: null });
    const retagged = await on.updateLlm(datasetId, shared.id, {
      name: 'shared',
      promptVersion: promptOf({ modelName: 'gpt-5' }),
    });
    assert.deepEqual(
      [retagged.evaluator.promptVersionTag.name, retagged.evaluator.promptVersion.id],
      ['shared', changed.evaluator.promptVersion.id],
    );

    // To another prompt, whose version stays; the tag in the former goes.
    const elsewhere = await on.bindLlm(datasetId, { name: 'elsewhere' });
    const moved = await on.updateLlm(datasetId, shared.id, {
      name: 'shared',
      promptVersionId: elsewhere.evaluator.promptVersion.id,
    });
    assert.deepEqual(
      [moved.evaluator.prompt.id, moved.evaluator.prompt.versionCount],
      [elsewhere.evaluator.prompt.id, 1],
    );
    const { versionTags } = await on.node(prompt.id, 'Prompt', 'versionTags { name }');
    assert.deepEqual(versionTags, [{ name: 'versions' }]);
  });

  test('an update of an LLM evaluator changes all of it, or nothing', async () => {
    const datasetId = await on.newDataset();
    const bound = await on.bindLlm(datasetId, { name: 'updated' });
    const builtIn = await on.bindBuiltIn(datasetId);
    const update = (over: object, id = bound.id) =>
      on.refusal(UPDATE_LLM, { ...on.llmInput(datasetId, over), datasetEvaluatorId: id });

    assert.equal(await update({}, builtIn.id), 'Cannot update a built-in evaluator');
    assert.equal(await update({ name: 'bound' }), "An evaluator with name 'bound' already exists for this dataset");
    assert.match(await update({ datasetId: await on.newDataset() }), /^DatasetEvaluator with ID .* not found$/);
    assert.match(await update({ description: 'x' }), /^Evaluator description must match/);
    assert.match(await update({ name: 'x', promptVersionId: toGlobalId('PromptVersion', 999_999) }), /not found$/);
    assert.deepEqual(await on.node(bound.id, 'DatasetEvaluator', 'name'), { name: 'updated' });
    const labels = ['yes', 'no', '__proto__', 'ü'];
    const changed = await on.updateLlm(datasetId, bound.id, {
      name: 'updated',
      description: 'now so',
      outputConfigs: [categorical('ü', labels)],
      promptVersion: promptOf({
        tools: {
          tools: [toolOf('ü', labels.toReversed(), { description: 'now so' })],
          toolChoice: { functionName: 'ü' },
        },
      }),
      inputMapping: undefined,
    });
    assert.deepEqual(changed.inputMapping, bound.inputMapping);
    assert.equal(changed.description, 'now so');
    assert.deepEqual(
      changed.outputConfigs[0].values.map(({ label }: { label: string }) => label),
      labels,
    );
  });

  test('a prompt stays while an evaluator asks it, and goes with the evaluator unless another asks it', async () => {
    const datasetId = await on.newDataset();
    const first = await on.bindLlm(datasetId, { name: 'asker' });
    const { prompt, promptVersion } = first.evaluator;
    const facts = await on.node(first.evaluator.id, 'LLMEvaluator', 'metadata createdAt updatedAt');
    assert.deepEqual(facts, { metadata: {}, createdAt: facts.createdAt, updatedAt: facts.createdAt });
    const second = await on.bindLlm(datasetId, { name: 'asker-2', promptVersionId: promptVersion.id });
    const remove = (input: object) => on.server.ask(DELETE, { input });

    assert.equal(
      await on.refusal(DELETE_PROMPT, { promptId: prompt.id }),
      "The prompt cannot be deleted while an LLM evaluator uses it: 'asker', 'asker-2'",
    );
    await remove({ datasetEvaluatorIds: [first.id] });
    assert.deepEqual(await on.node(prompt.id, 'Prompt', 'name'), { name: 'asker' });
    const { data } = await on.server.post(`{ node(id: "${first.evaluator.id}") { ... on LLMEvaluator { name } } }`);
    assert.equal(data, null);
    await on.server.ask(
      `mutation { deleteDatasetEvaluators(input: { datasetEvaluatorIds: ["${second.id}"] }) { datasetEvaluatorIds } }`,
    );
    assert.match(
      (await on.server.post(`{ node(id: "${prompt.id}") { ... on Prompt { name } } }`)).errors![0]!,
      /not found$/,
    );

    const third = await on.bindLlm(datasetId, { name: 'asker-3' });
    await remove({ datasetEvaluatorIds: [third.id], deleteAssociatedPrompt: false });
    assert.deepEqual(await on.node(third.evaluator.prompt.id, 'Prompt', 'name'), { name: 'asker-3' });
    await on.server.ask(DELETE_PROMPT, { input: { promptId: third.evaluator.prompt.id } });
  });

  test('a dataset goes with its bindings, their projects and LLM evaluators, and leaves prompts', async () => {
    const datasetId = await on.newDataset();
    const llm = await on.bindLlm(datasetId, { name: 'of-dataset' });
    const builtIn = await on.bindBuiltIn(datasetId);

    await on.server.ask('mutation ($input: DeleteDatasetInput!) { deleteDataset(input: $input) { dataset { id } } }', {
      input: { datasetId },
    });

    for (const { id, project } of [llm, builtIn]) {
      assert.match(
        (await on.server.post(`{ node(id: "${id}") { ... on DatasetEvaluator { name } } }`)).errors![0]!,
        /not found$/,
      );
      assert.equal(
        (await on.server.ask(`{ getProjectByName(name: "${project.name}") { id } }`)).getProjectByName,
        null,
      );
    }
    const { data } = await on.server.post(`{ node(id: "${llm.evaluator.id}") { ... on LLMEvaluator { name } } }`);
    assert.equal(data, null);
    await on.server.ask(DELETE_PROMPT, { input: { promptId: llm.evaluator.prompt.id } });
  });

  test('of creations under one name at once one wins, of deletions too', async () => {
    const datasetId = await on.newDataset();
    const input = { datasetId, evaluatorId: on.builtIns.regex, name: 'raced' };

    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => on.server.post(CREATE_BUILT_IN, { input })),
      ...Array.from({ length: 6 }, () =>
        on.server.post(CREATE_LLM, { input: on.llmInput(datasetId, { name: 'raced' }) }),
      ),
    ]);

    const failed = answers.flatMap(({ errors = [] }) => errors);
    assert.equal(failed.length, 11);
    for (const message of failed) assert.match(message, /already exists for/);
    assert.deepEqual(await on.bindingsOf(datasetId), ['raced']);
    const datasets = await Promise.all(Array.from({ length: 4 }, on.newDataset));
    const bound = await Promise.all(datasets.map((id) => on.bindLlm(id, { name: 'same-name' })));
    assert.equal(new Set(bound.map(({ evaluator }) => evaluator.name)).size, 4);

    const ids = bound.map(({ id }) => id);
    const tags = await Promise.all(
      bound.map(
        async ({ evaluator }) =>
          (await on.node(evaluator.id, 'LLMEvaluator', 'promptVersionTag { id }')).promptVersionTag.id,
      ),
    );
    const deletions = await Promise.all([
      on.server.post(DELETE, { input: { datasetEvaluatorIds: ids } }),
      on.server.post(DELETE, { input: { datasetEvaluatorIds: ids.toReversed() } }),
      ...bound.map(({ evaluator }) => on.server.post(DELETE_PROMPT, { input: { promptId: evaluator.prompt.id } })),
      ...tags.map((promptVersionTagId) =>
        on.server.post(
          'mutation ($input: DeletePromptVersionTagInput!) { deletePromptVersionTag(input: $input) { prompt { id } } }',
          { input: { promptVersionTagId } },
        ),
      ),
      ...bound.map(({ id }, index) =>
        on.server.post(UPDATE_LLM, {
          input: { ...on.llmInput(datasets[index]!, { name: 'later' }), datasetEvaluatorId: id },
        }),
      ),
    ]);
    assert.equal(deletions.slice(0, 2).filter(({ errors }) => !errors).length, 1);
    for (const { errors = [] } of deletions) for (const message of errors) assert.match(message, /not found|uses it/);
    for (const id of datasets) assert.deepEqual(await on.bindingsOf(id), []);
  });

  test('every template that comes with the server makes an evaluator', async () => {
    const datasetId = await on.newDataset();
    const TEMPLATES = `query ($labels: [String!]) { classificationEvaluatorConfigs(labels: $labels) {
      name description optimizationDirection choices messages { role content { ... on TextContentPart { text { text } } } } } }`;
    const templates = (await on.server.ask(TEMPLATES)).classificationEvaluatorConfigs;

    for (const { name, description, optimizationDirection, choices, messages } of templates) {
      const values = Object.entries(choices).map(([label, score]) => ({ label, score }));
      assert.deepEqual(
        values.map(({ score }) => score),
        [1, 0],
      );
      const labels = values.map(({ label }) => label);
      await on.bindLlm(datasetId, {
        name,
        description,
        outputConfigs: [{ categorical: { name, optimizationDirection, values } }],
        promptVersion: promptOf({
          template: { messages },
          tools: { tools: [toolOf(name, labels, { description })], toolChoice: { oneOrMore: true } },
        }),
      });
    }

    const names = templates.map(({ name }: { name: string }) => name);
    assert.deepEqual(await on.bindingsOf(datasetId), names);
    assert.equal(names.length, 24);
    assert.ok(!names.includes('preference'), 'it needs two answers');
    const { messages } = templates.find(({ name }: { name: string }) => name === 'tool_invocation');
    assert.deepEqual(messages[1].content[0].text.text.match(/\{\{\w+\}\}/g), [
      '{{input}}',
      '{{available_tools}}',
      '{{tool_selection}}',
    ]);
    const promoted = await on.server.ask(TEMPLATES, { labels: ['promoted_dataset_evaluator', 'other'] });
    assert.deepEqual(
      promoted.classificationEvaluatorConfigs.map(({ name }: { name: string }) => name),
      ['completeness', 'correctness', 'hallucination', 'pii_detection', 'tool_invocation', 'tool_selection'],
    );
    assert.deepEqual(await on.server.ask(TEMPLATES, { labels: ['other'] }), { classificationEvaluatorConfigs: [] });
  });
});
