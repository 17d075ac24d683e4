import { crc32 } from 'node:zlib';

/**
 * One message of AWS's binary event stream: length, length of the headers, CRC of both, headers, payload, CRC of all. Header
 * values are texts (type 7).
 */
export function eventStreamMessage(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const headerBytes = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const payloadBytes = Buffer.from(payload);
  const length = 12 + headerBytes.length + payloadBytes.length + 4;
  const message = Buffer.allocUnsafe(length);
  message.writeUInt32BE(length, 0);
  message.writeUInt32BE(headerBytes.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headerBytes.copy(message, 12);
  payloadBytes.copy(message, 12 + headerBytes.length);
  message.writeUInt32BE(crc32(message.subarray(0, length - 4)), length - 4);
  return message;
}

function header(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name);
  const valueBytes = Buffer.from(value);
  const bytes = Buffer.allocUnsafe(1 + nameBytes.length + 3 + valueBytes.length);
  bytes.writeUInt8(nameBytes.length, 0);
  nameBytes.copy(bytes, 1);
  bytes.writeUInt8(7, 1 + nameBytes.length);
  bytes.writeUInt16BE(valueBytes.length, 2 + nameBytes.length);
  valueBytes.copy(bytes, 4 + nameBytes.length);
  return bytes;
}
