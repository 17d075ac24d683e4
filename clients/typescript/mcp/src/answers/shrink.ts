import { clip } from './clip.ts';

/** How far a value is shortened. */
export interface Caps {
  readonly chars: number;
  readonly items: number;
  readonly keys: number;
}

/** A text, list or object of an answer that is not complete. */
export interface Shortened {
  /** Keys and positions from the top of the answer. */
  readonly path: readonly string[];
  readonly kind: 'characters' | 'items' | 'keys';
  /** Size of the whole. */
  readonly size: number;
}

/** Depth to which values are copied. What is deeper becomes a text. */
const DEPTH_MAX = 32;
/** Characters of a key that are shown. */
const KEY_CHARS_MAX = 200;

const shortKey = (key: string): string =>
  key.length <= KEY_CHARS_MAX ? key : `${clip(key, KEY_CHARS_MAX)}… (${key.length} characters)`;

/** A copy of a JSON value whose long texts, lists and objects are cut, and what was cut. */
export function shrink(value: unknown, caps: Caps): { readonly value: unknown; readonly shortened: Shortened[] } {
  const shortened: Shortened[] = [];
  return { value: walk(value, [], caps, shortened), shortened };
}

function walk(value: unknown, path: readonly string[], caps: Caps, shortened: Shortened[]): unknown {
  if (typeof value === 'string') {
    if (value.length <= caps.chars) return value;
    shortened.push({ path, kind: 'characters', size: value.length });
    return `${clip(value, caps.chars)}… (${value.length} characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length >= DEPTH_MAX) return walk(JSON.stringify(value), path, caps, shortened);
  if (Array.isArray(value)) {
    if (value.length > caps.items) shortened.push({ path, kind: 'items', size: value.length });
    return value.slice(0, caps.items).map((item, index) => walk(item, [...path, String(index)], caps, shortened));
  }
  const entries = Object.entries(value);
  if (entries.length > caps.keys) shortened.push({ path, kind: 'keys', size: entries.length });
  // Built from entries: a key like `__proto__` is then a key.
  return Object.fromEntries(
    entries.slice(0, caps.keys).map(([key, item]) => [shortKey(key), walk(item, [...path, key], caps, shortened)]),
  );
}
