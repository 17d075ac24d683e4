import { fetchResponse, statusFailure } from './request.ts';

/**
 * Reads the `data` of a path of the REST API.
 *
 * @throws {RequestFailure} or the abort reason of the signal
 */
export async function getJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetchResponse(path, path, signal ? { signal } : {});
  if (!response.ok) throw await statusFailure(response);
  return ((await response.json()) as { readonly data: Data }).data;
}
