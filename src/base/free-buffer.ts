import { MessageChannel } from 'node:worker_threads';

/** The garbage collector frees smaller buffers, among them those of Node's pool, which several owners share. */
const FREED_BYTES_MIN = 2 * 1024 * 1024;

const nowhere = openNowhere();

/**
 * Frees the memory of a large buffer at once; the array and every other view of its buffer are empty from then on. Only
 * the sole owner of a buffer that has no readers left may call it. V8 would keep the memory until a full collection,
 * which an idle thread with few objects postpones.
 */
export function freeBuffer({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FREED_BYTES_MIN) nowhere.postMessage(undefined, [buffer]);
}

/**
 * Transferring a buffer to a closed port frees its memory. `ArrayBuffer.transfer` does the same, but Node 20 lacks it.
 */
function openNowhere(): MessageChannel['port1'] {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.close();
  return port1;
}
