import { type ExactJson, type ExactJsonObject, ExactNumber, toExactJsonText } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';

/** A path at which two JSON values differ. An absent value is null. */
export interface Difference {
  /** JSON path such as `messages[0].content`, in the first value for a removed list item, else in the second. */
  readonly path: string;
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  readonly before: ExactJson;
  readonly after: ExactJson;
}

/** The smallest set of differences: objects are compared by key, lists by aligning their equal items. */
export function compareJson(before: ExactJson, after: ExactJson): Difference[] {
  const differences: Difference[] = [];
  compare(before, after, { path: '', depth: 0 }, differences);
  return differences;
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

const inside = ({ path, depth }: Place, step: string): Place => ({ path: path + step, depth: depth + 1 });

function compare(before: ExactJson, after: ExactJson, place: Place, found: Difference[]): void {
  if (place.depth < DEPTH_MAX && isObject(before) && isObject(after)) compareObjects(before, after, place, found);
  else if (place.depth < DEPTH_MAX && Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, place, found);
  } else if (toExactJsonText(before) !== toExactJsonText(after)) {
    const kind = before === null ? 'ADDED' : after === null ? 'REMOVED' : 'CHANGED';
    found.push({ path: place.path, kind, before, after });
  }
}

/** Maximum depth. Deeper values are compared as a whole, because each list on the path prints its contents. */
const DEPTH_MAX = 20;

function compareObjects(before: ExactJsonObject, after: ExactJsonObject, place: Place, found: Difference[]): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const isName = /^[A-Za-z_]\w*$/.test(key);
    const at = inside(place, isName ? `${place.path && '.'}${key}` : `[${JSON.stringify(key)}]`);
    const [from, to] = [before[key], after[key]];
    if (from === undefined) found.push({ path: at.path, kind: 'ADDED', before: null, after: to ?? null });
    else if (to === undefined) found.push({ path: at.path, kind: 'REMOVED', before: from, after: null });
    else compare(from, to, at, found);
  }
}

/** Between two pairs of equal items, the remaining items are compared in pairs; the rest was added or removed. */
function compareLists(
  before: readonly ExactJson[],
  after: readonly ExactJson[],
  place: Place,
  found: Difference[],
): void {
  const beforeAt = (index: number) => expectPresent(before[index], 'the index is below the end');
  const afterAt = (index: number) => expectPresent(after[index], 'the index is below the end');
  let [i, j] = [0, 0];
  for (const [endI, endJ] of [...equalPairs(before, after), [before.length, after.length] as const]) {
    for (; i < endI && j < endJ; i++, j++) compare(beforeAt(i), afterAt(j), inside(place, `[${j}]`), found);
    for (; i < endI; i++)
      found.push({ path: `${place.path}[${i}]`, kind: 'REMOVED', before: beforeAt(i), after: null });
    for (; j < endJ; j++) found.push({ path: `${place.path}[${j}]`, kind: 'ADDED', before: null, after: afterAt(j) });
    [i, j] = [endI + 1, endJ + 1];
  }
}

/** Index pairs of a longest common subsequence. For lists that would take too long, only their equal prefixes. */
function equalPairs(before: readonly ExactJson[], after: readonly ExactJson[]): (readonly [number, number])[] {
  const [a, b] = [before.map(toExactJsonText), after.map(toExactJsonText)];
  const pairs: (readonly [number, number])[] = [];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) pairs.push([head, head++]);
  const [m, n] = [a.length - head, b.length - head];
  if (m * n > PAIR_COUNT_MAX) return pairs;
  // longest[i * (n + 1) + j]: length for a from i and b from j, after the prefix.
  const longest = new Uint32Array((m + 1) * (n + 1));
  const at = (i: number, j: number) => longest[i * (n + 1) + j] ?? 0;
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) {
      longest[i * (n + 1) + j] =
        a[head + i] === b[head + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < m && j < n; ) {
    if (a[head + i] === b[head + j]) pairs.push([head + i++, head + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Maximum pairs of items to compare: two lists of a thousand messages. */
const PAIR_COUNT_MAX = 1_000_000;

const isObject = (value: ExactJson): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
