import { NAMED_OMISSION_COUNT } from '../limits.ts';
import { clip } from './clip.ts';
import { type Caps, type Shortened, shrink } from './shrink.ts';

/** What a tool found, before it is cut to the budget. */
export interface Found {
  readonly data: Readonly<Record<string, unknown>>;
  /** Key in `data` of the list that is cut at its end when shorter texts do not suffice. */
  readonly list?: string;
  /** What replaces `rest` when only the first items of the list are shown. Absent: a smaller limit helps. */
  readonly cutList?: (shownCount: number) => Promise<Cut> | Cut;
  /** The call that reads a shortened text. Undefined: the same call with `part`. */
  readonly howToRead?: (path: readonly string[]) => string | undefined;
  /** What the tool itself left out. */
  readonly omitted?: readonly string[];
  /** How the items after the list are read. It holds only while the list is not cut. */
  readonly rest?: string | undefined;
}

export interface Cut {
  /** Replaces fields, such as a cursor. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly rest: string;
}

export interface Fitted {
  readonly data: Record<string, unknown>;
  readonly omitted: string[];
}

/** Characters of a path that is named. */
const POINTER_CHARS_MAX = 300;
const NONE = Number.POSITIVE_INFINITY;
/** Tried in order; texts of lists become shorter before a list is cut. */
const GENTLE: readonly Caps[] = [NONE, 4_000, 1_000, 400].map((chars) => ({ chars, items: NONE, keys: NONE }));
const HARSH: readonly Caps[] = [
  { chars: 400, items: 50, keys: 100 },
  { chars: 120, items: 20, keys: 50 },
  { chars: 80, items: 5, keys: 20 },
  { chars: 40, items: 2, keys: 10 },
];

/** Cuts what a tool found so that its JSON has at most `chars` characters. Says what was left out. */
export async function fit(found: Found, chars: number): Promise<Fitted> {
  const omitted = [...(found.rest ? [found.rest] : []), ...(found.omitted ?? [])];
  for (const caps of GENTLE) {
    const { value, shortened } = shrink(found.data, caps);
    if (sizeOf(value) <= chars) return toFitted(value, shortened, found, omitted);
  }
  const cut = found.list === undefined ? undefined : await cutList(found, found.list, chars);
  if (cut) return cut;
  for (const caps of HARSH) {
    const { value, shortened } = shrink(found.data, caps);
    if (sizeOf(value) <= chars) return toFitted(value, shortened, found, omitted);
  }
  return { data: {}, omitted: ['The whole answer, which does not fit. Repeat the call with a higher max_characters.'] };
}

async function cutList(found: Found, list: string, chars: number): Promise<Fitted | undefined> {
  const items = found.data[list];
  if (!Array.isArray(items)) return undefined;
  for (const caps of [...GENTLE.slice(-1), ...HARSH]) {
    const count = countThatFit(found.data, list, items, caps, chars);
    if (count === 0) continue;
    const cut = count < items.length ? await found.cutList?.(count) : { data: {}, rest: found.rest };
    const { data, rest } = cut ?? {
      data: {},
      rest: `${items.length - count} of ${items.length} ${list}. Repeat the call with a smaller limit.`,
    };
    const { value, shortened } = shrink({ ...found.data, ...data, [list]: items.slice(0, count) }, caps);
    return toFitted(value, shortened, found, [...(rest ? [rest] : []), ...(found.omitted ?? [])]);
  }
  return undefined;
}

function countThatFit(data: Found['data'], list: string, items: readonly unknown[], caps: Caps, chars: number): number {
  let left = chars - sizeOf(shrink({ ...data, [list]: [] }, caps).value) - 200;
  let count = 0;
  for (const item of items) {
    left -= sizeOf(shrink(item, caps).value) + 1;
    if (left < 0) break;
    count++;
  }
  return count;
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/**
 * Paths have keys from outside, so they are part of the data. What is said beside the data is made of our words, numbers
 * and cursors.
 */
function toFitted(value: unknown, cut: readonly Shortened[], found: Found, omitted: readonly string[]): Fitted {
  const data = value as Record<string, unknown>;
  if (cut.length === 0) return { data, omitted: [...omitted] };
  const shortened = cut.slice(0, NAMED_OMISSION_COUNT).map((one) => describe(one, found));
  const line = `Parts of ${cut.length} texts or lists. "shortened" in the data names ${cut.length > shortened.length ? `the first ${shortened.length}` : 'each'}, and the call that reads it.`;
  return { data: { ...data, shortened }, omitted: [...omitted, line] };
}

function describe({ path, kind, size }: Shortened, { howToRead }: Found) {
  const pointer = toPointer(path);
  if (pointer.length > POINTER_CHARS_MAX) {
    return {
      path: `${clip(pointer, POINTER_CHARS_MAX)}…`,
      [kind]: size,
      read: 'Its path is too long; a higher max_characters shows more.',
    };
  }
  const read = howToRead?.(path) ?? `Repeat the call with part {"path": ${JSON.stringify(pointer)}}.`;
  return { path: pointer, [kind]: size, read };
}

/** Positions in an answer, as in RFC 6901. */
export const toPointer = (path: readonly string[]): string =>
  path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The value at a pointer. Undefined when there is none; keys of prototypes are none. */
export function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
}
