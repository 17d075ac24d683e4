import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { checkSegmentHeader, SEGMENT_HEADER_BYTES } from './journal-format.ts';
import { findTail, readJournal } from './journal-reader.ts';
import { listSegmentsSync, type Segment } from './journal-segments.ts';

export interface JournalCheck {
  readonly segmentCount: number;
  /** Start of the journal, and the end of its last valid record. Both are 0 if there is no segment. */
  readonly firstPosition: number;
  readonly endPosition: number;
  readonly recordCount: number;
  /** Bytes of all records, including payloads. */
  readonly recordBytes: number;
  /** Damage before a valid record or another segment. */
  readonly damaged: readonly { readonly position: number; readonly bytes: number }[];
  readonly damagedHeaders: readonly string[];
  /** Non-zero bytes after the last valid record. A crash has torn them, and the next start removes them. */
  readonly tornBytes: number;
}

/** Reads every record of a journal that no server has open. Changes nothing. */
export function verifyJournal(dir: string): JournalCheck {
  const segments = listSegmentsSync(dir);
  const last = segments.at(-1);
  const [first] = segments;
  if (!first || !last) return EMPTY;
  const { firstPosition } = first;
  const { endPosition, torn } = findTail(readFileSync(last.path) as Buffer<ArrayBuffer>, last.firstPosition);
  let recordCount = 0;
  let recordBytes = 0;
  const damaged: { position: number; bytes: number }[] = [];
  for (const item of readJournal(dir, firstPosition, endPosition)) {
    if (item.kind === 'record') {
      recordCount++;
      recordBytes += item.record.bytes.length;
    } else damaged.push({ position: item.region.position, bytes: item.region.endPosition - item.region.position });
  }
  const damagedHeaders = segments.filter(hasDamagedHeader).map(({ path }) => path);
  return {
    segmentCount: segments.length,
    firstPosition,
    endPosition,
    recordCount,
    recordBytes,
    damaged,
    damagedHeaders,
    tornBytes: torn.length,
  };
}

const EMPTY: JournalCheck = {
  segmentCount: 0,
  firstPosition: 0,
  endPosition: 0,
  recordCount: 0,
  recordBytes: 0,
  damaged: [],
  damagedHeaders: [],
  tornBytes: 0,
};

function hasDamagedHeader({ path, firstPosition }: Segment): boolean {
  const header = new Uint8Array(SEGMENT_HEADER_BYTES);
  const fd = openSync(path, 'r');
  try {
    const bytes = readSync(fd, header, 0, SEGMENT_HEADER_BYTES, 0);
    return checkSegmentHeader(header.subarray(0, bytes), firstPosition) === 'damaged';
  } finally {
    closeSync(fd);
  }
}
