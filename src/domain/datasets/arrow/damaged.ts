import type { SpandrelError } from '../../../model/errors.ts';
import { uploadInvalid } from '../upload-invalid.ts';

export const damaged = (what: string, cause?: unknown): SpandrelError =>
  uploadInvalid(`The Arrow stream is damaged: ${what}`, cause);

/**
 * What `read` gives. Everything that a stream says of places and counts is read through `DataView`, which knows where the
 * bytes end.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` where it looks beyond them
 */
export function withinBytes<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw damaged(`${what} points outside of the received bytes`, error);
    throw error;
  }
}
