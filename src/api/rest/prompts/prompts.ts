import { Type } from '@sinclair/typebox';
import { type ExactJson, toExactJsonText } from '../../../base/exact-json.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { Prompt, PromptContent, PromptVersion } from '../../../model/prompts/prompt.ts';
import { toFamily } from '../../../model/prompts/prompt-parameters.ts';
import { templateTypeOf } from '../../../model/prompts/prompt-template.ts';
import { withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { defineRoute, JsonText, type RestRoute } from '../define-route.ts';
import { AnyJson, Cursor, DataOf, JsonObject, Nullable, OneOf, OpenLimit, PageOf, Ruled } from '../schema.ts';
import { PROMPT_ABSENT, promptRef, promptVersionId, VERSION_ABSENT } from './prompt-refs.ts';
import { NewVersionBody, type NewVersionJson, PromptJson, PromptVersionJson } from './prompt-schemas.ts';

const PROMPT_PARAM = { prompt_identifier: 'Global ID or name of the prompt.' };
const INVALID_NAME = 'Invalid prompt name';
const EXAMPLE = {
  name: 'answer-question',
  description: 'Answers one question',
  source_prompt_id: null,
  metadata: { team: 'support' },
  id: 'UHJvbXB0OjE=',
};
const VERSION_EXAMPLE = {
  model_provider: 'OPENAI',
  model_name: 'gpt-4o',
  template: { type: 'chat', messages: [{ role: 'user', content: 'Answer: {{question}}' }] },
  template_type: 'CHAT',
  template_format: 'MUSTACHE',
  invocation_parameters: { type: 'openai', openai: { temperature: 0.2 } },
};
const VERSION = {
  status: 200,
  description: 'The version.',
  schema: DataOf(PromptVersionJson),
  example: { data: { ...VERSION_EXAMPLE, description: 'Shorter', id: 'UHJvbXB0VmVyc2lvbjox' } },
} as const;

const DifferenceJson = Type.Object(
  {
    path: Type.String({ description: 'Path such as `template.messages[0].content`.' }),
    kind: OneOf(['ADDED', 'REMOVED', 'CHANGED']),
    before: AnyJson({ description: 'Null if the field did not exist.' }),
    after: AnyJson({ description: 'Null if the field does not exist.' }),
  },
  { $id: 'PromptDifference' },
);

export const promptRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/prompts',
    access: 'viewer',
    operationId: 'listPrompts',
    tag: 'prompts',
    summary: 'List prompts, newest first',
    query: Type.Object({ cursor: Cursor, limit: OpenLimit }),
    success: {
      status: 200,
      description: 'One page of prompts.',
      schema: PageOf(PromptJson),
      example: { data: [EXAMPLE], next_cursor: null },
    },
    errors: { 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, query }) {
      const page = await domain.prompts.list(toPage(query));
      return exact({ data: page.items.map(toPromptJson), next_cursor: cursorTo('Prompt', page.nextRowId) });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/prompts',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'once',
    operationId: 'createPromptVersion',
    tag: 'prompts',
    summary: 'Add a version to a prompt',
    description:
      'The prompt is created if it does not exist. An existing prompt keeps its description, metadata and tags.',
    body: NewVersionBody,
    bodyExample: { prompt: { name: 'answer-question' }, version: VERSION_EXAMPLE },
    success: VERSION,
    errors: { 422: 'Only CHAT template type is supported for prompts' },
    async handle({ domain, body }) {
      const version = await domain.prompts.addVersion({ named: body.prompt }, toContent(body.version));
      return exact({ data: toVersionJson(version) });
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/prompts/:prompt_identifier',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'updatePrompt',
    tag: 'prompts',
    summary: 'Change the description or metadata of a prompt',
    description: 'The name never changes. Metadata is replaced as a whole.',
    params: PROMPT_PARAM,
    body: Ruled(
      Type.Object({
        description: Type.Optional(Nullable(Type.String(), { description: 'Null removes it.' })),
        metadata: Type.Optional(JsonObject()),
      }),
      (body) => (Object.keys(body).length === 0 ? 'at least one field must be provided' : undefined),
    ),
    bodyExample: { description: 'Answers one question' },
    success: {
      status: 200,
      description: 'The prompt, without fields that are null.',
      schema: DataOf(Type.Partial(PromptJson)),
      example: { data: { name: EXAMPLE.name, metadata: EXAMPLE.metadata, id: EXAMPLE.id } },
    },
    errors: { 404: 'Prompt not found', 422: INVALID_NAME },
    async handle({ domain, params, body }) {
      const ref = promptRef(params.prompt_identifier);
      const prompt = toPromptJson(await withTexts(PROMPT_ABSENT, () => domain.prompts.update(ref, body)));
      return exact({ data: Object.fromEntries(Object.entries(prompt).filter(([, value]) => value !== null)) });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/prompts/:prompt_identifier',
    access: 'member',
    operationId: 'deletePrompt',
    tag: 'prompts',
    summary: 'Delete a prompt with its versions and tags',
    description: 'Prompts that were cloned from it stay. A prompt that an LLM evaluator uses cannot be deleted.',
    params: PROMPT_PARAM,
    success: { status: 204, description: 'The prompt is deleted.' },
    errors: { 404: 'Prompt not found', 409: 'An LLM evaluator uses the prompt.', 422: INVALID_NAME },
    handle: ({ domain, params }) =>
      withTexts(PROMPT_ABSENT, () => domain.prompts.delete(promptRef(params.prompt_identifier))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/prompts/:prompt_identifier/versions',
    access: 'viewer',
    operationId: 'listPromptVersions',
    tag: 'prompts',
    summary: 'List the versions of a prompt, newest first',
    description: 'The list is empty if the prompt does not exist.',
    params: PROMPT_PARAM,
    query: Type.Object({ cursor: Cursor, limit: OpenLimit }),
    success: {
      status: 200,
      description: 'One page of versions.',
      schema: PageOf(PromptVersionJson),
      example: { data: [VERSION.example.data], next_cursor: null },
    },
    errors: { 422: `${INVALID_NAME}; Invalid cursor format: <cursor>` },
    async handle({ domain, params, query }) {
      const prompt = promptRef(params.prompt_identifier);
      const page = await domain.prompts.listVersions({ prompt, ...toPage(query) });
      return exact({ data: page.items.map(toVersionJson), next_cursor: cursorTo('PromptVersion', page.nextRowId) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/prompts/:prompt_identifier/latest',
    access: 'viewer',
    operationId: 'getLatestPromptVersion',
    tag: 'prompts',
    summary: 'Read the latest version of a prompt',
    params: PROMPT_PARAM,
    success: VERSION,
    errors: { 404: 'Not Found', 422: INVALID_NAME },
    handle: async ({ domain, params }) =>
      versionText(() => domain.prompts.getLatestVersion(promptRef(params.prompt_identifier))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/prompts/:prompt_identifier/tags/:tag_name',
    access: 'viewer',
    operationId: 'getTaggedPromptVersion',
    tag: 'prompts',
    summary: 'Read the version of a prompt that has a tag',
    params: { ...PROMPT_PARAM, tag_name: 'Name of the tag.' },
    success: VERSION,
    errors: { 404: 'Not Found', 422: `${INVALID_NAME}; Invalid tag name` },
    handle: async ({ domain, params }) =>
      versionText(() => domain.prompts.getTaggedVersion(promptRef(params.prompt_identifier), params.tag_name)),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/prompt_versions/:prompt_version_id',
    access: 'viewer',
    operationId: 'getPromptVersion',
    tag: 'prompts',
    summary: 'Read a version',
    params: { prompt_version_id: 'Global ID of the version.' },
    success: VERSION,
    errors: { 404: 'Not Found', 422: 'Invalid prompt version ID' },
    handle: async ({ domain, params }) =>
      versionText(() => domain.prompts.getVersion(promptVersionId(params.prompt_version_id))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/prompt_versions/:prompt_version_id/diff',
    access: 'viewer',
    operationId: 'comparePromptVersions',
    tag: 'prompts',
    summary: 'List the differences between two versions',
    description:
      'The other version may belong to another prompt. Lists are compared by their equal items, so an inserted item is one difference.',
    params: { prompt_version_id: 'Global ID of the version.' },
    query: Type.Object({ base: Type.String({ description: 'Global ID of the version to compare with.' }) }),
    success: {
      status: 200,
      description: 'The differences, in the order of fields.',
      schema: DataOf(Type.Array(DifferenceJson)),
      example: { data: [{ path: 'model_name', kind: 'CHANGED', before: 'gpt-4o', after: 'gpt-5' }] },
    },
    errors: { 404: 'Not Found', 422: 'Invalid prompt version ID' },
    async handle({ domain, params, query }) {
      const [base, version] = [promptVersionId(query.base), promptVersionId(params.prompt_version_id)];
      const compare = () => domain.prompts.compareVersions(base, version);
      return exact({ data: await withTexts(VERSION_ABSENT, compare) });
    },
  }),
];

export function toPage({ cursor, limit }: { readonly cursor?: string; readonly limit: number }) {
  const fromRowId = rowIdOfCursor(cursor, `Invalid cursor format: ${cursor}`);
  return { limit: Math.min(limit, PAGE_ROW_COUNT_MAX), ...(fromRowId !== undefined && { fromRowId }) };
}

const versionText = async (get: () => Promise<PromptVersion>): Promise<JsonText> =>
  exact({ data: toVersionJson(await withTexts(VERSION_ABSENT, get)) });

/** Numbers are written as they were received. */
const exact = (answer: object): JsonText => new JsonText(toExactJsonText(answer as ExactJson));

const toContent = (version: NewVersionJson['version']): PromptContent => ({
  description: version.description ?? null,
  modelProvider: version.model_provider,
  modelName: version.model_name,
  template: version.template,
  templateFormat: version.template_format,
  invocationParameters: toFamily(version.invocation_parameters),
  tools: version.tools ?? null,
  responseFormat: version.response_format ?? null,
});

const toVersionJson = (version: PromptVersion) => ({
  description: version.description ?? '',
  model_provider: version.modelProvider,
  model_name: version.modelName,
  template: version.template,
  template_type: templateTypeOf(version.template),
  template_format: version.templateFormat,
  invocation_parameters: version.invocationParameters,
  ...(version.tools && { tools: version.tools }),
  ...(version.responseFormat && { response_format: version.responseFormat }),
  id: toGlobalId('PromptVersion', version.rowId),
});

const toPromptJson = ({ rowId, name, description, sourcePromptId, metadata }: Prompt) => ({
  name,
  description,
  source_prompt_id: sourcePromptId === null ? null : toGlobalId('Prompt', sourcePromptId),
  metadata,
  id: toGlobalId('Prompt', rowId),
});
