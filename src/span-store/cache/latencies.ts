import assert from 'node:assert/strict';

const NONE = new Float64Array();

/** Durations of the traces of a part of time, in nanoseconds. */
export class Latencies {
  #sorted: Float64Array;
  /** What came and went since they were sorted, in no order. */
  #added: number[] = [];
  #removed: number[] = [];

  /** @param sorted Rising; owned by this from here on. */
  constructor(sorted: Float64Array = NONE) {
    this.#sorted = sorted;
  }

  /** How many numbers wait for being sorted. */
  get waitingCount(): number {
    return this.#added.length + this.#removed.length;
  }

  add(latency: number): void {
    this.#added.push(latency);
  }

  /** Of one that is here. */
  remove(latency: number): void {
    this.#removed.push(latency);
  }

  /** Those of several parts as one. */
  static join(parts: readonly Latencies[]): Latencies {
    const lists = parts.map((part) => part.sorted());
    const all = new Float64Array(lists.reduce((count, { length }) => count + length, 0));
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return new Latencies(all.sort());
  }

  /** All of them, rising. The array does not change any more. */
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

/** The numbers of two rising lists, without those of a third, rising. */
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
  assert.equal(left, without.length, 'a latency was removed that is not there');
  return merged;
}
