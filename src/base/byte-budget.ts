/**
 * Memory that several holders share. The caller checks `hasCapacityFor` before it adds bytes, and subtracts them
 * afterwards.
 */
export class ByteBudget {
  readonly bytesMax: number;
  bytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  hasCapacityFor(byteCount: number): boolean {
    return this.bytes + byteCount <= this.bytesMax;
  }
}
