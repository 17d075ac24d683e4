import { findInexactNumber } from '../../../components/editor/json-problem.ts';

export const FIELDS = ['input', 'output', 'metadata'] as const;
export type Field = (typeof FIELDS)[number];

/** JSON texts of an example. */
export type ExampleTexts = Readonly<Record<Field, string>>;

/** A change of examples that is not saved yet. The user can undo the last one. */
export type Step =
  | {
      readonly kind: 'edit';
      readonly exampleId: string;
      /** Revision that the user has read. */
      readonly revisionId: string;
      readonly field: Field;
      readonly text: string;
    }
  | {
      readonly kind: 'set';
      readonly exampleIds: readonly string[];
      /** A field, then keys of objects or indexes of lists. */
      readonly path: readonly string[];
      /** JSON text. */
      readonly value: string;
    }
  | { readonly kind: 'delete'; readonly exampleIds: readonly string[] }
  | { readonly kind: 'add'; readonly texts: ExampleTexts; readonly externalId: string | null };

interface Patch extends Partial<Record<Field, string>> {
  readonly exampleId: string;
  readonly revisionId: string;
}

interface SetValues {
  readonly exampleIds: ReadonlySet<string>;
  readonly path: readonly string[];
  readonly value: string;
}

/** Changes in the order in which the server applies them. */
export interface Collected {
  readonly patches: ReadonlyMap<string, Patch>;
  readonly values: readonly SetValues[];
  readonly deleted: ReadonlySet<string>;
  readonly added: readonly Extract<Step, { kind: 'add' }>[];
}

/** Combines steps. A later edit of a field replaces earlier values in it, and a deletion everything before. */
export function collect(steps: readonly Step[]): Collected {
  const patches = new Map<string, Patch>();
  let values: SetValues[] = [];
  const deleted = new Set<string>();
  const added: Extract<Step, { kind: 'add' }>[] = [];
  const without = (each: SetValues, ids: ReadonlySet<string>): SetValues => ({
    ...each,
    exampleIds: new Set([...each.exampleIds].filter((id) => !ids.has(id))),
  });
  for (const step of steps) {
    if (step.kind === 'edit') {
      const { exampleId, revisionId, field, text } = step;
      const known = patches.get(exampleId);
      patches.set(exampleId, { ...known, exampleId, revisionId: known?.revisionId ?? revisionId, [field]: text });
      const edited = new Set([exampleId]);
      values = values.map((each) => (each.path[0] === field ? without(each, edited) : each));
    } else if (step.kind === 'set') {
      values.push({ exampleIds: new Set(step.exampleIds), path: step.path, value: step.value });
    } else if (step.kind === 'delete') {
      for (const id of step.exampleIds) {
        deleted.add(id);
        patches.delete(id);
      }
      values = values.map((each) => without(each, deleted));
    } else added.push(step);
  }
  return { patches, values: values.filter(({ exampleIds }) => exampleIds.size > 0), deleted, added };
}

export interface ChangeCounts {
  readonly edited: number;
  readonly deleted: number;
  readonly added: number;
}

export function countChanges({ patches, values, deleted, added }: Collected): ChangeCounts {
  const edited = new Set([...patches.keys(), ...values.flatMap(({ exampleIds }) => [...exampleIds])]);
  return { edited: edited.size, deleted: deleted.size, added: added.length };
}

/** Input of the mutation that saves the changes. */
export const toInput = (datasetId: string, { patches, values, deleted, added }: Collected, description: string) => ({
  datasetId,
  patches: [...patches.values()],
  values: values.map(({ exampleIds, path, value }) => ({ exampleIds: [...exampleIds], path, value })),
  deletions: Array.from(deleted, (exampleId) => ({ exampleId })),
  additions: added.map(({ texts, externalId }) => ({ ...texts, externalId })),
  versionDescription: description.trim() === '' ? null : description.trim(),
});

/** Content of an example with its unsaved changes. Undefined for a field that did not change. */
export function changedFields(
  { patches, values }: Collected,
  exampleId: string,
  texts: ExampleTexts,
): Partial<Readonly<Record<Field, string>>> {
  const changed: Partial<Record<Field, string>> = {};
  for (const field of FIELDS) {
    let text = patches.get(exampleId)?.[field];
    for (const { exampleIds, path, value } of values) {
      if (path[0] === field && exampleIds.has(exampleId)) text = withValue(text ?? texts[field], path.slice(1), value);
    }
    if (text !== undefined) changed[field] = text;
  }
  return changed;
}

/** Whether an example has a change that is not saved. */
export const isChanged = ({ patches, values }: Collected, exampleId: string): boolean =>
  patches.has(exampleId) || values.some(({ exampleIds }) => exampleIds.has(exampleId));

/** The JSON text of an object with another value at a path. A text that cannot be parsed stays as it is. */
export function withValue(text: string, keys: readonly string[], value: string): string {
  try {
    return JSON.stringify(replaceAt(JSON.parse(text), keys, JSON.parse(value)), null, 2);
  } catch {
    return text;
  }
}

function replaceAt(at: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(at)) return at.map((item, index) => (String(index) === key ? replaceAt(item, rest, value) : item));
  if (at !== undefined && (typeof at !== 'object' || at === null)) throw new Error('A value has no keys.');
  const entries = new Map(Object.entries(at ?? {}));
  entries.set(key, replaceAt(entries.get(key), rest, value));
  // Also for a key such as `__proto__`.
  return Object.fromEntries(entries);
}

/** The value at a path of a JSON text. Undefined if there is none. */
export function valueAt(text: string, keys: readonly string[]): unknown {
  try {
    return keys.reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      JSON.parse(text),
    );
  } catch {
    return undefined;
  }
}

/** Whether a value in a text can be replaced in the browser without a loss of digits elsewhere in the text. */
export const isExact = (text: string): boolean => findInexactNumber(text) === undefined;
