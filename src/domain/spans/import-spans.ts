import { setImmediate as nextTurn } from 'node:timers/promises';
import { expectPresent } from '../../base/expect-present.ts';
import { ANNOTATION_SOURCES, type Annotation } from '../../model/annotations/annotation.ts';
import {
  SPAN_IMPORT_BATCH_CHARS,
  SPAN_IMPORT_BATCH_ROW_COUNT,
  SPAN_IMPORT_REJECTION_COUNT_MAX,
} from '../../model/limits/datasets.ts';
import { storeLater } from '../annotations/annotate.ts';
import type { Ports } from '../ports.ts';
import { toJournalText } from './create-spans.ts';
import type { LineLimits } from './import-queue.ts';
import { readLines } from './read-lines.ts';
import { type ImportedAnnotation, type ImportedSpan, type Problem, readSpanLine } from './read-span-line.ts';

/** Result of an import. */
export interface SpanImport {
  /** Number of rows, or of lines that are not blank. */
  receivedCount: number;
  storedCount: number;
  /** Spans that were stored before, in any project, or are in the file twice. */
  repeatedCount: number;
  rejectedCount: number;
  /** Annotations sent to the store: all of stored spans, and the missing ones of repeated spans. */
  annotationCount: number;
  /** The first `SPAN_IMPORT_REJECTION_COUNT_MAX` rejected lines or rows. */
  readonly rejections: { readonly lineNumber: number; readonly reason: string }[];
}

/** A span of a file. */
export interface ImportRow {
  /** Number of its line or row, from 1. */
  readonly number: number;
  /** Characters or bytes, for the size of batches. */
  readonly size: number;
  readonly read: ImportedSpan | Problem;
}

/** Spans of a file that `exportSpanLines` wrote. */
export async function* rowsOfLines(texts: AsyncIterable<string>, limits: LineLimits): AsyncGenerator<ImportRow> {
  const { lineBytesMax, lineValueCountMax } = limits;
  for await (const { number, text } of readLines(texts, lineBytesMax)) {
    const isTooLong = text === undefined || Buffer.byteLength(text) > lineBytesMax;
    const read = isTooLong ? tooLong(lineBytesMax) : await readSpanLine(text, lineValueCountMax);
    yield { number, size: text?.length ?? 0, read };
  }
}

export const tooLong = (bytesMax: number): Problem => ({ problem: `it has more than ${bytesMax} bytes` });

/**
 * Stores the spans of a file while it arrives. Stored spans and their annotations stay as they are, so a repeated import adds
 * only what is missing. Each batch is in the store before the next one is read, so an import never fills the journal.
 *
 * @throws {SpandrelError} as `SpanWrites`. Batches before the error stay stored.
 */
export async function importSpans(
  ports: Pick<Ports, 'spans' | 'writes' | 'caller'>,
  projectName: string,
  rows: AsyncIterable<ImportRow>,
): Promise<SpanImport> {
  const done: SpanImport = {
    receivedCount: 0,
    storedCount: 0,
    repeatedCount: 0,
    rejectedCount: 0,
    annotationCount: 0,
    rejections: [],
  };
  let batch: ImportedSpan[] = [];
  let batchSize = 0;
  for await (const { number, size, read } of rows) {
    done.receivedCount++;
    if ('problem' in read) {
      reject(done, number, read.problem);
      continue;
    }
    batch.push(read);
    batchSize += size;
    if (batch.length % TURN_ROW_COUNT === 0) await nextTurn();
    if (batch.length < SPAN_IMPORT_BATCH_ROW_COUNT && batchSize < SPAN_IMPORT_BATCH_CHARS) continue;
    await storeBatch(ports, projectName, batch, done);
    batch = [];
    batchSize = 0;
  }
  await storeBatch(ports, projectName, batch, done);
  return done;
}

function reject(done: SpanImport, lineNumber: number, reason: string): void {
  done.rejectedCount++;
  if (done.rejections.length < SPAN_IMPORT_REJECTION_COUNT_MAX) done.rejections.push({ lineNumber, reason });
}

/** Spans that are read without yielding to the event loop: about 2 ms of work. */
const TURN_ROW_COUNT = 50;

async function storeBatch(
  ports: Pick<Ports, 'spans' | 'writes' | 'caller'>,
  projectName: string,
  batch: readonly ImportedSpan[],
  done: SpanImport,
): Promise<void> {
  if (batch.length === 0) return;
  const stored = await findStored(ports, batch);
  const fresh = new Map<string, ImportedSpan>();
  const repeated = new Map<number, ImportedSpan>();
  for (const imported of batch) {
    const key = keyOf(imported.span);
    const rowId = stored.get(key);
    if (rowId !== undefined) repeated.set(rowId, imported);
    else if (!fresh.has(key)) fresh.set(key, imported);
  }
  const spans = [...fresh.values()];
  const annotations = [
    ...spans.flatMap((imported) => imported.annotations),
    ...(await findMissingAnnotations(ports, repeated)),
  ];
  if (spans.length > 0) {
    const json = toJournalText(
      projectName,
      spans.map(({ span }) => span),
    );
    const { receipt } = await ports.writes.submitSpans(json, spans.length, projectName);
    await ports.writes.waitFor(receipt);
  }
  // Annotations follow the spans: a repeated import finds a span without them and adds them.
  await annotate(ports, annotations);
  done.storedCount += spans.length;
  done.repeatedCount += batch.length - spans.length;
  done.annotationCount += annotations.length;
}

const keyOf = ({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }): string =>
  JSON.stringify([traceId, spanId]);

/** Row ids by `keyOf`. */
async function findStored(
  { spans }: Pick<Ports, 'spans'>,
  batch: readonly ImportedSpan[],
): Promise<Map<string, number>> {
  const found = await spans.findByIds({ of: 'spans', ids: [...new Set(batch.map(({ span }) => span.spanId))] });
  return new Map(found.map(({ id, traceId = '', rowId }) => [keyOf({ spanId: id, traceId }), rowId]));
}

/** Annotations of spans that are stored, by row id, under names and identifiers that these do not have. */
async function findMissingAnnotations(
  { spans }: Pick<Ports, 'spans'>,
  repeated: ReadonlyMap<number, ImportedSpan>,
): Promise<ImportedAnnotation[]> {
  const rowIds = [...repeated].flatMap(([rowId, { annotations }]) => (annotations.length > 0 ? rowId : []));
  if (rowIds.length === 0) return [];
  const ofSpans = await spans.get({ of: 'spans', column: 'annotations', rowIds });
  const ofDocuments = await spans.get({ of: 'documents', column: 'annotations', rowIds });
  return rowIds.flatMap((rowId) => {
    const known = new Set([...(ofSpans.get(rowId) ?? []), ...(ofDocuments.get(rowId) ?? [])].map(annotationKey));
    return expectPresent(repeated.get(rowId), 'row IDs are those of repeated spans').annotations.filter(
      (annotation) => !known.has(annotationKey(annotation)),
    );
  });
}

const annotationKey = ({ documentPosition, name, identifier }: Annotation | ImportedAnnotation): string =>
  JSON.stringify([documentPosition, name, identifier]);

async function annotate(
  ports: Pick<Ports, 'writes' | 'caller'>,
  annotations: readonly ImportedAnnotation[],
): Promise<void> {
  for (const source of ANNOTATION_SOURCES) {
    for (const target of ['span', 'document'] as const) {
      const some = annotations.filter(
        (annotation) => annotation.source === source && (annotation.documentPosition === null) === (target === 'span'),
      );
      await storeLater(ports, {
        target,
        source,
        annotations: some.map(({ source: _, ...annotation }) => annotation),
      });
    }
  }
}
