import { findNode, type NodeModules } from '@spandrel/client/node';
import { joinBytes, readFrames, toFrame } from './frames.ts';
import { DISK_PAUSE_MS, SEGMENT_BYTES, TAKEN_FILE_COUNT_MAX } from './limits.ts';
import { discardSegment, readSegment, type Segment, syncSegment, writeSegment, writeSegmentNow } from './segment.ts';
import { OwnFolder, spillPath } from './spill-folder.ts';

/** Closed spans: an OTLP request in protobuf. */
export interface Batch {
  /** Undefined when it is only in a file. */
  payload: Uint8Array | undefined;
  byteCount: number;
  spanCount: number;
  createdAtMs: number;
  /** The frames of a file in which it is, or will be, stored. Undefined before it has a place. */
  location: { readonly segment: Segment; readonly start: number; end: number } | undefined;
  /** It is on the disk. */
  isSaved: boolean;
}

export interface SpillOptions {
  /** Default: `SPANDREL_SPILL_DIR`, else `~/.local/state/spandrel/spill`. */
  readonly folder?: string | undefined;
  readonly bytesMax: number;
  readonly ageMsMax: number;
}

interface PlacedBatch {
  readonly batch: Batch;
  readonly location: NonNullable<Batch['location']>;
  /** The frame of the batch. */
  readonly bytes: Uint8Array;
}

const segmentsOf = (placed: readonly PlacedBatch[]): Set<Segment> =>
  new Set(placed.map(({ location }) => location.segment));

function markSaved(placed: readonly PlacedBatch[]): void {
  // A batch that was released, or that another write has failed to save, has no place any more.
  for (const { batch, location } of placed) if (batch.location === location) batch.isSaved = true;
}

/**
 * Batches in files of the own folder, so that they outlive the process. A disk that fails is a warning, and batches are then
 * only in memory until it works again.
 */
export class SpillStore {
  readonly path: string;
  readonly bytesMax: number;
  readonly ageMsMax: number;
  readonly #node: NodeModules;
  readonly #warn: (message: string) => void;
  #own: OwnFolder | undefined;
  #current: Segment | undefined;
  readonly #segments = new Set<Segment>();
  #segmentCount = 0;
  #otherByteCount = 0;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #hasWarned = false;

  private constructor(node: NodeModules, url: string, options: SpillOptions, warn: (message: string) => void) {
    this.#node = node;
    this.#warn = warn;
    this.path = spillPath(node, options.folder, url);
    this.bytesMax = options.bytesMax;
    this.ageMsMax = options.ageMsMax;
  }

  /** Undefined where there is no file system. Creates nothing yet. */
  static open(url: string, options: SpillOptions, warn: (message: string) => void): SpillStore | undefined {
    const node = findNode();
    return node && new SpillStore(node, url, options, warn);
  }

  get isWorking(): boolean {
    return Date.now() - this.#failedAtMs > DISK_PAUSE_MS;
  }

  /** Bytes above the limit, own files and those of others together. */
  get excessBytes(): number {
    const own = [...this.#segments].reduce((sum, { byteCount }) => sum + byteCount, 0);
    return own + this.#otherByteCount - this.bytesMax;
  }

  /** Writes batches that are not saved, with one fsync. Never rejects. */
  async save(batches: readonly Batch[]): Promise<void> {
    const placed = this.#place(batches);
    try {
      for (const { location, bytes } of placed) await writeSegment(this.#node, location.segment, bytes, location.start);
      for (const segment of segmentsOf(placed)) await syncSegment(this.#node, segment);
      markSaved(placed);
    } catch (error) {
      this.#fail(error, placed);
    }
  }

  /** The same in this turn of the event loop: `syncs` for the end of a process, else to free memory. */
  saveNow(batches: readonly Batch[], { syncs }: { readonly syncs: boolean }): void {
    const placed = this.#place(batches);
    try {
      for (const { location, bytes } of placed) writeSegmentNow(this.#node, location.segment, bytes, location.start);
      if (syncs) for (const { fd } of segmentsOf(placed)) this.#node.fs.fdatasyncSync(fd);
      markSaved(placed);
    } catch (error) {
      this.#fail(error, placed);
    }
  }

  /** Reads the payload of a saved batch. Undefined when the file is damaged. */
  async load({ location }: Batch): Promise<Uint8Array | undefined> {
    if (!location) return undefined;
    const { segment, start, end } = location;
    const bytes = await readSegment(this.#node, segment, start, end - start);
    const { frames, isTorn } = readFrames(bytes ?? new Uint8Array());
    return isTorn || frames.length === 0 ? undefined : joinBytes(frames.map(({ payload }) => payload));
  }

  /**
   * Makes one batch of two that are neighbours in a file, so that a long outage with few spans costs little memory. Returns
   * false when they are none.
   */
  merge(first: Batch, second: Batch): boolean {
    const [a, b] = [first.location, second.location];
    if (!a || !b || a.segment !== b.segment || a.end !== b.start || !first.isSaved || !second.isSaved) return false;
    a.end = b.end;
    a.segment.openBatchCount--;
    first.payload = first.payload && second.payload && joinBytes([first.payload, second.payload]);
    first.byteCount += second.byteCount;
    first.spanCount += second.spanCount;
    first.createdAtMs = second.createdAtMs;
    return true;
  }

  /** Says that a batch needs no file. */
  release(batch: Batch): void {
    if (!batch.location) return;
    const { segment } = batch.location;
    batch.location = undefined;
    if (--segment.openBatchCount > 0) return;
    try {
      if (segment === this.#current && segment.busyCount === 0) {
        this.#node.fs.ftruncateSync(segment.fd, 0);
        segment.byteCount = 0;
      } else this.#discard(segment);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Takes over the batches of processes that have ended, and says that this one lives. Never rejects. */
  async takeOver(): Promise<{ readonly batches: Batch[]; readonly damagedFileCount: number }> {
    const batches: Batch[] = [];
    let damagedFileCount = 0;
    try {
      const own = this.#openFolder();
      own.renew();
      const { ended, byteCount } = await own.listOthers();
      this.#otherByteCount = byteCount;
      let fileCount = 0;
      for (const folder of ended) {
        for (const name of await this.#node.fs.promises.readdir(folder).catch(() => [])) {
          if (!name.endsWith('.spans') || ++fileCount > TAKEN_FILE_COUNT_MAX) continue;
          const taken = await this.#takeFile(own, this.#node.path.join(folder, name));
          batches.push(...taken.batches);
          if (taken.isTorn) damagedFileCount++;
        }
        await own.removeEmpty(folder);
      }
    } catch (error) {
      this.#fail(error);
    }
    return { batches, damagedFileCount };
  }

  /** Closes the files. They stay when batches wait in them. */
  close(): void {
    const isEmpty = [...this.#segments].every(({ openBatchCount }) => openBatchCount === 0);
    for (const segment of [...this.#segments]) {
      if (segment.openBatchCount === 0) this.#discard(segment);
      else if (segment.busyCount === 0) this.#node.fs.closeSync(segment.fd);
    }
    this.#segments.clear();
    this.#current = undefined;
    this.#own?.close(isEmpty);
    this.#own = undefined;
  }

  #openFolder(): OwnFolder {
    this.#own ??= new OwnFolder(this.#node, this.path);
    return this.#own;
  }

  /** The first of several processes gets a file; the others see that it is gone. */
  async #takeFile(own: OwnFolder, from: string): Promise<{ readonly batches: Batch[]; readonly isTorn: boolean }> {
    const { fs, path } = this.#node;
    const to = path.join(own.path, `${this.#segmentCount++}.spans`);
    try {
      await fs.promises.rename(from, to);
    } catch {
      return { batches: [], isTorn: false };
    }
    const bytes = await fs.promises.readFile(to);
    const { frames, isTorn } = readFrames(bytes);
    const segment: Segment = {
      path: to,
      fd: fs.openSync(to, 'r'),
      byteCount: bytes.length,
      openBatchCount: frames.length,
      busyCount: 0,
      isDiscarded: false,
    };
    this.#segments.add(segment);
    if (frames.length === 0) this.#discard(segment);
    const batches = frames.map(({ start, end, payload, ...frame }): Batch => {
      const location = { segment, start, end };
      return { ...frame, payload: undefined, byteCount: payload.length, location, isSaved: true };
    });
    return { batches, isTorn };
  }

  /** Gives each batch its place in a file. A batch that had one keeps it: writing the same bytes again is harmless. */
  #place(batches: readonly Batch[]): PlacedBatch[] {
    const placed: PlacedBatch[] = [];
    try {
      for (const batch of batches) {
        if (!batch.payload || batch.isSaved) continue;
        const bytes = toFrame(batch.payload, batch.spanCount, batch.createdAtMs);
        batch.location ??= this.#allocate(bytes.length);
        placed.push({ batch, location: batch.location, bytes });
      }
    } catch (error) {
      this.#fail(error);
    }
    return placed;
  }

  #allocate(byteCount: number): NonNullable<Batch['location']> {
    const { fs, path } = this.#node;
    if (!this.#current || this.#current.byteCount >= Math.min(SEGMENT_BYTES, this.bytesMax / 8)) {
      const file = path.join(this.#openFolder().path, `${this.#segmentCount++}.spans`);
      const fd = fs.openSync(file, 'w+', 0o600);
      this.#current = { path: file, fd, byteCount: 0, openBatchCount: 0, busyCount: 0, isDiscarded: false };
      this.#segments.add(this.#current);
    }
    const segment = this.#current;
    const start = segment.byteCount;
    segment.byteCount += byteCount;
    segment.openBatchCount++;
    return { segment, start, end: start + byteCount };
  }

  #discardFailed(segment: Segment): void {
    try {
      this.#discard(segment);
    } catch {
      // The warning names the first error of the disk.
    }
  }

  #discard(segment: Segment): void {
    if (segment === this.#current) this.#current = undefined;
    this.#segments.delete(segment);
    discardSegment(this.#node, segment);
  }

  /** @param placed Batches that could not be written. */
  #fail(error: unknown, placed: readonly PlacedBatch[] = []): void {
    this.#failedAtMs = Date.now();
    // What could not be written leaves a hole, at which reading ends; the batches and later ones go to another file.
    this.#current = undefined;
    for (const { batch, location } of placed) {
      if (batch.isSaved || batch.location !== location) continue;
      batch.location = undefined;
      if (--location.segment.openBatchCount === 0) this.#discardFailed(location.segment);
    }
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#warn(
      `Spans cannot be kept in ${this.path} (${reason}), so they are lost if this process ends while the server is away. SPANDREL_SPILL_DIR sets another folder.`,
    );
  }
}
