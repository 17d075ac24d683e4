import { RE2JS } from 're2js';
import { SpandrelError } from './errors.ts';
import { MODEL_NAME_CHARS_MAX, MODEL_PATTERN_CHARS_MAX } from './limits.ts';

/** A regular expression that is searched for in model names, in time that grows with the name alone. */
export interface NamePattern {
  /** Longer names than `MODEL_NAME_CHARS_MAX` have no match. */
  matches(name: string): boolean;
  /** How much of a name the pattern spells out: of two that match, the greater one is meant. */
  readonly specificity: number;
}

/**
 * @throws {SpandrelError} `MODEL_INVALID` when the pattern is too long or no expression of this syntax (RE2: no look-around,
 *   no back references, whose search may take time without bound).
 */
export function compileNamePattern(pattern: string): NamePattern {
  if (pattern.length > MODEL_PATTERN_CHARS_MAX) {
    throw new SpandrelError('MODEL_INVALID', `Invalid regex: longer than ${MODEL_PATTERN_CHARS_MAX} characters`);
  }
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    throw new SpandrelError('MODEL_INVALID', `Invalid regex: ${(error as Error).message}`, { cause: error });
  }
  const literal = requiredLiteral(pattern);
  return {
    matches: (name) => name.length <= MODEL_NAME_CHARS_MAX && name.includes(literal) && expression.matcher(name).find(),
    specificity: specificityOf(pattern),
  };
}

/** Characters that stand for themselves, and an anchor at either end. */
function specificityOf(pattern: string): number {
  const literals = pattern
    .replaceAll(/\[(?:\\.|[^\]\\])*\]/g, '')
    .replaceAll(/\\[dDwWsSbBAz]|\\[pP](?:\{[^}]*\}|.)|\{[\d,]*\}|\(\?[^:)]*:?|[.*+?()|^$]/g, (sign, at: number) =>
      sign === '.' && pattern[at - 1] === '\\' ? 'x' : '',
    )
    .replaceAll('\\', '');
  return literals.length + (pattern.startsWith('^') ? 1 : 0) + (pattern.endsWith('$') ? 1 : 0);
}

/**
 * A text that every match contains, empty when none is evident. Looking for it first makes a name that is new ten times
 * as cheap.
 */
function requiredLiteral(pattern: string): string {
  if (pattern.includes('(?') || pattern.includes('\\Q')) return '';
  let longest = '';
  let run = '';
  const end = (kept = run) => {
    if (kept.length > longest.length) longest = kept;
    run = '';
  };
  for (const [part] of pattern.matchAll(PARTS)) {
    if (part === '|') return '';
    // What comes before it may be absent.
    if (part === '?' || part === '*' || part.startsWith('{')) end(run.slice(0, -1));
    else if (/^[\w-]$|^\\[^\w]$|^[^\\\w.^$+()[\]]$/.test(part)) run += part.at(-1);
    else end();
  }
  end();
  return longest;
}

/** Groups (up to three inside each other), classes, escapes and repetitions as wholes, else single signs. */
const PARTS =
  /\((?:\\.|[^()\\]|\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\))*\)|\[(?:\\.|[^\]\\])*\]|\\.|\{[^}]*\}|[\s\S]/gu;
