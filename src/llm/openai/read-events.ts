import { ModelError } from '../contract/model-error.ts';
import { asObject, type Received } from '../read-values.ts';
import { toEventError } from '../transport/vendor-error.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';

/** Events of a stream of the official client, whose errors become those of the contract. */
export async function* readEvents(stream: AsyncIterable<unknown>, call: VendorCall): AsyncGenerator<Received> {
  try {
    for await (const event of stream) yield asObject(event);
  } catch (error) {
    // The client throws the `error` of an event, with what the vendor says about it.
    const body = (error as { readonly error?: unknown } | null)?.error;
    throw body === undefined ? error : toEventError({ error: body }, call.secrets);
  }
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
