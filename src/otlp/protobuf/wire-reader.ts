// biome-ignore-all lint/style/noNonNullAssertion: the bytes were checked, so a read never passes their end.

/**
 * Reads a protobuf body that `checkProtobuf` has accepted, without checking again. Positions are passed and returned,
 * and values are in fields, because an object per field would cost more than reading it.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Position after a tag, or start of the content after a length. */
  at = 0;
  /** The last varint as two words. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads the tag at `at`. */
  tag(at: number): number {
    const byte = this.bytes[at]!;
    this.at = at + 1;
    return byte < 128 ? byte : this.long(at);
  }

  /** Reads the length at `at`. Returns the end of the content, which starts at `this.at`. */
  enter(at: number): number {
    const byte = this.bytes[at]!;
    this.at = at + 1;
    const length = byte < 128 ? byte : this.long(at);
    return this.at + length;
  }

  private long(at: number): number {
    const { bytes } = this;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    this.at = at;
    return value >>> 0;
  }

  /** Reads a varint into `low` and `high`. */
  varint(at: number): void {
    const { bytes } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++]!;
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) break;
    }
    this.low = low;
    this.high = high;
  }

  skipVarint(at: number): number {
    const { bytes } = this;
    while (bytes[at]! >= 128) at++;
    return at + 1;
  }

  /** Position after a field, whose tag has been read. */
  skip(tag: number, at: number): number {
    switch (tag & 7) {
      case 0:
        return this.skipVarint(at);
      case 1:
        return at + 8;
      case 2:
        return this.enter(at);
      case 5:
        return at + 4;
      default:
        return this.skipGroup(at);
    }
  }

  private skipGroup(at: number): number {
    for (;;) {
      const tag = this.tag(at);
      if ((tag & 7) === 4) return this.at;
      at = this.skip(tag, this.at);
    }
  }
}
