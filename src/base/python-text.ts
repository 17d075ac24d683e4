import { type ExactJson, ExactNumber } from './exact-json.ts';

// Formats values as Python prints them, because files are compared with what the public clients write.

/** JSON text with a blank after each comma and colon. With `isAscii`, other characters are escaped. */
export function toPythonJson(value: ExactJson, options: { readonly isAscii?: boolean } = {}): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || value instanceof ExactNumber) return toPythonNumber(value);
  if (typeof value === 'string') return options.isAscii ? escapeAll(JSON.stringify(value)) : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => toPythonJson(item, options)).join(', ')}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, item]) => `${toPythonJson(key, options)}: ${toPythonJson(item, options)}`).join(', ')}}`;
}

/** Integers keep their digits; other numbers have their shortest digits, such as `1e-05`. */
export function toPythonNumber(value: number | ExactNumber): string {
  const text = value instanceof ExactNumber ? value.text : String(value);
  return /^-?\d+$/.test(text) ? text : toPythonFloat(Number(text));
}

/** Examples: `1.0`, `0.0001`, `1e-05`, `1e+16`. */
export function toPythonFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) {
    const text = power < 0 ? value.toFixed(Math.min(100, fractionDigits(digits) - power)) : String(value);
    const signed = Object.is(value, -0) ? '-0' : text;
    return signed.includes('.') ? signed : `${signed}.0`;
  }
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

const fractionDigits = (digits: string): number => digits.split('.')[1]?.length ?? 0;

const escapeAll = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
