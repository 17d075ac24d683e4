// biome-ignore-all lint/style/noNonNullAssertion: bins that are joined have the same number of values.
import { Latencies } from './latencies.ts';

/** A row that a commit adds to (weight 1) or removes from (-1) the aggregates of a project: a span, or a state of a trace. */
export interface AggregateChange {
  readonly start: bigint;
  readonly weight: 1 | -1;
  /** Whole numbers in the order of the columns of the kind. */
  readonly values: readonly number[];
  /** Latency in nanoseconds. */
  readonly latency: number;
}

const INT64_MAX = 2n ** 63n - 1n;

/** Latency as `LATENCY_NS_INT64` computes it. */
export function toLatency(start: bigint, end: bigint): number {
  const latency = end - start;
  return Number(latency > INT64_MAX ? INT64_MAX : latency < -INT64_MAX ? -INT64_MAX : latency);
}

/** Bytes of a bin without its latencies. */
export const BIN_BYTES = 1_024;
const LATENCY_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Aggregates of the rows that start in an interval. */
export class AggregateBin {
  count = 0;
  readonly values: bigint[];
  /** Undefined for a kind without latencies. */
  readonly latencies: Latencies | undefined;
  /** All rows start between these. Removing a row does not change them. */
  leastStart: bigint;
  greatestStart: bigint;

  constructor(start: bigint, valueCount: number, latencies?: Latencies) {
    this.leastStart = start;
    this.greatestStart = start;
    this.values = new Array<bigint>(valueCount).fill(0n);
    this.latencies = latencies;
  }

  get bytes(): number {
    return BIN_BYTES + (this.latencies ? LATENCY_BYTES * (this.count + this.latencies.waitingCount) : 0);
  }

  /** Merges bins. */
  static join(bins: readonly [AggregateBin, ...AggregateBin[]]): AggregateBin {
    const latencies = bins.flatMap((bin) => bin.latencies ?? []);
    const [{ leastStart, values }] = bins;
    const joined = new AggregateBin(
      leastStart,
      values.length,
      latencies.length > 0 ? Latencies.join(latencies) : undefined,
    );
    for (const bin of bins) {
      joined.count += bin.count;
      for (const [index, value] of bin.values.entries()) joined.values[index]! += value;
      if (bin.leastStart < joined.leastStart) joined.leastStart = bin.leastStart;
      if (bin.greatestStart > joined.greatestStart) joined.greatestStart = bin.greatestStart;
    }
    return joined;
  }

  /** Returns the number of additional bytes. */
  apply({ start, weight, values, latency }: AggregateChange): number {
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
