import { type FileHandle, open } from 'node:fs/promises';
import { EvaluationError } from '../../errors.ts';

/** Bytes of one write, so that a slow disk does not collect a copy of everything. */
const WRITE_BYTES_MAX = 4 * 1024 * 1024;

interface WaitingLine {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A file of lines that only grows. While one group of lines is written, the next one collects. */
export class AppendFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #size: number;
  #waiting: WaitingLine[] = [];
  #isWriting = false;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(path: string, handle: FileHandle, size: number) {
    this.path = path;
    this.#handle = handle;
    this.#size = size;
  }

  /** Opens a file for its owner only, and cuts a line that a killed process left unfinished. */
  static async open(path: string): Promise<AppendFile> {
    const handle = await open(path, 'a+', 0o600).catch((error: unknown) => {
      throw writeError(path, error);
    });
    try {
      const { size } = await handle.stat();
      const whole = await findEnd(handle, size);
      if (whole < size) await handle.truncate(whole);
      return new AppendFile(path, handle, whole);
    } catch (error) {
      await handle.close();
      throw writeError(path, error);
    }
  }

  /** Resolves when the operating system has the line, so that it survives the end of this process. */
  append(line: string): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      if (!this.#isWriting) this.#writing = this.#writeAll();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // The lines of this turn of the event loop go together.
    await undefined;
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        if (this.#failure !== undefined) throw this.#failure;
        const bytes = Buffer.from(group.map(({ line }) => `${line}\n`).join(''));
        await this.#handle.appendFile(bytes);
        this.#size += bytes.length;
        for (const { resolve } of group) resolve();
      } catch (error) {
        this.#failure ??= writeError(this.path, error);
        // Half a line may have been written; it must not become the start of the next one.
        await this.#handle.truncate(this.#size).catch(() => undefined);
        for (const { reject } of group) reject(this.#failure);
      }
    }
    this.#isWriting = false;
  }

  #takeGroup(): WaitingLine[] {
    let size = 0;
    const count = this.#waiting.findIndex(({ line }) => {
      size += line.length;
      return size > WRITE_BYTES_MAX;
    });
    return this.#waiting.splice(0, count < 0 ? this.#waiting.length : count + 1);
  }
}

function writeError(path: string, error: unknown): EvaluationError {
  if (error instanceof EvaluationError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const reason = code === 'ENOSPC' ? 'the disk is full; free space' : `${message ?? error}; correct this`;
  return new EvaluationError(`Cannot write ${path}: ${reason} and run again. What was written is kept.`, {
    cause: error,
  });
}

/** The place after the last end of a line. */
async function findEnd(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - buffer.length);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(10);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
