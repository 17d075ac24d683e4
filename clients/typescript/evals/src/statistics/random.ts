/** A sequence of random numbers that is the same for the same seed, in Python and on the server too. */
export interface SeededRandom {
  /** At least 0 and less than 1. */
  next(): number;
  /** An integer from 0 and less than `count`. */
  below(count: number): number;
}

/** The generator sfc32, seeded with a text. */
export function seededRandom(seed: string | number): SeededRandom {
  const text = String(seed);
  let [a, b, c] = [hash(text, 0x9e3779b9), hash(text, 0x243f6a88), hash(text, 0xb7e15162)];
  let counter = 1;
  const step = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first values depend on few bits of the seed.
  for (let index = 0; index < 12; index++) step();
  const next = () => step() / 4_294_967_296;
  return { next, below: (count) => Math.floor(next() * count) };
}

/** FNV-1a of a text from a start. */
function hash(text: string, start: number): number {
  let value = start;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return value | 0;
}
