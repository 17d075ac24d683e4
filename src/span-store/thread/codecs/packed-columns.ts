// biome-ignore-all lint/style/noNonNullAssertion: an index is below the number of rows, and a packed index is one of its list.

/**
 * Texts in a message between threads: one text, and the start of each. Cloning thousands of texts costs more than reading them
 * from the database, and so does collecting them as garbage.
 */
export interface PackedTexts<Text extends string = string> {
  /** The type of the texts. It has no value. */
  readonly type?: Text;
  readonly text: string;
  /** Start of each text and end of the last one, in UTF-16 units. */
  readonly starts: Uint32Array;
  /** 1 for a row without a text. Absent if each row has one. */
  readonly isNull?: Uint8Array;
}

// The loops below use indexes, because iterators and `from` allocate an object or a boxed number per row.

export function packTexts<Row, Text extends string>(
  rows: readonly Row[],
  textOf: (row: Row) => Text | null,
): PackedTexts<Text> {
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
export const textAt = <Text extends string>({ text, starts }: PackedTexts<Text>, index: number): Text =>
  text.slice(starts[index], starts[index + 1]) as Text;

export const nullableTextAt = <Text extends string>(texts: PackedTexts<Text>, index: number): Text | null =>
  texts.isNull?.[index] === 1 ? null : textAt(texts, index);

/** NaN represents null, because no count or score is NaN. */
export function packNumbers<Row>(rows: readonly Row[], numberOf: (row: Row) => number | null): Float64Array {
  const numbers = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) numbers[index] = numberOf(rows[index]!) ?? Number.NaN;
  return numbers;
}

/** The number at an index. The row must have one. */
export const numberAt = (numbers: Float64Array, index: number): number => numbers[index]!;

export function nullableNumberAt(numbers: Float64Array, index: number): number | null {
  const number = numberAt(numbers, index);
  return Number.isNaN(number) ? null : number;
}

export function packBigints<Row>(rows: readonly Row[], bigintOf: (row: Row) => bigint): BigInt64Array {
  const bigints = new BigInt64Array(rows.length);
  for (let index = 0; index < rows.length; index++) bigints[index] = bigintOf(rows[index]!);
  return bigints;
}

export const bigintAt = (bigints: BigInt64Array, index: number): bigint => bigints[index]!;

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

/** The value of a row, from the same list. */
export const valueAt = <Value>(list: readonly Value[], indexes: Uint8Array, index: number): Value =>
  list[indexes[index]!]!;
