import { chmod, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '../../base/log.ts';
import { alignedBytes, checkSegmentHeader, SEGMENT_HEADER_BYTES } from './journal-format.ts';
import { findTail } from './journal-reader.ts';
import type { JournalTail } from './journal-segment-writer.ts';
import { listSegments, type Segment, syncDirectory } from './journal-segments.ts';
import { quarantine } from './quarantine.ts';

const JOURNAL_DIR_MODE = 0o700;

/** Consequence of a journal that ends before the store's position, and what to do about it. */
export const LOST_CHANGES =
  "Acknowledged data that had not reached the span store is lost, unless you stop the server now, restore the directory of the journal and run 'spandrel check'. The server continues after the store's position";

/**
 * Finds the end of the log. A crash has torn the bytes after the last valid record; they were never acknowledged, or
 * the disk has lost them. A copy of them is quarantined. The projector reports damage before that.
 */
export async function recoverTail(dir: string, startPosition: number, log: Log): Promise<JournalTail> {
  const firstMade = await mkdir(dir, { recursive: true, mode: JOURNAL_DIR_MODE });
  // Directories of earlier versions are readable by all users, and only the owner may change that.
  if (!firstMade) await chmod(dir, JOURNAL_DIR_MODE).catch((error: Error) => warnOfMode(dir, error, log));
  if (firstMade)
    for (let made = dir; made.length >= firstMade.length; made = dirname(made)) await syncDirectory(dirname(made));
  const segment = (await listSegments(dir)).at(-1);
  if (!segment) {
    if (startPosition > 0) log.warn({ dir, storePosition: startPosition }, `The journal is missing. ${LOST_CHANGES}`);
    const firstPosition = alignedBytes(startPosition);
    return { firstPosition, endPosition: firstPosition + SEGMENT_HEADER_BYTES, hasHeader: false };
  }
  return recoverSegment(dir, segment, log);
}

async function recoverSegment(dir: string, { firstPosition, path }: Segment, log: Log): Promise<JournalTail> {
  const file = (await readFile(path)) as Buffer<ArrayBuffer>;
  const header = checkSegmentHeader(file, firstPosition);
  if (header === 'newer') throw new Error(`${path} was written by a newer version. Start that version instead`);
  const { endPosition, torn } = findTail(file, firstPosition);
  if (torn.length > 0) {
    const copy = await quarantine(dir, `${endPosition}.torn`, torn).catch((error: Error) => `none: ${error.message}`);
    const fields = { segment: path, position: endPosition, bytes: torn.length, copy };
    log.warn(fields, 'The journal ended with a torn record after a crash; it was never acknowledged and was removed');
  }
  if (header === 'damaged')
    log.error({ segment: path }, 'The header of a journal segment is damaged; its records are used anyway');
  const recordsPosition = firstPosition + SEGMENT_HEADER_BYTES;
  return {
    firstPosition,
    endPosition: Math.max(endPosition, recordsPosition),
    hasHeader: header === 'good' || endPosition > recordsPosition,
  };
}

const warnOfMode = (dir: string, error: Error, log: Log): void =>
  log.warn({ dir, err: error }, 'Could not make the journal directory private; other users may be able to read it');
