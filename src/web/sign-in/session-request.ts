import { appUrl } from '../router/app-url.ts';
import { post, SignInProblem } from './post.ts';

export interface Viewer {
  readonly email: string | null;
  readonly username: string;
  readonly passwordNeedsReset: boolean;
}

/** Sends a GraphQL document with the session of this browser. @throws {SignInProblem} also for an error of the document */
export async function sendDocument<Data>(query: string, variables: object = {}): Promise<Data> {
  const response = await post('graphql', { query, variables });
  const body = (await response.json()) as { readonly data: Data; readonly errors?: readonly { message: string }[] };
  const [error] = body.errors ?? [];
  if (error) throw new SignInProblem(422, error.message);
  return body.data;
}

/** The signed-in user. Undefined without a valid session, which is first refreshed. */
export async function findViewer(): Promise<Viewer | undefined> {
  const read = () => sendDocument<{ viewer: Viewer | null }>('{ viewer { email username passwordNeedsReset } }');
  const data = await read().catch(async (error: unknown) => {
    if (!(error instanceof SignInProblem) || error.status !== 401) throw error;
    const { ok } = await fetch(appUrl('auth/refresh'), { method: 'POST', signal: AbortSignal.timeout(10_000) });
    return ok ? read() : undefined;
  });
  return data?.viewer ?? undefined;
}
