/** A token, or undefined when nobody is signed in. */
type TokenSource = (options: { readonly forceRefresh: boolean }) => Promise<string | undefined> | string | undefined;

/**
 * A `fetch` that sends the token of `getAccessToken`. After a 401 it asks for a fresh token and sends the request once
 * more; if this is rejected, too, `onUnauthorized` is called and the response returned.
 */
export function createAuthFetch({
  getAccessToken,
  fetch = globalThis.fetch,
  onUnauthorized,
}: {
  readonly getAccessToken: TokenSource;
  readonly fetch?: typeof globalThis.fetch;
  readonly onUnauthorized?: (response: Response) => void | Promise<void>;
}): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  const sendWith = async (request: Request, signal: AbortSignal, forceRefresh: boolean): Promise<Response> => {
    const token = await getAccessToken({ forceRefresh });
    const headers = new Headers(request.headers);
    if (token) headers.set('authorization', `Bearer ${token}`);
    return fetch(new Request(request, { headers }), { signal });
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const held = [input, request];
    underWay.add(held);
    try {
      const first = await sendWith(request.clone(), request.signal, false);
      if (first.status !== 401) return first;
      await first.body?.cancel();
      const second = await sendWith(request, request.signal, true);
      if (second.status === 401) await onUnauthorized?.(second);
      return second;
    } finally {
      underWay.delete(held);
    }
  };
}

/** Node 20 loses the signal of a request to which nothing refers, so that a call that its caller has ended would go on. */
const underWay = new Set<readonly unknown[]>();
