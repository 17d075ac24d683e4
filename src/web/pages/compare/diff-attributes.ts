import { isObject, type Json, type JsonObject } from '../../../semconv/read-open-inference.ts';

/** A value by its path; a side is undefined where it has none. JSON texts, but for texts. */
export interface AttributeDiff {
  readonly path: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Attributes of two spans, leaf by leaf, in the order of the left side and then what the right has alone. */
export function diffAttributes(left: JsonObject, right: JsonObject): readonly AttributeDiff[] {
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
