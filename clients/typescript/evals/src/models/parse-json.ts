/** The value of a JSON text; the text itself when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Characters of an answer in which an object is searched. */
const ANSWER_CHARS_MAX = 1_000_000;

/**
 * The object in an answer in words, which may stand in a fence or between sentences: the last one that has all names, because
 * models correct themselves.
 */
export function findObject(text: string, names: readonly string[]): Record<string, unknown> | undefined {
  const whole = toObject(text, names);
  if (whole) return whole;
  let found: Record<string, unknown> | undefined;
  let at = text.slice(0, ANSWER_CHARS_MAX).indexOf('{');
  while (at >= 0 && at < ANSWER_CHARS_MAX) {
    const end = endOfObject(text, at);
    const object = end === undefined ? undefined : toObject(text.slice(at, end), names);
    if (object) found = object;
    at = text.indexOf('{', object && end !== undefined ? end : at + 1);
    if (end === undefined) break;
  }
  return found;
}

function toObject(text: string, names: readonly string[]): Record<string, unknown> | undefined {
  const value = parseJson(text.trim());
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && names.every((name) => Object.hasOwn(value, name)) ? (value as Record<string, unknown>) : undefined;
}

/** The place after the brace that closes the one at `start`; undefined when none does. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < Math.min(text.length, ANSWER_CHARS_MAX); at++) {
    const char = text[at];
    if (isInText) {
      if (char === '\\') at++;
      else if (char === '"') isInText = false;
    } else if (char === '"') isInText = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
