/**
 * Texts as they cross threads: one text and where each begins. Cloning thousands of texts one by one costs more than
 * finding them, and so does clearing them away.
 */
export interface PackedTexts {
  readonly text: string;
  /** Of each text and behind the last one, in UTF-16 units. */
  readonly starts: Uint32Array;
  /** 1 where there is no text at all; absent when each row has one. */
  readonly isNull?: Uint8Array;
}

// The loops below are plain ones, because iterators and `from` make an object or a boxed number a row.

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

/** The text at this index, where no row lacks one. */
export const textAt = ({ text, starts }: PackedTexts, index: number): string =>
  text.slice(starts[index], starts[index + 1]);

export const nullableTextAt = (texts: PackedTexts, index: number): string | null =>
  texts.isNull?.[index] === 1 ? null : textAt(texts, index);

/** NaN stands for null: no count and no score is one. */
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

/** Values of a short list, by their place in it. */
export function packPlaces<Row, Value>(
  rows: readonly Row[],
  list: readonly Value[],
  valueFrom: (row: Row) => Value,
): Uint8Array {
  const places = new Uint8Array(rows.length);
  for (let index = 0; index < rows.length; index++) places[index] = list.indexOf(valueFrom(rows[index]!));
  return places;
}
