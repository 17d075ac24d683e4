import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ExactNumber } from '../../../src/base/exact-json.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { type CallCounts, countCalls, resetCounts } from '../count-calls.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const version = (over: object = {}) => ({
  templateFormat: 'MUSTACHE',
  template: { messages: [{ role: 'USER', content: [{ text: { text: 'Hi {{name}}' } }] }] },
  invocationParameters: { openai: {} },
  modelProvider: 'OPENAI',
  modelName: 'gpt-4o',
  ...over,
});

const CREATE = `mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) {
  id name description metadata versionCount version { id tags { name description } } } }`;
const ADD = `mutation ($input: CreateChatPromptVersionInput!) { createChatPromptVersion(input: $input) {
  id versionCount version { id } } }`;
const CONTENT = `{ template { ... on PromptChatTemplate { messages { role content { __typename
    ... on TextContentPart { text { text } }
    ... on ImageContentPart { image { url } }
    ... on ToolCallContentPart { toolCall { toolCallId toolCall { name arguments } } }
    ... on ToolResultContentPart { toolResult { toolCallId result } } } } } }
  tools { tools { __typename ... on PromptToolFunction { function { name description parameters strict } } ... on PromptToolRaw { raw } }
    toolChoice { type functionName } disableParallelToolCalls }
  responseFormat { jsonSchema { name description schema strict } }
  invocationParameters { __typename
    ... on PromptOpenAIInvocationParameters { temperature maxTokens seed stop reasoningEffort extraBody }
    ... on PromptAnthropicInvocationParameters { anthropicMaxTokens: maxTokens stopSequences outputConfig { effort }
      thinking { __typename ... on PromptAnthropicThinkingEnabled { budgetTokens display } ... on PromptAnthropicThinkingDisabled { disabled } ... on PromptAnthropicThinkingAdaptive { display } } }
    ... on PromptGoogleInvocationParameters { topK thinkingConfig { thinkingBudget thinkingLevel includeThoughts } }
    ... on PromptAwsInvocationParameters { topP } } }`;

describe('GraphQL of prompts', () => {
  let server: TestServer;
  let asked: CallCounts;
  let lock: string | undefined;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp }, { storageLock: () => lock });
    asked = countCalls(server.domain.prompts);
  });

  let count = 0;
  const newName = () => `prompt-${++count}`;
  const create = async (input: object = {}) => {
    const { createChatPrompt } = await server.ask(CREATE, {
      input: { name: newName(), promptVersion: version(), ...input },
    });
    return createChatPrompt;
  };

  test('documents of the older schema select parameters as JSON and tools as functions, and name its types', async () => {
    const tools = { tools: [{ function: { name: 'f', parameters: {} } }, { raw: { type: 'web_search' } }] };
    const thinking = { disabled: { disabled: true } };
    const invocationParameters = { anthropic: { maxTokens: 9, thinking, extraBody: { top_k: 3 } } };
    const { id, version: made } = await create({
      promptVersion: version({ modelProvider: 'ANTHROPIC', invocationParameters, tools }),
    });
    const read = async (versionId: string) =>
      (
        await server.ask(
          `query ($id: ID!) { node(id: $id) { ... on PromptVersion {
            invocationParameters given: invocationParameters tools { tools { __typename function { name } } } } } }`,
          { id: versionId },
        )
      ).node;

    const plain = { max_tokens: 9, thinking: { type: 'disabled' }, top_k: 3 };
    assert.deepEqual(await read(made.id), {
      invocationParameters: plain,
      given: plain,
      tools: {
        tools: [{ __typename: 'PromptToolFunction', function: { name: 'f' } }, { __typename: 'PromptToolRaw' }],
      },
    });

    const { createChatPromptVersion: added } = await server.ask(
      `mutation ($id: ID!, $tools: [PromptToolFunctionInput!]!) { createChatPromptVersion(input: { promptId: $id, promptVersion: {
        templateFormat: NONE, template: { messages: [] }, modelProvider: OPENAI, modelName: "m", tools: { tools: $tools }
        invocationParameters: { temperature: 0.5, logit_bias: { a: 1 } } } }) { version { id } } }`,
      { id, tools: [{ function: { name: 'g', parameters: {} } }] },
    );
    assert.deepEqual(await read(added.version.id), {
      invocationParameters: { temperature: 0.5, logit_bias: { a: 1 } },
      given: { temperature: 0.5, logit_bias: { a: 1 } },
      tools: { tools: [{ __typename: 'PromptToolFunction', function: { name: 'g' } }] },
    });

    const wrong = await server.post(
      `{ node(id: "${made.id}") { ... on PromptVersion { tools { tools { nothing } } } } }`,
    );
    assert.match(wrong.errors![0]!, /Cannot query field "nothing"/);
  });

  test('a prompt is made with its first version and tags, and read back', async () => {
    const input = {
      description: ' about ',
      metadata: { k: [1, 'ü'] },
      tags: [{ name: 'production', description: 'live' }],
    };

    const made = await create(input);

    assert.deepEqual(
      [made.description, made.metadata, made.versionCount, made.version.tags],
      ['about', { k: [1, 'ü'] }, 1, [{ name: 'production', description: 'live' }]],
    );
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Prompt { name version(tagName: "production") { id } } } }`,
      { id: made.id },
    );
    assert.deepEqual(node, { name: made.name, version: { id: made.version.id } });
  });

  test('versions have their number, and a new one does not move the tags', async () => {
    const made = await create({ tags: [{ name: 'production' }] });
    for (const modelName of ['two', 'three']) {
      await server.ask(ADD, { input: { promptId: made.id, promptVersion: version({ modelName }) } });
    }

    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Prompt { versionCount versionTags { name promptVersionId }
        promptVersions(first: 2) { pageInfo { hasNextPage } edges { node { modelName isLatest sequenceNumber previousVersion { sequenceNumber modelName } tags { name } } } } } } }`,
      { id: made.id },
    );

    assert.deepEqual(node.versionTags, [{ name: 'production', promptVersionId: made.version.id }]);
    assert.deepEqual(node.promptVersions, {
      pageInfo: { hasNextPage: true },
      edges: [
        {
          node: {
            modelName: 'three',
            isLatest: true,
            sequenceNumber: 3,
            previousVersion: { sequenceNumber: 2, modelName: 'two' },
            tags: [],
          },
        },
        {
          node: {
            modelName: 'two',
            isLatest: false,
            sequenceNumber: 2,
            previousVersion: { sequenceNumber: 1, modelName: 'gpt-4o' },
            tags: [],
          },
        },
      ],
    });
  });

  test('every kind of content comes back as it was given', async () => {
    const function_ = { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true };
    const jsonSchema = { name: 'r', description: null, schema: { type: 'object' }, strict: false };
    const { version: made } = await create({
      promptVersion: version({
        template: {
          messages: [
            { role: 'SYSTEM', content: [{ text: { text: 'a' } }, { image: { url: 'https://example.com/a.png' } }] },
            { role: 'AI', content: [{ toolCall: { toolCallId: 'c', toolCall: { name: 'f', arguments: '{' } } }] },
            {
              role: 'TOOL',
              content: [
                { toolResult: { toolCallId: 'c', result: '{"a":[1]}' } },
                { toolResult: { toolCallId: 'd', result: 'text' } },
              ],
            },
          ],
        },
        tools: {
          tools: [{ function: function_ }, { raw: { type: 'web_search' } }],
          toolChoice: { functionName: 'f' },
          disableParallelToolCalls: true,
        },
        responseFormat: { type: 'json_schema', jsonSchema },
        invocationParameters: {
          openai: { temperature: 0.5, maxTokens: 3, stop: ['x'], reasoningEffort: 'XHIGH', extraBody: { v: { w: 1 } } },
        },
      }),
    });

    const { node } = await server.ask(`query ($id: ID!) { node(id: $id) { ... on PromptVersion ${CONTENT} } }`, {
      id: made.id,
    });

    assert.deepEqual(node, {
      template: {
        messages: [
          {
            role: 'SYSTEM',
            content: [
              { __typename: 'TextContentPart', text: { text: 'a' } },
              { __typename: 'ImageContentPart', image: { url: 'https://example.com/a.png' } },
            ],
          },
          {
            role: 'AI',
            content: [
              {
                __typename: 'ToolCallContentPart',
                toolCall: { toolCallId: 'c', toolCall: { name: 'f', arguments: '{' } },
              },
            ],
          },
          {
            role: 'TOOL',
            content: [
              { __typename: 'ToolResultContentPart', toolResult: { toolCallId: 'c', result: { a: [1] } } },
              { __typename: 'ToolResultContentPart', toolResult: { toolCallId: 'd', result: 'text' } },
            ],
          },
        ],
      },
      tools: {
        tools: [
          { __typename: 'PromptToolFunction', function: function_ },
          { __typename: 'PromptToolRaw', raw: { type: 'web_search' } },
        ],
        toolChoice: { type: 'SPECIFIC_FUNCTION', functionName: 'f' },
        disableParallelToolCalls: true,
      },
      responseFormat: { jsonSchema },
      invocationParameters: {
        __typename: 'PromptOpenAIInvocationParameters',
        temperature: 0.5,
        maxTokens: 3,
        seed: null,
        stop: ['x'],
        reasoningEffort: 'XHIGH',
        extraBody: { v: { w: 1 } },
      },
    });
  });

  const thinking = (kind: object) => ({ anthropic: { maxTokens: 9000, thinking: kind } });
  for (const { modelProvider, invocationParameters, shown } of [
    {
      modelProvider: 'ANTHROPIC',
      invocationParameters: thinking({ enabled: { budgetTokens: 2000, display: 'OMITTED' } }),
      shown: {
        anthropicMaxTokens: 9000,
        thinking: { __typename: 'PromptAnthropicThinkingEnabled', budgetTokens: 2000, display: 'OMITTED' },
      },
    },
    {
      modelProvider: 'ANTHROPIC',
      invocationParameters: thinking({ disabled: { disabled: true } }),
      shown: { thinking: { __typename: 'PromptAnthropicThinkingDisabled', disabled: true } },
    },
    {
      modelProvider: 'ANTHROPIC',
      invocationParameters: { anthropic: { maxTokens: 1, stopSequences: ['a'], outputConfig: { effort: 'MAX' } } },
      shown: { stopSequences: ['a'], outputConfig: { effort: 'MAX' }, thinking: null },
    },
    {
      modelProvider: 'GOOGLE',
      invocationParameters: {
        google: { topK: 4, thinkingConfig: { thinkingBudget: -1, thinkingLevel: 'LOW', includeThoughts: true } },
      },
      shown: { topK: 4, thinkingConfig: { thinkingBudget: -1, thinkingLevel: 'LOW', includeThoughts: true } },
    },
    { modelProvider: 'AWS', invocationParameters: { aws: { topP: 1 } }, shown: { topP: 1 } },
  ]) {
    test(`parameters ${JSON.stringify(invocationParameters)} come back`, async () => {
      const made = await create({ promptVersion: version({ modelProvider, invocationParameters }) });

      const { node } = await server.ask(`query ($id: ID!) { node(id: $id) { ... on PromptVersion ${CONTENT} } }`, {
        id: made.version.id,
      });

      const got = node.invocationParameters;
      for (const [name, value] of Object.entries(shown)) assert.deepEqual(got[name], value, name);
    });
  }

  const part = (content: unknown) => ({ template: { messages: [{ role: 'USER', content }] } });
  for (const { what, over, message } of [
    {
      what: 'parameters of another family',
      over: { modelProvider: 'GOOGLE' },
      message: "Invocation parameters variant 'openai' does not match model provider 'GOOGLE' (expected 'google').",
    },
    {
      what: 'two families at once',
      over: { invocationParameters: { openai: {}, aws: {} } },
      message: 'Exactly one field of PromptInvocationParametersInput must be given',
    },
    { what: 'an empty part', over: part([{}]), message: 'Exactly one field of ContentPartInput must be given' },
    { what: 'a message of no parts', over: part([]), message: 'The content of a message must have at least one part' },
    {
      what: 'an extra body that is a list',
      over: { invocationParameters: { openai: { extraBody: [] } } },
      message: 'extra_body must be a JSON object',
    },
    {
      what: 'a thinking budget as large as all tokens',
      over: {
        modelProvider: 'ANTHROPIC',
        invocationParameters: { anthropic: { maxTokens: 2000, thinking: { enabled: { budgetTokens: 2000 } } } },
      },
      message: 'The thinking budget must be less than max tokens.',
    },
    {
      what: 'a raw tool that is not an object',
      over: { tools: { tools: [{ raw: ['web_search'] }] } },
      message: 'raw must be a JSON object',
    },
    {
      what: 'another response format',
      over: { responseFormat: { type: 'text', jsonSchema: { name: 'r' } } },
      message: "The type of a response format must be 'json_schema'",
    },
    {
      what: 'a custom provider that is not there',
      over: { customProviderId: 'R2VuZXJhdGl2ZU1vZGVsQ3VzdG9tUHJvdmlkZXI6MQ==' },
      message: "Custom provider with ID 'R2VuZXJhdGl2ZU1vZGVsQ3VzdG9tUHJvdmlkZXI6MQ==' not found",
    },
  ]) {
    test(`${what} is rejected, and nothing is created`, async () => {
      const name = newName();
      const { errors } = await server.post(CREATE, { input: { name, promptVersion: version(over) } });
      assert.deepEqual(errors, [message]);
      assert.equal(await server.ports.prompts.findLatestVersion({ name }), undefined);
    });
  }

  test('a name that is in use, or is not an identifier, is rejected', async () => {
    const { name } = await create();
    const again = await server.post(CREATE, { input: { name, promptVersion: version() } });
    assert.deepEqual(again.errors, [`A prompt named '${name}' already exists`]);
    const bad = await server.post(CREATE, { input: { name: 'Not a name', promptVersion: version() } });
    assert.match(bad.errors?.[0] ?? '', /Expected type Identifier/);
  });

  test('a clone has all versions and no tags, and loses its source with it', async () => {
    const made = await create({ description: 'd', metadata: { k: 1 }, tags: [{ name: 'production' }] });
    await server.ask(ADD, { input: { promptId: made.id, promptVersion: version({ modelName: 'two' }) } });
    const clone = (fields: object) =>
      server.ask(
        `mutation ($input: ClonePromptInput!) { clonePrompt(input: $input) { id description metadata versionCount versionTags { name } sourcePrompt { id } version { modelName } } }`,
        { input: { promptId: made.id, name: newName(), ...fields } },
      );

    const kept = (await clone({})).clonePrompt;
    const cleared = (await clone({ description: null, metadata: null })).clonePrompt;
    const ofFirst = (await clone({ promptVersionId: made.version.id })).clonePrompt;
    assert.equal(ofFirst.versionCount, 1);
    assert.notEqual(ofFirst.version.modelName, 'two');
    const other = await create();
    await assert.rejects(clone({ promptVersionId: other.version.id }), /PromptVersion with ID .* not found/);

    assert.deepEqual(
      { ...kept, id: '' },
      {
        id: '',
        description: 'd',
        metadata: { k: 1 },
        versionCount: 2,
        versionTags: [],
        sourcePrompt: { id: made.id },
        version: { modelName: 'two' },
      },
    );
    assert.deepEqual([cleared.description, cleared.metadata], [null, {}]);
    await server.ask(
      `mutation ($input: DeletePromptInput!) { deletePrompt(input: $input) { query { promptCount } } }`,
      { input: { promptId: made.id } },
    );
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Prompt { sourcePromptId versionCount } } }`,
      { id: kept.id },
    );
    assert.deepEqual(node, { sourcePromptId: null, versionCount: 2 });
  });

  test('a patch changes what is given', async () => {
    const { id } = await create({ description: 'old', metadata: { k: 1 } });
    const patch = (fields: object) =>
      server.post(`mutation ($input: PatchPromptInput!) { patchPrompt(input: $input) { description metadata } }`, {
        input: { promptId: id, ...fields },
      });

    assert.deepEqual((await patch({ description: 'new' })).data.patchPrompt, {
      description: 'new',
      metadata: { k: 1 },
    });
    assert.deepEqual((await patch({ metadata: null })).data.patchPrompt, { description: 'new', metadata: {} });
    assert.deepEqual((await patch({})).errors, ['No fields provided to update']);
    assert.deepEqual((await patch({ metadata: [1] })).errors, ['metadata must be a JSON object']);
  });

  test('a tag moves between versions, and goes', async () => {
    const made = await create();
    const second = (await server.ask(ADD, { input: { promptId: made.id, promptVersion: version() } }))
      .createChatPromptVersion;
    const set = async (promptVersionId: string, description?: string) =>
      (
        await server.ask(
          `mutation ($input: SetPromptVersionTagInput!) { setPromptVersionTag(input: $input) { promptVersionTag { id name description promptVersionId } prompt { versionTags { id } } query { promptCount } } }`,
          { input: { promptVersionId, name: 'staging', description } },
        )
      ).setPromptVersionTag;

    const first = await set(made.version.id, 'before');
    const moved = await set(second.version.id);

    const { id } = first.promptVersionTag;
    assert.deepEqual(moved.promptVersionTag, {
      id,
      name: 'staging',
      description: null,
      promptVersionId: second.version.id,
    });
    assert.deepEqual(moved.prompt.versionTags, [{ id }]);
    const remove = () =>
      server.post(
        `mutation ($input: DeletePromptVersionTagInput!) { deletePromptVersionTag(input: $input) { promptVersionTag { id } prompt { versionTags { id } } } }`,
        { input: { promptVersionTagId: id } },
      );
    assert.deepEqual((await remove()).data.deletePromptVersionTag, {
      promptVersionTag: null,
      prompt: { versionTags: [] },
    });
    assert.deepEqual((await remove()).errors, [`PromptVersionTag with ID ${id} not found.`]);
  });

  test('labels are made, linked, found by, and taken away', async () => {
    const [one, two] = [await create(), await create()];
    const label = async (name: string) =>
      (
        await server.ask(
          `mutation ($input: CreatePromptLabelInput!) { createPromptLabel(input: $input) { promptLabels { id name color usageCount } } }`,
          { input: { name, color: '#ABCDEF' } },
        )
      ).createPromptLabel.promptLabels[0];
    const link = (field: string, promptId: string, ids: string[]) =>
      server.post(
        `mutation ($input: ${field === 'setPromptLabels' ? 'Set' : 'Unset'}PromptLabelsInput!) { ${field}(input: $input) { query { promptCount } } }`,
        { input: { promptId, promptLabelIds: ids } },
      );

    const [red, blue] = [await label('Red'), await label('Blue')];
    assert.deepEqual({ ...red, id: '' }, { id: '', name: 'Red', color: '#abcdef', usageCount: 0 });
    await assert.rejects(label('Red'), /A prompt label named 'Red' already exists\./);
    await link('setPromptLabels', one.id, [red.id, blue.id]);
    await link('setPromptLabels', two.id, [red.id]);

    assert.deepEqual((await link('setPromptLabels', two.id, [blue.id, red.id])).errors, [
      'Failed to associate PromptLabel with Prompt.',
    ]);
    const listed = await server.ask(
      `query ($ids: [ID!]) { prompts(labelIds: $ids) { edges { node { id labels { name usageCount } } } } promptLabels { edges { node { name } } } }`,
      { ids: [red.id] },
    );
    assert.deepEqual(
      listed.prompts.edges.map(({ node }: { node: object }) => node),
      [
        { id: two.id, labels: [{ name: 'Red', usageCount: 2 }] },
        {
          id: one.id,
          labels: [
            { name: 'Blue', usageCount: 1 },
            { name: 'Red', usageCount: 2 },
          ],
        },
      ],
    );
    assert.deepEqual(listed.promptLabels.edges, [{ node: { name: 'Blue' } }, { node: { name: 'Red' } }]);
    assert.match((await link('unsetPromptLabels', two.id, [red.id, blue.id])).errors?.[0] ?? '', /Failed to find/);
    assert.equal((await link('unsetPromptLabels', one.id, [red.id])).errors, undefined);
    const patched = await server.ask(
      `mutation ($input: PatchPromptLabelInput!) { patchPromptLabel(input: $input) { promptLabels { name description color usageCount } } }`,
      { input: { promptLabelId: red.id, name: 'Green', description: 'd', color: '#00FF00' } },
    );
    assert.deepEqual(patched.patchPromptLabel.promptLabels, [
      { name: 'Green', description: 'd', color: '#00ff00', usageCount: 1 },
    ]);
    const gone = await server.ask(
      `mutation ($input: DeletePromptLabelsInput!) { deletePromptLabels(input: $input) { deletedPromptLabelIds query { promptLabels { edges { node { id } } } } } }`,
      { input: { promptLabelIds: [red.id, toGlobalId('PromptLabel', 987654321)] } },
    );
    assert.deepEqual(gone.deletePromptLabels, {
      deletedPromptLabelIds: [red.id],
      query: { promptLabels: { edges: [{ node: { id: blue.id } }] } },
    });
  });

  test('the moves of tags are listed with their versions, newest first', async () => {
    const made = await create({ tags: [{ name: 'production' }] });
    const added = (
      await server.ask(ADD, { input: { promptId: made.id, promptVersion: version(), tags: [{ name: 'staging' }] } })
    ).createChatPromptVersion;
    const set = `mutation ($input: SetPromptVersionTagInput!) { setPromptVersionTag(input: $input) { promptVersionTag { id } } }`;
    const move = async (promptVersionId: string, name: string) =>
      (await server.ask(set, { input: { promptVersionId, name } })).setPromptVersionTag.promptVersionTag.id;
    const tagId = await move(added.version.id, 'production');
    await move(added.version.id, 'production');
    await server.ask(
      `mutation ($input: DeletePromptVersionTagInput!) { deletePromptVersionTag(input: $input) { query { promptCount } } }`,
      { input: { promptVersionTagId: tagId } },
    );
    const moves = async (first: string) =>
      (
        await server.ask(
          `query ($id: ID!) { node(id: $id) { ... on Prompt { updatedAt tagMoves${first} { tagName fromVersion { sequenceNumber } toVersion { sequenceNumber } user { id } movedAt } } } }`,
          { id: made.id },
        )
      ).node;
    const { tagMoves, updatedAt } = await moves('');
    const at = (sequenceNumber: number | null) => sequenceNumber && { sequenceNumber };
    assert.deepEqual(
      tagMoves.map(({ movedAt, user, ...move }: { movedAt: string; user: object }) => move),
      [
        { tagName: 'production', fromVersion: at(2), toVersion: null },
        { tagName: 'production', fromVersion: at(1), toVersion: at(2) },
        { tagName: 'staging', fromVersion: null, toVersion: at(2) },
        { tagName: 'production', fromVersion: null, toVersion: at(1) },
      ],
    );
    assert.ok(Date.parse(tagMoves[0].movedAt) >= Date.parse(updatedAt));
    assert.equal((await moves('(first: 1)')).tagMoves.length, 1);
    await assert.rejects(moves('(first: 0)'), /first must be from 1 to 1000/);
    await assert.rejects(moves('(first: 1001)'), /first must be from 1 to 1000/);
  });

  test('a version returns the tags of its template and its variables', async () => {
    const made = await create({
      promptVersion: version({
        templateFormat: 'MUSTACHE',
        template: { messages: [{ role: 'USER', content: [{ text: { text: 'Hi {{name}}, {{#a}}{{__proto__}}' } }] }] },
      }),
    });
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on PromptVersion { templateDescription { variables problem
        tags { messageIndex partIndex kind name start end } } } } }`,
      { id: made.version.id },
    );
    const tag = (kind: string, name: string, start: number, end: number) => ({
      messageIndex: 0,
      partIndex: 0,
      kind,
      name,
      start,
      end,
    });
    assert.deepEqual(node.templateDescription, {
      variables: ['name', 'a', '__proto__'],
      problem: "The section 'a' is not closed",
      tags: [tag('VARIABLE', 'name', 3, 11), tag('SECTION', 'a', 13, 19), tag('VARIABLE', '__proto__', 19, 32)],
    });
  });

  test('a list of prompts with all that belongs to them takes a read of each kind', async () => {
    for (let index = 0; index < 20; index++) await create({ tags: [{ name: 'production' }] });
    resetCounts(asked);

    const { prompts: page } = await server.ask(
      `{ prompts(first: 20, filter: { col: name, value: "PROMPT-" }) { edges { node { name versionCount labels { name } versionTags { name }
        version { modelName sequenceNumber tags { name } } promptVersions { edges { node { isLatest } } } } } } }`,
    );

    assert.equal(page.edges.length, 20);
    assert.deepEqual(asked, {
      findIds: 1,
      findByRowIds: 1,
      findVersionIdsOfPrompts: 1,
      findLabelsOfPrompts: 1,
      findTagsOfPrompts: 1,
      findVersions: 1,
    });
  });

  test('two versions are compared path by path', async () => {
    const base = await create({ promptVersion: version({ description: 'one' }) });
    const messages = [{ role: 'SYSTEM', content: [{ text: { text: 'Be brief' } }] }, ...version().template.messages];
    const other = await create({
      promptVersion: version({
        template: { messages },
        modelName: 'gpt-5',
        invocationParameters: { openai: { temperature: 1 } },
      }),
    });

    const { comparePromptVersions } = await server.ask(
      `query ($a: ID!, $b: ID!) { comparePromptVersions(baseVersionId: $a, versionId: $b) { path kind before after } }`,
      { a: base.version.id, b: other.version.id },
    );

    assert.deepEqual(comparePromptVersions, [
      { path: 'description', kind: 'REMOVED', before: 'one', after: null },
      { path: 'model_name', kind: 'CHANGED', before: 'gpt-4o', after: 'gpt-5' },
      {
        path: 'template.messages[0]',
        kind: 'ADDED',
        before: null,
        after: { role: 'system', content: [{ type: 'text', text: 'Be brief' }] },
      },
      { path: 'invocation_parameters.openai.temperature', kind: 'ADDED', before: null, after: 1 },
    ]);
  });

  for (const { what, query, message } of [
    {
      what: 'a version',
      query: `{ node(id: "${toGlobalId('PromptVersion', 987654321)}") { id } }`,
      message: `Unknown prompt version: ${toGlobalId('PromptVersion', 987654321)}`,
    },
    {
      what: 'a prompt',
      query: `{ node(id: "${toGlobalId('Prompt', 987654321)}") { ... on Prompt { name } } }`,
      message: `Prompt with ID ${toGlobalId('Prompt', 987654321)} not found`,
    },
  ]) {
    test(`${what} that does not exist is reported`, async () => {
      assert.deepEqual((await server.post(query)).errors, [message]);
    });
  }

  test('the version that a prompt lacks is reported as missing', async () => {
    const [{ id }, other] = [await create(), await create()];
    const ask = (args: string) =>
      server.post(`query ($id: ID!) { node(id: $id) { ... on Prompt { version(${args}) { id } } } }`, { id });
    assert.deepEqual((await ask('tagName: "none"')).errors, ['This prompt has no associated versions by tag none']);
    assert.deepEqual((await ask(`versionId: "${other.version.id}"`)).errors, [
      `Prompt version not found: ${other.version.id}`,
    ]);
  });

  test('a template is rendered, and what it lacks is named', async () => {
    const template = { messages: [{ role: 'USER', content: [{ text: { text: 'Hi {{name}}, {{n}}' } }] }] };
    const apply = (variables: unknown) =>
      server.post(
        `query ($template: PromptChatTemplateInput!, $variables: JSON!) { applyChatTemplate(template: $template, templateOptions: { format: MUSTACHE, variables: $variables }) {
          messages { role content { ... on TextContentPart { text { text } } } } } }`,
        { template, variables },
      );

    assert.deepEqual((await apply({ name: 'Ü', n: [1] })).data.applyChatTemplate, {
      messages: [{ role: 'USER', content: [{ text: { text: 'Hi Ü, [1]' } }] }],
    });
    assert.deepEqual((await apply({})).errors, ['Missing template variable(s): n, name']);
    assert.deepEqual((await apply([])).errors, ['variables must be a JSON object']);
  });

  test('a value that could not be read again is not stored', async () => {
    const nest = (depth: number) => JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    const name = newName();
    const { errors } = await server.post(CREATE, { input: { name, promptVersion: version(), metadata: nest(1_000) } });
    assert.deepEqual(errors, ['JSON must not be nested deeper than 500 levels']);
    assert.deepEqual((await create({ metadata: nest(500) })).metadata, nest(500));
  });

  test('numbers of JSON values are shown as they were written', async () => {
    const metadata = JSON.parse('{"a":1}');
    const { id } = await create({ metadata });
    await server.ports.prompts.update(
      { rowId: Number(Buffer.from(id, 'base64').toString().split(':')[1]) },
      { metadata: { n: new ExactNumber('9007199254740993') } },
    );

    const response = await fetch(
      `${server.address}/graphql?query=${encodeURIComponent(`{ node(id: "${id}") { ... on Prompt { metadata sourcePrompt { id } } } }`)}`,
    );

    assert.equal(await response.text(), '{"data":{"node":{"metadata":{"n":9007199254740993},"sourcePrompt":null}}}');
  });

  test('nothing is made while storage is locked', async (t) => {
    lock = 'full';
    t.after(() => {
      lock = undefined;
    });
    assert.deepEqual((await server.post(CREATE, { input: { name: newName(), promptVersion: version() } })).errors, [
      'full',
    ]);
  });
});
