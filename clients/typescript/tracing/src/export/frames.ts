/** Bytes before the payload: its length, spans and checksum as 32-bit numbers, and the time of the batch as a double. */
export const FRAME_HEADER_BYTES = 20;

/** A batch as it is stored in a spill file. */
export interface Frame {
  /** Where its header begins and its payload ends. */
  readonly start: number;
  readonly end: number;
  readonly payload: Uint8Array;
  readonly spanCount: number;
  readonly createdAtMs: number;
}

/** A frame, with a header in little-endian order. */
export function toFrame(payload: Uint8Array, spanCount: number, createdAtMs: number): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
  frame.set(payload, FRAME_HEADER_BYTES);
  const view = new DataView(frame.buffer);
  view.setUint32(0, payload.length, true);
  view.setUint32(4, spanCount, true);
  view.setUint32(8, checksum(payload), true);
  view.setFloat64(12, createdAtMs, true);
  return frame;
}

/**
 * The complete frames of a spill file. The last frame of a process that was killed may be torn: reading ends there, and
 * `isTorn` says so.
 */
export function readFrames(bytes: Uint8Array): { readonly frames: Frame[]; readonly isTorn: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Frame[] = [];
  let offset = 0;
  while (offset + FRAME_HEADER_BYTES <= bytes.length) {
    const byteCount = view.getUint32(offset, true);
    const end = offset + FRAME_HEADER_BYTES + byteCount;
    if (byteCount === 0 || end > bytes.length) break;
    const payload = bytes.subarray(offset + FRAME_HEADER_BYTES, end);
    if (checksum(payload) !== view.getUint32(offset + 8, true)) break;
    const spanCount = view.getUint32(offset + 4, true);
    frames.push({ start: offset, end, payload, spanCount, createdAtMs: view.getFloat64(offset + 12, true) });
    offset = end;
  }
  return { frames, isTorn: offset < bytes.length };
}

/** Byte arrays one after another. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** FNV-1a, 32 bits. It finds blocks that a crash of the machine has left as zeros. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] as number), 0x01000193);
  return hash >>> 0;
}
