import { ModelError } from './contract/model-error.ts';
import { toEventError } from './transport/vendor-error.ts';
import type { VendorCall } from './transport/vendor-transport.ts';

/** An error that a vendor reports inside of its response, without the credentials of the call. */
export function toReportedError(event: unknown, call: Pick<VendorCall, 'secrets'>): ModelError {
  return toEventError(event, call.secrets);
}

/** A response that is no response of its protocol. */
export const unreadable = (problem: string): ModelError =>
  new ModelError('unreadable', `The response of the model endpoint cannot be read: ${problem}.`);

/** A stream without its last event. */
export const cutOff = (): ModelError =>
  new ModelError('unreachable', 'The response of the model endpoint ended before it was complete.');
