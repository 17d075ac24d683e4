import { isObject, type Json, type JsonObject } from '../../../semconv/read-open-inference.ts';

/** A value of two JSON objects. A side is undefined if it lacks the path. Values other than strings are JSON text. */
export interface ValueDiff {
  readonly path: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Compares the leaves of two JSON objects: those of the left side in order, then those that only the right side has. */
export function diffJson(left: JsonObject, right: JsonObject): readonly ValueDiff[] {
  const [a, b] = [leaves(left), leaves(right)];
  return [...new Set([...a.keys(), ...b.keys()])].map((path) => ({ path, left: a.get(path), right: b.get(path) }));
}

function leaves(value: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (path: string, each: Json) => {
    const entries = Array.isArray(each) ? each.entries() : isObject(each) ? Object.entries(each) : undefined;
    if (entries === undefined) found.set(path, typeof each === 'string' ? each : JSON.stringify(each));
    else for (const [key, item] of entries) walk(path === '' ? String(key) : `${path}.${key}`, item as Json);
  };
  walk('', value);
  return found;
}
