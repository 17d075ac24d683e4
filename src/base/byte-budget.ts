/**
 * Memory that several holders share. The caller checks `hasRoomFor` before it adds bytes, and subtracts them
 * afterwards.
 */
export class ByteBudget {
  readonly bytesMax: number;
  bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  hasRoomFor(byteCount: number): boolean {
    return this.bytes + byteCount <= this.bytesMax;
  }
}
