import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';

/** Own keys and items along a path, never those of a prototype; undefined when there is none. */
export const valueAt = (value: ExactJson | undefined, path: readonly string[]): ExactJson | undefined =>
  path.reduce<ExactJson | undefined>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as ExactJsonObject)[key] : undefined,
    value,
  );
