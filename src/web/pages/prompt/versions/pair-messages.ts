import type { ContentMessage } from '../../../components/prompt/version-content.ts';

/** A message of two versions. Indexes are positions in the base and in the newer version. */
export type MessagePair =
  | { readonly kind: 'same' | 'moved' | 'changed'; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number };

/** Pairs of messages that are compared: two lists of a thousand. Longer lists are compared by position. */
const PAIR_COUNT_MAX = 1_000_000;

/**
 * Pairs the messages of two versions in the order of the newer one. Equal messages in the same order are the same; an equal
 * message elsewhere has moved. Between them, messages of the same role have changed, and the rest was added or removed.
 */
export function pairMessages(base: readonly ContentMessage[], next: readonly ContentMessage[]): readonly MessagePair[] {
  const [a, b] = [base.map(keyOf), next.map(keyOf)];
  const partner = new Map<number, { readonly kind: 'same' | 'moved' | 'changed'; readonly before: number }>();
  for (const [before, after] of commonPairs(a, b)) partner.set(after, { kind: 'same', before });
  const isFree = new Set(a.keys());
  for (const { before } of partner.values()) isFree.delete(before);
  for (const [after, key] of b.entries()) {
    if (partner.has(after)) continue;
    const before = [...isFree].find((index) => a[index] === key);
    if (before === undefined) continue;
    partner.set(after, { kind: 'moved', before });
    isFree.delete(before);
  }
  // A changed message is between the same neighbors, so it must not pass a message that is the same.
  let low = -1;
  for (const after of b.keys()) {
    const known = partner.get(after);
    if (known?.kind === 'same') low = known.before;
    if (known) continue;
    const high = nextSame(partner, after, b.length) ?? a.length;
    const before = [...isFree].find((index) => index > low && index < high && base[index]?.role === next[after]?.role);
    if (before === undefined) continue;
    partner.set(after, { kind: 'changed', before });
    isFree.delete(before);
    low = before;
  }
  return inOrder(partner, isFree, b.length);
}

const keyOf = (message: ContentMessage): string => JSON.stringify([message.role, message.content]);

function nextSame(
  partner: ReadonlyMap<number, { readonly kind: string; readonly before: number }>,
  from: number,
  end: number,
) {
  for (let after = from + 1; after < end; after++) {
    const known = partner.get(after);
    if (known?.kind === 'same') return known.before;
  }
  return undefined;
}

/** Removed messages stand before the message that follows them in the base. */
function inOrder(
  partner: ReadonlyMap<number, { readonly kind: 'same' | 'moved' | 'changed'; readonly before: number }>,
  removed: ReadonlySet<number>,
  count: number,
): readonly MessagePair[] {
  const pairs: MessagePair[] = [];
  const rest = [...removed].sort((x, y) => x - y);
  for (let after = 0; after < count; after++) {
    const known = partner.get(after);
    while (known && known.kind !== 'moved' && rest[0] !== undefined && rest[0] < known.before) {
      pairs.push({ kind: 'removed', before: rest.shift()! });
    }
    pairs.push(known ? { ...known, after } : { kind: 'added', after });
  }
  for (const before of rest) pairs.push({ kind: 'removed', before });
  return pairs;
}

/** Index pairs of a longest common subsequence. */
function commonPairs(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  if (a.length * b.length > PAIR_COUNT_MAX) {
    for (const [index, key] of b.entries()) if (a[index] === key) pairs.push([index, index]);
    return pairs;
  }
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
