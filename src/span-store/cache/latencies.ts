// biome-ignore-all lint/style/noNonNullAssertion: each index is compared with the length of its list.
import assert from 'node:assert/strict';

const NONE = new Float64Array();

/** Latencies of the rows of a bin, in nanoseconds. */
export class Latencies {
  #sorted: Float64Array;
  /** Latencies that were added and removed since the last sort, unsorted. */
  #added: number[] = [];
  #removed: number[] = [];

  /** @param sorted In ascending order. The instance takes ownership. */
  constructor(sorted: Float64Array = NONE) {
    this.#sorted = sorted;
  }

  /** Number of unsorted changes. */
  get waitingCount(): number {
    return this.#added.length + this.#removed.length;
  }

  add(latency: number): void {
    this.#added.push(latency);
  }

  /** The latency must be present. */
  remove(latency: number): void {
    this.#removed.push(latency);
  }

  /** Merges the latencies of bins. */
  static join(bins: readonly Latencies[]): Latencies {
    const lists = bins.map((bin) => bin.sorted());
    const all = new Float64Array(lists.reduce((count, { length }) => count + length, 0));
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return new Latencies(all.sort());
  }

  /** All latencies in ascending order. The array never changes. */
  sorted(): Float64Array {
    if (this.waitingCount > 0) {
      this.#sorted = merge(
        this.#sorted,
        Float64Array.from(this.#added).sort(),
        Float64Array.from(this.#removed).sort(),
      );
      this.#added = [];
      this.#removed = [];
    }
    return this.#sorted;
  }
}

/** Merges two ascending lists without the numbers of a third one. */
function merge(a: Float64Array, b: Float64Array, without: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length - without.length);
  let fromA = 0;
  let fromB = 0;
  let left = 0;
  let at = 0;
  while (fromA < a.length || fromB < b.length) {
    const takesA = fromB === b.length || (fromA < a.length && a[fromA]! <= b[fromB]!);
    const value = takesA ? a[fromA++]! : b[fromB++]!;
    if (value === without[left]) left++;
    else merged[at++] = value;
  }
  assert.equal(left, without.length, 'only present latencies are removed');
  return merged;
}
