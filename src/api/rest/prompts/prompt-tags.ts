import { type Static, Type } from '@sinclair/typebox';
import type { PromptVersionTag } from '../../../model/prompts/prompt.ts';
import { withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo } from '../cursor.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { Cursor, Nullable, OpenLimit, PageOf } from '../schema.ts';
import { promptVersionId, VERSION_ABSENT } from './prompt-refs.ts';
import { Identifier } from './prompt-schemas.ts';
import { toPage } from './prompts.ts';

const TagJson = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(Type.String()),
    id: Type.String({ description: 'Global ID.' }),
  },
  { $id: 'PromptVersionTag' },
);

const VERSION_PARAM = { prompt_version_id: 'Global ID of the version.' };
const INVALID_ID = 'Invalid prompt version ID';

export const promptTagRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/prompt_versions/:prompt_version_id/tags',
    access: 'viewer',
    operationId: 'listPromptVersionTags',
    tag: 'prompts',
    summary: 'List the tags of a version, newest first',
    params: VERSION_PARAM,
    query: Type.Object({ cursor: Cursor, limit: OpenLimit }),
    success: {
      status: 200,
      description: 'One page of tags.',
      schema: PageOf(TagJson),
      example: { data: [{ name: 'production', id: 'UHJvbXB0VmVyc2lvblRhZzox' }], next_cursor: null },
    },
    errors: { 404: 'Prompt version not found', 422: `${INVALID_ID}; Invalid cursor format: <cursor>` },
    async handle({ domain, params, query }) {
      const rowId = promptVersionId(params.prompt_version_id);
      const page = await withTexts({ PROMPT_VERSION_NOT_FOUND: 'Prompt version not found' }, () =>
        domain.prompts.listTags(rowId, toPage(query)),
      );
      return { data: page.items.map(toJson), next_cursor: cursorTo('PromptVersionTag', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/prompt_versions/:prompt_version_id/tags',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'setPromptVersionTag',
    tag: 'prompts',
    summary: 'Tag a version',
    description: 'A tag belongs to one version of a prompt. If another version has it, it is moved.',
    params: VERSION_PARAM,
    body: Type.Object({ name: Identifier, description: Type.Optional(Nullable(Type.String())) }),
    bodyExample: { name: 'production' },
    success: { status: 204, description: 'The version has the tag.' },
    errors: { 404: 'Not Found', 422: INVALID_ID },
    async handle({ domain, params, body }) {
      const rowId = promptVersionId(params.prompt_version_id);
      await withTexts(VERSION_ABSENT, () => domain.prompts.setTag(rowId, body));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/prompt_versions/:prompt_version_id/tags/:tag_name',
    access: 'member',
    operationId: 'deletePromptVersionTag',
    tag: 'prompts',
    summary: 'Remove a tag from a prompt',
    description: 'The tag is also removed if another version of the same prompt has it.',
    params: { ...VERSION_PARAM, tag_name: 'Name of the tag.' },
    success: { status: 204, description: 'No version of the prompt has the tag.' },
    errors: { 404: 'Not Found', 422: `${INVALID_ID}; Invalid tag name` },
    async handle({ domain, params }) {
      const ref = { promptVersionId: promptVersionId(params.prompt_version_id), name: params.tag_name };
      await withTexts({ PROMPT_TAG_NOT_FOUND: 'Not Found' }, () => domain.prompts.deleteTag(ref));
    },
  }),
];

const toJson = ({ rowId, name, description }: PromptVersionTag): Static<typeof TagJson> => ({
  name,
  ...(description && { description }),
  id: toGlobalId('PromptVersionTag', rowId),
});
