/** A part that both texts have, or one of them alone. */
export interface TextPart {
  readonly of: 'both' | 'left' | 'right';
  readonly text: string;
}

/** Cells of the table that is filled; more take longer than a person waits, so then whole lines are compared. */
const CELL_COUNT_MAX = 4_000_000;

/** What two texts share and what each has alone, word by word; long texts line by line; huge ones as wholes. */
export function diffTexts(left: string, right: string): readonly TextPart[] {
  if (left === right) return left === '' ? [] : [{ of: 'both', text: left }];
  for (const split of [words, lines]) {
    const [a, b] = [split(left), split(right)];
    const { start, end } = commonEnds(a, b);
    const middle = [a.slice(start, a.length - end), b.slice(start, b.length - end)] as const;
    if (middle[0].length * middle[1].length > CELL_COUNT_MAX) continue;
    return join([
      { of: 'both', text: a.slice(0, start).join('') },
      ...diffTokens(...middle),
      { of: 'both', text: a.slice(a.length - end).join('') },
    ]);
  }
  return join([
    { of: 'left', text: left },
    { of: 'right', text: right },
  ]);
}

const words = (text: string): readonly string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
const lines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function commonEnds(a: readonly string[], b: readonly string[]): { readonly start: number; readonly end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

/** By the longest common subsequence. */
function diffTokens(a: readonly string[], b: readonly string[]): readonly TextPart[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ of: 'both', text: a[i]! });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      parts.push({ of: 'left', text: a[i++]! });
    } else parts.push({ of: 'right', text: b[j++]! });
  }
  return parts;
}

function join(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: { of: TextPart['of']; text: string }[] = [];
  for (const { of, text } of parts) {
    if (text === '') continue;
    const last = joined.at(-1);
    if (last?.of === of) last.text += text;
    else joined.push({ of, text });
  }
  return joined;
}
