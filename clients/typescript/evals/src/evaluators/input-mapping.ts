import { ArgumentError, describeType, InputError } from '../errors.ts';
import { selectJsonPath } from '../json-path/json-path.ts';

/** A row. */
export type EvalRecord = Readonly<Record<string, unknown>>;

/** Where a field comes from: a key of the row, a JSONPath, or a function of the row. */
export type FieldSource<RecordType> = string | ((record: RecordType) => unknown);

/** Field of the evaluator → its source. */
// biome-ignore lint/suspicious/noExplicitAny: a mapping is made for any type of rows
export type InputMapping<RecordType = any> = Readonly<Record<string, FieldSource<RecordType>>>;

/** @throws {ArgumentError} for a source of another kind */
export function checkMapping(mapping: InputMapping): void {
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping)) {
    throw new ArgumentError(
      `An input mapping is an object of fields and their sources, and not ${describeType(mapping)}.`,
    );
  }
  for (const [field, source] of Object.entries(mapping)) {
    if (typeof source === 'string' || typeof source === 'function') continue;
    throw new ArgumentError(`The input mapping of ${field} is a text or a function, and not ${describeType(source)}.`);
  }
}

/**
 * The row with the fields of the mapping. Its own fields stay.
 *
 * @throws {InputError} when a source yields nothing
 */
export function mapInput(record: EvalRecord, mapping: InputMapping | undefined): EvalRecord {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw new InputError(`A row is an object of fields, and not ${describeType(record)}.`);
  }
  if (!mapping) return record;
  const mapped = new Map<string, unknown>();
  for (const [field, source] of Object.entries(mapping)) mapped.set(field, readSource(record, field, source));
  // A Map to entries, so that the field `__proto__` becomes a field.
  return Object.fromEntries([...Object.entries(record), ...mapped]);
}

function readSource(record: EvalRecord, field: string, source: FieldSource<never>): unknown {
  if (typeof source === 'function') return (source as (row: EvalRecord) => unknown)(record);
  const key = source === '' ? field : source;
  if (Object.hasOwn(record, key)) return record[key];
  const path = key.startsWith('$') ? key : `$${key.startsWith('[') ? '' : '.'}${key}`;
  const [value] = selectJsonPath(record, path);
  if (value === undefined)
    throw new InputError(missingText(record, `The source ${JSON.stringify(key)} of the field ${field}`));
  return value;
}

/** @throws {InputError} that names the fields that the row lacks and those that it has, or a field without a value */
export function requireFields(record: EvalRecord, fields: readonly string[]): void {
  const missing = fields.filter((field) => !Object.hasOwn(record, field) || record[field] === undefined);
  if (missing.length > 0)
    throw new InputError(missingText(record, `The field${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`));
  for (const field of fields) {
    const value = record[field];
    if (value !== null && !Number.isNaN(value)) continue;
    throw new InputError(
      `The field ${field} has no value (${String(value)}); leave such rows out, or map the field to a text.`,
    );
  }
}

const NAME_COUNT_MAX = 20;

function missingText(record: EvalRecord, what: string): string {
  const names = Object.keys(record);
  const shown = names.slice(0, NAME_COUNT_MAX).map((name) => name.slice(0, 60));
  return `${what} is missing in the row, which has ${shown.join(', ') || 'no fields'}${names.length > NAME_COUNT_MAX ? ', …' : ''}; map it with an input mapping.`;
}
