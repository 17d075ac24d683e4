/** Nesting, and entries in all, of a value that is sent. */
const DEPTH_MAX = 100;
const ENTRY_COUNT_MAX = 1_000_000;

/**
 * A value as JSON can hold it. Dates are ISO texts; maps and sets are objects and lists; bigints, and numbers that are not
 * finite, are texts; errors have name and message; what holds itself, a function or a handle such as a socket is a text that says so.
 * `undefined` is null.
 */
export function toJsonValue(value: unknown): unknown {
  return new JsonConversion().convert(value ?? null, 0);
}

class JsonConversion {
  /** The objects around the current one. */
  readonly #around = new Set<object>();
  #entryCount = 0;

  convert(value: unknown, depth: number): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object') return `[${typeof value}]`;
    if (this.#around.has(value)) return '[circular]';
    if (depth >= DEPTH_MAX) return '[nested too deeply]';
    this.#around.add(value);
    try {
      return this.#convertObject(value, depth + 1);
    } finally {
      this.#around.delete(value);
    }
  }

  #convertObject(value: object, depth: number): unknown {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Error) return { name: value.name, message: value.message };
    if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value) || value instanceof Set) return this.#list(value, depth);
    if (value instanceof Map)
      return this.#object(
        [...value].map(([key, entry]) => [String(key), entry]),
        depth,
      );
    if (isHandle(value)) return `[${value.constructor.name}]`;
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === 'function') return this.convert(toJSON.call(value), depth);
    return this.#object(Object.entries(value), depth);
  }

  #list(values: Iterable<unknown>, depth: number): unknown[] {
    const list: unknown[] = [];
    for (const value of values) {
      if (++this.#entryCount > ENTRY_COUNT_MAX) break;
      list.push(this.convert(value ?? null, depth));
    }
    return list;
  }

  #object(entries: readonly (readonly [string, unknown])[], depth: number): Record<string, unknown> {
    const kept: [string, unknown][] = [];
    for (const [key, value] of entries) {
      if (value === undefined || typeof value === 'function') continue;
      if (++this.#entryCount > ENTRY_COUNT_MAX) break;
      kept.push([key, this.convert(value, depth)]);
    }
    return Object.fromEntries(kept);
  }
}

/** Sockets, streams and responses have methods and no data. */
const isHandle = (value: object): boolean =>
  ['pipe', 'getReader', 'arrayBuffer', 'destroy'].some(
    (name) =>
      typeof (value as unknown as Record<'pipe' | 'getReader' | 'arrayBuffer' | 'destroy', unknown>)[name as 'pipe'] ===
      'function',
  );
