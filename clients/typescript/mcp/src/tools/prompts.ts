import { z } from 'zod';
import { readList } from '../answers/read-list.ts';
import { TEXT_CHARS_MAX } from '../limits.ts';
import {
  bodyOf,
  CursorParameter,
  defineTool,
  Identifier,
  limitOf,
  Row,
  rowsOf,
  type Tool,
  type ToolContext,
} from '../tool.ts';

const id = { id: z.string() };
const Version = Row({ promptVersion: Row(id).optional() });

interface VersionChoice {
  readonly prompt_identifier: string;
  readonly tag?: string | undefined;
  readonly version_id?: string | undefined;
}

/** The version with an ID, the one with a tag, or the latest. */
async function readVersion({ prompt_identifier, tag, version_id }: VersionChoice, { client, signal }: ToolContext) {
  if (version_id !== undefined) return readVersionById(version_id, client, signal);
  const call =
    tag === undefined
      ? client.GET('/v1/prompts/{prompt_identifier}/latest', { params: { path: { prompt_identifier } }, signal })
      : client.GET('/v1/prompts/{prompt_identifier}/tags/{tag_name}', {
          params: { path: { prompt_identifier, tag_name: tag } },
          signal,
        });
  return { data: { promptVersion: (await bodyOf(call)).data } };
}

async function readVersionById(prompt_version_id: string, client: ToolContext['client'], signal: AbortSignal) {
  const params = { path: { prompt_version_id } };
  const { data } = await bodyOf(client.GET('/v1/prompt_versions/{prompt_version_id}', { params, signal }));
  return { data: { promptVersion: data } };
}

/** Names of prompts have lower-case letters, digits, `-` and `_`. */
const toPromptName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '');

type Provider = 'OPENAI' | 'AZURE_OPENAI' | 'ANTHROPIC' | 'GOOGLE';

/** Tokens of an answer, which Anthropic demands. */
const ANTHROPIC_TOKENS_MAX = 1_000;

function toParameters(provider: Provider, temperature: number) {
  switch (provider) {
    case 'OPENAI':
      return { type: 'openai', openai: { temperature } } as const;
    case 'AZURE_OPENAI':
      return { type: 'azure_openai', azure_openai: { temperature } } as const;
    case 'ANTHROPIC':
      return { type: 'anthropic', anthropic: { max_tokens: ANTHROPIC_TOKENS_MAX, temperature } } as const;
    case 'GOOGLE':
      return { type: 'google', google: { temperature } } as const;
  }
}

/** Tools for prompts, their versions and tags. */
export const PROMPT_TOOLS: readonly Tool[] = [
  defineTool({
    names: ['list-prompts'],
    title: 'List prompts',
    description: 'Prompts, the newest first.',
    effect: 'read',
    input: { limit: limitOf(100, 100), cursor: CursorParameter },
    output: rowsOf('prompts', id),
    run: ({ limit, cursor }, context) =>
      readList({
        ...{ key: 'prompts', limit, cursor, context },
        read: (query) => bodyOf(context.client.GET('/v1/prompts', { params: { query }, signal: context.signal })),
      }),
  }),
  defineTool({
    names: ['get-prompt'],
    title: 'Get a prompt',
    description: 'A version of a prompt: the one with version_id, the one with tag, or the latest.',
    effect: 'read',
    input: { prompt_identifier: Identifier, tag: Identifier.optional(), version_id: Identifier.optional() },
    output: Version,
    run: readVersion,
  }),
  defineTool({
    names: ['get-latest-prompt', 'get-prompt-by-identifier'],
    title: 'Get the latest version of a prompt',
    description: 'The latest version of a prompt, by name or ID.',
    effect: 'read',
    input: { prompt_identifier: Identifier },
    output: Version,
    run: readVersion,
  }),
  defineTool({
    names: ['get-prompt-version'],
    title: 'Get a version of a prompt',
    description: 'A version of a prompt by the ID of the version.',
    effect: 'read',
    input: { prompt_version_id: Identifier },
    output: Version,
    run: ({ prompt_version_id }, { client, signal }) => readVersionById(prompt_version_id, client, signal),
  }),
  defineTool({
    names: ['get-prompt-version-by-tag'],
    title: 'Get a tagged version of a prompt',
    description: 'The version of a prompt that has a tag, such as production.',
    effect: 'read',
    input: { prompt_identifier: Identifier, tag_name: Identifier },
    output: Version,
    run: ({ prompt_identifier, tag_name }, context) => readVersion({ prompt_identifier, tag: tag_name }, context),
  }),
  defineTool({
    names: ['list-prompt-versions'],
    title: 'List versions of a prompt',
    description: 'Versions of a prompt, the newest first.',
    effect: 'read',
    input: { prompt_identifier: Identifier, limit: limitOf(100, 100), cursor: CursorParameter },
    output: rowsOf('promptVersions', id),
    run: ({ prompt_identifier, limit, cursor }, context) =>
      readList({
        ...{ key: 'promptVersions', limit, cursor, context },
        read: (query) =>
          bodyOf(
            context.client.GET('/v1/prompts/{prompt_identifier}/versions', {
              params: { path: { prompt_identifier }, query },
              signal: context.signal,
            }),
          ),
      }),
  }),
  defineTool({
    names: ['list-prompt-version-tags'],
    title: 'List tags of a prompt version',
    description: 'Tags of a version of a prompt.',
    effect: 'read',
    input: { prompt_version_id: Identifier, limit: limitOf(100, 100), cursor: CursorParameter },
    output: rowsOf('tags'),
    run: ({ prompt_version_id, limit, cursor }, context) =>
      readList({
        ...{ key: 'tags', limit, cursor, context },
        read: (query) =>
          bodyOf(
            context.client.GET('/v1/prompt_versions/{prompt_version_id}/tags', {
              params: { path: { prompt_version_id }, query },
              signal: context.signal,
            }),
          ),
      }),
  }),
  defineTool({
    names: ['upsert-prompt'],
    title: 'Add a version to a prompt',
    description:
      'Creates a prompt, or adds a version to the prompt of this name. The name becomes lower-case, with _ for spaces. The template is one user message; {{name}} stands for a variable.',
    effect: 'add',
    input: {
      name: Identifier,
      template: z.string().min(1).max(TEXT_CHARS_MAX),
      description: z.string().max(TEXT_CHARS_MAX).optional(),
      model_provider: z.enum(['OPENAI', 'AZURE_OPENAI', 'ANTHROPIC', 'GOOGLE']).default('OPENAI'),
      model_name: Identifier.default('gpt-4'),
      temperature: z.number().min(0).max(2).default(0.7),
    },
    output: Version,
    async run({ name, template, description, model_provider, model_name, temperature }, { client, signal }) {
      const text = { type: 'text', text: template } as const;
      const body = {
        prompt: { name: toPromptName(name), ...(description !== undefined && { description }) },
        version: {
          ...{ model_provider, model_name, template_type: 'CHAT', template_format: 'MUSTACHE' },
          ...(description !== undefined && { description }),
          template: { type: 'chat', messages: [{ role: 'user', content: [text] }] },
          invocation_parameters: toParameters(model_provider, temperature),
        },
      } as const;
      const call = client.POST('/v1/prompts', { body: body as never, signal });
      return { data: { promptVersion: (await bodyOf(call)).data } };
    },
  }),
  defineTool({
    names: ['add-prompt-version-tag'],
    title: 'Tag a version of a prompt',
    description: 'Gives a version of a prompt a tag. Another version of the prompt that had the tag loses it.',
    effect: 'add',
    input: { prompt_version_id: Identifier, name: Identifier, description: z.string().max(TEXT_CHARS_MAX).optional() },
    output: Row({ tag: Row().optional() }),
    async run({ prompt_version_id, name, description }, { client, signal }) {
      const body = { name, ...(description !== undefined && { description }) };
      const params = { path: { prompt_version_id } };
      await client.POST('/v1/prompt_versions/{prompt_version_id}/tags', { params, body, signal });
      return { data: { tag: { prompt_version_id, ...body } } };
    },
  }),
];
