// biome-ignore-all lint/style/noNonNullAssertion: an index is below the number of rows.

/**
 * Texts in a message between threads: one text, and the start of each. Cloning thousands of texts costs more than reading them
 * from the database, and so does collecting them as garbage.
 */
export interface PackedTexts {
  readonly text: string;
  /** Start of each text and end of the last one, in UTF-16 units. */
  readonly starts: Uint32Array;
  /** 1 for a row without a text. Absent if each row has one. */
  readonly isNull?: Uint8Array;
}

// The loops below use indexes, because iterators and `from` allocate an object or a boxed number per row.

export function packTexts<Row>(rows: readonly Row[], textOf: (row: Row) => string | null): PackedTexts {
  const starts = new Uint32Array(rows.length + 1);
  const texts: string[] = [];
  let isNull: Uint8Array | undefined;
  let end = 0;
  for (let index = 0; index < rows.length; index++) {
    const text = textOf(rows[index]!);
    if (text === null) {
      isNull ??= new Uint8Array(rows.length);
      isNull[index] = 1;
    } else {
      texts.push(text);
      end += text.length;
    }
    starts[index + 1] = end;
  }
  return { text: texts.join(''), starts, ...(isNull && { isNull }) };
}

/** The text at an index. The row must have one. */
export const textAt = ({ text, starts }: PackedTexts, index: number): string =>
  text.slice(starts[index], starts[index + 1]);

export const nullableTextAt = (texts: PackedTexts, index: number): string | null =>
  texts.isNull?.[index] === 1 ? null : textAt(texts, index);

/** NaN represents null, because no count or score is NaN. */
export function packNumbers<Row>(rows: readonly Row[], numberOf: (row: Row) => number | null): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) numbers[index] = numberOf(rows[index]!) ?? Number.NaN;
  return numbers;
}

export function nullableNumberAt(numbers: Float64Array, index: number): number | null {
  const number = numbers[index]!;
  return Number.isNaN(number) ? null : number;
}

export function packBigints<Row>(rows: readonly Row[], bigintOf: (row: Row) => bigint): BigInt64Array {
  const bigints = new BigInt64Array(rows.length);
  for (let index = 0; index < rows.length; index++) bigints[index] = bigintOf(rows[index]!);
  return bigints;
}

/** Values of a short list, as indexes. */
export function packIndexes<Row, Value>(
  rows: readonly Row[],
  list: readonly Value[],
  valueFrom: (row: Row) => Value,
): Uint8Array {
  const indexes = new Uint8Array(rows.length);
  for (let index = 0; index < rows.length; index++) indexes[index] = list.indexOf(valueFrom(rows[index]!));
  return indexes;
}
