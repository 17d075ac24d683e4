import { expectPresent } from '../../base/expect-present.ts';
import { authorOf } from '../../model/access/caller.ts';
import type { UploadPlan, UploadResult } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { UploadTarget } from '../../metadata-store/datasets/upload-examples.ts';
import type { Ports } from '../ports.ts';
import { unpackFile } from './files/decode-file.ts';
import { readRows } from './files/read-rows.ts';
import { RejectedRows } from './files/rejected-rows.ts';
import { type ExampleRowIdOf, type IncomingExample, toBatches } from './incoming-example.ts';
import type { FileUpload } from './upload-file.ts';
import type { UploadState } from './upload-states.ts';

export interface TableUpload extends FileUpload {
  /** Metadata of the dataset if the upload creates it, as the text of a JSON object. */
  readonly metadata?: string | undefined;
  /** The dataset to change. Absent: the dataset of the name, which the upload may create. */
  readonly target?: UploadTarget | undefined;
  /** Whether rows that are no examples are left out. If not, one of them rejects the whole upload. */
  readonly skipsRejected: boolean;
  /** Whether the upload only computes its plan, and writes nothing. */
  readonly isDryRun: boolean;
}

export interface TableUploadResult {
  /** Undefined if nothing was written. */
  readonly stored: UploadResult | undefined;
  readonly plan: UploadPlan;
  readonly rejected: Pick<RejectedRows, 'rows' | 'count'>;
}

/**
 * Uploads the rows of a file like `uploadFile`, and lists the rows that are no examples by their lines. It is one transaction:
 * all rows that it does not reject are stored, or none.
 *
 * @param state Receives the progress.
 * @param signal Rolls back the upload when it fires before the commit.
 */
export async function uploadTable(
  ports: Pick<Ports, 'datasets' | 'spans' | 'uploads' | 'caller'>,
  upload: TableUpload,
  exampleRowIdOf: ExampleRowIdOf,
  state: UploadState,
  signal: AbortSignal,
): Promise<TableUploadResult> {
  const { action, name, description, metadata, target, columns, encoding, file, skipsRejected, isDryRun } = upload;
  const rejected = new RejectedRows();
  const rows = readRows({ ...upload, bytes: unpackFile(file, encoding) }, { spans: ports.spans, signal, rejected });
  let plan: UploadPlan | undefined;
  const stored = await ports.uploads.run(() =>
    ports.datasets.upload({
      action,
      name,
      description,
      ...(metadata !== undefined && { metadata }),
      target,
      examples: toBatches(countRows(rows, state, signal), ports.spans, exampleRowIdOf),
      providesSplits: columns.splitNames.length > 0 || columns.splitList !== undefined,
      userId: authorOf(ports.caller),
      onRepeatedId: (line: number, id: string) => rejected.add(line, `An earlier row has the ID '${id}', too`, id),
      confirm(made: UploadPlan) {
        rejectIfAborted(signal);
        plan = made;
        return !isDryRun && (skipsRejected || rejected.count === 0);
      },
    }),
  );
  rejected.rows.sort((a, b) => a.line - b.line);
  return { stored, plan: expectPresent(plan, 'each upload has a plan before it is written'), rejected };
}

async function* countRows(
  groups: AsyncIterable<Iterable<IncomingExample>>,
  state: UploadState,
  signal: AbortSignal,
): AsyncGenerator<Iterable<IncomingExample>> {
  function* count(rows: Iterable<IncomingExample>): Generator<IncomingExample> {
    for (const row of rows) {
      if (state.countRow() % ABORT_ROW_COUNT === 0) rejectIfAborted(signal);
      yield row;
    }
  }
  for await (const rows of groups) yield count(rows);
  rejectIfAborted(signal);
  state.startWriting();
}

const ABORT_ROW_COUNT = 100;

function rejectIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SpandrelError('CANCELLED', 'The client cancelled the upload; nothing was stored');
}
