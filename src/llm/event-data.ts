import type { ResponseBody } from './transport/response-body.ts';

/**
 * Calls `onData` with the data of each server-sent event of a response, in the call in which it arrives unless other work has its
 * turn. Events without data are skipped. Resolves when the response has ended.
 *
 * @throws {ModelError} of the response, and whatever `onData` throws. Then the rest is not read.
 */
export function readEventData(response: Response, onData: (data: string) => void): Promise<void> {
  // Responses of the transport have bodies of its own.
  const body = response.body as unknown as Pick<ResponseBody, 'consume'>;
  return body.consume((event) => {
    const data = eventData(event.toString('utf8'));
    if (data !== '') onData(data);
  });
}

/** Most events have one line. */
const ONE_LINE = /^data: ?([^\r\n]*)[\r\n]*$/;

function eventData(event: string): string {
  const only = ONE_LINE.exec(event)?.[1];
  if (only !== undefined) return only;
  let data = '';
  for (const line of event.split(/\r\n|\r|\n/)) {
    if (!line.startsWith('data:')) continue;
    const value = line.startsWith('data: ') ? line.slice(6) : line.slice(5);
    data = data === '' ? value : `${data}\n${value}`;
  }
  return data;
}
