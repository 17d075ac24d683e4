import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import { RowError } from '../../model/row-error.ts';

/** Replaces row ids in the message of an error with global IDs. Returns any other error as it is. */
export function withGlobalIds(error: unknown): unknown {
  if (!(error instanceof RowError)) return error;
  const ids = error.rowIds.map((rowId) => toGlobalId(error.type, rowId)).join(', ');
  return new SpandrelError(error.code, error.describe(ids), { cause: error });
}
