import { freeBuffer } from '../../base/free-buffer.ts';

/** Writes protobuf messages one field after the other. Lengths always have five bytes, so that no content is moved. */
export class ProtobufWriter {
  private bytes = Buffer.alloc(1024);
  private length = 0;

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Opens a field with a length. Pass the result to `close`. */
  open(tag: number): number {
    this.putTag(tag);
    this.reserve(5);
    this.length += 5;
    return this.length;
  }

  close(start: number): void {
    const length = this.length - start;
    for (let i = 0; i < 4; i++) this.bytes[start - 5 + i] = ((length >>> (7 * i)) & 127) | 128;
    this.bytes[start - 1] = length >>> 28;
  }

  text(tag: number, text: string): void {
    const start = this.open(tag);
    this.reserve(3 * text.length);
    this.length += this.bytes.write(text, this.length, 'utf8');
    this.close(start);
  }

  data(tag: number, data: Uint8Array): void {
    const start = this.open(tag);
    this.raw(data);
    this.close(start);
  }

  /** Appends bytes of fields that are already encoded. */
  raw(data: Uint8Array): void {
    this.reserve(data.length);
    this.bytes.set(data, this.length);
    this.length += data.length;
  }

  varint(tag: number, value: bigint): void {
    this.putTag(tag);
    this.reserve(10);
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 127n) | 128;
    this.bytes[this.length++] = Number(rest);
  }

  fixed64(tag: number, value: bigint): void {
    this.putTag(tag);
    this.reserve(8);
    this.length = this.bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.length);
  }

  double(tag: number, value: number): void {
    this.putTag(tag);
    this.reserve(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  /** Writes the tag of a field number up to 15. */
  private putTag(tag: number): void {
    this.reserve(1);
    this.bytes[this.length++] = tag;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const longer = Buffer.alloc(Math.max(2 * this.bytes.length, this.length + bytes));
    longer.set(this.bytes);
    freeBuffer(this.bytes);
    this.bytes = longer;
  }
}
