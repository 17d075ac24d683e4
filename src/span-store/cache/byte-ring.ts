const ALIGNMENT = 8;

/** Where bytes are placed in a ring. */
export interface RingPlace {
  readonly buffer: ArrayBuffer;
  /** Offset in the buffer, a multiple of eight. */
  readonly at: number;
  /** Offset counted over all rounds, which orders all places. */
  readonly start: number;
  /** Places that start before this one are overwritten. */
  readonly oldestStart: number;
}

/**
 * A buffer that is filled from its beginning to its end, and then from its beginning again. It takes memory as it is filled for
 * the first time, because the system provides pages of a large buffer when they are written, and none of it is freed.
 */
export class ByteRing {
  readonly bytesMax: number;
  /** Created when it is first used. */
  #buffer: ArrayBuffer | undefined;
  /** The end of the last place, counted over all rounds. */
  #end = 0;

  constructor(bytesMax: number) {
    this.bytesMax = Math.floor(bytesMax / ALIGNMENT) * ALIGNMENT;
  }

  /**
   * The next place.
   *
   * @param byteCount At most `bytesMax`.
   */
  take(byteCount: number): RingPlace {
    this.#buffer ??= new ArrayBuffer(this.bytesMax);
    const used = this.#end % this.bytesMax;
    const isCut = used + byteCount > this.bytesMax;
    const start = isCut ? this.#end - used + this.bytesMax : this.#end;
    this.#end = start + Math.ceil(byteCount / ALIGNMENT) * ALIGNMENT;
    return { buffer: this.#buffer, at: start % this.bytesMax, start, oldestStart: this.#end - this.bytesMax };
  }
}
