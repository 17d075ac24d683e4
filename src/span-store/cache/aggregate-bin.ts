import { Latencies } from './latencies.ts';

/** What a commit adds to or takes from the sums of a project: a span, or a trace as it was or as it is now. */
export interface SumChange {
  readonly start: bigint;
  readonly weight: 1 | -1;
  /** In the order of the columns of its kind; whole numbers. */
  readonly values: readonly number[];
  /** Nanoseconds. */
  readonly latency: number;
}

const INT64_MAX = 2n ** 63n - 1n;

/** As `LATENCY_NS_INT64` has it. */
export function toLatency(start: bigint, end: bigint): number {
  const latency = end - start;
  return Number(latency > INT64_MAX ? INT64_MAX : latency < -INT64_MAX ? -INT64_MAX : latency);
}

/** Bytes of a part beside its latencies. */
export const PART_BYTES = 1_024;
const LATENCY_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Sums of what starts in a part of time. */
export class Part {
  count = 0;
  readonly values: bigint[];
  /** Undefined where none are kept. */
  readonly latencies: Latencies | undefined;
  /** Nothing starts before the one or after the other. What goes leaves them as they are. */
  leastStart: bigint;
  greatestStart: bigint;

  constructor(start: bigint, valueCount: number, latencies?: Latencies) {
    this.leastStart = start;
    this.greatestStart = start;
    this.values = new Array<bigint>(valueCount).fill(0n);
    this.latencies = latencies;
  }

  get bytes(): number {
    return PART_BYTES + (this.latencies ? LATENCY_BYTES * (this.count + this.latencies.waitingCount) : 0);
  }

  /** Several parts as one. */
  static join(parts: readonly [Part, ...Part[]]): Part {
    const latencies = parts.flatMap((part) => part.latencies ?? []);
    const [{ leastStart, values }] = parts;
    const joined = new Part(leastStart, values.length, latencies.length > 0 ? Latencies.join(latencies) : undefined);
    for (const part of parts) {
      joined.count += part.count;
      for (const [index, value] of part.values.entries()) joined.values[index]! += value;
      if (part.leastStart < joined.leastStart) joined.leastStart = part.leastStart;
      if (part.greatestStart > joined.greatestStart) joined.greatestStart = part.greatestStart;
    }
    return joined;
  }

  /** Returns how many bytes more it takes. */
  apply({ start, weight, values, latency }: SumChange): number {
    this.count += weight;
    for (let index = 0; index < values.length; index++) {
      const value = values[index]!;
      if (value !== 0) this.values[index]! += BigInt(weight * value);
    }
    if (start < this.leastStart) this.leastStart = start;
    if (start > this.greatestStart) this.greatestStart = start;
    if (!this.latencies) return 0;
    if (weight === 1) this.latencies.add(latency);
    else this.latencies.remove(latency);
    return LATENCY_BYTES;
  }
}
