import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expectPresent } from '../../../../base/expect-present.ts';
import { EDIT_DISTANCE_CHARS_MAX, EVALUATION_SLICE_MS } from '../../../../model/limits/evaluators.ts';
import { invalid } from '../../input-mapping.ts';

/**
 * Levenshtein distance in characters of Unicode. Yields to the event loop.
 *
 * The texts are compared by bit vectors of 32 rows (Myers 1999, in blocks as by Hyyrö 2003): a column of the table takes one
 * step per 32 characters of the shorter text.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID` when both texts are too long
 */
export async function editDistance(first: string, second: string, signal: AbortSignal): Promise<number> {
  const [short, long] = withoutEqualEnds([...first], [...second]);
  if (short.length === 0) return long.length;
  if (long.length > EDIT_DISTANCE_CHARS_MAX) {
    const counts = `${long.length.toLocaleString('en')} characters`;
    return invalid(
      `The texts are too long to compare: they differ within ${counts}, the maximum is ${EDIT_DISTANCE_CHARS_MAX.toLocaleString('en')}`,
    );
  }
  const blockCount = Math.ceil(short.length / 32);
  // Vertical differences of the current column: bits where a row is one more, or one less, than the row above.
  const more = new Int32Array(blockCount).fill(-1);
  const less = new Int32Array(blockCount);
  const rowsOfCharacter = rowsByCharacter(short);
  const rows = new Int32Array(blockCount);
  const lastBit = 1 << ((short.length - 1) % 32);
  let distance = short.length;
  let sliceStart = performance.now();
  for (const [column, character] of long.entries()) {
    const occurrences = rowsOfCharacter.get(character) ?? NOWHERE;
    for (const [index, block] of occurrences.blocks.entries()) rows[block] = at(occurrences.bits, index);
    // Horizontal difference between a block and the next: the first row of the table grows by one per column.
    let moreIn = 1;
    let lessIn = 0;
    for (let block = 0; block < blockCount; block++) {
      // Reads of known indices: a bound check by a function would take half of the time.
      const vertMore = more[block] as number;
      const vertLess = less[block] as number;
      const equal = rows[block] as number;
      const vertical = equal | vertLess;
      const matches = equal | lessIn;
      const diagonal = ((((matches & vertMore) + vertMore) | 0) ^ vertMore) | matches;
      let horizontalMore = vertLess | ~(diagonal | vertMore);
      let horizontalLess = vertMore & diagonal;
      if (block === blockCount - 1) {
        if (horizontalMore & lastBit) distance += 1;
        if (horizontalLess & lastBit) distance -= 1;
      }
      const moreOut = horizontalMore >>> 31;
      const lessOut = horizontalLess >>> 31;
      horizontalMore = (horizontalMore << 1) | moreIn;
      horizontalLess = (horizontalLess << 1) | lessIn;
      more[block] = horizontalLess | ~(vertical | horizontalMore);
      less[block] = horizontalMore & vertical;
      moreIn = moreOut;
      lessIn = lessOut;
    }
    for (const block of occurrences.blocks) rows[block] = 0;
    if ((column & COLUMN_MASK) === COLUMN_MASK && performance.now() - sliceStart > EVALUATION_SLICE_MS) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      sliceStart = performance.now();
    }
  }
  return distance;
}

/** The clock is read every 16 columns, which take at most 200 microseconds. */
const COLUMN_MASK = 15;

const at = (values: ArrayLike<number>, index: number): number => values[index] as number;

/** The texts without equal characters at their starts and ends, the shorter one first. */
function withoutEqualEnds(first: readonly string[], second: readonly string[]): [readonly string[], readonly string[]] {
  const length = Math.min(first.length, second.length);
  let start = 0;
  while (start < length && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < length - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  const cut = [first, second].map((text) => text.slice(start, text.length - end));
  const [a, b] = [expectPresent(cut[0], 'two texts'), expectPresent(cut[1], 'two texts')];
  return a.length <= b.length ? [a, b] : [b, a];
}

/** Rows with a character: blocks that have any, and the bits of these rows. */
interface Occurrences {
  readonly blocks: number[];
  readonly bits: number[];
}

const NOWHERE: Occurrences = { blocks: [], bits: [] };

/** Only blocks that have a character are stored: a text may have thousands of different characters. */
function rowsByCharacter(text: readonly string[]): Map<string, Occurrences> {
  const rows = new Map<string, Occurrences>();
  for (const [row, character] of text.entries()) {
    const found = rows.get(character) ?? { blocks: [], bits: [] };
    rows.set(character, found);
    const bit = 1 << (row % 32);
    const last = found.blocks.length - 1;
    if (found.blocks[last] === row >> 5) found.bits[last] = at(found.bits, last) | bit;
    else {
      found.blocks.push(row >> 5);
      found.bits.push(bit);
    }
  }
  return rows;
}
