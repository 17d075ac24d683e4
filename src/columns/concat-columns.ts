// biome-ignore-all lint/style/noNonNullAssertion: an offset column has an entry more than rows.
import type { NumberArray } from './column-arrays.ts';
import type { NullableTextColumn, SpanColumns, TextColumn } from './span-columns.ts';

/** Columns with the rows of two batches, those of the first batch first. Their buffers are new. */
export function concatColumns(first: SpanColumns, second: SpanColumns): SpanColumns {
  const fields = Object.entries(first).map(([name, field]) => {
    const other: unknown = second[name as keyof SpanColumns];
    if (ArrayBuffer.isView(field)) return [name, concatArrays(field as NumberArray, other as NumberArray)];
    if (isTextColumn(field)) return [name, concatTexts(field, other as TextColumn)];
    return [name, field];
  });
  const projectCount = first.projectNames.length;
  return {
    ...(Object.fromEntries(fields) as SpanColumns),
    rowCount: first.rowCount + second.rowCount,
    textIds: new Map([
      ...first.textIds,
      ...Array.from(second.textIds, ([row, ids]) => [row + first.rowCount, ids] as const),
    ]),
    projectNames: [...first.projectNames, ...second.projectNames],
    projectIndex: concatArrays(
      first.projectIndex as NumberArray,
      second.projectIndex.map((index) => index + projectCount) as NumberArray,
    ) as Uint32Array,
  };
}

const isTextColumn = (field: unknown): field is TextColumn =>
  typeof field === 'object' && field !== null && 'utf8' in field;

function concatTexts(first: TextColumn, second: TextColumn): TextColumn | NullableTextColumn {
  const [end, otherEnd] = [first.offset.at(-1)!, second.offset.at(-1)!];
  const utf8 = new Uint8Array(end + otherEnd);
  utf8.set(first.utf8.subarray(0, end));
  utf8.set(second.utf8.subarray(0, otherEnd), end);
  const offset = new Uint32Array(first.offset.length + second.offset.length - 1);
  offset.set(first.offset);
  for (let row = 1; row < second.offset.length; row++) {
    offset[first.offset.length - 1 + row] = end + second.offset[row]!;
  }
  if (!('present' in first && 'present' in second)) return { utf8, offset };
  const present = concatArrays(first.present as NumberArray, second.present as NumberArray) as Uint8Array;
  return { utf8, offset, present };
}

function concatArrays(first: NumberArray, second: NumberArray): NumberArray {
  const Type = first.constructor as new (length: number) => NumberArray;
  const both = new Type(first.length + second.length);
  // Both have the type of the result.
  both.set(first as never);
  both.set(second as never, first.length);
  return both;
}
