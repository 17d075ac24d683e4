import { RequestFailure } from './request.ts';

/** The server makes a client wait five seconds at most, such as between the stop of a job and its resumption. */
const ATTEMPT_COUNT_MAX = 10;
const PAUSE_MS = 700;

/**
 * Sends a request again while the server says that it is too early.
 *
 * @param onWait Called once, before the first pause.
 * @throws {RequestFailure}
 */
export async function sendWhenAllowed<Data>(send: () => Promise<Data>, onWait?: () => void): Promise<Data> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const isEarly = error instanceof RequestFailure && error.kind === 'tooEarly';
      if (!isEarly || attempt === ATTEMPT_COUNT_MAX) throw error;
    }
    if (attempt === 1) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
