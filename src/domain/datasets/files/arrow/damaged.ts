import type { SpandrelError } from '../../../../model/errors.ts';
import { uploadInvalid } from '../../upload-invalid.ts';

export const damaged = (what: string, cause?: unknown): SpandrelError =>
  uploadInvalid(`The Arrow stream is damaged: ${what}`, cause);

/**
 * Returns the result of `read`. All offsets and counts of a stream are read through a `DataView`, which knows the end
 * of the bytes.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for an offset outside of the bytes
 */
export function withinBytes<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw damaged(`${what} points outside of the received bytes`, error);
    throw error;
  }
}
