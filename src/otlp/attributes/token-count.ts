const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** The integer in a text, which may have a sign and blanks around it. Undefined if it does not fit int64. */
export function integerOfText(text: string): bigint | undefined {
  const digits = /^\s*([+-]?\d+(?:_\d+)*)\s*$/.exec(text)?.[1];
  if (digits === undefined || digits.length > 40) return undefined;
  const sign = digits.startsWith('-') ? -1n : 1n;
  return withinInt64(sign * BigInt(digits.replaceAll(/[_+-]/g, '')));
}

/** A number without its fraction. Undefined if it does not fit int64. */
export function integerOfNumber(value: number): bigint | undefined {
  return Number.isFinite(value) ? withinInt64(BigInt(Math.trunc(value))) : undefined;
}

const withinInt64 = (value: bigint): bigint | undefined =>
  value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
