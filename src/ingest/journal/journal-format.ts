import { Packr } from 'msgpackr';
import { crc32c } from '../../../native-bindings/crc32c.ts';
import type { Deletion, Transfer } from '../../span-store/contract/writer.ts';
import type { OtlpRequest } from '../ingest.ts';

// A segment file on disk; all numbers are little-endian.
//
//   0        magic "SPANDREL"  version u32  0 u32  first position u64  CRC32C of these u32  zeros
//   64       record, record, …             each starts at a multiple of 8
//            zeros up to the preallocated end
//
// A record:
//
//   0        magic u32       never zero, so a zero word is the end
//   4        head CRC u32    of bytes 8 to the end of the head
//   8        bytes u32       header, head and payload, without the padding
//   12       head bytes u32
//   16       position u64    the record's own, so leftover bytes and a journal inside a payload are not accepted
//   24       payload CRC u32
//   28       0 u32
//   32       head (MessagePack), payload, zeros up to a multiple of 8
//
// A position is an offset in the log, which is the concatenation of all segments with their headers. A segment starts at the
// end of the previous one, and its file is named by that position.

export const SEGMENT_HEADER_BYTES = 64;
export const RECORD_HEADER_BYTES = 32;
export const RECORD_MAGIC = Buffer.from([0xa7, 0x4a, 0x52, 0x43]);
const SEGMENT_MAGIC = Buffer.from('SPANDREL', 'latin1');
const SEGMENT_VERSION = 1;

/** The kind of a record and its fields, other than the payload. */
export type RecordHead =
  /** Payload: the body of the request as received. */
  | (OtlpHead & Sender)
  /** Payload: JSON text of `Ingest.submitSpans`. */
  | { readonly kind: 'spans'; readonly receivedAtMs: number; readonly spanCount: number }
  /** Payload: JSON text of an `AnnotationBatch`. */
  | {
      readonly kind: 'annotations';
      readonly receivedAtMs: number;
      readonly annotationCount: number;
      readonly isWhole: boolean;
    }
  /** No payload. */
  | { readonly kind: 'deletion'; readonly receivedAtMs: number; readonly deletion: Deletion }
  /** No payload. */
  | { readonly kind: 'transfer'; readonly receivedAtMs: number; readonly transfer: Transfer }
  /** Payload: JSON text of a `CostChange`. */
  | { readonly kind: 'costs'; readonly receivedAtMs: number };

interface OtlpHead extends Pick<OtlpRequest, 'format' | 'encoding' | 'projectName'> {
  readonly kind: 'otlp';
  /** Milliseconds since the epoch, when the server had the whole body. */
  readonly receivedAtMs: number;
  /** Number of spans that the check has accepted. */
  readonly spanCount: number;
  /** Whether `service.name` named the project of spans that named none, as a setting of that time said. */
  readonly usesServiceName?: boolean;
  /** Projects to which the sender may not write. The payload has spans of them, which were rejected. */
  readonly exceptProjects?: readonly string[];
}

type Sender = OtlpRequest['from'];

export interface JournalRecord {
  readonly position: number;
  /** Position of the next record. */
  readonly endPosition: number;
  readonly head: RecordHead;
  readonly payload: Uint8Array<ArrayBuffer>;
  /** All bytes of the record, without the padding. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const alignedBytes = (bytes: number): number => Math.ceil(bytes / 8) * 8;

const heads = new Packr({ useRecords: false });

/** Header and head of a record, complete except for the parts that depend on its position (`placeRecord`). */
export function encodeRecordFront(head: RecordHead, payloadBytes: number, payloadCrc: number): Buffer {
  const packed = heads.pack(head);
  const front = Buffer.allocUnsafe(RECORD_HEADER_BYTES + packed.length);
  RECORD_MAGIC.copy(front, 0);
  front.writeUInt32LE(front.length + payloadBytes, 8);
  front.writeUInt32LE(packed.length, 12);
  front.writeUInt32LE(payloadCrc, 24);
  front.writeUInt32LE(0, 28);
  front.set(packed, RECORD_HEADER_BYTES);
  return front;
}

/** Writes the position into a front, and the CRC over both. */
export function placeRecord(front: Buffer, position: number): void {
  front.writeBigUInt64LE(BigInt(position), 16);
  front.writeUInt32LE(crc32c(front.subarray(8)), 4);
}

/**
 * The record at this position. `read` returns up to the given number of bytes from there. Undefined if there is no
 * record, if it is damaged, or if it does not end within `bytesMax`.
 */
export function decodeRecord(
  position: number,
  bytesMax: number,
  read: (bytes: number) => Uint8Array<ArrayBuffer>,
): JournalRecord | undefined {
  const header = readHeader(position, bytesMax, read);
  if (!header) return undefined;
  const { recordBytes, payloadOffset, headCrc, payloadCrc } = header;
  const bytes = read(recordBytes);
  if (bytes.length < recordBytes || crc32c(bytes.subarray(8, payloadOffset)) !== headCrc) return undefined;
  const payload = bytes.subarray(payloadOffset);
  if (crc32c(payload) !== payloadCrc) return undefined;
  const head: RecordHead = heads.unpack(asBuffer(bytes.subarray(RECORD_HEADER_BYTES, payloadOffset)));
  return { position, endPosition: position + alignedBytes(recordBytes), head, payload, bytes };
}

/** Decodes the head of the record at this position like `decodeRecord`, but does not read its payload. */
export function decodeHead(
  position: number,
  bytesMax: number,
  read: (bytes: number) => Uint8Array<ArrayBuffer>,
):
  | {
      readonly head: RecordHead;
      readonly payloadOffset: number;
      readonly payloadBytes: number;
      readonly endPosition: number;
    }
  | undefined {
  const header = readHeader(position, bytesMax, read);
  if (!header) return undefined;
  const { recordBytes, payloadOffset, headCrc } = header;
  const bytes = read(payloadOffset);
  if (bytes.length < payloadOffset || crc32c(bytes.subarray(8, payloadOffset)) !== headCrc) return undefined;
  const head: RecordHead = heads.unpack(asBuffer(bytes.subarray(RECORD_HEADER_BYTES, payloadOffset)));
  const endPosition = position + alignedBytes(recordBytes);
  return { head, payloadOffset, payloadBytes: recordBytes - payloadOffset, endPosition };
}

/** Returns undefined when no record can start here. */
function readHeader(position: number, bytesMax: number, read: (bytes: number) => Uint8Array<ArrayBuffer>) {
  if (bytesMax < RECORD_HEADER_BYTES) return undefined;
  const header = asBuffer(read(RECORD_HEADER_BYTES));
  if (header.length < RECORD_HEADER_BYTES || !header.subarray(0, 4).equals(RECORD_MAGIC)) return undefined;
  const recordBytes = header.readUInt32LE(8);
  const payloadOffset = RECORD_HEADER_BYTES + header.readUInt32LE(12);
  if (payloadOffset > recordBytes || recordBytes > bytesMax || header.readBigUInt64LE(16) !== BigInt(position))
    return undefined;
  return { recordBytes, payloadOffset, headCrc: header.readUInt32LE(4), payloadCrc: header.readUInt32LE(24) };
}

export function encodeSegmentHeader(firstPosition: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  SEGMENT_MAGIC.copy(header, 0);
  header.writeUInt32LE(SEGMENT_VERSION, 8);
  header.writeBigUInt64LE(BigInt(firstPosition), 16);
  header.writeUInt32LE(crc32c(header.subarray(0, 24)), 24);
  return header;
}

/** `absent` means only zeros, as after a crash between the creation of the file and its first write. */
export function checkSegmentHeader(header: Uint8Array, firstPosition: number): 'good' | 'absent' | 'damaged' | 'newer' {
  const found = asBuffer(header.subarray(0, SEGMENT_HEADER_BYTES));
  if (found.equals(encodeSegmentHeader(firstPosition))) return 'good';
  if (found.every((byte) => byte === 0)) return 'absent';
  const isWhole = found.length === SEGMENT_HEADER_BYTES && crc32c(found.subarray(0, 24)) === found.readUInt32LE(24);
  return isWhole && found.readUInt32LE(8) > SEGMENT_VERSION ? 'newer' : 'damaged';
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
