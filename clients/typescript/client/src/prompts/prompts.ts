import { bodyOf, type CallOptions, clientOf, type SpandrelClient } from '../client.ts';
import type { Prompt, PromptVersion, PromptVersionData, PromptVersionTag } from '../generated/api.ts';
import { ArgumentError, HttpError } from '../http/errors.ts';
import { type List, listAll, toPage } from '../pages/list.ts';

export type { Prompt, PromptVersion, PromptVersionData, PromptVersionTag };

/** A version by its ID, the one with a tag, or the latest one of a prompt. */
export type PromptSelector =
  | { readonly name: string; readonly tag?: string }
  | { readonly promptId: string; readonly tag?: string }
  | { readonly versionId: string };

const PAGE_ROW_COUNT = 100;
const NAME = /^[a-z0-9]([_a-z0-9-]*[a-z0-9])?$/;

/** All prompts, the newest first. */
export function listPrompts({ client, signal }: CallOptions = {}): List<Prompt> {
  return listAll(async (cursor) => {
    const params = { query: { limit: PAGE_ROW_COUNT, cursor } };
    return toPage(await bodyOf(clientOf(client).GET('/v1/prompts', { params, signal })));
  });
}

/** All versions of a prompt, the newest first. */
export function listPromptVersions({
  client,
  signal,
  promptIdentifier,
}: CallOptions & { readonly promptIdentifier: string }): List<PromptVersion> {
  return listAll(async (cursor) => {
    const params = { path: { prompt_identifier: promptIdentifier }, query: { limit: PAGE_ROW_COUNT, cursor } };
    return toPage(await bodyOf(clientOf(client).GET('/v1/prompts/{prompt_identifier}/versions', { params, signal })));
  });
}

/** Creates a prompt with a first version, or a version of the prompt with this name. */
export async function createPrompt({
  client,
  signal,
  name,
  description,
  metadata,
  version,
}: CallOptions & {
  readonly name: string;
  readonly description?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly version: PromptVersionData;
}): Promise<PromptVersion> {
  if (!NAME.test(name)) {
    throw new ArgumentError(
      `The name "${name}" of a prompt must have lower-case letters, digits, - and _, and begin and end with a letter or digit.`,
    );
  }
  const prompt = { name, ...(description != null && { description }), ...(metadata && { metadata }) };
  return (await bodyOf(clientOf(client).POST('/v1/prompts', { body: { prompt, version }, signal }))).data;
}

/** Changes description and metadata of a prompt. Null clears the description; what is absent stays. */
export async function updatePrompt({
  client,
  signal,
  promptIdentifier,
  description,
  metadata,
}: CallOptions & {
  readonly promptIdentifier: string;
  readonly description?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}): Promise<Prompt> {
  if (description === undefined && metadata === undefined)
    throw new ArgumentError('Pass description or metadata to change.');
  const body = { ...(description !== undefined && { description }), ...(metadata && { metadata }) };
  const params = { path: { prompt_identifier: promptIdentifier } };
  return (await bodyOf(clientOf(client).PATCH('/v1/prompts/{prompt_identifier}', { params, body, signal })))
    .data as Prompt;
}

/** Deletes a prompt with its versions and tags. */
export async function deletePrompt({
  client,
  signal,
  promptIdentifier,
}: CallOptions & { readonly promptIdentifier: string }): Promise<void> {
  const params = { path: { prompt_identifier: promptIdentifier } };
  await clientOf(client).DELETE('/v1/prompts/{prompt_identifier}', { params, signal });
}

/** Gives a version a tag, which is taken from another version of the prompt. */
export async function createPromptVersionTag({
  client,
  signal,
  promptVersionId,
  name,
  description,
}: CallOptions & {
  readonly promptVersionId: string;
  readonly name: string;
  readonly description?: string;
}): Promise<void> {
  const params = { path: { prompt_version_id: promptVersionId } };
  const body = { name, ...(description !== undefined && { description }) };
  await clientOf(client).POST('/v1/prompt_versions/{prompt_version_id}/tags', { params, body, signal });
}

/** All tags of a version. */
export function listPromptVersionTags({
  client,
  signal,
  promptVersionId,
}: CallOptions & { readonly promptVersionId: string }): List<PromptVersionTag> {
  return listAll(async (cursor) => {
    const params = { path: { prompt_version_id: promptVersionId }, query: { limit: PAGE_ROW_COUNT, cursor } };
    return toPage(
      await bodyOf(clientOf(client).GET('/v1/prompt_versions/{prompt_version_id}/tags', { params, signal })),
    );
  });
}

/** Takes a tag from a prompt. */
export async function deletePromptVersionTag({
  client,
  signal,
  promptVersionId,
  name,
}: CallOptions & { readonly promptVersionId: string; readonly name: string }): Promise<void> {
  const params = { path: { prompt_version_id: promptVersionId, tag_name: name } };
  await clientOf(client).DELETE('/v1/prompt_versions/{prompt_version_id}/tags/{tag_name}', { params, signal });
}

/** Age, in milliseconds, after which a stored version is read again; and the number of stored versions. */
const FRESH_MS = 60_000;
const STORED_COUNT_MAX = 1_000;

interface Stored {
  readonly version: PromptVersion;
  readAt: number;
  isBeingRead: boolean;
}

/** Client → versions that were read, so that a server that is away stops no application. */
const stores = new WeakMap<object, Map<string, Stored>>();
/** The store of calls without a client, by address. */
const environmentStores = new Map<string, Map<string, Stored>>();

/**
 * A version of a prompt. A version that was read before is returned at once; after a minute it is read again in the
 * background for later calls. `cache: false` asks the server each time.
 *
 * @throws {HttpError} with status 404 when there is none
 */
export async function getPrompt({
  client: given,
  signal,
  prompt,
  cache = true,
}: CallOptions & { readonly prompt: PromptSelector; readonly cache?: boolean }): Promise<PromptVersion> {
  const client = clientOf(given);
  if (!cache) return readPrompt(client, prompt, signal);
  const store = storeOf(given, client);
  const key = JSON.stringify([Object.entries(prompt).sort()]);
  const stored = store.get(key);
  if (!stored) return keep(store, key, await readPrompt(client, prompt, signal));
  const isOld = Date.now() - stored.readAt > FRESH_MS;
  if (isOld && !stored.isBeingRead) {
    stored.isBeingRead = true;
    readPrompt(client, prompt).then(
      (version) => keep(store, key, version),
      (error: unknown) => {
        stored.isBeingRead = false;
        // A server that is away changes nothing, and is asked again after a while. What it rejects is not kept.
        stored.readAt = Date.now() - FRESH_MS / 2;
        if (error instanceof HttpError && error.status < 500) store.delete(key);
      },
    );
  }
  return structuredClone(stored.version);
}

function storeOf(given: SpandrelClient | undefined, client: SpandrelClient): Map<string, Stored> {
  const found = given ? stores.get(given) : environmentStores.get(client.config.baseUrl);
  if (found) return found;
  const store = new Map<string, Stored>();
  if (given) stores.set(given, store);
  else environmentStores.set(client.config.baseUrl, store);
  return store;
}

function keep(store: Map<string, Stored>, key: string, version: PromptVersion): PromptVersion {
  store.delete(key);
  store.set(key, { version, readAt: Date.now(), isBeingRead: false });
  const [oldest] = store.keys();
  if (store.size > STORED_COUNT_MAX && oldest !== undefined) store.delete(oldest);
  return structuredClone(version);
}

async function readPrompt(
  client: SpandrelClient,
  prompt: PromptSelector,
  signal?: AbortSignal,
): Promise<PromptVersion> {
  if ('versionId' in prompt) {
    const params = { path: { prompt_version_id: prompt.versionId } };
    const call = client.GET('/v1/prompt_versions/{prompt_version_id}', { params, signal });
    return (await bodyOf(namingIfAbsent(call, `prompt version "${prompt.versionId}"`))).data;
  }
  const identifier = 'name' in prompt ? prompt.name : prompt.promptId;
  if (!identifier) throw new ArgumentError('Pass prompt: { name }, { promptId } or { versionId }.');
  if (prompt.tag !== undefined) {
    const params = { path: { prompt_identifier: identifier, tag_name: prompt.tag } };
    const call = client.GET('/v1/prompts/{prompt_identifier}/tags/{tag_name}', { params, signal });
    return (await bodyOf(namingIfAbsent(call, `prompt "${identifier}" with a version of the tag "${prompt.tag}"`)))
      .data;
  }
  const params = { path: { prompt_identifier: identifier } };
  const call = client.GET('/v1/prompts/{prompt_identifier}/latest', { params, signal });
  return (await bodyOf(namingIfAbsent(call, `prompt "${identifier}"`))).data;
}

/** A call whose 404 says what is missing, because the server's text is only “Not Found”. */
const namingIfAbsent = <T>(call: Promise<T>, what: string): Promise<T> =>
  call.catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    throw new HttpError({ ...error, method: 'GET', response: error.response, detail: `there is no ${what}` });
  });
