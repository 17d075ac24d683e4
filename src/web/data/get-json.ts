import { appUrl } from '../router/app-url.ts';
import { RequestFailure } from './request.ts';

/**
 * What a path of the REST interface answers, below `data`.
 *
 * @throws {RequestFailure}
 */
export async function getJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(appUrl(path), signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailure('unreachable', 'The server does not answer.', `${path}: ${String(error)}`);
  }
  if (!response.ok) {
    throw new RequestFailure('refused', `The server answered ${response.status}.`, await response.text());
  }
  return ((await response.json()) as { readonly data: Data }).data;
}
