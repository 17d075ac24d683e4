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

/** A value as Python's `str` prints it: a text unchanged, and others as `True`, `1.5`, `[1, 'two']`, `{'a': None}`. */
export const toPythonText = (value: ExactJson): string => (typeof value === 'string' ? value : toPythonRepr(value));

function toPythonRepr(value: ExactJson): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number' || value instanceof ExactNumber) return toPythonNumber(value);
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(toPythonRepr).join(', ')}]`;
  const entries = Object.entries(value);
  return `{${entries.map(([key, item]) => `${quote(key)}: ${toPythonRepr(item)}`).join(', ')}}`;
}

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return `${mark}${text.replace(/[\\\p{C}\p{Z}]/gu, escapeCharacter).replaceAll(mark, `\\${mark}`)}${mark}`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ' ': ' ', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }),
);

function escapeCharacter(character: string): string {
  const known = ESCAPES.get(character);
  if (known !== undefined) return known;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
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
