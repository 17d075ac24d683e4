import { describeType, InputError } from '../errors.ts';

/**
 * Distance of two numbers, or, if `isRelative`, its share of the expected number. Texts that contain only a number are read
 * as one.
 */
export function numericDifference(output: unknown, expected: unknown, { isRelative = false } = {}): number {
  const [value, wanted] = [toNumber(output, 'output'), toNumber(expected, 'expected')];
  const difference = Math.abs(value - wanted);
  if (!isRelative || difference === 0) return difference;
  if (wanted === 0) throw new InputError("Expected a number other than 0 as 'expected' of a relative difference.");
  return difference / Math.abs(wanted);
}

function toNumber(value: unknown, name: string): number {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value.trim()) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  const received = typeof value === 'string' ? `the text "${value.slice(0, 50)}"` : describeType(value);
  throw new InputError(
    `Expected a finite number as '${name}', received ${typeof value === 'number' ? value : received}.`,
  );
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Cosine of the angle between two vectors. 0 when one of them is 0. */
export function cosineSimilarity(first: ArrayLike<number>, second: ArrayLike<number>): number {
  if (first.length !== second.length || first.length === 0) {
    throw new InputError(
      `Expected two vectors of one length of at least 1, received ${first.length} and ${second.length} numbers.`,
    );
  }
  let [product, squaresOfFirst, squaresOfSecond] = [0, 0, 0];
  for (let index = 0; index < first.length; index++) {
    const [a, b] = [first[index] as number, second[index] as number];
    product += a * b;
    squaresOfFirst += a * a;
    squaresOfSecond += b * b;
  }
  if (!Number.isFinite(product)) throw new InputError('Expected vectors of finite numbers.');
  const scale = Math.sqrt(squaresOfFirst) * Math.sqrt(squaresOfSecond);
  return scale === 0 ? 0 : Math.max(-1, Math.min(1, product / scale));
}
