import { openTestServer, type TestServerOptions } from '../api/test-server.ts';

/** A server whose pages a browser opens. */
export interface PageServer {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
}

/**
 * Opens a server in the process of the test, which takes a third of the processor time of the built one. Tests that kill
 * their server, or whose subject is its storage, start the built one.
 */
export async function openPageServer(
  t: { after(work: () => Promise<void>): void },
  settings: TestServerOptions['settings'] = {},
): Promise<PageServer> {
  const { address } = await openTestServer(t, { settings });
  return { url: address };
}
