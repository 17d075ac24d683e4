const ZERO = 48;
const NINE = 57;
const COMMA = 44;
const MINUS = 45;

/**
 * The numbers of an array of integers that a statement returns as text: `{1,-2,3}`. Such a text costs a fraction of a row per
 * number, and of the driver's own reading of arrays.
 *
 * @param text Null for the array without elements that an aggregate returns.
 */
export function readIntegerList(text: string | null | undefined): Float64Array {
  if (!text || text === '{}') return new Float64Array();
  let count = 1;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) count++;
  const list = new Float64Array(count);
  let index = 0;
  let value = 0;
  let sign = 1;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) value = 10 * value + (code - ZERO);
    else if (code === MINUS) sign = -1;
    else if (code === COMMA || at === text.length - 1) {
      list[index++] = sign * value;
      value = 0;
      sign = 1;
    } else throw new RangeError(`expected integers, but received ${text.slice(Math.max(0, at - 10), at + 10)}`);
  }
  return list;
}

/**
 * Lists that were read lately, by their texts: columns of one table, or of tables that belong together, are often equal, and
 * comparing two texts costs a fraction of reading one. Readers must not change the lists.
 */
export class IntegerListReader {
  readonly #known: { readonly text: string; readonly list: Float64Array }[] = [];

  readonly #countMax: number;

  /** @param countMax Number of lists that are remembered. */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  read(text: string | null | undefined): Float64Array {
    if (!text) return readIntegerList(text);
    const known = this.#known.find((one) => one.text === text);
    if (known) return known.list;
    const list = readIntegerList(text);
    this.#known.unshift({ text, list });
    this.#known.length = Math.min(this.#known.length, this.#countMax);
    return list;
  }
}
