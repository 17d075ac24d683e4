import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Memory in bytes that this process and its child processes may use. */
export interface MachineMemory {
  /** Memory of the machine, or of the container if that is less. */
  readonly availableBytes: number;
  /** Maximum heap of the main thread. V8 sets it before our code runs. */
  readonly mainHeapBytes: number;
}

export function readMachineMemory(): MachineMemory {
  // 0 if the limit is unknown, and more than the machine has if there is no limit.
  const constrainedBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return {
    availableBytes: Math.min(totalmem(), constrainedBytes),
    mainHeapBytes: getHeapStatistics().heap_size_limit,
  };
}
