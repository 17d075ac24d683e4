import { type ErrorCode, SpandrelError } from './errors.ts';

/** Kinds of rows that error messages name. */
export type NamedRow =
  | 'Project'
  | 'Trace'
  | 'Span'
  | 'ProjectSession'
  | 'ProjectTraceRetentionPolicy'
  | 'SavedView'
  | 'GenerativeModelCustomProvider';

/** An error whose message names rows. Row ids are internal, so an API layer replaces them with the IDs that it shows. */
export class RowError extends SpandrelError {
  readonly type: NamedRow;
  readonly rowIds: readonly number[];
  readonly describe: (ids: string) => string;

  /** @param describe Makes the message of a comma-separated list of IDs. */
  constructor(code: ErrorCode, type: NamedRow, rowIds: readonly number[], describe: (ids: string) => string) {
    super(code, describe(rowIds.join(', ')));
    this.type = type;
    this.rowIds = rowIds;
    this.describe = describe;
  }
}
