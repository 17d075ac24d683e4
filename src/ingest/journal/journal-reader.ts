import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  decodeHead,
  decodeRecord,
  type JournalRecord,
  RECORD_MAGIC,
  type RecordHead,
  SEGMENT_HEADER_BYTES,
} from './journal-format.ts';
import { listSegmentsSync, type Segment } from './journal-segments.ts';

/** Bytes of the journal without a readable record. */
export interface DamagedRegion {
  readonly position: number;
  readonly endPosition: number;
  /** Undefined if the segment itself is missing. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export type JournalItem =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'damage'; readonly region: DamagedRegion };

/** Reads bytes of one segment file from an offset on. Returns fewer bytes at the end of the file. */
export type ReadSegment = (offset: number, bytes: number) => Uint8Array<ArrayBuffer>;

/** Number of bytes per read or search. */
const CHUNK_BYTES = 1024 * 1024;
/** Number of bytes per read when only heads are needed. */
const HEAD_CHUNK_BYTES = 16 * 1024;

/**
 * The records of the journal between two positions in order, including gaps and damage. Reads files synchronously, for
 * worker threads and tools. Earlier views stay valid after the next item.
 */
export function* readJournal(dir: string, fromPosition: number, toPosition: number): Generator<JournalItem, void> {
  const segments = listSegmentsSync(dir);
  let position = fromPosition;
  while (position < toPosition) {
    const index = segments.findLastIndex((segment) => segment.firstPosition <= position);
    const nextPosition = Math.min(segments[index + 1]?.firstPosition ?? toPosition, toPosition);
    const segment = segments[index];
    if (segment) yield* readSegmentFile(segment, position, nextPosition);
    else yield { kind: 'damage', region: { position, endPosition: nextPosition } };
    position = nextPosition;
  }
}

/** Head of a record, and a function that reads its payload on demand. */
export interface JournalHead {
  readonly position: number;
  readonly head: RecordHead;
  payload(): Uint8Array;
}

/**
 * Heads of all intact records before `toPosition`. Skips payloads without reading them, and searches for the next record
 * after damage.
 *
 * @param toPosition end of the records, if it is known: the search reads what is allocated after them, which takes long
 */
export function* readJournalHeads(dir: string, toPosition = Number.POSITIVE_INFINITY): Generator<JournalHead, void> {
  for (const { firstPosition, path } of listSegmentsSync(dir)) {
    const fd = openSync(path, 'r');
    try {
      const endPosition = Math.min(firstPosition + fstatSync(fd).size, toPosition);
      const readHead = chunked(fd, HEAD_CHUNK_BYTES);
      let position = firstPosition + SEGMENT_HEADER_BYTES;
      for (;;) {
        const found = decodeHead(position, endPosition - position, (bytes) =>
          readHead(position - firstPosition, bytes),
        );
        if (!found) break;
        const payloadOffset = position - firstPosition + found.payloadOffset;
        yield { position, head: found.head, payload: () => readAt(fd, payloadOffset, found.payloadBytes) };
        position = found.endPosition;
      }
      for (const item of walkSegment(chunked(fd), firstPosition, position, endPosition)) {
        if (item.kind === 'record') yield { ...item.record, payload: () => item.record.payload };
      }
    } finally {
      closeSync(fd);
    }
  }
}

function* readSegmentFile({ firstPosition, path }: Segment, from: number, to: number): Generator<JournalItem, void> {
  const fd = openSync(path, 'r');
  try {
    const read = chunked(fd);
    const startPosition = Math.max(from, Math.min(firstPosition + SEGMENT_HEADER_BYTES, to));
    const endPosition = yield* walkSegment(read, firstPosition, startPosition, to);
    if (endPosition < to) yield { kind: 'damage', region: regionOf(read, firstPosition, endPosition, to) };
  } finally {
    closeSync(fd);
  }
}

/**
 * Yields the records of one segment between two positions, and damage that has a valid record after it. Returns the end
 * of the last valid record. The bytes from there to `toPosition` are the tail: torn, damaged or never written.
 */
export function* walkSegment(
  read: ReadSegment,
  firstPosition: number,
  fromPosition: number,
  toPosition: number,
): Generator<JournalItem, number> {
  const recordAt = (position: number) =>
    decodeRecord(position, toPosition - position, (bytes) => read(position - firstPosition, bytes));
  let position = fromPosition;
  while (position < toPosition) {
    const record = recordAt(position);
    if (record) {
      yield { kind: 'record', record };
      position = record.endPosition;
      continue;
    }
    const nextPosition = findRecord(read, firstPosition, position + 1, toPosition, recordAt);
    if (nextPosition === undefined) return position;
    yield { kind: 'damage', region: regionOf(read, firstPosition, position, nextPosition) };
    position = nextPosition;
  }
  return Math.min(position, toPosition);
}

/** The end of the valid records of a segment, and the bytes after it without the zeros at the end. */
export function findTail(
  file: Uint8Array<ArrayBuffer>,
  firstPosition: number,
): { readonly endPosition: number; readonly torn: Uint8Array } {
  const startPosition = firstPosition + Math.min(SEGMENT_HEADER_BYTES, file.length);
  const read = (offset: number, bytes: number) => file.subarray(offset, offset + bytes);
  const items = walkSegment(read, firstPosition, startPosition, firstPosition + file.length);
  let item = items.next();
  while (!item.done) item = items.next();
  const endPosition = item.value;

  // A loop, because `findLastIndex` takes a second for the zeros of one segment.
  let length = file.length;
  while (length > endPosition - firstPosition && file[length - 1] === 0) length--;
  return { endPosition, torn: file.subarray(endPosition - firstPosition, length) };
}

/** Position of the first valid record at or after `fromPosition`. */
function findRecord(
  read: ReadSegment,
  firstPosition: number,
  fromPosition: number,
  toPosition: number,
  recordAt: (position: number) => JournalRecord | undefined,
): number | undefined {
  // Records and chunks start at multiples of 8, so no magic crosses two chunks.
  for (let chunkPosition = Math.ceil(fromPosition / 8) * 8; chunkPosition < toPosition; chunkPosition += CHUNK_BYTES) {
    const view = read(chunkPosition - firstPosition, Math.min(CHUNK_BYTES, toPosition - chunkPosition));
    const chunk = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    for (let at = chunk.indexOf(RECORD_MAGIC); at >= 0; at = chunk.indexOf(RECORD_MAGIC, at + 1)) {
      if (at % 8 === 0 && recordAt(chunkPosition + at)) return chunkPosition + at;
    }
  }
  return undefined;
}

const regionOf = (read: ReadSegment, firstPosition: number, position: number, endPosition: number): DamagedRegion => ({
  position,
  endPosition,
  bytes: read(position - firstPosition, endPosition - position),
});

/** Reads ahead in chunks. Each chunk has its own buffer, so views of earlier chunks stay valid. */
function chunked(fd: number, chunkBytes = CHUNK_BYTES): ReadSegment {
  const fileBytes = fstatSync(fd).size;
  let chunk = new Uint8Array(0);
  let chunkOffset = 0;
  return (offset, bytes) => {
    const end = Math.min(offset + bytes, fileBytes);
    if (end <= offset) return new Uint8Array(0);
    if (offset < chunkOffset || end > chunkOffset + chunk.length) {
      chunk = readAt(fd, offset, Math.min(Math.max(bytes, chunkBytes), fileBytes - offset));
      chunkOffset = offset;
    }
    return chunk.subarray(offset - chunkOffset, end - chunkOffset);
  };
}

function readAt(fd: number, offset: number, bytes: number): Uint8Array<ArrayBuffer> {
  const buffer = new Uint8Array(new ArrayBuffer(bytes));
  let done = 0;
  while (done < bytes) {
    const read = readSync(fd, buffer, done, bytes - done, offset + done);
    if (read === 0) break;
    done += read;
  }
  return buffer.subarray(0, done);
}
