import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs';
import { readLines } from '../../data/read-lines.ts';

/** Reads lines of a file by their position, so that only positions are in memory. */
export class LineReader {
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
  }

  read(offset: number, byteCount: number): string {
    const buffer = Buffer.allocUnsafe(byteCount);
    let length = 0;
    while (length < byteCount) {
      const read = readSync(this.#descriptor, buffer, length, byteCount - length, offset + length);
      if (read === 0) break;
      length += read;
    }
    return buffer.toString('utf8', 0, length);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Lines of a file with their positions, in order; none when there is no file. A last line without its end is left out. */
export async function* readPositions(
  path: string,
): AsyncGenerator<{ line: string; offset: number; byteCount: number }> {
  if (!existsSync(path)) return;
  let offset = 0;
  let held: { line: string; offset: number; byteCount: number } | undefined;
  let bytesRead = 0;
  async function* counted() {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  for await (const line of readLines(counted())) {
    if (held) yield held;
    const byteCount = Buffer.byteLength(line ?? '');
    held = { line: line ?? '', offset, byteCount };
    offset += byteCount + 1;
  }
  if (held && offset <= bytesRead) yield held;
}
