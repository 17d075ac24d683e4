import type { SpanColumns } from '../columns/span-columns.ts';
import { SpanColumnsBuilder } from '../columns/span-columns-builder.ts';
import { decodeOtlpRequest } from '../otlp/decode-request.ts';
import { decodeRestSpans } from '../otlp/decode-rest-spans.ts';
import type { Deletion } from '../span-store/span-store.ts';
import { inflate } from './inflate.ts';
import type { JournalRecord, RecordHead } from './journal-format.ts';
import { type DamagedRegion, readJournal } from './journal-reader.ts';
import { setAsideSync } from './set-aside.ts';

export interface DecodeTask {
  readonly journalDir: string;
  readonly fromPosition: number;
  /** Durable up to here at least. */
  readonly toPosition: number;
  /** The batch ends before the record that would take it past one of these; a single larger record is a batch. */
  readonly rowCountMax: number;
  readonly bytesMax: number;
  /** Sets the first record aside for this reason instead of decoding it: it brought down the thread that tried. */
  readonly giveUpFirst?: string;
}

/** What goes to the store in one transaction, and the position after it. */
export interface DecodedBatch {
  readonly endPosition: number;
  readonly content:
    | { readonly kind: 'spans'; readonly columns: SpanColumns }
    | { readonly kind: 'deletion'; readonly deletion: Deletion }
    | { readonly kind: 'nothing' };
  readonly problems: readonly RecordProblem[];
}

/** Something in the journal that could not be applied. */
export interface RecordProblem {
  readonly position: number;
  readonly bytes: number;
  readonly reason: string;
  /** Spans that were acknowledged in it; 0 when that cannot be read. */
  readonly spanCount: number;
  readonly remoteAddress: string;
  /** Path of the copy, or why there is none. */
  readonly copy: string;
}

/** Reads records from the journal and decodes them into one batch. Synchronous: for worker threads. */
export function decodeBatch(task: DecodeTask): DecodedBatch {
  const builder = new SpanColumnsBuilder();
  const problems: RecordProblem[] = [];
  // Where the batch ends if nothing cuts it short: past the last record, and past the header of a segment without any.
  let endPosition = task.toPosition;
  let { giveUpFirst } = task;
  for (const item of readJournal(task.journalDir, task.fromPosition, task.toPosition)) {
    if (item.kind === 'damage') {
      problems.push(damageProblem(task.journalDir, item.region));
      continue;
    }
    const { record } = item;
    const { head } = record;
    if (head.kind === 'deletion') {
      // A deletion has a transaction to itself, in its place among the spans.
      if (builder.rowCount > 0) {
        endPosition = record.position;
        break;
      }
      return { endPosition: record.endPosition, content: { kind: 'deletion', deletion: head.deletion }, problems };
    }
    if (builder.rowCount > 0 && isOver(task, builder, record.payload.length, head.spanCount)) {
      endPosition = record.position;
      break;
    }
    try {
      if (giveUpFirst !== undefined) throw new Error(giveUpFirst);
      decodeRecordInto(builder, record);
    } catch (error) {
      problems.push(undecodableProblem(task.journalDir, record, error as Error));
    }
    giveUpFirst = undefined;
  }
  if (builder.rowCount === 0) return { endPosition, content: { kind: 'nothing' }, problems };
  return { endPosition, content: { kind: 'spans', columns: builder.finish() }, problems };
}

const isOver = (task: DecodeTask, builder: SpanColumnsBuilder, payloadBytes: number, spanCount: number): boolean =>
  builder.rowCount + spanCount > task.rowCountMax || builder.textBytes + payloadBytes > task.bytesMax;

/** All of the record's spans, or none when it throws. */
function decodeRecordInto(builder: SpanColumnsBuilder, { head, payload }: JournalRecord): void {
  if (head.kind === 'otlp') {
    const { format, encoding, projectName } = head;
    decodeOtlpRequest(inflate(payload, encoding), format, { projectName }, builder);
  } else if (head.kind === 'spans') decodeRestSpans(payload, builder);
  else throw new Error(`a record of unknown kind ${String(head.kind)}: was it written by a newer version?`);
}

const damageProblem = (dir: string, { position, endPosition, bytes }: DamagedRegion): RecordProblem => ({
  position,
  bytes: endPosition - position,
  reason: bytes ? 'the journal is damaged here' : 'a segment of the journal is missing',
  spanCount: 0,
  remoteAddress: '',
  copy: bytes ? copyOf(dir, `${position}.damaged`, bytes) : 'none: the file is missing',
});

const undecodableProblem = (dir: string, { position, head, bytes }: JournalRecord, error: Error): RecordProblem => ({
  position,
  bytes: bytes.length,
  reason: `an acknowledged request cannot be decoded: ${error.message}`,
  spanCount: spanCountOf(head),
  remoteAddress: head.kind === 'otlp' ? head.remoteAddress : '',
  copy: copyOf(dir, `${position}.record`, bytes),
});

const spanCountOf = (head: RecordHead): number => (head.kind === 'deletion' ? 0 : head.spanCount);

/** The original stays in its segment until that is removed, so a copy that fails is told and not fatal. */
function copyOf(dir: string, name: string, bytes: Uint8Array): string {
  try {
    return setAsideSync(dir, name, bytes);
  } catch (error) {
    return `none: ${(error as Error).message}`;
  }
}
