import { type ErrorCode, SpandrelError } from './errors.ts';
import { type GlobalIdType, toGlobalId } from './global-id.ts';
import { ERROR_ROW_COUNT_MAX } from './limits.ts';

/**
 * An expected error whose text names rows. Only API layers know the IDs under which callers know rows: below them the text
 * has row ids, and `withGlobalIds` completes it.
 */
export class RowError extends SpandrelError {
  readonly type: GlobalIdType;
  /** At most `ERROR_ROW_COUNT_MAX` of the rows. */
  readonly rowIds: readonly number[];
  readonly describe: (ids: string) => string;

  /** @param describe Makes the text of ids that are separated by commas. */
  constructor(code: ErrorCode, type: GlobalIdType, rowIds: readonly number[], describe: (ids: string) => string) {
    const shown = rowIds.slice(0, ERROR_ROW_COUNT_MAX);
    super(code, describe(shown.join(', ')));
    this.type = type;
    this.rowIds = shown;
    this.describe = describe;
  }
}

/** The error as callers see it: its text names rows by global IDs. Any other value stays as it is. */
export function withGlobalIds(error: unknown): unknown {
  if (!(error instanceof RowError)) return error;
  const ids = error.rowIds.map((rowId) => toGlobalId(error.type, rowId)).join(', ');
  return new SpandrelError(error.code, error.describe(ids));
}

/** Text of an error by its code. A text may contain the IDs of the rows that the error is about, or its own text. */
export type ErrorTexts = Readonly<Partial<Record<ErrorCode, string | ((error: Described) => string)>>>;

interface Described {
  readonly message: string;
  /** Global IDs, separated by commas. Empty unless the error is about rows. */
  readonly ids: string;
}

/** Runs an operation for an API whose contract fixes the texts of some of its errors. */
export async function withTexts<Result>(texts: ErrorTexts, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SpandrelError)) throw error;
    const text = texts[error.code];
    if (text === undefined) throw error;
    const rows = error instanceof RowError ? error : undefined;
    const ids = rows?.rowIds.map((rowId) => toGlobalId(rows.type, rowId)).join(', ') ?? '';
    const message = typeof text === 'string' ? text : text({ message: error.message, ids });
    throw new SpandrelError(error.code, message, { cause: error.cause });
  }
}
