import { kindOfCode } from './failure-kinds.ts';
import { fetchResponse, RequestFailure, statusFailure } from './request.ts';

/** A line of a response that reports a long write. */
type Line =
  | { readonly count: number }
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/**
 * Sends a long write and reports its progress. If the signal aborts, the server ends the write and stores nothing.
 *
 * @returns the result, of which the caller knows the type
 * @throws {RequestFailure} or the abort reason of the signal
 */
export async function postLines<Result>(
  path: string,
  body: object,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (count: number) => void },
): Promise<Result> {
  const response = await fetchResponse(path, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || !response.body) throw await statusFailure(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const line = JSON.parse(text) as Line;
      if ('count' in line) onProgress(line.count);
      else if ('result' in line) return line.result as Result;
      else throw new RequestFailure(kindOfCode(line.error.code), line.error.message);
    }
  }
  throw new RequestFailure('unreachable', 'The connection ended before the server reported the result. Try again.');
}
