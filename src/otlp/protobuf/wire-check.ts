// biome-ignore-all lint/style/noNonNullAssertion: the index is compared with the end before each read.
import { isUtf8 } from 'node:buffer';
import { otlpMalformed } from './otlp-malformed.ts';

/** Maximum nesting of groups in a skipped field. Protobuf's own readers have the same limit. */
const GROUP_DEPTH_MAX = 100;
const SCRATCH_BYTES_KEPT_MAX = 8 * 1024 * 1024;

/** One per thread: the page faults of a new copy per request cost more than the whole check. */
let scratch = new Uint8Array(0);

function takeScratch(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length > SCRATCH_BYTES_KEPT_MAX) return new Uint8Array(bytes);
  if (scratch.length < bytes.length) scratch = new Uint8Array(2 * bytes.length);
  scratch.set(bytes);
  return scratch.subarray(0, bytes.length);
}

/**
 * Checks a protobuf body by its wire format, without creating objects. A single call at the end checks every text: the
 * check clears everything that is not text (IDs, numbers, lengths, unknown fields) in a copy of the body, so that the
 * rest is UTF-8 if and only if each text is. There is always an ASCII byte between two texts.
 */
export class WireCheck {
  readonly bytes: Uint8Array;
  private readonly text: Uint8Array<ArrayBuffer>;
  private readonly textView: DataView;
  /** Position after the last value that was read. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.text = takeScratch(bytes);
    this.textView = new DataView(this.text.buffer, this.text.byteOffset, this.text.byteLength);
  }

  /** Call it after all fields have been checked. */
  checkTexts(): void {
    if (!isUtf8(this.text)) throw otlpMalformed('a text is not UTF-8');
  }

  /** Reads a tag of two or more bytes. The caller handles one byte itself, which is faster. */
  readLongTag(at: number, end: number): number {
    const { bytes, text } = this;
    let value = 0;
    for (let i = 0; i < 5; i++) {
      if (at + i >= end) throw otlpMalformed(`a tag at byte ${at} is incomplete`);
      const byte = bytes[at + i]!;
      if (i === 4 && byte > 15) break;
      text[at + i] = 0;
      value = (value | ((byte & 127) << (7 * i))) >>> 0;
      if (byte < 128) {
        this.at = at + i + 1;
        return value;
      }
    }
    throw otlpMalformed(`a tag at byte ${at} is longer than 32 bits`);
  }

  /** Reads the length of a field, and checks that the field ends before the message does. */
  readLength(at: number, end: number): number {
    const { bytes, text } = this;
    let value = 0;
    for (let i = 0; i < 5; i++) {
      if (at + i >= end) throw otlpMalformed(`a length at byte ${at} is incomplete`);
      const byte = bytes[at + i]!;
      if (i === 4 && byte > 7) break;
      text[at + i] = byte & 127;
      value |= (byte & 127) << (7 * i);
      if (byte < 128) {
        this.at = at + i + 1;
        if (value > end - this.at) throw cutOff(at, value, end - this.at);
        return value;
      }
    }
    throw otlpMalformed(`a length at byte ${at} is longer than 31 bits`);
  }

  /** Position after a varint of at most ten bytes. */
  skipVarint(at: number, end: number): number {
    const { bytes, text } = this;
    const last = Math.min(at + 10, end);
    for (let i = at; i < last; i++) {
      text[i] = 0;
      if (bytes[i]! < 128) return i + 1;
    }
    throw otlpMalformed(`a varint at byte ${at} is ${last === end ? 'incomplete' : 'longer than ten bytes'}`);
  }

  skipFixed64(at: number, end: number): number {
    if (at + 8 > end) throw cutOff(at, 8, end - at);
    this.textView.setFloat64(at, 0);
    return at + 8;
  }

  skipFixed32(at: number, end: number): number {
    if (at + 4 > end) throw cutOff(at, 4, end - at);
    this.textView.setInt32(at, 0);
    return at + 4;
  }

  /** Position after a text. It stays in the copy, to be checked. */
  skipText(at: number, end: number): number {
    const length = this.readLength(at, end);
    return this.at + length;
  }

  /** Position after bytes that are not text or are ignored. */
  skipBytes(at: number, end: number): number {
    const length = this.readLength(at, end);
    this.text.fill(0, this.at, this.at + length);
    return this.at + length;
  }

  /** Position after an ID of any length. */
  skipId(at: number, end: number): number {
    const length = this.readLength(at, end);
    const start = this.at;
    if (length !== 16 && length !== 8) return this.skipBytes(at, end);
    this.textView.setFloat64(start, 0);
    if (length === 16) this.textView.setFloat64(start + 8, 0);
    return start + length;
  }

  /** Position after an unknown field whose tag has been read. */
  skipUnknown(tag: number, at: number, end: number): number {
    return this.skipField(tag, at, end, 0);
  }

  private skipField(tag: number, at: number, end: number, depth: number): number {
    if (tag >>> 3 === 0) throw otlpMalformed(`field number 0 before byte ${at}`);
    switch (tag & 7) {
      case 0:
        return this.skipVarint(at, end);
      case 1:
        return this.skipFixed64(at, end);
      case 2:
        return this.skipBytes(at, end);
      case 3:
        return this.skipGroup(tag, at, end, depth);
      case 5:
        return this.skipFixed32(at, end);
      default:
        throw otlpMalformed(`wire type ${tag & 7} before byte ${at}`);
    }
  }

  private skipGroup(startTag: number, start: number, end: number, depth: number): number {
    if (depth >= GROUP_DEPTH_MAX) throw otlpMalformed(`groups have more than ${GROUP_DEPTH_MAX} levels`);
    for (let at = start; at < end; ) {
      const tag = this.readTag(at, end);
      // An end-group tag is the start tag with wire type 4 instead of 3.
      if ((tag & 7) === 4) {
        if (tag !== startTag + 1) throw otlpMalformed(`a group ends with another field number at byte ${at}`);
        return this.at;
      }
      at = this.skipField(tag, this.at, end, depth + 1);
    }
    throw otlpMalformed(`the group at byte ${start} does not end`);
  }

  private readTag(at: number, end: number): number {
    const byte = this.bytes[at]!;
    if (byte >= 128) return this.readLongTag(at, end);
    this.at = at + 1;
    return byte;
  }
}

const cutOff = (at: number, wanted: number, left: number) =>
  otlpMalformed(`${wanted} bytes were expected at byte ${at}, but only ${left} are left`);
