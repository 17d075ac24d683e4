/** A sequence of random integers below `count`, the same for the same seed. */
export type RandomIndex = (count: number) => number;

/** The generator sfc32, seeded with a text. */
export function randomIndices(seed: string): RandomIndex {
  let [a, b, c] = [hash(seed, 0x9e3779b9), hash(seed, 0x243f6a88), hash(seed, 0xb7e15162)];
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  // The first values depend on few bits of the seed.
  for (let step = 0; step < 12; step++) next();
  return (count) => Math.floor((next() / 4_294_967_296) * count);
}

/** FNV-1a of a text from a start. */
function hash(text: string, start: number): number {
  let value = start;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return value | 0;
}
