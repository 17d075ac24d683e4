/** Random numbers that a seed repeats: a run that failed can be run again. */
export interface SeededRandom {
  /** An integer of 0 to `bound - 1`. */
  below(bound: number): number;
  /** True in `percent` of the calls. */
  chance(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array<ArrayBuffer>;
  /** A generator of its own, for what runs at the same time: neither changes what the other draws. */
  fork(): SeededRandom;
}

/** splitmix32 by Guy Steele, Doug Lea and Christine Flood: tiny, and good enough to choose moments and ids. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (bound: number) => Math.floor((next() / 0x1_0000_0000) * bound);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)]!,
    bytes: (length) => Uint8Array.from({ length }, () => next() & 255),
    fork: () => seededRandom(next()),
  };
}
