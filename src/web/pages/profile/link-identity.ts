import { useEffect, useEffectEvent } from 'react';
import { fetchResponse, statusFailure } from '../../data/request.ts';
import { PAGE_CONFIG } from '../../page-config.ts';
import { setSearch, useLocation } from '../../router/location.ts';
import { errorText } from '../../sign-in/codes.ts';

/** Texts for the codes with which the server rejects a link. The sign-in page has texts for all others. */
const LINK_TEXTS: ReadonlyMap<string, string> = new Map([
  ['unknown_idp', 'This server no longer has that identity provider. Reload the page.'],
  [
    'identity_in_use',
    'That identity belongs to another account of this server. Sign out at the provider, or unlink it there first.',
  ],
  ['session_changed', 'You have signed in again since you began to link. Link the identity again.'],
  ['too_many_identities', 'This account has the maximum number of linked identities. Unlink one first.'],
  ['invalid_state', 'Linking took too long or was started in another window. Link the identity again.'],
  ['auth_failed', 'The identity provider did not confirm the identity. Link it again.'],
  [
    'sign_in_not_allowed',
    'The identity provider does not let that identity use this server. Ask an administrator for access.',
  ],
]);

export const linkProblem = (code: string): string => LINK_TEXTS.get(code) ?? errorText(code);

export const displayNameOf = (provider: string): string =>
  PAGE_CONFIG.oAuth2Idps.find(({ name }) => name === provider)?.displayName ?? provider;

/** Leaves for the provider. Returns a code when the server rejects that. */
export async function startLink(provider: string): Promise<string | undefined> {
  const { authorization_url: url, error } = await post(`oauth2/${encodeURIComponent(provider)}/link`, {});
  if (url !== undefined) window.location.assign(url);
  return error;
}

/** Ends the link with which the provider has led back to this page, and removes it from the address. */
export function useFinishedLink(onFinished: (provider: string, error: string | undefined) => void): void {
  const { search } = useLocation();
  const provider = search.get('linking');
  const finish = useEffectEvent(async (name: string) => {
    const query = search.toString();
    const removed = Object.fromEntries([...search.keys()].map((key) => [key, null]));
    setSearch(removed, { replaces: true });
    try {
      const { error } = await post(`oauth2/${encodeURIComponent(name)}/link/finish`, { query });
      onFinished(name, error);
    } catch {
      onFinished(name, 'auth_failed');
    }
  });
  useEffect(() => {
    if (provider !== null) void finish(provider);
  }, [provider]);
}

interface LinkResponse {
  readonly authorization_url?: string;
  readonly error?: string;
}

/** Status of a response with a code. */
const REJECTED = 409;

async function post(path: string, body: object): Promise<LinkResponse> {
  const response = await fetchResponse(path, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok && response.status !== REJECTED) throw await statusFailure(response);
  return (await response.json()) as LinkResponse;
}
