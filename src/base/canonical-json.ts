import { type ExactJson, ExactNumber } from './exact-json.ts';

/**
 * Canonical JSON text (RFC 8785): keys in the order of their UTF-16 units, no blanks, numbers as ECMAScript prints
 * them. An integer beyond 2^53 keeps its digits, so that two different integers have different texts.
 */
export function toCanonicalJson(value: ExactJson): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof ExactNumber) return canonicalNumber(value.text);
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  const keys = Object.keys(value).sort();
  // biome-ignore lint/style/noNonNullAssertion: the keys are those of the object.
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key]!)}`).join(',')}}`;
}

function canonicalNumber(written: string): string {
  const number = Number(written);
  if (!Number.isFinite(number) || (INTEGER.test(written) && !Number.isSafeInteger(number))) return written;
  return JSON.stringify(number);
}

const INTEGER = /^-?\d+$/;
