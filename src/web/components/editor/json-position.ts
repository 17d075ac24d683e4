/** Where in a JSON text the caret is. The text may have problems after the caret, and open brackets before it. */
export interface JsonPosition {
  /** Names and indexes that lead to the object or the list with the caret, or to the value that is expected. */
  readonly path: readonly (string | number)[];
  readonly expected: 'key' | 'value';
  /** Text of the token before the caret, without its opening quote. */
  readonly typed: string;
  /** Range of the token in the text. */
  readonly start: number;
  readonly end: number;
  /** Names that the object has before the caret. */
  readonly names: ReadonlySet<string>;
  /** Whether a colon follows a name, so that only the name is replaced. */
  readonly hasColon: boolean;
}

interface Level {
  readonly isList: boolean;
  index: number;
  key: string | undefined;
  /** What the next token is, unless the level ends. */
  next: 'key' | 'colon' | 'value' | 'comma';
  readonly names: Set<string>;
}

const newLevel = (isList: boolean): Level => ({
  ...{ isList, index: 0, key: undefined, names: new Set<string>() },
  next: isList ? 'value' : 'key',
});

/** Undefined where neither a name nor a value can be typed. */
export function findJsonPosition(text: string, caret: number): JsonPosition | undefined {
  const levels: Level[] = [];
  let hasRoot = false;
  let at = 0;
  while (at < caret) {
    const char = text[at]!;
    const level = levels.at(-1);
    if (/\s/.test(char)) at += 1;
    else if (char === '{' || char === '[') {
      if (level && level.next !== 'value') return undefined;
      levels.push(newLevel(char === '['));
      at += 1;
    } else if (char === '}' || char === ']') {
      levels.pop();
      const outer = levels.at(-1);
      if (outer) outer.next = 'comma';
      else hasRoot = true;
      at += 1;
    } else if (char === ',' && level) {
      level.next = level.isList ? 'value' : 'key';
      level.index += 1;
      level.key = undefined;
      at += 1;
    } else if (char === ':' && level) {
      level.next = 'value';
      at += 1;
    } else {
      const end = endOfToken(text, at);
      // The caret is in the token, or at its end while the token is not closed.
      const isClosed = char === '"' && end - at > 1 && text[end - 1] === '"';
      if (end > caret || (end === caret && !isClosed)) return positionOf(text, levels, { start: at, end, caret });
      if (level?.next === 'key') {
        level.key = text.slice(at + 1, isClosed ? end - 1 : end);
        level.names.add(level.key);
        level.next = 'colon';
      } else if (level) level.next = 'comma';
      else hasRoot = true;
      at = end;
    }
  }
  return hasRoot ? undefined : positionOf(text, levels, { start: caret, end: caret, caret });
}

/** Strings end at their quote or line, other tokens at a space or a sign. */
function endOfToken(text: string, start: number): number {
  const pattern = text[start] === '"' ? /"(?:[^"\\\n]|\\.)*"?/y : /[^\s{}[\],:"]+/y;
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 1);
}

interface TokenRange {
  readonly start: number;
  readonly end: number;
  readonly caret: number;
}

function positionOf(
  text: string,
  levels: readonly Level[],
  { start, end, caret }: TokenRange,
): JsonPosition | undefined {
  const level = levels.at(-1);
  const expected = level ? level.next : 'value';
  if (expected !== 'key' && expected !== 'value') return undefined;
  const outer = levels.slice(0, -1).map((each) => (each.isList ? each.index : (each.key ?? '')));
  const own = level && expected === 'value' ? [level.isList ? level.index : (level.key ?? '')] : [];
  const isOpen = text[start] === '"' && !(end - start > 1 && text[end - 1] === '"');
  return {
    path: [...outer, ...own],
    expected,
    typed: text.slice(text[start] === '"' ? start + 1 : start, caret),
    start,
    // Without its closing quote, a string would take the rest of the line with it.
    end: isOpen ? caret : end,
    names: level?.names ?? new Set(),
    hasColon: /^\s*:/.test(text.slice(isOpen ? caret : end, end + 40)),
  };
}
