import { appUrl } from '../router/app-url.ts';

/** Why the server has rejected a request of the sign-in page. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const POST_MS_MAX = 30_000;
const ERROR_CODE_HEADER = 'x-spandrel-error-code';

/**
 * Sends a JSON object to a route of sign-in.
 *
 * @param texts Messages by status, where the texts of the server are for programs
 * @throws {SignInProblem}
 */
export async function post(
  path: string,
  body: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<number, string>> = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(appUrl(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(POST_MS_MAX),
    });
  } catch {
    throw new SignInProblem(0, navigator.onLine ? UNREACHABLE : OFFLINE);
  }
  if (response.ok) return response;
  const { status } = response;
  throw new SignInProblem(status, texts[status] ?? (await describe(response)));
}

const OFFLINE = 'This device is offline. Connect to the network, then try again.';
const UNREACHABLE = 'The server does not respond. Check the connection, then try again.';

async function describe(response: Response): Promise<string> {
  const { status, headers } = response;
  const code = headers.get(ERROR_CODE_HEADER);
  if (code === 'SIGN_IN_LOCKED') {
    return 'This account is locked after too many failed sign-ins. Try again in 5 minutes, or reset the password.';
  }
  if (status === 429) return 'Too many attempts from your network. Wait a minute, then try again.';
  if (status >= 500) return 'The server cannot check sign-ins at the moment. Try again in a few seconds.';
  return (await response.text()).slice(0, 500) || `The server responded with status ${status}.`;
}
