import { freeBuffer } from '../../base/free-buffer.ts';
import type { AnnotationBatch } from '../../model/annotations/annotation.ts';
import type { SpanColumns } from '../../columns/span-columns.ts';
import { SpanColumnsBuilder } from '../../columns/span-columns-builder.ts';
import { decodeOtlpRequest } from '../../otlp/decode-request.ts';
import { decodeRestSpans } from '../../otlp/decode-rest-spans.ts';
import type { AnnotationRecord } from '../../span-store/contract/annotations.ts';
import type { CostChange } from '../../span-store/contract/cost-change.ts';
import type { Deletion, Transfer } from '../../span-store/contract/writer.ts';
import type { JournalRecord, RecordHead } from '../journal/journal-format.ts';
import { type DamagedRegion, readJournal } from '../journal/journal-reader.ts';
import { quarantineSync } from '../journal/quarantine.ts';
import { inflate } from './inflate.ts';

export interface DecodeTask {
  readonly journalDir: string;
  readonly fromPosition: number;
  /** The journal is durable at least up to this position. */
  readonly toPosition: number;
  /** The batch ends before the record that would exceed one of these limits. A single larger record is a batch. */
  readonly rowCountMax: number;
  readonly bytesMax: number;
  /** Quarantines the first record for this reason instead of decoding it, because it has crashed a thread. */
  readonly giveUpFirst?: string;
}

/** The content of one transaction of the store, and the position after it. */
export interface DecodedBatch {
  readonly endPosition: number;
  readonly content: /** The annotations are applied after the spans. */
    | { readonly kind: 'rows'; readonly columns: SpanColumns; readonly annotations: readonly AnnotationRecord[] }
    | { readonly kind: 'deletion'; readonly deletion: Deletion }
    | { readonly kind: 'transfer'; readonly transfer: Transfer }
    | { readonly kind: 'costs'; readonly change: CostChange }
    | { readonly kind: 'nothing' };
  readonly problems: readonly RecordProblem[];
}

/** A part of the journal that could not be applied. */
export interface RecordProblem {
  readonly position: number;
  readonly bytes: number;
  readonly reason: string;
  /** Number of acknowledged spans in it; 0 if it cannot be read. */
  readonly spanCount: number;
  readonly remoteAddress: string;
  /** Path of the copy, or the reason why there is none. */
  readonly copy: string;
}

/** Reads records from the journal and decodes them into one batch. Synchronous, for worker threads. */
export function decodeBatch(task: DecodeTask): DecodedBatch {
  const builder = new BatchBuilder(task);
  const problems: RecordProblem[] = [];
  // End of the batch if no limit is reached: after the last record, and after the header of an empty segment.
  let endPosition = task.toPosition;
  let { giveUpFirst } = task;
  for (const item of readJournal(task.journalDir, task.fromPosition, task.toPosition)) {
    if (item.kind === 'damage') {
      problems.push(damageProblem(task.journalDir, item.region));
      continue;
    }
    const { record } = item;
    const { head } = record;
    if (!builder.isEmpty && !builder.mayTake(record)) {
      endPosition = record.position;
      break;
    }
    if (head.kind === 'deletion') {
      return { endPosition: record.endPosition, content: { kind: 'deletion', deletion: head.deletion }, problems };
    }
    if (head.kind === 'transfer') {
      return { endPosition: record.endPosition, content: { kind: 'transfer', transfer: head.transfer }, problems };
    }
    if (head.kind === 'costs' && giveUpFirst === undefined) {
      const change = JSON.parse(Buffer.from(record.payload).toString()) as CostChange;
      return { endPosition: record.endPosition, content: { kind: 'costs', change }, problems };
    }
    try {
      if (giveUpFirst !== undefined) throw new Error(giveUpFirst);
      builder.take(record);
    } catch (error) {
      problems.push(undecodableProblem(task.journalDir, record, error as Error));
    }
    // A large record has its own buffer without other readers.
    freeBuffer(record.bytes);
    giveUpFirst = undefined;
  }
  return { endPosition, content: builder.isEmpty ? { kind: 'nothing' } : builder.finish(), problems };
}

class BatchBuilder {
  readonly #limits: Pick<DecodeTask, 'rowCountMax' | 'bytesMax'>;
  readonly #spans = new SpanColumnsBuilder();
  readonly #annotations: AnnotationRecord[] = [];
  #annotationCount = 0;
  #annotationBytes = 0;
  #hasWhole = false;

  constructor(limits: Pick<DecodeTask, 'rowCountMax' | 'bytesMax'>) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#spans.rowCount === 0 && this.#annotations.length === 0;
  }

  /** Whether the record may be added to this batch, which already has records. */
  mayTake({ head, payload }: JournalRecord): boolean {
    // These kinds have their own transaction, in order with the other records.
    if (head.kind === 'deletion' || head.kind === 'transfer' || head.kind === 'costs') return false;
    // A whole record finds targets only among earlier records. Only annotations may precede it, because a replay
    // divides batches differently.
    if (this.#hasWhole && head.kind !== 'annotations') return false;
    const rowCount = head.kind === 'annotations' ? head.annotationCount : head.spanCount;
    return (
      this.#spans.rowCount + this.#annotationCount + rowCount <= this.#limits.rowCountMax &&
      this.#spans.textBytes + this.#annotationBytes + payload.length <= this.#limits.bytesMax
    );
  }

  /** Adds the complete record, or nothing if it throws. */
  take({ head, payload, endPosition }: JournalRecord): void {
    switch (head.kind) {
      case 'otlp': {
        const { format, encoding, projectName, usesServiceName, exceptProjects } = head;
        const body = inflate(payload, encoding);
        decodeOtlpRequest(body, format, { projectName, usesServiceName, exceptProjects }, this.#spans);
        if (body !== payload) freeBuffer(body);
        break;
      }
      case 'spans':
        decodeRestSpans(payload, this.#spans);
        break;
      case 'annotations': {
        const batch = JSON.parse(Buffer.from(payload).toString()) as AnnotationBatch;
        this.#annotations.push({
          ...batch,
          position: endPosition,
          receivedAtMs: head.receivedAtMs,
          spanCountBefore: this.#spans.rowCount,
        });
        this.#annotationCount += batch.annotations.length;
        this.#annotationBytes += payload.length;
        this.#hasWhole ||= batch.isWhole;
        break;
      }
      default:
        throw new Error(`The record has the unknown kind ${String(head.kind)}; a newer version may have written it`);
    }
  }

  finish(): DecodedBatch['content'] {
    return { kind: 'rows', columns: this.#spans.finish(), annotations: this.#annotations };
  }
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

const spanCountOf = (head: RecordHead): number => ('spanCount' in head ? head.spanCount : 0);

/** The original stays in its segment until the segment is removed, so a failed copy is reported and is not fatal. */
function copyOf(dir: string, name: string, bytes: Uint8Array): string {
  try {
    return quarantineSync(dir, name, bytes);
  } catch (error) {
    return `none: ${(error as Error).message}`;
  }
}
