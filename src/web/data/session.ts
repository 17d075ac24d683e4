import { PAGE_CONFIG } from '../page-config.ts';
import { appUrl } from '../router/app-url.ts';
import { exclusively } from './refresh-lock.ts';
import { untilSignedIn } from './sign-in-request.ts';

const REFRESH_MS_MAX = 10_000;
/** Key under which the browser stores when a tab has refreshed the session, for the other tabs. */
const REFRESHED_KEY = 'spandrel.sessionRefreshedAt';

/**
 * Sends a request with the session of this browser. After a 401, the session is refreshed, once for all requests and tabs, and
 * the request is repeated. When the session has ended, the request waits until the user has signed in.
 *
 * @param init Its body must not be a stream, which cannot be sent again.
 * @throws the errors of `fetch`
 */
export async function fetchWithSession(url: string, init: RequestInit = {}): Promise<Response> {
  for (let hasRefreshed = false; ; ) {
    const sentAt = Date.now();
    const response = await fetch(url, init);
    if (response.status !== 401 || !PAGE_CONFIG.authenticationEnabled) return response;
    const state: SessionState = hasRefreshed ? 'ended' : await refreshSession(sentAt);
    // A queue of sign-ins, a rate limit or a restart ends by itself, so the caller retries.
    if (state === 'unavailable') return new Response('The session could not be refreshed.', { status: 503 });
    init.signal?.throwIfAborted();
    hasRefreshed = state === 'valid';
    if (state === 'ended') await untilSignedIn(init.signal ?? undefined);
  }
}

/** Refreshes the session if it has expired, such as before an event stream opens. */
export async function checkSession(): Promise<void> {
  const { body } = await fetchWithSession(appUrl('v1/user'));
  await body?.cancel();
}

type SessionState = 'valid' | 'ended' | 'unavailable';

let running: Promise<SessionState> | undefined;

/** @param sentAt Time at which the rejected request was sent. A later refresh of any tab makes another unnecessary. */
function refreshSession(sentAt: number): Promise<SessionState> {
  running ??= exclusively(async (): Promise<SessionState> => {
    const isRefreshed = () => refreshedAt() >= sentAt;
    if (isRefreshed()) return 'valid';
    const response = await fetch(appUrl('auth/refresh'), {
      method: 'POST',
      signal: AbortSignal.timeout(REFRESH_MS_MAX),
    }).catch(() => undefined);
    if (response?.ok) {
      recordRefresh();
      return 'valid';
    }
    if (isRefreshed()) return 'valid';
    return response?.status === 401 || response?.status === 404 ? 'ended' : 'unavailable';
  }).finally(() => {
    running = undefined;
  });
  return running;
}

let lastRefreshAt = 0;

function recordRefresh(): void {
  lastRefreshAt = Date.now();
  try {
    localStorage.setItem(REFRESHED_KEY, String(lastRefreshAt));
  } catch {
    // The other tabs then refresh by themselves.
  }
}

function refreshedAt(): number {
  try {
    return Math.max(lastRefreshAt, Number(localStorage.getItem(REFRESHED_KEY) ?? 0));
  } catch {
    return lastRefreshAt;
  }
}
