import { MessageChannel } from 'node:worker_threads';

/** Smaller buffers are left to the garbage collector; those of Node's pool, which others share, are among them. */
const FREED_BYTES_MIN = 2 * 1024 * 1024;

const nowhere = openNowhere();

/**
 * Gives the memory of a large buffer back at once; the array, and every other view of its buffer, is empty from then on.
 * Only for the one owner of a buffer that nobody reads any more. V8 would keep it until a full collection, which a thread
 * with few objects puts off for as long as it is idle.
 */
export function freeBuffer({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FREED_BYTES_MIN) nowhere.postMessage(undefined, [buffer]);
}

/** What is moved to a closed port is dropped with its memory. `ArrayBuffer.transfer` does the same, but is not in Node 20. */
function openNowhere(): MessageChannel['port1'] {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.close();
  return port1;
}
