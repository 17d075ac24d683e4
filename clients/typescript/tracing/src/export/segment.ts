import type { NodeModules } from '@spandrel/client/node';

/** A spill file, which is deleted when all its batches were released. */
export interface Segment {
  readonly path: string;
  readonly fd: number;
  byteCount: number;
  openBatchCount: number;
  /** Reads and writes that run. A descriptor must not be closed under them, because its number may then be another file. */
  busyCount: number;
  isDiscarded: boolean;
}

/** Writes bytes at a position. */
export function writeSegment(node: NodeModules, segment: Segment, bytes: Uint8Array, start: number): Promise<void> {
  return whileBusy(node, segment, (resolve, reject) => {
    node.fs.write(segment.fd, bytes, 0, bytes.length, start, (error, count) => {
      if (error) reject(error);
      else if (count < bytes.length) reject(new Error(`the disk took ${count} of ${bytes.length} bytes`));
      else resolve();
    });
  });
}

/** The same in this turn of the event loop. */
export function writeSegmentNow(node: NodeModules, { fd }: Segment, bytes: Uint8Array, start: number): void {
  // A disk that is nearly full takes a part, and says so with the next write.
  for (let at = 0; at < bytes.length; ) at += node.fs.writeSync(fd, bytes, at, bytes.length - at, start + at);
}

/** Returns when what was written is on the disk. */
export function syncSegment(node: NodeModules, segment: Segment): Promise<void> {
  return whileBusy(node, segment, (resolve, reject) => {
    node.fs.fdatasync(segment.fd, (error) => (error ? reject(error) : resolve()));
  });
}

/** Undefined when the bytes cannot be read. */
export function readSegment(
  node: NodeModules,
  segment: Segment,
  start: number,
  byteCount: number,
): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(byteCount);
  return whileBusy(node, segment, (resolve) => {
    node.fs.read(segment.fd, bytes, 0, byteCount, start, (error, count) => {
      resolve(!error && count === byteCount ? bytes : undefined);
    });
  });
}

/** Closes and deletes a file, if need be after the reads and writes that run. */
export function discardSegment(node: NodeModules, segment: Segment): void {
  segment.isDiscarded = true;
  if (segment.busyCount > 0) return;
  node.fs.closeSync(segment.fd);
  node.fs.rmSync(segment.path, { force: true });
}

async function whileBusy<Result>(
  node: NodeModules,
  segment: Segment,
  run: (resolve: (result: Result) => void, reject: (error: Error) => void) => void,
): Promise<Result> {
  segment.busyCount++;
  try {
    return await new Promise<Result>(run);
  } finally {
    segment.busyCount--;
    if (segment.isDiscarded && segment.busyCount === 0) discardSegment(node, segment);
  }
}
