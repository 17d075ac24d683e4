import type { SpanColumns } from './span-columns.ts';

export type NumberArray =
  | Uint8Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

/** Returns the columns with every number array replaced by the result of `toArray`. */
export const mapArrays = (columns: SpanColumns, toArray: (array: NumberArray) => NumberArray): SpanColumns =>
  mapFields(columns, toArray) as SpanColumns;

const mapFields = (fields: object, toArray: (array: NumberArray) => NumberArray): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (ArrayBuffer.isView(field)) return [name, toArray(field as NumberArray)];
      return [name, isTextColumn(field) ? mapFields(field, toArray) : field];
    }),
  );

const isTextColumn = (field: unknown): field is object =>
  typeof field === 'object' && field !== null && 'utf8' in field;
