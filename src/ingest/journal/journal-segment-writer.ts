import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';
import { encodeSegmentHeader, SEGMENT_HEADER_BYTES } from './journal-format.ts';
import { segmentPath, spareSegmentPath, syncDirectory } from './journal-segments.ts';

/** Opens a file. Tests replace it with a failing disk. */
export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>;

export interface SegmentWriterOptions {
  readonly dir: string;
  readonly segmentBytes: number;
  readonly openFile?: OpenFile;
}

/** The end of the log: its segment, and whether that has a header. */
export interface JournalTail {
  readonly firstPosition: number;
  /** Position of the first free byte after the header and the records. */
  readonly endPosition: number;
  readonly hasHeader: boolean;
}

/** Segments hold prompts of users, so only the operating system user of the server may read them. */
const SEGMENT_MODE = 0o600;

/** The content of the disk is unknown, so the process must stop. */
export class SyncFailed extends Error {}

/**
 * The last segment file of the log. Files are extended to their full size before they are written (ftruncate), so that
 * fdatasync writes data but no file size. The next file is created ahead of time.
 */
export class SegmentWriter {
  readonly #dir: string;
  readonly #segmentBytes: number;
  readonly #openFile: OpenFile;
  #file: FileHandle;
  #fileBytes: number;
  #firstPosition: number;
  #endPosition: number;
  #hasHeader: boolean;
  /** The next file. Resolves to undefined if it could not be created. */
  #spare: Promise<{ readonly file: FileHandle; readonly bytes: number } | undefined> | undefined;

  /** Opens the segment of `tail`, or creates it, and removes the bytes after the end. */
  static async open(options: SegmentWriterOptions, tail: JournalTail): Promise<SegmentWriter> {
    const openFile = options.openFile ?? open;
    await rm(spareSegmentPath(options.dir), { force: true });
    const path = segmentPath(options.dir, tail.firstPosition);
    const file = await openFile(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return openFile(path, 'w+', SEGMENT_MODE);
      throw error;
    });
    const writer = new SegmentWriter(options, openFile, file, tail);
    await writer.cutTail();
    await file.sync();
    await syncDirectory(options.dir);
    return writer;
  }

  private constructor(options: SegmentWriterOptions, openFile: OpenFile, file: FileHandle, tail: JournalTail) {
    this.#dir = options.dir;
    this.#segmentBytes = options.segmentBytes;
    this.#openFile = openFile;
    this.#file = file;
    this.#firstPosition = tail.firstPosition;
    this.#endPosition = tail.endPosition;
    this.#hasHeader = tail.hasHeader;
    this.#fileBytes = Math.max(this.#segmentBytes, tail.endPosition - tail.firstPosition);
  }

  get firstPosition(): number {
    return this.#firstPosition;
  }

  /** Position of the next byte. */
  get endPosition(): number {
    return this.#endPosition;
  }

  get freeBytes(): number {
    return this.#fileBytes - (this.#endPosition - this.#firstPosition);
  }

  /** Writes at the end; durable only after `sync`. After a rejection the caller must call `cutTail` or stop. */
  async write(buffers: readonly Uint8Array[], bytes: number): Promise<void> {
    const offset = this.#endPosition - this.#firstPosition;
    if (this.#hasHeader) await writeFully(this.#file, buffers, bytes, offset);
    else {
      const header = encodeSegmentHeader(this.#firstPosition);
      await writeFully(this.#file, [header, ...buffers], bytes + SEGMENT_HEADER_BYTES, 0);
    }
  }

  /** Makes the last `bytes` written durable and advances the end past them. */
  async sync(bytes: number): Promise<void> {
    await this.#file.datasync();
    this.#hasHeader = true;
    this.#endPosition += bytes;
    if (this.freeBytes < this.#fileBytes / 2) this.#spare ??= this.#makeSpare(this.#segmentBytes);
  }

  /** Leaves only zeros after the end, because a record that was never acknowledged must not reappear. */
  async cutTail(): Promise<void> {
    await this.#file.truncate(this.#hasHeader ? this.#endPosition - this.#firstPosition : 0);
    await this.#file.truncate(this.#fileBytes);
  }

  /** Continues in a new file with free space for `bytes`. It starts at the current end or at a later position. */
  async rotate(bytes: number, firstPosition = this.#endPosition): Promise<void> {
    const fileBytes = Math.max(this.#segmentBytes, SEGMENT_HEADER_BYTES + bytes);
    let spare = await this.#spare;
    this.#spare = undefined;
    spare ??= await this.#openSpare(fileBytes);
    if (spare.bytes < fileBytes) await spare.file.truncate(fileBytes);
    await rename(spareSegmentPath(this.#dir), segmentPath(this.#dir, firstPosition));
    // After a crash, the file counts as the next segment from now on, so this step cannot be undone.
    await syncDirectory(this.#dir).catch((cause) => {
      throw new SyncFailed('Could not sync the directory of the journal', { cause });
    });

    const full = this.#file;
    const fullBytes = this.#endPosition - this.#firstPosition;
    this.#file = spare.file;
    this.#fileBytes = fileBytes;
    this.#firstPosition = firstPosition;
    this.#endPosition = firstPosition + SEGMENT_HEADER_BYTES;
    this.#hasHeader = false;
    await full.truncate(fullBytes);
    await full.close();
  }

  /** Resolves when this many bytes can be written and synced. They are zeros, which mark the end. */
  async probe(bytes: number): Promise<void> {
    if (this.freeBytes >= bytes) {
      await writeZeros(this.#file, bytes, this.#endPosition - this.#firstPosition).catch(async (error) => {
        await this.cutTail();
        throw error;
      });
      return;
    }
    const spare = (await this.#spare) ?? (await this.#openSpare(this.#segmentBytes));
    try {
      await writeZeros(spare.file, Math.min(bytes, spare.bytes), 0);
      this.#spare = Promise.resolve(spare);
    } catch (error) {
      this.#spare = undefined;
      await spare.file.close();
      await rm(spareSegmentPath(this.#dir), { force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    // The next start reads the segment faster without its zeros.
    await this.#file.truncate(this.#hasHeader ? this.#endPosition - this.#firstPosition : 0);
    await this.release();
    await rm(spareSegmentPath(this.#dir), { force: true });
  }

  /** Closes the files without changes, for use when their state is unknown. */
  async release(): Promise<void> {
    await (await this.#spare)?.file.close();
    await this.#file.close();
  }

  #makeSpare(bytes: number) {
    // The next use creates the file again and reports the error to a caller that can handle it.
    return this.#openSpare(bytes).catch(() => undefined);
  }

  async #openSpare(bytes: number): Promise<{ readonly file: FileHandle; readonly bytes: number }> {
    const file = await this.#openFile(spareSegmentPath(this.#dir), 'w+', SEGMENT_MODE);
    try {
      await file.truncate(bytes);
      await file.sync();
      return { file, bytes };
    } catch (error) {
      await file.close();
      throw error;
    }
  }
}

async function writeZeros(file: FileHandle, bytes: number, offset: number): Promise<void> {
  await writeFully(file, [Buffer.alloc(bytes)], bytes, offset);
  await file.datasync();
}

/** When the disk becomes full, a write is partial, and only the next write fails. */
async function writeFully(file: FileHandle, buffers: readonly Uint8Array[], bytes: number, offset: number) {
  let { bytesWritten } = await file.writev(buffers as Uint8Array[], offset);
  if (bytesWritten === bytes) return;
  const whole = Buffer.concat(buffers);
  while (bytesWritten < bytes) {
    const more = await file.write(whole, bytesWritten, bytes - bytesWritten, offset + bytesWritten);
    if (more.bytesWritten === 0) throw new Error('The disk accepted no more bytes and reported no reason');
    bytesWritten += more.bytesWritten;
  }
}
