/** Longest n-gram of characters, and the weight of recall. */
const SIZE_MAX = 6;
const BETA = 2;

/**
 * chrF (Popović 2015), from 0 to 1: F-score of character n-grams with recall weighted twice, without white space. Sizes for
 * which a text is too short do not count. 1 for two empty texts.
 */
export function chrf(output: string, expected: string): number {
  const characters = new Map<string, number>();
  const [written, reference] = [toNumbers(output, characters), toNumbers(expected, characters)];
  if (written.length === 0 && reference.length === 0) return 1;
  let [ngrams, others] = [written, reference];
  let numberCount = characters.size;
  let precision = 0;
  let recall = 0;
  let sizeCount = 0;
  for (let size = 1; size <= Math.min(SIZE_MAX, written.length, reference.length); size++) {
    if (size > 1) {
      const numbers = new Map<number, number>();
      [ngrams, others] = [extend(ngrams, written, size, numbers), extend(others, reference, size, numbers)];
      numberCount = numbers.size;
    }
    const shared = countShared(ngrams, others, numberCount);
    precision += shared / ngrams.length;
    recall += shared / others.length;
    sizeCount++;
  }
  if (precision + recall === 0) return 0;
  precision /= sizeCount;
  recall /= sizeCount;
  return ((1 + BETA * BETA) * precision * recall) / (BETA * BETA * precision + recall);
}

/** Characters of Unicode other than white space, as numbers by their first occurrence in both texts. */
function toNumbers(text: string, numbers: Map<string, number>): Int32Array {
  return Int32Array.from(Array.from(text.replace(/\p{White_Space}+/gu, '')), (character) =>
    numberOf(numbers, character),
  );
}

function numberOf<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

/**
 * Replaces the numbers of n-grams of one size by those of the size above it: an n-gram is its first part and one character, so
 * equal pairs of numbers are equal n-grams. This takes no texts of n-grams.
 */
function extend(ngrams: Int32Array, characters: Int32Array, size: number, numbers: Map<number, number>): Int32Array {
  const longer = new Int32Array(characters.length - size + 1);
  for (let start = 0; start < longer.length; start++) {
    const pair = (ngrams[start] as number) * FACTOR + (characters[start + size - 1] as number);
    longer[start] = numberOf(numbers, pair);
  }
  return longer;
}

/** More than there are characters in Unicode. Its product with the number of n-grams of a text is exact. */
const FACTOR = 2 ** 21;

/** Number of n-grams that both have: of each, the smaller of its two counts. */
function countShared(first: Int32Array, second: Int32Array, numberCount: number): number {
  const left = new Int32Array(numberCount);
  for (const ngram of second) left[ngram] = (left[ngram] as number) + 1;
  let shared = 0;
  for (const ngram of first) {
    const count = left[ngram] as number;
    if (count === 0) continue;
    left[ngram] = count - 1;
    shared++;
  }
  return shared;
}
