import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';
import { encodeSegmentHeader, SEGMENT_HEADER_BYTES } from './journal-format.ts';
import { segmentPath, spareSegmentPath, syncDirectory } from './journal-segments.ts';

/** How files are opened; tests put a disk that fails behind it. */
export type OpenFile = (path: string, flags: string, mode?: number) => Promise<FileHandle>;

export interface SegmentWriterOptions {
  readonly dir: string;
  readonly segmentBytes: number;
  readonly openFile?: OpenFile;
}

/** Where the log ends: in which segment, and whether that has its header. */
export interface JournalTail {
  readonly firstPosition: number;
  /** Of the first free byte after the header and the records. */
  readonly endPosition: number;
  readonly hasHeader: boolean;
}

/** Segments hold prompts of users, so only the operating system user of the server may read them. */
const SEGMENT_MODE = 0o600;

/** What is on the disk is in doubt: the process must stop. */
export class SyncFailed extends Error {}

/**
 * The file that the log ends in. Files are stretched to their full size before they are written (ftruncate), so
 * that fdatasync has data to write and no file size. The next file is made ahead.
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
  /** The next file; settles with undefined when it could not be made. */
  #spare: Promise<{ readonly file: FileHandle; readonly bytes: number } | undefined> | undefined;

  /** Opens the segment of `tail`, makes it when there is none, and cuts off whatever lies behind the end. */
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

  /** Position that the next byte gets. */
  get endPosition(): number {
    return this.#endPosition;
  }

  get roomBytes(): number {
    return this.#fileBytes - (this.#endPosition - this.#firstPosition);
  }

  /** Writes at the end; not durable before `sync`. After a rejection the caller must `cutTail` or give up. */
  async write(buffers: readonly Uint8Array[], bytes: number): Promise<void> {
    const offset = this.#endPosition - this.#firstPosition;
    if (this.#hasHeader) await writeFully(this.#file, buffers, bytes, offset);
    else {
      const header = encodeSegmentHeader(this.#firstPosition);
      await writeFully(this.#file, [header, ...buffers], bytes + SEGMENT_HEADER_BYTES, 0);
    }
  }

  /** Makes the last `bytes` written durable and moves the end past them. */
  async sync(bytes: number): Promise<void> {
    await this.#file.datasync();
    this.#hasHeader = true;
    this.#endPosition += bytes;
    if (this.roomBytes < this.#fileBytes / 2) this.#spare ??= this.#makeSpare(this.#segmentBytes);
  }

  /** Leaves nothing but zeros behind the end: a record that was never acknowledged must not come to life later. */
  async cutTail(): Promise<void> {
    await this.#file.truncate(this.#hasHeader ? this.#endPosition - this.#firstPosition : 0);
    await this.#file.truncate(this.#fileBytes);
  }

  /** Goes on in a new file with room for `bytes`; it starts at the present end unless told a later position. */
  async rotate(bytes: number, firstPosition = this.#endPosition): Promise<void> {
    const fileBytes = Math.max(this.#segmentBytes, SEGMENT_HEADER_BYTES + bytes);
    let spare = await this.#spare;
    this.#spare = undefined;
    spare ??= await this.#openSpare(fileBytes);
    if (spare.bytes < fileBytes) await spare.file.truncate(fileBytes);
    await rename(spareSegmentPath(this.#dir), segmentPath(this.#dir, firstPosition));
    // From here on the file counts as the next segment after a crash, so there is no way back.
    await syncDirectory(this.#dir).catch((cause) => {
      throw new SyncFailed('the directory of the journal could not be synced', { cause });
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

  /** Resolves when so many bytes can be written and synced; they are zeros, which mark the end. */
  async probe(bytes: number): Promise<void> {
    if (this.roomBytes >= bytes) {
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
    // Without its zeros the segment is read quicker at the next start.
    await this.#file.truncate(this.#hasHeader ? this.#endPosition - this.#firstPosition : 0);
    await this.release();
    await rm(spareSegmentPath(this.#dir), { force: true });
  }

  /** Closes the files and changes nothing: for when their state is in doubt. */
  async release(): Promise<void> {
    await (await this.#spare)?.file.close();
    await this.#file.close();
  }

  #makeSpare(bytes: number) {
    // Making it again when it is needed tells the error to somebody who can act.
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

/** A disk that fills up writes a part and says so only to the next call. */
async function writeFully(file: FileHandle, buffers: readonly Uint8Array[], bytes: number, offset: number) {
  let { bytesWritten } = await file.writev(buffers as Uint8Array[], offset);
  if (bytesWritten === bytes) return;
  const whole = Buffer.concat(buffers);
  while (bytesWritten < bytes) {
    const more = await file.write(whole, bytesWritten, bytes - bytesWritten, offset + bytesWritten);
    if (more.bytesWritten === 0) throw new Error('the disk took no more bytes and gave no reason');
    bytesWritten += more.bytesWritten;
  }
}
