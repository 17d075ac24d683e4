import { createHash } from 'node:crypto';
import { BadRow } from '../data/bad-row.ts';
import { openRows, type RowSource } from '../data/open-rows.ts';
import { describeType, InputError } from '../errors.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { toCanonicalText } from '../metrics/json/json-value.ts';
import { ownValue } from '../own-value.ts';
import { majorityOf } from '../statistics/people-agreement.ts';
import { type Split, type SplitShares, splitOf } from './split.ts';

/** A row with the labels of one or more people. */
export interface LabelledRow {
  /** Decides about the part, so it must not change from run to run: an id, or a digest of the row. */
  readonly key: string;
  readonly row: EvalRecord;
  /** By person. A table with one label a row has one person without a name. */
  readonly labels: Readonly<Record<string, string>>;
  /** The label that most people gave. Undefined if two lead. */
  readonly label: string | undefined;
  readonly split: Split;
}

export interface ReadLabelsOptions {
  /** Field with a label, `{person: label}`, or a list with a label of each person. `humanLabel` or `human_label` by default. */
  readonly labelField?: string;
  /** Field with an id. By default `id`, `spanId`, `span_id`, `exampleId` or `example_id`, else a digest of the row. */
  readonly keyField?: string;
  readonly shares?: SplitShares;
}

/** Rows of one calibration: more hardly change an interval. */
const ROWS_MAX = 100_000;
const LABEL_FIELDS = ['humanLabel', 'human_label'];
const KEY_FIELDS = ['id', 'spanId', 'span_id', 'exampleId', 'example_id'];

/** What functions with labels take: rows as `evaluate` does, or rows that have been read. */
export type LabelSource = RowSource<EvalRecord> | readonly LabelledRow[];

/**
 * Rows with labels of people. Rows without a label are left out.
 *
 * @throws {InputError} if no row has a label, or two rows have one key
 */
export async function readLabels(
  data: LabelSource,
  { labelField, keyField, shares }: ReadLabelsOptions = {},
): Promise<LabelledRow[]> {
  if (Array.isArray(data) && data.length > 0 && isLabelledRow(data[0])) return [...(data as LabelledRow[])];
  const found = new Map<string, LabelledRow>();
  let number = 0;
  for await (const row of openRows(data as RowSource<EvalRecord>).rows) {
    if (row instanceof BadRow) throw new InputError(`Row ${number}: ${row.error.message}`);
    const read = readRow(row, number, { labelField, keyField, shares });
    number++;
    if (!read) continue;
    if (found.has(read.key)) {
      throw new InputError(
        `Row ${number - 1} has the key ${JSON.stringify(read.key.slice(0, 100))} of another row; leave repetitions out, or give keyField.`,
      );
    }
    if (found.size === ROWS_MAX) throw new InputError(`There are over ${ROWS_MAX} labelled rows; give a part of them.`);
    found.set(read.key, read);
  }
  if (found.size === 0) {
    throw new InputError(`None of ${number} rows has a label in ${labelField ?? 'humanLabel'}; label some rows first.`);
  }
  return [...found.values()];
}

const isLabelledRow = (value: unknown): value is LabelledRow =>
  typeof ownValue(value, 'key') === 'string' && typeof ownValue(value, 'split') === 'string';

function readRow(
  row: EvalRecord,
  number: number,
  { labelField, keyField, shares }: { [Name in keyof ReadLabelsOptions]: ReadLabelsOptions[Name] | undefined },
): LabelledRow | undefined {
  const field = labelField ?? LABEL_FIELDS.find((name) => Object.hasOwn(row, name));
  if (field === undefined || !Object.hasOwn(row, field)) {
    throw new InputError(
      `Row ${number} has no field ${labelField ?? LABEL_FIELDS.join(' or ')}; expected labels of people in it (labelField).`,
    );
  }
  const labels = labelsOf(row[field], number, field);
  const values = Object.values(labels);
  if (values.length === 0) return undefined;
  const { [field]: _, ...others } = row;
  const key = keyOf(others, keyField, number);
  return { key, row: others, labels, label: majorityOf(values), split: splitOf(key, shares) };
}

function labelsOf(value: unknown, number: number, field: string): Record<string, string> {
  const isGroup = typeof value === 'object' && value !== null;
  const given = isGroup ? Object.entries(value) : [['', value] as const];
  const labels = given.filter(([, label]) => label !== null && label !== undefined && label !== '');
  for (const [, label] of labels) {
    if (typeof label === 'string') continue;
    throw new InputError(`Row ${number} has ${describeType(label)} as a label in ${field}; expected a text.`);
  }
  return Object.fromEntries(labels) as Record<string, string>;
}

function keyOf(row: EvalRecord, keyField: string | undefined, number: number): string {
  for (const name of keyField === undefined ? KEY_FIELDS : [keyField]) {
    const value = ownValue(row, name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  if (keyField !== undefined) throw new InputError(`Row ${number} has no text in ${keyField}, the field of keys.`);
  return createHash('sha256').update(toCanonicalText(row)).digest('hex');
}
