import { type ErrorCode, SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import { toGlobalId } from './global-id.ts';

/** Replaces row ids in the message of an error with global IDs. Returns any other value as it is. */
export const withGlobalIds = (error: unknown): unknown =>
  error instanceof RowError
    ? new SpandrelError(error.code, error.describe(idsOf(error)), { cause: error.cause })
    : error;

const idsOf = ({ type, rowIds }: RowError): string => rowIds.map((rowId) => toGlobalId(type, rowId)).join(', ');

/** Texts of errors by code. A text may contain the global IDs of the rows that the error names, or its own text. */
export type ErrorTexts = Readonly<Partial<Record<ErrorCode, string | ((error: Described) => string)>>>;

interface Described {
  readonly message: string;
  /** Global IDs, separated by commas. Empty unless the error names rows. */
  readonly ids: string;
}

/** Runs an operation for an API whose public contract fixes the texts of some errors. */
export async function withTexts<Result>(texts: ErrorTexts, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SpandrelError)) throw error;
    const text = texts[error.code];
    if (text === undefined) throw error;
    const ids = error instanceof RowError ? idsOf(error) : '';
    const message = typeof text === 'string' ? text : text({ message: error.message, ids });
    throw new SpandrelError(error.code, message, { cause: error.cause });
  }
}
