/** Fields of one `--fields`, and parts of a path. */
const FIELD_COUNT_MAX = 100;
const DEPTH_MAX = 20;

/** `a,b.c` as a list. */
export const parseFields = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter(Boolean)
    .slice(0, FIELD_COUNT_MAX);

/** An object with these fields, by their paths. A field that is absent is null. */
export function selectFields(value: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, find(value, field) ?? null]));
}

/** Attributes have names with dots, so the longest name that exists goes first. */
function find(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return new Map<string, unknown>(Object.entries(value)).get(path);
  const parts = path.split('.').slice(0, DEPTH_MAX);
  for (let count = parts.length - 1; count >= 1; count--) {
    const name = parts.slice(0, count).join('.');
    if (!Object.hasOwn(value, name)) continue;
    const inner = find(new Map<string, unknown>(Object.entries(value)).get(name), parts.slice(count).join('.'));
    if (inner !== undefined) return inner;
  }
  return undefined;
}
