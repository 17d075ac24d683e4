import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Memory that this process and those it starts may use, in bytes. */
export interface MachineMemory {
  /** Of the machine, or of the container where that is less. */
  readonly availableBytes: number;
  /** What V8 lets the heap of the main thread grow to; it is set before any code of ours runs. */
  readonly mainHeapBytes: number;
}

export function readMachineMemory(): MachineMemory {
  // 0 where nothing is known, and more than the machine has where there is no limit.
  const constrainedBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return {
    availableBytes: Math.min(totalmem(), constrainedBytes),
    mainHeapBytes: getHeapStatistics().heap_size_limit,
  };
}
