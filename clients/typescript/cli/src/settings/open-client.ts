import { type ClientOptions, createClient, type SpandrelClient } from '@spandrel/client';
import { type ClientChoice, type InvocationSettings, UsageError } from '../command-line/command.ts';
import { namesCredential, namesEndpoint, namesProject, readSetting } from './environment.ts';
import { findProfile, type Profile } from './profiles.ts';

/** Requests in all, and time for them: a person waits. */
const ATTEMPT_COUNT_MAX = 3;
const DEADLINE_MS = 15_000;

/** Where a value of the settings comes from. */
export type Source = 'flag' | 'environment' | 'profile' | 'file or default';

export interface OpenedClient {
  readonly client: SpandrelClient;
  readonly endpointSource: Source;
  readonly credentialSource: Source | 'none';
  readonly profileName: string | undefined;
  readonly projectName: string | undefined;
  /** Key of flag or profile; that of the environment is the client's own. */
  readonly key: string | undefined;
  /** `Authorization` of the last request. */
  authorization(): string | undefined;
}

/**
 * A client for the server of flags, else environment, else profile, else hand-off file. The key of a profile is sent to the
 * address of this profile only.
 */
export async function openClient(
  { endpoint, apiKey, profile: profileName, project }: InvocationSettings,
  { attemptCountMax = ATTEMPT_COUNT_MAX, openBody }: ClientChoice,
  warn: (message: string) => void,
): Promise<OpenedClient> {
  const found = findProfile(profileName ?? readSetting('PROFILE'));
  const profile = found?.profile;
  const usesProfile = endpoint === undefined && profile?.endpoint !== undefined && (profileName || !namesEndpoint());
  const endpointSource = endpoint
    ? 'flag'
    : usesProfile
      ? 'profile'
      : namesEndpoint()
        ? 'environment'
        : 'file or default';
  const baseUrl = endpoint ?? (usesProfile ? profile?.endpoint : undefined);
  const ownsKey = profile && isSameServer(baseUrl, profile.endpoint) ? profile : undefined;
  const usesOwnKey = apiKey === undefined && (profileName !== undefined || !namesCredential());
  const profileKey = usesOwnKey && ownsKey ? await keyOf(found?.name ?? '', ownsKey, warn) : undefined;
  const isOfProfile = usesOwnKey && ownsKey !== undefined && (profileKey ?? ownsKey.headers) !== undefined;
  // Without headers here, the key of a hand-off file would be sent to the address of the profile.
  const headers = isOfProfile || (usesProfile && !namesCredential()) ? { headers: ownsKey?.headers ?? {} } : {};
  const key = apiKey ?? profileKey;
  let authorization: string | undefined;
  const renew =
    isOfProfile && apiKey === undefined && ownsKey?.tokens && !openBody
      ? once(() => keyOf(found?.name ?? '', ownsKey, warn, profileKey))
      : undefined;
  const options: ClientOptions = {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(key !== undefined && { apiKey: checkKey(key) }),
    ...headers,
    fetch: async (request, init) => {
      authorization = request.headers.get('authorization') ?? undefined;
      const again = renew && request.clone();
      const response = await fetch(openBody ? withBody(request, openBody()) : request, init);
      if (response.status !== 401 || !again) return response;
      const token = await renew();
      if (token === undefined || token === profileKey) return response;
      await response.body?.cancel();
      again.headers.set('authorization', `Bearer ${token}`);
      authorization = `Bearer ${token}`;
      return fetch(again, init);
    },
    retry: { attemptCountMax, deadlineMs: DEADLINE_MS },
    warn,
  };
  const client = createClient({ options });
  return {
    client,
    key,
    authorization: () => authorization,
    endpointSource,
    credentialSource: apiKey ? 'flag' : isOfProfile ? 'profile' : namesCredential() ? 'environment' : 'none',
    profileName: found?.name,
    projectName: project ?? (namesProject() ? undefined : profile?.project) ?? client.config.projectName,
  };
}

const isSameServer = (baseUrl: string | undefined, own: string | undefined): boolean =>
  baseUrl !== undefined && own !== undefined && baseUrl.replace(/\/+$/, '') === own.replace(/\/+$/, '');

/** A header cannot hold other characters, and an error of `fetch` would print the key. */
function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('The API key has blanks or characters that no header can hold. Copy it again.');
}

async function keyOf(
  name: string,
  profile: Profile,
  warn: (message: string) => void,
  rejected?: string,
): Promise<string | undefined> {
  if (!profile.tokens) return profile.apiKey;
  const { freshToken } = await import('./tokens.ts');
  return freshToken(name, profile, warn, rejected);
}

/** The result of the first call, for all calls. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Streams the body: a clone of a request with a stream would hold all of it in memory. */
function withBody(request: Request, body: ReadableStream<Uint8Array>): Request {
  return new Request(request, { body, duplex: 'half' } as RequestInit);
}
