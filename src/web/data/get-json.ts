import { fetchAnswer, RequestFailure } from './request.ts';

/**
 * What a path of the REST interface answers, below `data`.
 *
 * @throws {RequestFailure}
 */
export async function getJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetchAnswer(path, path, signal ? { signal } : {});
  if (!response.ok) {
    throw new RequestFailure('refused', `The server answered ${response.status}.`, await response.text());
  }
  return ((await response.json()) as { readonly data: Data }).data;
}
