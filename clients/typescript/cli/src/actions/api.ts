import { readFile } from 'node:fs/promises';
import { HttpError } from '@spandrel/client';
import { type Action, CommandError, type Invocation, UsageError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { describeFileError } from '../output/file-error.ts';
import { toSafeText } from '../output/text.ts';
import { sendGraphql } from './graphql.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** Sends one request and passes the body of the response on as it is, streamed. */
export const callApi: Action = async ({ client, argument, text, list, out, signal }) => {
  const method = argument(0).toUpperCase();
  const path = argument(1);
  if (!METHODS.includes(method)) throw new UsageError(`The method must be one of ${METHODS.join(', ')}.`);
  if (!path.startsWith('/'))
    throw new UsageError(`The path must begin with /, such as /v1/projects; received "${path}".`);
  const data = text('data');
  const body = data === undefined ? undefined : await readBody(data);
  const query = new URLSearchParams(list('query').map(toPair)).toString();
  const separator = path.includes('?') ? '&' : '?';
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(list('header').map(toHeader)),
  };
  const response = await (await client()).fetch(query ? `${path}${separator}${query}` : path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    signal,
  });
  if (!response.body) return;
  const isShown = process.stdout.isTTY === true;
  const decoder = new TextDecoder();
  for await (const chunk of response.body)
    await out.write(
      isShown ? toSafeText(decoder.decode(chunk as Uint8Array, { stream: true })) : (chunk as Uint8Array),
    );
  if (isShown) await out.write('\n');
};

/** Standard input for `-`, a file for `@path`, else the text. */
async function readBody(data: string): Promise<string> {
  if (data !== '-' && !data.startsWith('@')) return data;
  if (data !== '-') {
    const path = data.slice(1);
    return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(describeFileError(error, path));
    });
  }
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of process.stdin) {
    byteCount += (chunk as Uint8Array).byteLength;
    if (byteCount > BODY_BYTES_MAX) throw new UsageError(`The body has more than ${BODY_BYTES_MAX} bytes.`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`--query must be name=value, received "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function toHeader(text: string): [string, string] {
  const at = text.search(/[=:]/);
  if (at <= 0) throw new UsageError('--header must be name=value, such as x-team=a.');
  return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
}

/** Sends a query. Mutations are rejected: they have commands, or `api POST /graphql`. */
export const callGraphql: Action = async (invocation) => {
  const { client, argument, text, isSet, out, signal } = invocation;
  const query = await readBody(argument(0));
  const kind = /\b(mutation|subscription)\b\s*\w*\s*[({]/.exec(withoutTexts(query))?.[1];
  if (kind) throw new UsageError(`This sends queries only, and the document has a ${kind}.`);
  const variables = readVariables(text('variables'));
  if (isSet('curl')) {
    await out.line(await toCurl(invocation, query, variables));
    return EXIT.ok;
  }
  try {
    const answer = await sendGraphql(await client(), query, variables, signal);
    await out.item(answer, () => JSON.stringify(answer, null, 2));
    for (const { message } of answer.errors ?? []) out.note(`Error: ${toSafeText(String(message))}`);
    return answer.data === undefined || answer.data === null ? EXIT.failure : EXIT.ok;
  } catch (error) {
    // A document that cannot be read is answered with 400 and the errors.
    if (error instanceof HttpError && error.status === 400) throw new CommandError(error.message, EXIT.failure);
    throw error;
  }
};

/** The document without comments and string values, which may contain any word. */
const withoutTexts = (query: string): string => query.replace(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g, ' ');

function readVariables(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The same message as for another kind of value.
  }
  throw new UsageError(`--variables must be a JSON object, received "${text.slice(0, 100)}".`);
}

async function toCurl(
  { client, isSet, settings }: Invocation,
  query: string,
  variables: Record<string, unknown>,
): Promise<string> {
  const { config } = await client();
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const key = isSet('show-token') ? await shownKey(settings) : '$SPANDREL_API_KEY';
  const authorization = isSet('show-token') ? quote(`Authorization: Bearer ${key}`) : `"Authorization: Bearer ${key}"`;
  const body = quote(JSON.stringify({ query, variables }));
  return `curl -sS ${quote(`${config.baseUrl}/graphql`)} -H 'Content-Type: application/json' -H ${authorization} -d ${body}`;
}

async function shownKey(settings: Invocation['settings']): Promise<string> {
  const { readSetting } = await import('../settings/environment.ts');
  const { findProfile } = await import('../settings/profiles.ts');
  const profile = findProfile(settings.profile)?.profile;
  return settings.apiKey ?? readSetting('API_KEY') ?? profile?.tokens?.accessToken ?? profile?.apiKey ?? '';
}
