import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { mutation, type NounTwins, over, UNKNOWN_ROW_ID, type World, type WriteTwin } from './twins.ts';

const NAME = 'answer-question';
const unknownVersion = toGlobalId('PromptVersion', UNKNOWN_ROW_ID);

const REST_VERSION = {
  model_provider: 'OPENAI',
  model_name: 'gpt-4o',
  template: { type: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer: {{question}}' }] }] },
  template_type: 'CHAT',
  template_format: 'MUSTACHE',
  invocation_parameters: { type: 'openai', openai: {} },
};

const GRAPHQL_VERSION = {
  modelProvider: 'OPENAI',
  modelName: 'gpt-4o',
  template: { messages: [{ role: 'USER', content: [{ text: { text: 'Answer: {{question}}' } }] }] },
  templateFormat: 'MUSTACHE',
  invocationParameters: { openai: {} },
};

/** A prompt of one version that has the tag `staging`. */
async function setUp(world: World) {
  const prompt = { name: NAME, description: 'Answers', metadata: { a: 1 } };
  const created = await world.rest({ method: 'POST', path: '/v1/prompts', body: { prompt, version: REST_VERSION } });
  const version = created.data.id;
  await world.rest({ method: 'POST', path: `/v1/prompt_versions/${version}/tags`, body: { name: 'staging' } });
  return {
    version,
    prompt: toGlobalId('Prompt', 1),
    tag: toGlobalId('PromptVersionTag', 1),
  };
}

const createVersion: WriteTwin = {
  operation: 'createPromptVersion',
  mutation: 'createChatPrompt',
  cases: over<{ readonly name?: string; readonly description?: string; readonly versionDescription?: string }>(
    setUp,
    {
      rest: (_, { name = 'new', description = null, versionDescription = null }) => ({
        method: 'POST',
        path: '/v1/prompts',
        body: { prompt: { name, description }, version: { ...REST_VERSION, description: versionDescription } },
      }),
      graphql: (_, { name = 'new', description = null, versionDescription = null }) =>
        mutation('createChatPrompt', 'CreateChatPromptInput', 'id', {
          name,
          description,
          promptVersion: { ...GRAPHQL_VERSION, description: versionDescription },
        }),
    },
    [
      { title: 'creates a prompt with its first version', fields: { description: 'd', versionDescription: 'v' } },
      {
        title: 'trims descriptions, and a blank one is none',
        fields: { description: ' ', versionDescription: ' v ' },
        stores: { prompt_versions: [{ description: null }, { description: 'v' }] },
      },
      {
        title: 'rejects a name that is no identifier',
        fields: { name: ' new ' },
        differs: {
          why: 'GraphQL checks the scalar Identifier before the operation.',
          rest: 'PROMPT_INVALID',
          graphql: 'GRAPHQL_VALIDATION_FAILED',
        },
      },
      {
        title: 'adds a version to a prompt of that name over REST alone',
        fields: { name: NAME },
        differs: {
          why: 'The REST contract appends a version to a prompt that is there; GraphQL has createChatPromptVersion.',
          graphql: 'PROMPT_NAME_TAKEN',
        },
      },
    ],
  ),
};

const addVersion: WriteTwin = {
  operation: 'createPromptVersion',
  mutation: 'createChatPromptVersion',
  cases: over<{ readonly description?: string }>(
    setUp,
    {
      rest: (_, fields) => ({
        method: 'POST',
        path: '/v1/prompts',
        body: { prompt: { name: NAME }, version: { ...REST_VERSION, ...fields } },
      }),
      graphql: ({ prompt: promptId }, fields) =>
        mutation('createChatPromptVersion', 'CreateChatPromptVersionInput', 'id', {
          promptId,
          promptVersion: { ...GRAPHQL_VERSION, ...fields },
        }),
    },
    [
      { title: 'adds a version to a prompt', fields: {} },
      { title: 'trims its description', fields: { description: ' shorter ' } },
    ],
  ),
};

const patchPrompt: WriteTwin = {
  operation: 'updatePrompt',
  mutation: 'patchPrompt',
  cases: over<{ readonly description?: string | null; readonly metadata?: object; readonly id?: string }>(
    setUp,
    {
      rest: ({ prompt }, { id = prompt, ...fields }) => ({ method: 'PATCH', path: `/v1/prompts/${id}`, body: fields }),
      graphql: ({ prompt }, { id = prompt, ...fields }) =>
        mutation('patchPrompt', 'PatchPromptInput', 'id', { promptId: id, ...fields }),
    },
    [
      { title: 'changes what is given', fields: { description: 'new', metadata: { b: 2 } } },
      { title: 'trims the description', fields: { description: ' new ' } },
      { title: 'removes a description that is blank', fields: { description: '  ' } },
      { title: 'removes a description that is null', fields: { description: null } },
      { title: 'rejects a change of nothing', fields: {}, code: 'QUERY_INVALID' },
      {
        title: 'rejects an unknown prompt',
        fields: { id: toGlobalId('Prompt', UNKNOWN_ROW_ID), description: 'new' },
        code: 'PROMPT_NOT_FOUND',
      },
    ],
  ),
};

const deletePrompt: WriteTwin = {
  operation: 'deletePrompt',
  mutation: 'deletePrompt',
  cases: over<{ readonly id?: string }>(
    setUp,
    {
      rest: ({ prompt }, { id = prompt }) => ({ method: 'DELETE', path: `/v1/prompts/${id}` }),
      graphql: ({ prompt }, { id = prompt }) =>
        mutation('deletePrompt', 'DeletePromptInput', 'query { promptCount }', { promptId: id }),
    },
    [
      { title: 'deletes a prompt with its versions and tags', fields: {} },
      {
        title: 'rejects an unknown prompt',
        fields: { id: toGlobalId('Prompt', UNKNOWN_ROW_ID) },
        code: 'PROMPT_NOT_FOUND',
      },
    ],
  ),
};

const setTag: WriteTwin = {
  operation: 'setPromptVersionTag',
  mutation: 'setPromptVersionTag',
  cases: over<{ readonly name: string; readonly description?: string; readonly id?: string }>(
    setUp,
    {
      rest: ({ version }, { id = version, ...body }) => ({
        method: 'POST',
        path: `/v1/prompt_versions/${id}/tags`,
        body,
      }),
      graphql: ({ version }, { id = version, ...tag }) =>
        mutation('setPromptVersionTag', 'SetPromptVersionTagInput', 'prompt { id }', { promptVersionId: id, ...tag }),
    },
    [
      { title: 'tags a version', fields: { name: 'production', description: 'in use' } },
      { title: 'replaces the description of a tag that is there', fields: { name: 'staging', description: 'new' } },
      {
        title: 'rejects an unknown version',
        fields: { name: 'x', id: unknownVersion },
        code: 'PROMPT_VERSION_NOT_FOUND',
      },
    ],
  ),
};

const deleteTag: WriteTwin = {
  operation: 'deletePromptVersionTag',
  mutation: 'deletePromptVersionTag',
  cases: [
    {
      title: 'deletes a tag',
      setUp,
      rest: ({ version }) => ({ method: 'DELETE', path: `/v1/prompt_versions/${version}/tags/staging` }),
      graphql: ({ tag }) =>
        mutation('deletePromptVersionTag', 'DeletePromptVersionTagInput', 'prompt { id }', { promptVersionTagId: tag }),
    },
    {
      title: 'rejects an unknown tag',
      setUp,
      rest: ({ version }) => ({ method: 'DELETE', path: `/v1/prompt_versions/${version}/tags/absent` }),
      graphql: () =>
        mutation('deletePromptVersionTag', 'DeletePromptVersionTagInput', 'prompt { id }', {
          promptVersionTagId: toGlobalId('PromptVersionTag', UNKNOWN_ROW_ID),
        }),
      code: 'PROMPT_TAG_NOT_FOUND',
    },
  ],
};

export const PROMPTS: NounTwins = {
  twins: [createVersion, addVersion, patchPrompt, deletePrompt, setTag, deleteTag],
  alone: {
    clonePrompt: 'REST does not clone prompts.',
    createPromptLabel: 'REST has no labels of prompts.',
    patchPromptLabel: 'REST has no labels of prompts.',
    deletePromptLabels: 'REST has no labels of prompts.',
    setPromptLabels: 'REST has no labels of prompts.',
    unsetPromptLabels: 'REST has no labels of prompts.',
  },
};
