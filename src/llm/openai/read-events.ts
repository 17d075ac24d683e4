import { ModelError } from '../contract/model-error.ts';
import { readEventData } from '../event-data.ts';
import { asObject, type Received } from '../read-values.ts';
import { toEventError } from '../transport/vendor-error.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';

/**
 * Calls `onEvent` for each event of a stream. The official package would take a fifth of the processor time of a chunk for this
 * (docs/decisions/streaming.md).
 *
 * @returns whether the stream had the end mark `[DONE]`
 * @throws {ModelError} that an event reports, and whatever `onEvent` throws
 */
export async function readEvents(
  response: Response,
  call: Pick<VendorCall, 'secrets'>,
  onEvent: (event: Received, data: string) => void,
): Promise<boolean> {
  let isMarked = false;
  await readEventData(response, (data) => {
    // Reads on after the mark, because a connection is used again only after its response has ended.
    isMarked ||= data.startsWith('[DONE]');
    if (isMarked) return;
    const event = asObject(JSON.parse(data));
    if (event.error) throw toEventError({ error: event.error }, call.secrets);
    onEvent(event, data);
  });
  return isMarked;
}

/** @throws {ModelError} */
export function parseResponse(text: string): Received {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ModelError('unreadable', 'The response of the model endpoint is not valid JSON.', { cause: error });
  }
  return asObject(value);
}

export const endedEarly = (): ModelError =>
  new ModelError('unreachable', 'The response of the model endpoint ended before it was complete.');
