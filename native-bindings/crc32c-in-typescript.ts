/** The polynomial 0x1EDC6F41 with its bits reversed. */
const POLYNOMIAL = 0x82f63b78;

/** Slicing by eight: entry `256 k + b` is the CRC of byte `b` followed by `k` zero bytes. */
const TABLE = new Int32Array(8 * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  TABLE[byte] = crc;
}
for (let index = 256; index < TABLE.length; index++) {
  const crc = TABLE[index - 256]!;
  TABLE[index] = (crc >>> 8) ^ TABLE[crc & 0xff]!;
}

/** The fallback of the native module; see `Crc32c`. */
export function crc32cInTypeScript(bytes: Uint8Array, initial = 0): number {
  let crc = ~initial;
  let index = 0;
  for (const end = bytes.length - 7; index < end; index += 8) {
    const low =
      crc ^ (bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24));
    crc =
      TABLE[1792 + (low & 0xff)]! ^
      TABLE[1536 + ((low >>> 8) & 0xff)]! ^
      TABLE[1280 + ((low >>> 16) & 0xff)]! ^
      TABLE[1024 + (low >>> 24)]! ^
      TABLE[768 + bytes[index + 4]!]! ^
      TABLE[512 + bytes[index + 5]!]! ^
      TABLE[256 + bytes[index + 6]!]! ^
      TABLE[bytes[index + 7]!]!;
  }
  for (; index < bytes.length; index++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[index]!) & 0xff]!;
  return ~crc >>> 0;
}
