import { InputError } from '../../errors.ts';
import { countBits } from '../bits.ts';
import { EDIT_DISTANCE_CHARS_MAX } from '../limits.ts';

/**
 * Least number of characters of Unicode that must be inserted, deleted or replaced to turn one text into the other.
 *
 * Columns of the table are bit vectors of 32 rows (Myers 1999, in blocks as by Hyyrö 2003), so a text takes one step per
 * character and 32 characters of the shorter text.
 *
 * @throws {InputError} when the texts differ within more than `EDIT_DISTANCE_CHARS_MAX` characters
 */
export function levenshteinDistance(first: string, second: string): number {
  if (first === second) return 0;
  // A character outside of the basic plane has two code units.
  if (SURROGATE.test(first) || SURROGATE.test(second)) {
    const codes = new Map<string, number>();
    const [a, b] = [toCodes(first, codes), toCodes(second, codes)];
    return distanceOfCodes(a, b, new Int32Array(codes.size));
  }
  return distanceOfCodes(toUnits(first, FIRST), toUnits(second, SECOND), ROWS_OF_UNIT);
}

/** 1 for equal texts, 0 for texts without anything in common: the distance over the length of the longer text. */
export function levenshteinSimilarity(first: string, second: string): number {
  const longest = Math.max(countCharacters(first), countCharacters(second));
  return longest === 0 ? 1 : 1 - levenshteinDistance(first, second) / longest;
}

/** Characters of Unicode. */
export function countCharacters(text: string): number {
  let count = text.length;
  if (!SURROGATE.test(text)) return count;
  for (let index = 0; index < text.length; index++) if ((text.codePointAt(index) ?? 0) > 0xffff) count--;
  return count;
}

const SURROGATE = /[\ud800-\udfff]/;

type Codes = Uint16Array | Int32Array;

// Buffers that all calls share, because a call between short texts takes less time than to allocate them.
const BUFFER_UNITS = 4_096;
const FIRST = new Uint16Array(BUFFER_UNITS);
const SECOND = new Uint16Array(BUFFER_UNITS);
/** Rows of a block by code unit. All 0 between calls. */
const ROWS_OF_UNIT = new Int32Array(0x10000);

function toUnits(text: string, buffer: Uint16Array): Uint16Array {
  const { length } = text;
  const units = length <= BUFFER_UNITS ? buffer.subarray(0, length) : new Uint16Array(length);
  for (let index = 0; index < length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/** Numbers of the characters, by their first occurrence. */
function toCodes(text: string, codes: Map<string, number>): Int32Array {
  const characters = Array.from(text);
  return Int32Array.from(characters, (character) => {
    const known = codes.get(character);
    if (known !== undefined) return known;
    codes.set(character, codes.size);
    return codes.size - 1;
  });
}

function distanceOfCodes(first: Codes, second: Codes, rows: Int32Array): number {
  const shared = Math.min(first.length, second.length);
  let start = 0;
  while (start < shared && first[start] === second[start]) start++;
  let end = 0;
  while (end < shared - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end++;
  const a = first.subarray(start, first.length - end);
  const b = second.subarray(start, second.length - end);
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length === 0) return long.length;
  if (long.length > EDIT_DISTANCE_CHARS_MAX) {
    throw new InputError(
      `Expected texts that differ within ${EDIT_DISTANCE_CHARS_MAX} characters, received ${long.length}. Compare shorter parts.`,
    );
  }
  return short.length <= 32 ? distanceInOneBlock(short, long, rows) : distanceInBlocks(short, long, rows);
}

// Typed arrays are read at indices below their lengths, so values are numbers: a check would take half of the time.

function distanceInOneBlock(short: Codes, long: Codes, rows: Int32Array): number {
  const { length } = short;
  for (let row = 0; row < length; row++)
    rows[short[row] as number] = (rows[short[row] as number] as number) | (1 << row);
  const lastBit = 1 << (length - 1);
  let more = -1;
  let less = 0;
  let distance = length;
  for (let column = 0; column < long.length; column++) {
    const equal = rows[long[column] as number] as number;
    const vertical = equal | less;
    const diagonal = ((((equal & more) + more) | 0) ^ more) | equal | less;
    let horizontalMore = less | ~(diagonal | more);
    let horizontalLess = more & diagonal;
    if (horizontalMore & lastBit) distance++;
    else if (horizontalLess & lastBit) distance--;
    horizontalMore = (horizontalMore << 1) | 1;
    horizontalLess <<= 1;
    more = horizontalLess | ~(vertical | horizontalMore);
    less = horizontalMore & vertical;
  }
  for (let row = 0; row < length; row++) rows[short[row] as number] = 0;
  return distance;
}

/** Goes through the table block by block, so that one array holds the rows of the current block for every character. */
function distanceInBlocks(short: Codes, long: Codes, rows: Int32Array): number {
  const columnCount = long.length;
  // Horizontal differences at the lower edge of the block above: bits of 32 columns.
  const moreAbove = new Int32Array((columnCount + 31) >>> 5).fill(-1);
  const lessAbove = new Int32Array((columnCount + 31) >>> 5);
  let distance = short.length;
  for (let top = 0; top < short.length; top += 32) {
    const height = Math.min(32, short.length - top);
    const isLast = top + height === short.length;
    for (let row = 0; row < height; row++) {
      const code = short[top + row] as number;
      rows[code] = (rows[code] as number) | (1 << row);
    }
    const shift = height - 1;
    let more = -1;
    let less = 0;
    for (let word = 0, column = 0; column < columnCount; word++) {
      const end = Math.min(column + 32, columnCount);
      let moreLeft = moreAbove[word] as number;
      let lessLeft = lessAbove[word] as number;
      let moreBelow = 0;
      let lessBelow = 0;
      for (let bit = 0; column < end; column++, bit++) {
        const lessIn = lessLeft & 1;
        const equal = rows[long[column] as number] as number;
        const vertical = equal | less;
        const matches = equal | lessIn;
        const diagonal = ((((matches & more) + more) | 0) ^ more) | matches | less;
        const horizontalMore = less | ~(diagonal | more);
        const horizontalLess = more & diagonal;
        moreBelow |= ((horizontalMore >>> shift) & 1) << bit;
        lessBelow |= ((horizontalLess >>> shift) & 1) << bit;
        const moreIn = (horizontalMore << 1) | (moreLeft & 1);
        more = (horizontalLess << 1) | lessIn | ~(vertical | moreIn);
        less = moreIn & vertical;
        moreLeft >>>= 1;
        lessLeft >>>= 1;
      }
      if (isLast) distance += countBits(moreBelow) - countBits(lessBelow);
      else {
        moreAbove[word] = moreBelow;
        lessAbove[word] = lessBelow;
      }
    }
    for (let row = 0; row < height; row++) rows[short[top + row] as number] = 0;
  }
  return distance;
}
