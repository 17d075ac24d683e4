import { expectPresent } from '../../base/expect-present.ts';

const FRAME_MAGIC = 0xfd2fb528;
/** Frames with this magic, whatever its last four bits, have no content. */
const SKIPPABLE_MAGIC = 0x184d2a50;
/**
 * Sizes in bytes of the dictionary ID and of the content size, by their codes in the descriptor of the frame header.
 */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const BLOCK_TYPE_RLE = 1;

/**
 * The frames of a zstd body, without those that have no content. Undefined if the body does not end with its last
 * frame. Node 22 accepts an incomplete body and returns the part that it has, which would lose spans silently. Format:
 * RFC 8878, section 3.1.
 */
export function zstdFrames(body: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const frames: Uint8Array[] = [];
  let at = 0;
  try {
    while (at < body.length) {
      const magic = view.getUint32(at, true);
      const isSkippable = (magic & ~0xf) >>> 0 === SKIPPABLE_MAGIC;
      if (!isSkippable && magic !== FRAME_MAGIC) return undefined;
      const end = isSkippable ? at + 8 + view.getUint32(at + 4, true) : frameEnd(view, at);
      if (end > body.length) return undefined;
      if (!isSkippable) frames.push(body.subarray(at, end));
      at = end;
    }
  } catch (error) {
    // The read went past the last byte.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return frames.length > 0 ? frames : undefined;
}

function frameEnd(view: DataView, start: number): number {
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSizeCode = descriptor >> 6;
  const windowBytes = isSingleSegment ? 0 : 1;
  const contentSizeBytes =
    isSingleSegment && contentSizeCode === 0
      ? 1
      : expectPresent(CONTENT_SIZE_BYTES[contentSizeCode], 'two bits have four values');
  let at =
    start +
    5 +
    windowBytes +
    expectPresent(DICTIONARY_ID_BYTES[descriptor & 3], 'two bits have four values') +
    contentSizeBytes;
  for (let isLast = false; !isLast; ) {
    const block = view.getUint8(at) | (view.getUint16(at + 1, true) << 8);
    isLast = (block & 1) === 1;
    at += 3 + (((block >> 1) & 3) === BLOCK_TYPE_RLE ? 1 : block >> 3);
  }
  const hasChecksum = (descriptor & 4) !== 0;
  return at + (hasChecksum ? 4 : 0);
}
