import { HttpError } from '@spandrel/client';
import { type Action, CommandError, UsageError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { toFacts } from '../output/table.ts';
import { toSafeText } from '../output/text.ts';
import { dataOf, readPages } from './pages.ts';

export const listPrompts: Action = async ({ client, number, out, signal }) => {
  const server = await client();
  const prompts = readPages(
    (cursor) => server.GET('/v1/prompts', { params: { query: { limit: 100, cursor } }, signal }),
    number('limit'),
  );
  await out.list(
    prompts,
    [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ID', text: ({ id }) => id },
      { title: 'DESCRIPTION', text: ({ description }) => description },
    ],
    'No prompts.',
  );
};

export const getPrompt: Action = async ({ client, argument, text, out, signal }) => {
  const server = await client();
  const tag = text('tag');
  const version = text('version');
  if (tag !== undefined && version !== undefined) throw new UsageError('Pass --tag or --version, and not both.');
  const identifier = argument(0);
  const call =
    version !== undefined
      ? server.GET('/v1/prompt_versions/{prompt_version_id}', {
          params: { path: { prompt_version_id: version } },
          signal,
        })
      : tag !== undefined
        ? server.GET('/v1/prompts/{prompt_identifier}/tags/{tag_name}', {
            params: { path: { prompt_identifier: identifier, tag_name: tag } },
            signal,
          })
        : server.GET('/v1/prompts/{prompt_identifier}/latest', {
            params: { path: { prompt_identifier: identifier } },
            signal,
          });
  const prompt = dataOf(
    await call.catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.status !== 404) throw error;
      const what =
        version !== undefined
          ? `version ${version} of a prompt`
          : `prompt "${identifier}"${tag === undefined ? '' : ` with a tag "${tag}"`}`;
      throw new CommandError(`There is no ${what}. spandrel prompt list shows the names.`, EXIT.failure);
    }),
  );
  const body = () => toMessages(prompt.template);
  if (out.format === 'text') return out.line(body());
  await out.item(prompt, () => {
    const model = `${prompt.model_provider} ${prompt.model_name}`;
    return `${toFacts([
      ['Prompt', identifier],
      ['Version', prompt.id],
      ['Model', toSafeText(model)],
      ['Description', toSafeText(prompt.description ?? '')],
    ])}\n\n${body()}`;
  });
};

/** `<role>content</role>`, a message per line. Parts that are no text are JSON. */
function toMessages(template: unknown): string {
  const { messages, template: whole } = template as {
    readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
    readonly template?: string;
  };
  if (!messages) return toSafeText(String(whole ?? ''));
  return messages
    .map(({ role, content }) => `<${toSafeText(role)}>${toSafeText(toContent(content))}</${toSafeText(role)}>`)
    .join('\n');
}

function toContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((part: { readonly type?: string; readonly text?: string }) =>
      part?.type === 'text' && typeof part.text === 'string' ? part.text : JSON.stringify(part),
    )
    .join('\n');
}
