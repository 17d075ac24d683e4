import { RE2JS } from 're2js';
import { SpandrelError } from '../errors.ts';
import { COMPILED_PATTERN_COUNT_MAX, MODEL_NAME_CHARS_MAX, MODEL_PATTERN_CHARS_MAX } from '../limits/models.ts';

/** A regular expression that is searched in model names in linear time. */
export interface NamePattern {
  /** False for names that are longer than `MODEL_NAME_CHARS_MAX`. */
  matches(name: string): boolean;
  /** Number of literal characters in the pattern. Of two matching patterns, the more specific one wins. */
  readonly specificity: number;
}

/** Compiled patterns by their text: every change of a model's price builds a table of the patterns of all models. */
const compiled = new Map<string, NamePattern>();

/**
 * Compiles a pattern of RE2 syntax, which has no look-around and no back references, because their search time is
 * unbounded.
 *
 * @throws {SpandrelError} `MODEL_INVALID` if the pattern is too long or invalid
 */
export function compileNamePattern(pattern: string): NamePattern {
  if (pattern.length > MODEL_PATTERN_CHARS_MAX) {
    throw new SpandrelError('MODEL_INVALID', `Invalid regex: longer than ${MODEL_PATTERN_CHARS_MAX} characters`);
  }
  const known = compiled.get(pattern);
  if (known) return known;
  const result = compile(pattern);
  if (compiled.size >= COMPILED_PATTERN_COUNT_MAX) compiled.clear();
  compiled.set(pattern, result);
  return result;
}

/**
 * Checks a pattern as `compileNamePattern` does. Patterns of plain syntax are not compiled, which saves a start of the server
 * the compilation of the whole price file.
 *
 * @throws {SpandrelError} `MODEL_INVALID` if the pattern is too long or invalid
 */
export function checkNamePattern(pattern: string): void {
  if (!isPlain(pattern)) compileNamePattern(pattern);
}

/** Syntax that JavaScript and RE2 share: no lookaround, no escapes in classes, a count only after `\d`. */
const PLAIN = /^(?:[\w\-/:@ .^$|*+()?]|\\d\{[1-9]\}|\\[.\-/+dw]|\[\^?[\w.:/-]+\])+$/;
/** RE2 limits the depth of groups. */
const PLAIN_CHARS_MAX = 500;

function isPlain(pattern: string): boolean {
  if (pattern.length > PLAIN_CHARS_MAX || !PLAIN.test(pattern) || /\(\?(?!:)/.test(pattern)) return false;
  try {
    // Parses the pattern, and does not compile it yet.
    return new RegExp(pattern, 'u') !== undefined;
  } catch {
    return false;
  }
}

/**
 * Like `compileNamePattern`, for a pattern that was validated before. It is compiled at the first name that may match,
 * because few of the several hundred patterns of a price table meet such a name. An invalid pattern matches nothing.
 */
export function deferNamePattern(pattern: string): NamePattern {
  let literal: string | undefined;
  let compiledPattern: Pick<NamePattern, 'matches'> | undefined;
  return {
    matches(name) {
      literal ??= requiredLiteral(pattern);
      if (!name.includes(literal)) return false;
      compiledPattern ??= compileOrMatchNothing(pattern);
      return compiledPattern.matches(name);
    },
    get specificity() {
      return specificityOf(pattern);
    },
  };
}

function compileOrMatchNothing(pattern: string): Pick<NamePattern, 'matches'> {
  try {
    return compileNamePattern(pattern);
  } catch {
    return { matches: () => false };
  }
}

function compile(pattern: string): NamePattern {
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

/** Number of characters that stand for themselves, including an anchor at either end. */
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
 * A text that every match contains, or an empty text if none is known. Searching for it first makes a new name ten
 * times as cheap.
 */
function requiredLiteral(pattern: string): string {
  if (pattern.includes('(?') || pattern.includes('\\Q')) return '';
  let longest = '';
  let run = '';
  const end = (literal = run) => {
    if (literal.length > longest.length) longest = literal;
    run = '';
  };
  for (const [part] of pattern.matchAll(PARTS)) {
    if (part === '|') return '';
    // The previous character may be absent.
    if (part === '?' || part === '*' || part.startsWith('{')) end(run.slice(0, -1));
    else if (/^[\w-]$|^\\[^\w]$|^[^\\\w.^$+()[\]]$/.test(part)) run += part.at(-1);
    else end();
  }
  end();
  return longest;
}

/** Groups (nested up to three levels), classes, escapes and repetitions as units, otherwise single characters. */
const PARTS =
  /\((?:\\.|[^()\\]|\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\))*\)|\[(?:\\.|[^\]\\])*\]|\\.|\{[^}]*\}|[\s\S]/gu;
