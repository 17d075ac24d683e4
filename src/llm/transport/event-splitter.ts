const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Splits a stream of server-sent events behind the blank line of each event, so that the readers of the official packages get whole events:
 * they copy and search what they have so far again for each chunk.
 */
export class EventSplitter {
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the line that is not complete, and whether it is only a carriage return. */
  #lineBytes = 0;
  #isLineBlank = true;
  /** Whether the event has a line that is not blank. */
  #hasContent = false;

  /** Bytes of the event that is not complete. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /** Calls `onEvent` for each event that the chunk completes. Blank lines without an event are dropped. */
  push(chunk: Buffer, onEvent: (event: Buffer) => void): void {
    let eventStart = 0;
    let at = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, at);
      if (end === -1) break;
      const isBlank = this.#isLineBlank && isBlankLine(chunk, at, end, this.#lineBytes);
      this.#lineBytes = 0;
      this.#isLineBlank = true;
      at = end + 1;
      if (!isBlank) {
        this.#hasContent = true;
        continue;
      }
      const hasContent = this.#hasContent;
      const event = this.#take(chunk.subarray(eventStart, at));
      eventStart = at;
      if (hasContent) onEvent(event);
    }
    if (at < chunk.length) {
      this.#isLineBlank = this.#isLineBlank && isBlankLine(chunk, at, chunk.length, this.#lineBytes);
      this.#lineBytes += chunk.length - at;
    }
    if (eventStart < chunk.length) {
      this.#parts.push(chunk.subarray(eventStart));
      this.#bytes += chunk.length - eventStart;
    }
  }

  /** The rest of a stream that does not end with a blank line. */
  end(): Buffer | undefined {
    if (this.#bytes === 0 || (!this.#hasContent && this.#isLineBlank)) return undefined;
    return this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): Buffer {
    const event = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#bytes = 0;
    this.#hasContent = false;
    return event;
  }
}

/** Whether the bytes are the rest of a line that is empty or one carriage return. */
function isBlankLine(chunk: Buffer, from: number, to: number, bytesBefore: number): boolean {
  const bytes = to - from + bytesBefore;
  return bytes === 0 || (bytes === 1 && (bytesBefore === 1 || chunk[from] === CARRIAGE_RETURN));
}
